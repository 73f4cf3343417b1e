// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Prints trees as CAT, with brackets wherever the parser would otherwise read something else.
#include "memory/cat/cat_text.h"

namespace heddle::memory::cat {

namespace {

/// How tightly the kind binds; brackets go around what is looser than its place.
constexpr int kLoosest = 0;
constexpr int kOperators = 1;
constexpr int kUnary = 6;
constexpr int kInverted = 7;
constexpr int kApplied = 8;
constexpr int kSimple = 9;

int level(const Expr& e) {
  switch (e.kind) {
  case ExprKind::kName:
  case ExprKind::kTag:
  case ExprKind::kZero:
  case ExprKind::kUniverse:
  case ExprKind::kSet:
  case ExprKind::kIdentityOn:
    return kSimple;
  case ExprKind::kTuple:
    return e.parts.empty() ? kSimple : kLoosest;
  case ExprKind::kUnion:
    return kOperators;
  case ExprKind::kAdd:
    return 2;
  case ExprKind::kSequence:
    return 3;
  case ExprKind::kDifference:
    return 4;
  case ExprKind::kIntersection:
    return 5;
  case ExprKind::kProduct:
  case ExprKind::kStar:
  case ExprKind::kPlus:
  case ExprKind::kOptional:
  case ExprKind::kComplement:
    return kUnary;
  case ExprKind::kInverse:
    return kInverted;
  case ExprKind::kApply:
    return kApplied;
  case ExprKind::kFunction:
  case ExprKind::kLet:
  case ExprKind::kLetRec:
  case ExprKind::kTry:
  case ExprKind::kIf:
  case ExprKind::kMatchTag:
  case ExprKind::kMatchSet:
    return kLoosest;
  }
  return kLoosest;
}

class Printer {
public:
  std::string take() { return std::move(out_); }

  void expression(const Expr& e, int place) {
    const bool brackets = level(e) < place;
    if (brackets)
      out_ += "(";
    inside(e);
    if (brackets)
      out_ += ")";
  }

  void statements(const std::vector<Statement>& all) {
    for (const Statement& one : all)
      statement(one);
  }

private:
  void name(const std::string& text) { out_ += text.empty() ? "_" : text; }
  void pattern(const Pattern& p) {
    if (!p.is_tuple) {
      name(p.names[0]);
      return;
    }
    out_ += "(";
    for (std::size_t i = 0; i < p.names.size(); ++i) {
      out_ += i > 0 ? ", " : "";
      name(p.names[i]);
    }
    out_ += ")";
  }
  void list(const std::vector<ExprPtr>& parts, std::string_view between, int place) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      out_ += i > 0 ? between : "";
      expression(*parts[i], place);
    }
  }
  void bindings(const std::vector<Binding>& all, std::string_view between) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      out_ += i > 0 ? between : "";
      pattern(all[i].pattern);
      out_ += " = ";
      expression(*all[i].value, kLoosest);
    }
  }
  void behind(const Expr& e, std::string_view symbol, int place) {
    expression(*e.parts[0], place);
    out_ += symbol;
  }
  void let(const Expr& e, std::string_view word) {
    out_ += word;
    bindings(e.bindings, " and ");
    out_ += " in ";
    expression(*e.parts[0], kLoosest);
  }
  void match_tag(const Expr& e) {
    out_ += "match ";
    expression(*e.parts[0], kLoosest);
    out_ += " with";
    for (std::size_t i = 0; i < e.tags.size(); ++i) {
      out_ += e.tags[i].empty() ? " || _" : " || '" + e.tags[i];
      out_ += " -> ";
      expression(*e.parts[i + 1], kLoosest);
    }
    out_ += " end";
  }
  void match_set(const Expr& e) {
    out_ += "match ";
    expression(*e.parts[0], kLoosest);
    out_ += " with || {} -> ";
    expression(*e.parts[1], kLoosest);
    out_ += " || ";
    const std::vector<std::string>& names = e.pattern.names;
    name(names[0]);
    if (names.size() == 3) {
      out_ += " | ";
      name(names[1]);
    }
    out_ += " ++ ";
    name(names.back());
    out_ += " -> ";
    expression(*e.parts[2], kLoosest);
    out_ += " end";
  }

  void inside(const Expr& e) {
    switch (e.kind) {
    case ExprKind::kName:
      out_ += e.name;
      return;
    case ExprKind::kTag:
      out_ += "'" + e.name;
      return;
    case ExprKind::kZero:
      out_ += "0";
      return;
    case ExprKind::kUniverse:
      out_ += "_";
      return;
    case ExprKind::kSet:
      out_ += "{";
      list(e.parts, ", ", kOperators);
      out_ += "}";
      return;
    case ExprKind::kTuple:
      if (e.parts.empty())
        out_ += "()";
      list(e.parts, ", ", kOperators);
      return;
    case ExprKind::kUnion:
      return list(e.parts, " | ", 2);
    case ExprKind::kAdd:
      return list(e.parts, " ++ ", 3);
    case ExprKind::kSequence:
      return list(e.parts, "; ", 4);
    case ExprKind::kDifference:
      return list(e.parts, " \\ ", 5);
    case ExprKind::kIntersection:
      return list(e.parts, " & ", kUnary);
    case ExprKind::kProduct:
      return list(e.parts, " * ", kInverted);
    case ExprKind::kStar:
      return behind(e, "*", kInverted);
    case ExprKind::kPlus:
      return behind(e, "+", kInverted);
    case ExprKind::kOptional:
      return behind(e, "?", kInverted);
    case ExprKind::kComplement:
      out_ += "~";
      // Brackets around each of many would nest deeper than what was read.
      if (e.parts[0]->kind == ExprKind::kComplement)
        return inside(*e.parts[0]);
      return expression(*e.parts[0], kInverted);
    case ExprKind::kInverse:
      return behind(e, "^-1", kApplied);
    case ExprKind::kIdentityOn:
      out_ += "[";
      expression(*e.parts[0], kLoosest);
      out_ += "]";
      return;
    case ExprKind::kApply:
      expression(*e.parts[0], kApplied);
      // f (x) reads better than f x where the argument is in brackets anyway.
      out_ += level(*e.parts[1]) < kSimple ? "" : " ";
      return expression(*e.parts[1], kSimple);
    case ExprKind::kFunction:
      out_ += "fun ";
      pattern(e.pattern);
      out_ += " -> ";
      return expression(*e.parts[0], kLoosest);
    case ExprKind::kLet:
      return let(e, "let ");
    case ExprKind::kLetRec:
      return let(e, "let rec ");
    case ExprKind::kTry:
      out_ += "try ";
      expression(*e.parts[0], kLoosest);
      out_ += " with ";
      return expression(*e.parts[1], kLoosest);
    case ExprKind::kIf:
      out_ += "if ";
      condition(*e.condition);
      out_ += " then ";
      expression(*e.parts[0], kLoosest);
      out_ += " else ";
      return expression(*e.parts[1], kLoosest);
    case ExprKind::kMatchTag:
      return match_tag(e);
    case ExprKind::kMatchSet:
      return match_set(e);
    }
  }

  void condition_in_brackets(const Condition& c) {
    const bool brackets = c.kind == ConditionKind::kAnd || c.kind == ConditionKind::kOr;
    if (brackets)
      out_ += "(";
    condition(c);
    if (brackets)
      out_ += ")";
  }
  void condition(const Condition& c) {
    const auto chain = [&](std::string_view between) {
      for (std::size_t i = 0; i < c.conditions.size(); ++i) {
        out_ += i > 0 ? between : "";
        condition_in_brackets(*c.conditions[i]);
      }
    };
    const auto compare = [&](std::string_view between) {
      expression(*c.parts[0], kOperators);
      out_ += between;
      expression(*c.parts[1], kOperators);
    };
    switch (c.kind) {
    case ConditionKind::kVariant:
      out_ += "\"" + c.name + "\"";
      return;
    case ConditionKind::kNot:
      out_ += "not ";
      return condition_in_brackets(*c.conditions[0]);
    case ConditionKind::kAnd:
      return chain(" && ");
    case ConditionKind::kOr:
      return chain(" || ");
    case ConditionKind::kEqual:
      return compare(" = ");
    case ConditionKind::kSubset:
      return compare(" subset ");
    case ConditionKind::kMember:
      return compare(" in ");
    }
  }

  void check(const Check& c) {
    switch (c.role) {
    case CheckRole::kRequire:
      break;
    case CheckRole::kFlag:
      out_ += "flag ";
      break;
    case CheckRole::kUndefinedUnless:
      out_ += "undefined_unless ";
      break;
    case CheckRole::kAssert:
      out_ += "assert ";
      break;
    }
    out_ += c.is_negated ? "~" : "";
    switch (c.kind) {
    case CheckKind::kAcyclic:
      out_ += "acyclic ";
      break;
    case CheckKind::kIrreflexive:
      out_ += "irreflexive ";
      break;
    case CheckKind::kEmpty:
      out_ += "empty ";
      break;
    }
    expression(*c.expression, kLoosest);
    if (!c.name.empty())
      out_ += " as " + c.name;
  }
  void names(const std::vector<std::string>& all, std::string_view before) {
    for (std::size_t i = 0; i < all.size(); ++i)
      out_ += (i > 0 ? std::string(before) : std::string(1, ' ')) + all[i];
  }
  void tags(const std::vector<std::string>& all) {
    for (std::size_t i = 0; i < all.size(); ++i)
      out_ += (i > 0 ? " || '" : " '") + all[i];
  }

  void statement(const Statement& s) {
    switch (s.kind) {
    case StatementKind::kLet:
      out_ += "let ";
      bindings(s.bindings, "\nand ");
      break;
    case StatementKind::kLetRec:
      out_ += "let rec ";
      bindings(s.bindings, "\nand ");
      if (s.check) {
        out_ += "\nwhen ";
        check(*s.check);
      }
      break;
    case StatementKind::kCheck:
      check(*s.check);
      break;
    case StatementKind::kShow:
      out_ += "show";
      names(s.names, ", ");
      break;
    case StatementKind::kShowAs:
      out_ += "show ";
      expression(*s.expression, kOperators);
      out_ += " as " + s.name;
      break;
    case StatementKind::kShowAll:
      out_ += "showall";
      break;
    case StatementKind::kUnshow:
      out_ += "unshow";
      names(s.names, ", ");
      break;
    case StatementKind::kInclude:
      out_ += "include \"" + s.name + "\"";
      break;
    case StatementKind::kProcedure:
      out_ += s.is_recursive ? "procedure rec " : "procedure ";
      out_ += s.name + " ";
      pattern(s.pattern);
      out_ += " =\n";
      statements(s.body);
      out_ += "end";
      break;
    case StatementKind::kCall:
      out_ += "call " + s.name + " ";
      expression(*s.expression, kSimple);
      if (!s.names.empty())
        out_ += " as " + s.names[0];
      break;
    case StatementKind::kEnum:
      out_ += "enum " + s.name + " =";
      tags(s.names);
      break;
    case StatementKind::kDebug:
      out_ += "debug ";
      expression(*s.expression, kLoosest);
      break;
    case StatementKind::kForall:
      out_ += "forall " + s.name + " in ";
      expression(*s.expression, kLoosest);
      out_ += " do\n";
      statements(s.body);
      out_ += "end";
      break;
    case StatementKind::kWithFrom:
      out_ += "with " + s.name + " from ";
      expression(*s.expression, kLoosest);
      break;
    case StatementKind::kInstructions:
    case StatementKind::kDefault:
      out_ += s.kind == StatementKind::kDefault ? "default " : "instructions ";
      out_ += s.name + "[";
      list(s.parts, ", ", kOperators);
      out_ += "]";
      break;
    case StatementKind::kScopes:
      out_ += "scopes";
      tags(s.names);
      break;
    case StatementKind::kIf:
      out_ += "if ";
      condition(*s.condition);
      out_ += " then\n";
      statements(s.body);
      if (!s.otherwise.empty()) {
        out_ += "else\n";
        statements(s.otherwise);
      }
      out_ += "end";
      break;
    case StatementKind::kMatchTag:
      out_ += "match ";
      expression(*s.expression, kLoosest);
      out_ += " with\n";
      for (std::size_t i = 0; i < s.cases.size(); ++i) {
        out_ += s.names[i].empty() ? "|| _" : "|| '" + s.names[i];
        out_ += " ->\n";
        statements(s.cases[i]);
      }
      out_ += "end";
      break;
    }
    out_ += "\n";
  }

  std::string out_;
};

} // namespace

std::string print(const Expr& expression) {
  Printer printer;
  printer.expression(expression, kLoosest);
  return printer.take();
}

std::string print(const File& file) {
  std::string out;
  for (const std::string& word : file.title)
    out += "\"" + word + "\"\n";
  for (const std::string& option : file.options)
    out += option + "\n";
  Printer printer;
  printer.statements(file.statements);
  return out + printer.take();
}

} // namespace heddle::memory::cat
