// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Errors of a model that show only on an execution: each has its place, and none ends the process.
// What is wrong whatever it is applied to is found before (cat_kinds_test.cpp); so the names here
// are parameters, which could be anything.
#include "cat_helpers.h"

namespace heddle::memory {
namespace {

/// Two writes to one place and a read of the second, in one thread.
Evaluated evaluated(const std::string& text) {
  Evaluated made(load_core(text), 3);
  BitAlgebra& a = made.algebra();
  a.give("W", bits(3, {0, 1}));
  a.give("R", bits(3, {2}));
  a.give("M", bits(3, {0, 1, 2}));
  a.give("po", matrix(3, {{0, 1}, {0, 2}, {1, 2}}));
  a.give("rf", matrix(3, {{1, 2}}));
  a.give("loc",
         matrix(3, {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}));
  return made;
}

struct Wrong {
  const char* text; // line 1
  const char* code;
  std::uint32_t column;
  const char* message;
};

/// In the branch that is taken for the writes.
const std::string kBeforeBody =
    "acyclic (match W with || {} -> 0 || e ++ s -> (let g (e, s, po, W, t) = ";
std::string on_writes(const std::string& body) {
  return kBeforeBody + body + " in g (e, s, po, W, 't)) end)";
}

constexpr std::uint32_t kBody = 72; // columns before the body in on_writes

const Wrong kWrong[] = {
    {"[po]", "CAT-011", kBody + 2, "expected a set of events, found a relation"},
    {"domain e", "CAT-011", kBody + 1, "expected a relation, found an event"},
    {"e | po", "CAT-011", kBody + 1, "expected a set of events, found a relation"},
    {"e (po)", "CAT-015", kBody + 1, "an event cannot be applied"},
    {"~t", "CAT-011", kBody + 1, "expected a relation, found the tag 't"},
    {"t ++ W",
     "CAT-011",
     kBody + 1,
     "expected a set that can have the tag 't as an element, found a set of events"},
    {"match s with 'a -> po || _ -> 0 end",
     "CAT-011",
     kBody + 1,
     "expected a tag to match, found a set of events"},
    {"match 'b with 'a -> po end", "CAT-014", kBody + 1, "no case for the tag 'b"},
    {"match e with || {} -> 0 || x ++ y -> 0 end",
     "CAT-011",
     kBody + 1,
     "expected a set to match, found an event"},
    {"(let g(a, b) = a in g (e, e, s))",
     "CAT-012",
     kBody + 21,
     "expected a tuple of 2, found a tuple of 3"},
    {"linearisations(po, W)", "CAT-011", kBody + 1, "expected a set of events, found a relation"},
    {"linearisations W", "CAT-012", kBody + 1, "expected a tuple of 2, found a set of events"},
    {"same-oa(po)", "CAT-016", kBody + 1, "not supported on what depends on the execution"},
    {"inclusion", "CAT-011", kBody + 1, "the procedure 'inclusion' is no value"},
    {"(let rec (a, b) = (po, rf) in a)",
     "CAT-017",
     kBody + 10,
     "a recursive definition of a tuple"},
    {"(let d x = po \\ x in let rec r = d r in r)",
     "CAT-018",
     kBody + 30,
     "this recursion has no least fixpoint on an execution"},
    {"(let rec f x = f x in f po)", "CAT-013", kBody + 16, "this recursion does not end"},
};

TEST(CatLate, EachErrorHasItsPlace) {
  ASSERT_EQ(kBeforeBody.size(), kBody);
  for (const Wrong& wrong : kWrong) {
    Evaluated e = evaluated(on_writes(wrong.text));
    ASSERT_EQ(e.core().axioms.size(), 1U) << wrong.text;
    static_cast<void>(e.holds(0));
    ASSERT_TRUE(e.error()) << wrong.text;
    EXPECT_EQ(e.error()->code, wrong.code) << wrong.text;
    EXPECT_EQ(e.error()->message, wrong.message) << wrong.text;
    EXPECT_EQ(e.error()->file, "test.cat") << wrong.text;
    EXPECT_EQ(e.error()->line, 1U) << wrong.text;
    EXPECT_EQ(e.error()->column, wrong.column) << wrong.text;
  }
}

TEST(CatLate, WhatIsNotReachedIsNoErrorIfItCouldBeRight) {
  Evaluated e =
      evaluated("let f r = match W with || {} -> [r] || e ++ s -> r end\n"
                "let g r = match F with || {} -> 0 || e ++ s -> [r] end\n"
                "acyclic f po\n"
                "acyclic po | g po\n"
                "acyclic (match W with || {} -> 0 || e ++ s -> (let rec _ = po in po) end)");
  for (std::size_t i = 0; i < e.core().axioms.size(); ++i)
    EXPECT_TRUE(e.holds(i));
  EXPECT_FALSE(e.error()) << e.error()->to_string();
}

TEST(CatLate, ATupleHasToHaveAllItsParts) {
  const std::string pair = " = match W with || {} -> (0, 0) || e ++ s -> (po, rf) end\n";
  Evaluated good = evaluated("let (a, b)" + pair + "acyclic a | b");
  EXPECT_TRUE(good.holds(0));
  EXPECT_FALSE(good.error());
  Evaluated bad = evaluated("let (a, b, c)" + pair + "acyclic a");
  static_cast<void>(bad.holds(0));
  ASSERT_TRUE(bad.error());
  EXPECT_EQ(bad.error()->code, "CAT-012");
}

TEST(CatLate, ForallAndChoicesSayItToo) {
  Evaluated checks = evaluated("forall e in W do let q = [e]; po let g x = q | x acyclic g e end");
  static_cast<void>(checks.holds(0));
  ASSERT_TRUE(checks.error());
  EXPECT_EQ(checks.error()->code, "CAT-011");

  Evaluated choices =
      evaluated("with x from (match W with || {} -> {} || e ++ s -> {po, W} end)\nacyclic x");
  const Generator& generator = choices.core().generators.at(0);
  static_cast<void>(std::get<Generator::Listed>(generator.how).choices(choices.values()));
  ASSERT_TRUE(choices.values().error());
  EXPECT_EQ(choices.values().error()->code, "CAT-011");
}

TEST(CatLate, AFunctionMadeTwiceKeepsBothItsMeanings) {
  Evaluated e = evaluated("let make r = fun S -> match S with || {} -> 0 || e ++ s -> r end\n"
                          "let first = make po\n"
                          "let second = make (rf^-1; loc)\n"
                          "let both = po & rf | (match W with || {} -> 0\n"
                          "  || e ++ s -> first s | second s end)\n");
  EXPECT_EQ(e.pairs("both"), (Pairs{{0, 1}, {0, 2}, {1, 2}, {2, 0}, {2, 1}, {2, 2}}));
  EXPECT_FALSE(e.error());
}

TEST(CatLate, ATryFailsWhereItsNameIsUnknown) {
  // Inside and outside of `try`, and in the body of a forall.
  const std::vector<Error> errors =
      load_errors("let f x = match x with || {} -> unheard-of || e ++ s -> 0 end\n"
                  "acyclic (match W with || {} -> 0 || e ++ s -> (try f s with 0) | f s end)");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].code, "CAT-010");
  Evaluated e = evaluated("let f x = match x with || {} -> unheard-of || e ++ s -> 0 end\n"
                          "acyclic (match W with || {} -> 0\n"
                          "  || e ++ s -> (try f s with po) | (try f s with po) end)\n"
                          "forall e in W do empty (try unheard-of with 0) & [e] end");
  EXPECT_TRUE(e.holds(0));
  EXPECT_TRUE(e.holds(1));
  EXPECT_FALSE(e.error()) << e.error()->to_string();
}

TEST(CatLate, EndlessRecursionEndsSoonWhenLoading) {
  EXPECT_EQ(load_errors("let rec f x = f x | f x\nacyclic f po").at(0).code, "CAT-013");
  EXPECT_EQ(load_errors("procedure rec p(x) = call p(x) call p(x) end\ncall p(po)").at(0).code,
            "CAT-013");
}

} // namespace
} // namespace heddle::memory
