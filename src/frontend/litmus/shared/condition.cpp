// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/condition.h"

#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using Kind = Proposition::Kind;

// Nested parentheses, negations and implications; nobody writes as many.
constexpr unsigned kMaxDepth = 200;

class FormulaParser {
public:
  explicit FormulaParser(Lexer& lexer) : lexer_(lexer) {}

  Result<Formula> parse_implication(unsigned depth) {
    if (depth > kMaxDepth)
      return error_at(lexer_.peek().loc, "LIT-003", "the condition is nested too deeply");
    Result<Formula> left = parse_chain(Kind::kOr, depth);
    if (!left || !lexer_.accept_symbol("=>"))
      return left;
    Result<Formula> right = parse_implication(depth + 1);
    if (!right)
      return right;
    Formula result;
    result.kind = Kind::kImplies;
    result.operands.push_back(std::move(*left));
    result.operands.push_back(std::move(*right));
    return result;
  }

private:
  bool accept_operator(Kind kind) {
    if (kind == Kind::kOr)
      return lexer_.accept_symbol("\\/");
    return lexer_.accept_symbol("/\\");
  }

  // a /\ b /\ c is one conjunction of three, however it is put in parentheses.
  static void add_operand(Formula& chain, Formula operand) {
    if (operand.kind != chain.kind) {
      chain.operands.push_back(std::move(operand));
      return;
    }
    for (Formula& inner : operand.operands)
      chain.operands.push_back(std::move(inner));
  }

  Result<Formula> parse_chain(Kind kind, unsigned depth) {
    Result<Formula> first = parse_link(kind, depth);
    if (!first || !accept_operator(kind))
      return first;
    Formula chain;
    chain.kind = kind;
    add_operand(chain, std::move(*first));
    do {
      Result<Formula> operand = parse_link(kind, depth);
      if (!operand)
        return operand;
      add_operand(chain, std::move(*operand));
    } while (accept_operator(kind));
    return chain;
  }

  Result<Formula> parse_link(Kind kind, unsigned depth) {
    return kind == Kind::kOr ? parse_chain(Kind::kAnd, depth) : parse_operand(depth);
  }

  Result<Formula> parse_operand(unsigned depth) {
    if (depth > kMaxDepth)
      return error_at(lexer_.peek().loc, "LIT-003", "the condition is nested too deeply");
    if (lexer_.accept_symbol("~") || lexer_.accept_name("not")) {
      Result<Formula> inner = parse_operand(depth + 1);
      if (!inner)
        return inner;
      Formula result;
      result.kind = Kind::kNot;
      result.operands.push_back(std::move(*inner));
      return result;
    }
    if (lexer_.accept_symbol("(")) {
      Result<Formula> inner = parse_implication(depth + 1);
      if (!inner)
        return inner;
      if (const Status closed = lexer_.expect_symbol(")"); !closed)
        return closed.error();
      return inner;
    }
    Formula constant;
    if (lexer_.accept_name("true"))
      return constant;
    constant.kind = Kind::kFalse;
    if (lexer_.accept_name("false"))
      return constant;
    return parse_atom();
  }

  Result<Formula> parse_atom() {
    Formula atom;
    Result<Place> left = parse_place(lexer_);
    if (!left)
      return left.error();
    atom.left = std::move(*left);
    if (lexer_.accept_symbol("!=") || lexer_.accept_symbol("<>"))
      atom.kind = Kind::kNotEquals;
    else if (lexer_.accept_symbol("=") || lexer_.accept_symbol("=="))
      atom.kind = Kind::kEquals;
    else
      return lexer_.expected("'=' or '!='");
    const bool is_thread =
        lexer_.is_symbol(":", 1) && !lexer_.is_name("label") && !lexer_.is_name("instr");
    if (is_thread || lexer_.is_symbol("[") || lexer_.is_symbol("*")) {
      Result<Place> right = parse_place(lexer_);
      if (!right)
        return right.error();
      atom.right = std::move(*right);
      return atom;
    }
    Result<LiteralValue> right = parse_literal(lexer_);
    if (!right)
      return right.error();
    atom.right = std::move(*right);
    return atom;
  }

  Lexer& lexer_;
};

Result<std::vector<Place>> parse_locations(Lexer& lexer) {
  if (const Status open = lexer.expect_symbol("["); !open)
    return open.error();
  std::vector<Place> places;
  while (!lexer.accept_symbol("]")) {
    if (lexer.accept_symbol(";"))
      continue;
    // A type may stand before the place (int x) or after it (0:r1 int*).
    while (lexer.peek().kind == Token::Kind::kName && !lexer.is_symbol(":", 1) &&
           (lexer.peek(1).kind == Token::Kind::kName ||
            lexer.peek(1).kind == Token::Kind::kNumber || lexer.is_symbol("*", 1)))
      (void)lexer.take();
    while (lexer.is_symbol("*"))
      (void)lexer.take();
    Result<Place> place = parse_place(lexer);
    if (!place)
      return place.error();
    places.push_back(std::move(*place));
    while (lexer.peek().kind == Token::Kind::kName || lexer.is_symbol("*"))
      (void)lexer.take();
    if (!lexer.is_symbol(";") && !lexer.is_symbol("]"))
      return lexer.expected("';' or ']'");
  }
  return places;
}

bool accept_quantifier(Lexer& lexer, FinalSection& section) {
  section.loc = lexer.peek().loc;
  if (lexer.accept_name("exists") || lexer.accept_name("final"))
    section.quantifier = Quantifier::kExists;
  else if (lexer.accept_name("forall"))
    section.quantifier = Quantifier::kForall;
  else if ((lexer.is_symbol("~") || lexer.is_name("not")) && lexer.is_name("exists", 1)) {
    (void)lexer.take();
    (void)lexer.take();
    section.quantifier = Quantifier::kNotExists;
  } else
    return false;
  return true;
}

// How tightly a proposition holds together: what is weaker stands in parentheses.
int strength(Kind kind) {
  switch (kind) {
  case Kind::kImplies:
    return 0;
  case Kind::kOr:
    return 1;
  case Kind::kAnd:
    return 2;
  case Kind::kNot:
  case Kind::kTrue:
  case Kind::kFalse:
  case Kind::kEquals:
  case Kind::kNotEquals:
    return 3;
  }
  return 3;
}

std::string in_context(const Formula& formula, int least) {
  const std::string text = to_string(formula);
  return strength(formula.kind) < least ? "(" + text + ")" : text;
}

void collect(const Formula& formula, std::vector<Place>& places) {
  if (formula.kind == Kind::kEquals || formula.kind == Kind::kNotEquals) {
    places.push_back(formula.left);
    if (const Place* right = std::get_if<Place>(&formula.right))
      places.push_back(*right);
  }
  for (const Formula& operand : formula.operands)
    collect(operand, places);
}

void change_places(Formula& formula, const std::function<void(Place&)>& change) {
  if (formula.kind == Kind::kEquals || formula.kind == Kind::kNotEquals) {
    change(formula.left);
    if (Place* right = std::get_if<Place>(&formula.right))
      change(*right);
  }
  for (Formula& operand : formula.operands)
    change_places(operand, change);
}

class ArrayExpansion {
public:
  explicit ArrayExpansion(const std::function<std::uint64_t(const Place&)>& elements)
      : elements_(elements) {}

  std::vector<Place> expand(const Place& place) const {
    const std::uint64_t count = place.thread || place.index ? 1 : elements_(place);
    if (count == 1)
      return {place};
    std::vector<Place> all;
    for (std::uint64_t i = 0; i < count; ++i)
      all.push_back(element(place, i));
    return all;
  }

  void expand(Formula& formula) {
    for (Formula& operand : formula.operands)
      expand(operand);
    const auto* literal = std::get_if<LiteralValue>(&formula.right);
    const auto* list =
        literal == nullptr ? nullptr : std::get_if<std::vector<LiteralValue>>(&literal->content);
    if (list == nullptr || formula.left.thread || formula.left.index)
      return;
    const std::uint64_t count = elements_(formula.left);
    if (count != list->size()) {
      errors.push_back(error_at(
          literal->loc,
          "LIT-020",
          fmt::format("'{}' has {} elements, not {}", formula.left.name, count, list->size())));
      return;
    }
    Formula all;
    all.kind = formula.kind == Kind::kEquals ? Kind::kAnd : Kind::kOr;
    for (std::size_t i = 0; i < list->size(); ++i)
      all.operands.push_back({formula.kind, element(formula.left, i), (*list)[i]});
    formula = std::move(all);
  }

  std::vector<Error> errors;

private:
  static Place element(Place array, std::uint64_t index) {
    array.index = index;
    array.is_of_whole = true;
    return array;
  }

  const std::function<std::uint64_t(const Place&)>& elements_;
};

class Resolution {
public:
  Resolution(const std::vector<Place>& places,
             const ConditionMeaning& meaning,
             const std::vector<Observed>& observed)
      : places_(places), meaning_(meaning), observed_(observed) {}

  Proposition resolve(const Formula& formula) {
    Proposition result;
    result.kind = formula.kind;
    for (const Formula& operand : formula.operands)
      result.operands.push_back(resolve(operand));
    if (formula.kind != Kind::kEquals && formula.kind != Kind::kNotEquals)
      return result;
    result.observed = index_of(formula.left);
    if (const Place* right = std::get_if<Place>(&formula.right)) {
      result.value = index_of(*right);
      return result;
    }
    const Result<Literal> literal =
        meaning_.literal(std::get<LiteralValue>(formula.right), observed_[result.observed]);
    if (literal)
      result.value = *literal;
    else
      errors.push_back(literal.error());
    return result;
  }

  std::vector<Error> errors;

private:
  [[nodiscard]] std::size_t index_of(const Place& place) const {
    const auto found = std::find_if(
        places_.begin(), places_.end(), [&](const Place& other) { return other.is_same(place); });
    return static_cast<std::size_t>(found - places_.begin());
  }

  const std::vector<Place>& places_;
  const ConditionMeaning& meaning_;
  const std::vector<Observed>& observed_;
};

} // namespace

Result<FinalSection> parse_final(Lexer& lexer) {
  FinalSection section;
  while (lexer.peek().kind != Token::Kind::kEnd) {
    if (lexer.accept_name("locations")) {
      Result<std::vector<Place>> places = parse_locations(lexer);
      if (!places)
        return places.error();
      for (Place& place : *places)
        section.locations.push_back(std::move(place));
    } else if (lexer.accept_name("filter")) {
      Result<Formula> filter = FormulaParser(lexer).parse_implication(0);
      if (!filter)
        return filter.error();
      section.filter = std::move(*filter);
    } else if (section.quantifier == Quantifier::kNone && accept_quantifier(lexer, section)) {
      Result<Formula> condition = FormulaParser(lexer).parse_implication(0);
      if (!condition)
        return condition.error();
      section.condition = std::move(*condition);
    } else if (section.quantifier != Quantifier::kNone &&
               (lexer.is_name("with") || lexer.is_symbol("<<"))) {
      break; // verdicts of other models, and notes for other tools
    } else if (!lexer.accept_symbol(";")) {
      return lexer.expected("'locations', 'filter', 'exists', '~exists' or 'forall'");
    }
  }
  return section;
}

std::vector<Error> expand_arrays(FinalSection& section,
                                 const std::function<std::uint64_t(const Place&)>& elements) {
  ArrayExpansion expansion(elements);
  std::vector<Place> locations;
  for (const Place& place : section.locations)
    for (Place& one : expansion.expand(place))
      locations.push_back(std::move(one));
  section.locations = std::move(locations);
  if (section.filter)
    expansion.expand(*section.filter);
  expansion.expand(section.condition);
  return std::move(expansion.errors);
}

void for_each_place(FinalSection& section, const std::function<void(Place&)>& change) {
  for (Place& place : section.locations)
    change(place);
  if (section.filter)
    change_places(*section.filter, change);
  change_places(section.condition, change);
}

std::string to_string(const Formula& formula) {
  switch (formula.kind) {
  case Kind::kTrue:
    return "true";
  case Kind::kFalse:
    return "false";
  case Kind::kEquals:
  case Kind::kNotEquals: {
    const std::string right =
        std::visit([](const auto& value) { return value.to_string(); }, formula.right);
    return formula.left.to_string() + (formula.kind == Kind::kEquals ? "=" : "!=") + right;
  }
  case Kind::kNot:
    return fmt::format("not ({})", to_string(formula.operands.front()));
  case Kind::kImplies:
    return in_context(formula.operands[0], 1) + " => " + in_context(formula.operands[1], 0);
  case Kind::kAnd:
  case Kind::kOr:
    break;
  }
  std::string text;
  for (const Formula& operand : formula.operands) {
    if (!text.empty())
      text += formula.kind == Kind::kAnd ? " /\\ " : " \\/ ";
    text += in_context(operand, strength(formula.kind));
  }
  return text;
}

std::string to_string(Quantifier quantifier, const Formula& formula) {
  switch (quantifier) {
  case Quantifier::kNone:
    return {};
  case Quantifier::kExists:
    return "exists (" + to_string(formula) + ")";
  case Quantifier::kNotExists:
    return "~exists (" + to_string(formula) + ")";
  case Quantifier::kForall:
    return "forall (" + to_string(formula) + ")";
  }
  return {};
}

std::string print_final(const FinalSection& section) {
  std::string text;
  if (!section.locations.empty()) {
    text += "locations [";
    for (const Place& place : section.locations)
      text += place.to_string() + ";";
    text += "]\n";
  }
  if (section.filter)
    text += fmt::format("filter ({})\n", to_string(*section.filter));
  if (section.quantifier != Quantifier::kNone)
    text += to_string(section.quantifier, section.condition) + "\n";
  return text;
}

std::vector<Place>
observed_places(const FinalSection& section,
                const std::function<bool(const Place&, const Place&)>& register_before) {
  std::vector<Place> all = section.locations;
  collect(section.condition, all);
  if (section.filter)
    collect(*section.filter, all);
  const auto is_before = [&](const Place& a, const Place& b) {
    if (a.thread.has_value() != b.thread.has_value())
      return a.thread.has_value();
    if (!a.thread)
      return std::pair(a.name, a.index) < std::pair(b.name, b.index);
    if (a.thread != b.thread)
      return *a.thread < *b.thread;
    if (register_before(a, b) != register_before(b, a))
      return register_before(a, b);
    return a.name < b.name;
  };
  std::vector<Place> places;
  for (Place& place : all) {
    const auto same = std::find_if(
        places.begin(), places.end(), [&](const Place& other) { return other.is_same(place); });
    if (same == places.end())
      places.push_back(std::move(place));
    else
      same->is_of_whole = same->is_of_whole || place.is_of_whole;
  }
  std::sort(places.begin(), places.end(), is_before);
  return places;
}

std::vector<Error>
resolve_final(const FinalSection& section, const ConditionMeaning& meaning, Test& test) {
  const std::vector<Place> places = observed_places(section, meaning.register_before);
  std::vector<Error> errors;
  for (const Place& place : places) {
    Result<Observed> observed = meaning.observe(place);
    if (!observed) {
      errors.push_back(observed.error());
      continue;
    }
    observed->name = place.to_string();
    if (place.is_of_whole)
      observed->array = place.name;
    test.observed.push_back(std::move(*observed));
  }
  if (!errors.empty())
    return errors;
  Resolution resolution(places, meaning, test.observed);
  test.quantifier = section.quantifier;
  test.condition = resolution.resolve(section.condition);
  if (section.filter)
    test.filter = resolution.resolve(*section.filter);
  test.condition_text = to_string(section.quantifier, section.condition);
  test.condition_loc = section.loc;
  return std::move(resolution.errors);
}

std::vector<std::uint64_t> contents_equal_to(const Observed& observed, std::uint64_t number) {
  const auto low = [](std::uint64_t value, unsigned bits) {
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  };
  std::vector<std::uint64_t> contents{low(number, observed.bits)};
  if (observed.type_bits >= observed.bits)
    return contents;
  const std::uint64_t sign = std::uint64_t{1} << (observed.type_bits - 1U);
  const std::uint64_t unsigned_one = low(number, observed.type_bits);
  const std::uint64_t signed_one = low((unsigned_one ^ sign) - sign, observed.bits);
  if (contents.front() != unsigned_one && contents.front() != signed_one)
    return contents; // it is of no such type
  for (const std::uint64_t other : {unsigned_one, signed_one})
    if (std::find(contents.begin(), contents.end(), other) == contents.end())
      contents.push_back(other);
  return contents;
}

} // namespace heddle::frontend::litmus
