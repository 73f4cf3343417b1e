// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The grammar of CAT: how operators bind, that printing and parsing are inverse, and that what is
// wrong is said, all of it.
#include "memory/cat/cat_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <vector>

namespace heddle::memory::cat {
namespace {

std::string reprint(const std::string& text) {
  const Parsed parsed = parse("let x = " + text, "test.cat");
  for (const Error& error : parsed.errors)
    ADD_FAILURE() << text << ": " << error.to_string();
  if (parsed.file.statements.size() != 1)
    return "";
  return print(*parsed.file.statements[0].bindings[0].value);
}

/// Do the two texts mean the same tree?
bool same(const std::string& a, const std::string& b) {
  const Parsed first = parse("let x = " + a, "a.cat");
  const Parsed second = parse("let x = " + b, "b.cat");
  EXPECT_TRUE(first.errors.empty()) << a;
  EXPECT_TRUE(second.errors.empty()) << b;
  return equal(first.file, second.file);
}

TEST(CatParse, PrecedenceIsThatOfHerd) {
  EXPECT_TRUE(same("a | b & c", "a | (b & c)"));
  EXPECT_TRUE(same("a | b \\ c", "a | (b \\ c)"));
  EXPECT_TRUE(same("a ; b | c", "(a ; b) | c"));
  EXPECT_TRUE(same("a ; b \\ c", "a ; (b \\ c)"));
  EXPECT_TRUE(same("a \\ b & c", "a \\ (b & c)"));
  EXPECT_TRUE(same("a ++ b ; c", "a ++ (b ; c)"));
  EXPECT_TRUE(same("a | b ++ c", "a | (b ++ c)"));
  EXPECT_TRUE(same("a & A * B", "a & (A * B)"));
  EXPECT_TRUE(same("A * B^-1", "A * (B^-1)"));
  EXPECT_TRUE(same("~a ; b", "(~a) ; b"));
  EXPECT_TRUE(same("~a^-1", "~(a^-1)"));
  EXPECT_TRUE(same("f a b | c", "((f a b)) | c"));
  EXPECT_TRUE(same("a+^-1", "(a+)^-1"));
  EXPECT_FALSE(same("a \\ b \\ c", "a \\ (b \\ c)"));
  EXPECT_FALSE(same("a | b & c", "(a | b) & c"));
}

TEST(CatParse, StarIsAProductWhereAnExpressionFollows) {
  EXPECT_TRUE(same("A * B", "(A) * (B)"));
  EXPECT_TRUE(same("r* ; s", "(r*) ; s"));
  EXPECT_TRUE(same("A * ~B", "A * (~B)"));
  const Parsed parsed = parse("let x = r*\n~acyclic x", "test.cat");
  EXPECT_TRUE(parsed.errors.empty());
  ASSERT_EQ(parsed.file.statements.size(), 2U);
  EXPECT_EQ(parsed.file.statements[0].bindings[0].value->kind, ExprKind::kStar);
  EXPECT_TRUE(parsed.file.statements[1].check->is_negated);
}

TEST(CatParse, OperatorsThatBindEquallyNeedBrackets) {
  for (const char* text : {"~a+", "A * B *", "A * B * C", "~a?"})
    EXPECT_FALSE(parse(std::string("let x = ") + text, "test.cat").errors.empty()) << text;
}

TEST(CatParse, NamesHoldDotsAndDashes) {
  EXPECT_EQ(reprint("po-loc & dmb.full | _x | x'"), "po-loc & dmb.full | _x | x'");
  EXPECT_EQ(reprint("rf^-1"), "rf^-1");
  EXPECT_EQ(reprint("(rf) ^ -1"), "rf^-1");
  EXPECT_EQ(reprint("rf -1"), "rf^-1"); // in old models
  EXPECT_EQ(reprint("(a; b) -1 ; c"), "(a; b)^-1; c");
}

TEST(CatParse, Comments) {
  const Parsed parsed =
      parse("(* a (* nested *) one *)\n# line\n// line\n/* c */ let x = a (* b *)", "test.cat");
  EXPECT_TRUE(parsed.errors.empty());
  EXPECT_EQ(parsed.file.statements.size(), 1U);
  // A stray opening in the prose: the comment ends where it can.
  const Parsed stray = parse("(* a (* b *) let x = a", "test.cat");
  EXPECT_TRUE(stray.errors.empty());
  EXPECT_EQ(stray.file.statements.size(), 1U);
  EXPECT_EQ(parse("(* let x = a", "test.cat").errors.size(), 1U);
}

TEST(CatParse, Title) {
  EXPECT_EQ(parse("X86 TSO let x = 0", "t").file.title, (std::vector<std::string>{"X86", "TSO"}));
  EXPECT_EQ(parse("C \"C++11\" let x = 0", "t").file.title,
            (std::vector<std::string>{"C", "C++11"}));
  EXPECT_EQ(parse("let x = 0", "t").file.title, std::vector<std::string>{});
  EXPECT_EQ(parse("\"A\" catdep let x = 0", "t").file.options, std::vector<std::string>{"catdep"});
}

const char* const kEverything = R"("All of it" catdep
include "cos.cat"
let a = b and (c, d) = (e, f)
let f(x, y) = x; y
let g () = 0
let h x = fun (y, z) -> fun _ -> x
let rec r = s | r; r and t = {} when irreflexive r as R
let m = match S with || {} -> 0 || e ++ es -> f (e, es) end
let n = match S with || b | e ++ es -> e || {} -> {} end
let k = match t with 'a -> 0 || 'b -> _ || _ -> _ end
let i = if "x" && not ("y" || "z") || "w" then a else b
let j = if a = b || c subset d || e in f then a else (if "q" then b else c)
let l = try x with let y = a in y & y
let o = {a, b, {c}} ++ {} | [A \ B]; (A * B)? ; r+ ; s* ; ~t
acyclic r as name
~empty r & s
flag ~irreflexive r as f
undefined_unless empty r
assert empty r | s as q
show a, b
show a; b as c
unshow a
showall
procedure p(a, b) =
  let c = a | b
  empty c as x
  call q ()
end
procedure rec q _ = call q 0 as z end
call p (a, b) as n
enum E = 'a || 'b
instructions R[{'a, 'b}]
default W[E, 'a]
scopes 'wg || 'sys
forall x in {a, b} do acyclic x end
with co from generate_cos(co0)
debug a
if "v" include "a.cat" else let x = a end
match t with 'a -> let x = b || _ -> acyclic b end
)";

TEST(CatParse, PrintThenParseIsTheIdentity) {
  const Parsed first = parse(kEverything, "test.cat");
  for (const Error& error : first.errors)
    ADD_FAILURE() << error.to_string();
  ASSERT_EQ(first.file.statements.size(), 34U);
  const std::string printed = print(first.file);
  const Parsed second = parse(printed, "printed.cat");
  for (const Error& error : second.errors)
    ADD_FAILURE() << error.to_string() << "\n" << printed;
  EXPECT_TRUE(equal(first.file, second.file)) << printed;
  EXPECT_EQ(print(second.file), printed);
}

/// A random expression.
ExprPtr random_expression(int depth) {
  auto made = std::make_unique<Expr>();
  const auto part = [&] { made->parts.push_back(random_expression(depth - 1)); };
  if (depth == 0) {
    made->kind =
        *rc::gen::element(ExprKind::kName, ExprKind::kZero, ExprKind::kUniverse, ExprKind::kTag);
    if (made->kind == ExprKind::kName || made->kind == ExprKind::kTag)
      made->name = *rc::gen::element<std::string>("a", "po-loc", "B.c");
    return made;
  }
  made->kind = *rc::gen::element(ExprKind::kUnion,
                                 ExprKind::kAdd,
                                 ExprKind::kSequence,
                                 ExprKind::kDifference,
                                 ExprKind::kIntersection,
                                 ExprKind::kProduct,
                                 ExprKind::kStar,
                                 ExprKind::kPlus,
                                 ExprKind::kOptional,
                                 ExprKind::kComplement,
                                 ExprKind::kInverse,
                                 ExprKind::kIdentityOn,
                                 ExprKind::kApply,
                                 ExprKind::kFunction,
                                 ExprKind::kLet,
                                 ExprKind::kTry,
                                 ExprKind::kTuple,
                                 ExprKind::kSet,
                                 ExprKind::kMatchSet);
  switch (made->kind) {
  case ExprKind::kUnion:
  case ExprKind::kAdd:
  case ExprKind::kSequence:
  case ExprKind::kDifference:
  case ExprKind::kIntersection:
  case ExprKind::kTuple:
  case ExprKind::kSet: {
    const int count = *rc::gen::inRange(2, 4);
    for (int i = 0; i < count; ++i)
      part();
    break;
  }
  case ExprKind::kProduct:
  case ExprKind::kTry:
    part();
    part();
    break;
  case ExprKind::kApply: {
    auto function = std::make_unique<Expr>();
    function->kind = ExprKind::kName;
    function->name = "f";
    made->parts.push_back(std::move(function));
    part();
    break;
  }
  case ExprKind::kFunction:
    made->pattern = {true, {"x", ""}};
    part();
    break;
  case ExprKind::kLet: {
    Binding binding;
    binding.pattern = {false, {"y"}};
    binding.value = random_expression(depth - 1);
    made->bindings.push_back(std::move(binding));
    part();
    break;
  }
  case ExprKind::kMatchSet:
    made->pattern = {true, {"e", "S"}};
    part();
    part();
    part();
    break;
  default:
    part();
    break;
  }
  return made;
}

TEST(CatParse, RandomExpressionsArePrintedAndReadBack) {
  EXPECT_TRUE(rc::check([] {
    const ExprPtr made = random_expression(*rc::gen::inRange(0, 5));
    const std::string text = print(*made);
    const Parsed parsed = parse("let x = " + text + "\nlet y = 0", "test.cat");
    RC_ASSERT(parsed.errors.empty());
    RC_ASSERT(parsed.file.statements.size() == 2U);
    RC_ASSERT(equal(*parsed.file.statements[0].bindings[0].value, *made));
  }));
}

TEST(CatParse, AllErrorsAreFoundWithTheirPlaces) {
  const Parsed parsed = parse("let x = a |\nlet y = b\nacyclic )\nshow 1\nempty y as", "test.cat");
  ASSERT_GE(parsed.errors.size(), 3U);
  EXPECT_EQ(parsed.errors[0].line, 2U);
  EXPECT_EQ(parsed.errors[0].column, 1U);
  EXPECT_EQ(parsed.errors[0].file, "test.cat");
  EXPECT_EQ(parsed.errors[1].line, 3U);
  EXPECT_EQ(parsed.errors.back().line, 5U);
}

TEST(CatParse, DeepNestingIsRefused) {
  for (const char* text : {"(", "{", "[", "~", "fun x -> ", "let y = ", "if not "}) {
    std::string deep = "let x = ";
    for (int i = 0; i < 100000; ++i)
      deep += text;
    EXPECT_FALSE(parse(deep, "test.cat").errors.empty()) << text;
  }
  std::string many = "let x = a";
  for (int i = 0; i < 100000; ++i)
    many += "?";
  EXPECT_FALSE(parse(many, "test.cat").errors.empty());
  std::string blocks;
  for (int i = 0; i < 100000; ++i)
    blocks += "if \"a\" then ";
  EXPECT_FALSE(parse(blocks, "test.cat").errors.empty());
}

TEST(CatParse, ArbitraryBytesNeverCrash) {
  rc::check([](const std::string& text) { static_cast<void>(parse(text, "test.cat")); });
}

} // namespace
} // namespace heddle::memory::cat
