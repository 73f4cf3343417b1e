// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is of the wrong kind whatever happens is an error before any execution is known, also where
// evaluation does not come; what could be right is none.
#include "cat_helpers.h"

namespace heddle::memory {
namespace {

/// "1:12 CAT-011 expected …" for each error.
std::vector<std::string> wrong(const std::string& text) {
  std::vector<std::string> all;
  for (const Error& error : load_errors(text)) {
    EXPECT_EQ(error.file, "test.cat") << text;
    all.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + " " +
                  error.code + " " + error.message);
  }
  return all;
}

using Texts = std::vector<std::string>;

const std::string kNotWellFounded =
    "CAT-018 this recursion is not well founded: a name depends on its own absence (through '~' or "
    "the right side of '\\'), and not every cycle of names has one that only grows (x = x | ...)";

TEST(CatKinds, ARelationIsNoSetInAFunctionThatIsNeverApplied) {
  EXPECT_EQ(wrong("let f r = [r; po]"),
            (Texts{"1:12 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("let f r = r; W"),
            (Texts{"1:14 CAT-011 expected a relation, found a set of events"}));
  EXPECT_EQ(wrong("let f x = x | po | W"),
            (Texts{"1:20 CAT-011 expected a relation, found a set of events"}));
  EXPECT_EQ(wrong("let f x = domain W"),
            (Texts{"1:18 CAT-011 expected a relation, found a set of events"}));
  EXPECT_EQ(wrong("let f x = classes-loc(po)"),
            (Texts{"1:23 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("let f x = po x"), (Texts{"1:11 CAT-015 a relation cannot be applied"}));
  EXPECT_EQ(wrong("let f x = ~'t"),
            (Texts{"1:11 CAT-011 expected a set or a relation, found a tag"}));
  EXPECT_EQ(wrong("let f x = x ++ (x, x)"),
            (Texts{"1:17 CAT-011 expected a set to add to, found a tuple"}));
  EXPECT_EQ(wrong("let f x = match po with 'a -> x || _ -> 0 end"),
            (Texts{"1:11 CAT-011 expected a tag to match, found a relation"}));
  EXPECT_EQ(wrong("let f x = match 'a with || {} -> x || e ++ s -> 0 end"),
            (Texts{"1:11 CAT-011 expected a set to match, found a tag"}));
}

TEST(CatKinds, SeveralAreSaid) {
  EXPECT_EQ(wrong("let f r = [po] | r\nlet g s = s; W; R\nacyclic po"),
            (Texts{"1:12 CAT-011 expected a set of events, found a relation",
                   "2:14 CAT-011 expected a relation, found a set of events",
                   "2:17 CAT-011 expected a relation, found a set of events"}));
}

TEST(CatKinds, WhatAFunctionGivesIsKnown) {
  EXPECT_EQ(wrong("let f r = r; po\nlet g x = [f x]"),
            (Texts{"2:12 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("let f x y = x * y\nlet g x = [f x x]"),
            (Texts{"2:12 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("let g x = let y = x * x and z = x in [y] | z"),
            (Texts{"1:39 CAT-011 expected a set of events, found a relation"}));
}

TEST(CatKinds, BranchesThatAreNotTaken) {
  EXPECT_EQ(wrong("let x = if \"never\" then [po] else po"),
            (Texts{"1:26 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("if \"never\" then\nlet x = domain W\nelse\nlet x = po\nend\nacyclic x"),
            (Texts{"2:16 CAT-011 expected a relation, found a set of events"}));
  EXPECT_EQ(wrong("enum E = 'a || 'b\nlet x = match 'a with 'a -> po || 'b -> [po] end"),
            (Texts{"2:42 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("acyclic po | (match F with || {} -> 0 || e ++ s -> [po] end)"),
            (Texts{"1:53 CAT-011 expected a set of events, found a relation"}));
  EXPECT_EQ(wrong("acyclic (match W with || {} -> 0 || e ++ s -> domain e end)"),
            (Texts{"1:54 CAT-011 expected a relation, found an event"}));
  EXPECT_EQ(wrong("let x = try po with [po]"),
            (Texts{"1:22 CAT-011 expected a set of events, found a relation"}));
}

TEST(CatKinds, ProceduresAndForall) {
  EXPECT_EQ(wrong("procedure p(s) =\nlet t = s * s\nacyclic [t]\nirreflexive W\nend"),
            (Texts{"3:10 CAT-011 expected a set of events, found a relation",
                   "4:13 CAT-011 expected a relation, found a set of events"}));
  EXPECT_EQ(wrong("forall e in W do let q = [e]; po acyclic q | e end"),
            (Texts{"1:46 CAT-011 expected a relation, found an event"}));
}

TEST(CatKinds, RecursionThatIsNotWellFounded) {
  EXPECT_EQ(wrong("let f x = let rec r = po \\ r in r & x"), (Texts{"1:11 " + kNotWellFounded}));
  EXPECT_EQ(wrong("let f x = let rec r = po \\ q and q = x; r in r"),
            (Texts{"1:11 " + kNotWellFounded}));
  EXPECT_EQ(wrong("procedure p(x) =\nlet rec r = ~r\nacyclic r & x\nend"),
            (Texts{"2:1 " + kNotWellFounded}));
  // Evaluated as well: said once.
  EXPECT_EQ(wrong("let f x = let rec r = x \\ r in r\nacyclic f po"),
            (Texts{"1:11 " + kNotWellFounded}));
}

TEST(CatKinds, WhatCouldBeRightIsNoError) {
  const char* const kRight[] = {
      "let f x y = x | y",
      "let f x = [x] | (x; x)", // if x is empty
      "let f r = if \"never\" then [r] else r\nacyclic f po",
      "let f x = x ++ {}",
      "let f x = ~x | po\nlet g x = ~x | W",
      "let f x = 0 | x; po\nlet g x = [0] | (W * {})",
      "let f x = let rec r = r | (x \\ r) in r",
      "let f x = let rec r = po | ~(~r) in r",
      "let f x = let rec r = po \\ (0; r) in r & x",
      "let f x = let rec r = po \\ (x r) in r", // a function may leave its argument out
      "let f g x = g x\nlet h x = domain (x (x, x))",
      "let f x = match x with || {} -> 0 || e ++ s -> [e] | e end",
      "let f x = match po with || {} -> 0 || e ++ s -> e | s end",
      "let f x = try unheard-of; W with po",
      "let f x = unheard-of; W", // a warning: it is for another architecture
      "let f x = (x; unheard-of) & W\nlet g x = [f x]; W",
      "if \"never\" then include \"unheard-of.cat\" let x = [po] ; W else let y = po end",
      "if \"never\" then let W = po let x = W ; W end",
      "let f W = W ; po\nlet g po = [po]",
  };
  for (const char* const text : kRight)
    EXPECT_EQ(load_core(std::string(text) + "\nacyclic po").axioms.empty(), false) << text;
}

} // namespace
} // namespace heddle::memory
