// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The bounded engine on programs with one thread: small ones by hand, and random ones compared with
// the explicit engine. Every violation must replay.
#include "check/confirm.h"
#include "engine/bounded/bounded.h"
#include "support/rng.h"
#include "unit/engine/engine_fixture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace heddle::engine_test {
namespace {

using spec::Property;

verdict::Verdict ask(const std::string& text,
                     Property property = Property::kReach,
                     engine::BoundedOptions options = {},
                     spec::Bounds bounds = {}) {
  Built built = build(text, "sc", spec::Check{property});
  built.task.bounds = bounds;
  const auto bounded = engine::make_bounded(options);
  verdict::Verdict verdict = bounded->run(built.task, engine::Context{});
  if (const auto* violated = std::get_if<verdict::Violated>(&verdict.answer)) {
    const auto confirmed = check::confirm(built.task, violated->violation);
    EXPECT_TRUE(confirmed) << (confirmed ? "" : confirmed.error().to_string()) << "\n" << text;
  }
  return verdict;
}

std::string main_with(const std::string& body) {
  return "module lp64\nglobal @x : 4 align 4\nglobal @a : 4 align 4\n"
         "func @main() -> i32 {\n  reg %0 : i32\n  reg %1 : i32\n  reg %2 : i1\n"
         "  reg %3 : ptr\n  reg %4 : i64\n  reg %5 : i8\n  reg %6 : i8\n"
         "  slot $0 : 4 align 4 \"s\"\nblock entry:\n" +
         body + "}\n";
}

/// while (i < n) i++, from i = 0.
std::string counting(const std::string& limit, const std::string& claim) {
  return main_with("  %0 = copy i32 0\n" + limit +
                   "  jump head\nblock head:\n  %2 = ult %0, %1\n  branch %2, body, done\n"
                   "block body:\n  %0 = add %0, i32 1\n  jump head\nblock done:\n" +
                   claim + "  ret i32 0\n");
}

bool is_by_induction(const verdict::Verdict& verdict) {
  const auto* proved = std::get_if<verdict::Proved>(&verdict.answer);
  return proved != nullptr && std::holds_alternative<verdict::ByInduction>(proved->proof);
}

TEST(Bounded, FindsTheOneValueThatFails) {
  const verdict::Verdict verdict =
      ask(main_with("  %0 = nondet \"n\"\n  %1 = mul %0, i32 3\n  %2 = ne %1, i32 41\n"
                    "  assert %2, \"no\"\n  ret i32 0\n"));
  EXPECT_EQ(kind_of(verdict), "violated");
  EXPECT_GT(verdict.statistics.counters.at("clauses"), 0);
}

TEST(Bounded, LoopsThatCountToAConstantAreFollowed) {
  const std::string claim = "  %2 = eq %0, i32 100\n  assert %2, \"all\"\n";
  EXPECT_EQ(kind_of(ask(counting("  %1 = copy i32 100\n", claim))), "proved");
}

TEST(Bounded, GrowsWhereARunIsCut) {
  const std::string limit = "  %1 = nondet \"n\"\n  %1 = and %1, i32 7\n";
  const std::string seven = "  %2 = ne %0, i32 7\n  assert %2, \"not seven\"\n";
  const std::string eight = "  %2 = ne %0, i32 8\n  assert %2, \"not eight\"\n";
  EXPECT_EQ(kind_of(ask(counting(limit, seven))), "violated");
  engine::BoundedOptions plain;
  plain.induction = false;
  EXPECT_EQ(kind_of(ask(counting(limit, eight), Property::kReach, plain)), "proved");
}

TEST(Bounded, BoundsThatAreGivenAreNamed) {
  const std::string limit = "  %1 = nondet \"n\"\n";
  const std::string claim = "  %2 = ne %0, i32 5\n  assert %2, \"not five\"\n";
  spec::Bounds bounds;
  bounds.unwind = 3;
  const verdict::Verdict verdict = ask(counting(limit, claim), Property::kReach, {}, bounds);
  ASSERT_EQ(kind_of(verdict), "bounded");
  EXPECT_NE(std::get<verdict::HoldsWithinBounds>(verdict.answer).bounds().front().find("3 times"),
            std::string::npos);
  bounds.unwind = 5;
  EXPECT_EQ(kind_of(ask(counting(limit, claim), Property::kReach, {}, bounds)), "violated");
}

TEST(Bounded, InductionProvesWhatALoopKeeps) {
  // x is even in every turn, however many there are.
  const std::string loop =
      "  %1 = copy i32 0\n  jump head\nblock head:\n  %0 = nondet \"more\"\n"
      "  %2 = ne %0, i32 0\n  branch %2, body, done\nblock body:\n  %1 = add %1, i32 2\n";
  const std::string rest = "  assert %2, \"parity\"\n  jump head\nblock done:\n  ret i32 0\n";
  const std::string even = loop + "  %0 = and %1, i32 1\n  %2 = eq %0, i32 0\n" + rest;
  EXPECT_TRUE(is_by_induction(ask(main_with(even))));
  const std::string small = loop + "  %2 = ult %1, i32 50\n" + rest;
  EXPECT_EQ(kind_of(ask(main_with(small))), "violated");
}

TEST(Bounded, InductionDoesNotForgetWhatTheLoopWrites) {
  // In memory: x counts up, and is seen after the loop.
  const auto text = [](const std::string& claim) {
    return main_with("  jump head\nblock head:\n  %0 = nondet \"more\"\n  %2 = ne %0, i32 0\n"
                     "  branch %2, body, done\nblock body:\n  %1 = load @x\n"
                     "  %1 = add %1, i32 4\n  store i32 %1, @x\n  jump head\nblock done:\n"
                     "  %1 = load @x\n" +
                     claim + "  assert %2, \"after\"\n  ret i32 0\n");
  };
  EXPECT_EQ(kind_of(ask(text("  %2 = ult %1, i32 30\n"))), "violated");
  const verdict::Verdict even = ask(text("  %1 = and %1, i32 3\n  %2 = eq %1, i32 0\n"));
  EXPECT_NE(kind_of(even), "violated"); // true, and not inductive without a check in the loop
  const verdict::Verdict wrong = ask(text("  %1 = and %1, i32 3\n  %2 = eq %1, i32 1\n"));
  EXPECT_EQ(kind_of(wrong), "violated");
}

TEST(Bounded, FewBitsFindASmallValueAndProveNothing) {
  engine::BoundedOptions few;
  few.bits = 4;
  const auto text = [](const std::string& value) {
    return main_with("  %0 = nondet \"n\"\n  %1 = add %0, i32 1\n  %2 = ne %1, i32 " + value +
                     "\n  assert %2, \"no\"\n  ret i32 0\n");
  };
  EXPECT_EQ(kind_of(ask(text("5"), Property::kReach, few)), "violated");
  EXPECT_EQ(kind_of(ask(text("500"), Property::kReach, few)), "violated"); // with all bits
}

TEST(Bounded, FewBitsAreBelievedOnlyIfNothingIsLeftOut) {
  // Twice 3 or 6: 12 needs five bits.
  const auto text = [](const std::string& value) {
    return main_with("  %2 = nondet \"which\"\n  branch %2, one, other\n"
                     "block one:\n  %1 = copy i32 3\n  jump both\n"
                     "block other:\n  %1 = copy i32 6\n  jump both\n"
                     "block both:\n  %1 = add %1, %1\n  store i32 %1, @x\n  %1 = load @x\n"
                     "  %2 = ne %1, i32 " +
                     value + "\n  assert %2, \"no\"\n  ret i32 0\n");
  };
  for (const unsigned bits : {2U, 4U, 5U, 8U}) {
    engine::BoundedOptions few;
    few.bits = bits;
    EXPECT_EQ(kind_of(ask(text("6"), Property::kReach, few)), "violated") << bits;
    EXPECT_EQ(kind_of(ask(text("12"), Property::kReach, few)), "violated") << bits;
    EXPECT_EQ(kind_of(ask(text("13"), Property::kReach, few)), "proved") << bits;
  }
}

TEST(Bounded, SeveralThreadsAreRefused) {
  const std::string text =
      "module lp64\nfunc @f(%0 : ptr) -> ptr {\nblock entry:\n  ret ptr 0\n}\n"
      "func @main() -> i32 {\n  reg %0 : ptr\nblock entry:\n  %0 = create(@f, ptr 0)\n"
      "  ret i32 0\n}\n";
  const Built built = build(text, "sc", spec::Check{Property::kReach});
  const auto why = engine::make_bounded({})->supports(built.task);
  ASSERT_TRUE(why);
  EXPECT_NE(why->find("--via lazy"), std::string::npos);
}

TEST(Bounded, RecursionIsFollowed) {
  const auto text = [](const std::string& start) {
    return "module lp64\nfunc @down(%0 : i32) -> i32 {\n  reg %1 : i1\n  reg %2 : i32\n"
           "block entry:\n  %1 = eq %0, i32 0\n  branch %1, end, more\nblock end:\n"
           "  ret i32 7\nblock more:\n  %2 = sub %0, i32 1\n  %2 = call @down(%2)\n"
           "  %2 = add %2, i32 1\n  ret %2\n}\n"
           "func @main() -> i32 {\n  reg %0 : i32\n  reg %1 : i1\nblock entry:\n" +
           start +
           "  %0 = call @down(%0)\n  %1 = ne %0, i32 12\n  assert %1, \"not twelve\"\n"
           "  ret i32 0\n}\n";
  };
  EXPECT_EQ(kind_of(ask(text("  %0 = copy i32 5\n"))), "violated");
  EXPECT_EQ(kind_of(ask(text("  %0 = nondet \"n\"\n  %0 = and %0, i32 7\n"))), "violated");
  EXPECT_EQ(kind_of(ask(text("  %0 = nondet \"n\"\n  %0 = and %0, i32 3\n"))), "proved");
}

TEST(Bounded, MemoryThatNobodyWroteIsArbitraryButOneValue) {
  const std::string same =
      "  %5 = load $0\n  %6 = load $0\n  %2 = eq %5, %6\n  assert %2, \"same\"\n";
  EXPECT_EQ(kind_of(ask(main_with(same + "  ret i32 0\n"))), "proved");
  const std::string zero = "  %5 = load $0\n  %2 = ne %5, i8 77\n  assert %2, \"no\"\n";
  EXPECT_EQ(kind_of(ask(main_with(zero + "  ret i32 0\n"))), "violated");
}

TEST(Bounded, InvalidAccessesAndFrees) {
  const auto access = [](const std::string& index, const std::string& more) {
    return main_with("  %4 = copy i64 " + index + "\n  %3 = alloc heap i64 4\n  store i32 1, %3\n" +
                     more + "  ret i32 0\n");
  };
  const auto kind = [](const std::string& text) { return kind_of(ask(text, Property::kMemory)); };
  EXPECT_EQ(kind(access("0", "  free %3\n")), "proved");
  EXPECT_EQ(kind(access("0", "  free %3\n  free %3\n")), "violated");
  EXPECT_EQ(kind(access("0", "  free %3\n  %5 = load %3\n")), "violated");
  EXPECT_EQ(kind(access("4", "  %3 = ptradd %3, %4\n  %5 = load %3\n")), "violated");
  EXPECT_EQ(kind(access("1", "  %3 = ptradd %3, %4\n  free %3\n")), "violated");
  EXPECT_EQ(kind(access("0", "")), "unknown"); // is it lost?
  EXPECT_EQ(kind(access("0", "  %3 = copy ptr 0\n  %5 = load %3\n")), "violated");
}

TEST(Bounded, UndefinedBehaviourIsNotAProof) {
  const std::string text = "  %0 = nondet \"n\"\n  %1 = sdiv i32 1, %0\n  ret i32 0\n";
  EXPECT_EQ(kind_of(ask(main_with(text))), "unknown");
}

/// Programs of bytes: arithmetic, branches, loops, an array, a block of the heap, calls.
class RandomProgram {
public:
  explicit RandomProgram(std::uint64_t seed) : rng_(seed) {}

  std::string text() {
    std::string body = "  %9 = alloc heap zeroed i64 4\n";
    for (int i = 0; i < 3; ++i)
      body +=
          fmt::format("  %{} = nondet \"n\"\n  %{} = and %{}, i8 {}\n", i, i, i, i == 0 ? 7 : 3);
    statements(body, 8, 2);
    body += "  free %9\n  ret i32 0\n";
    std::string registers;
    for (int i = 0; i < 8; ++i)
      registers += fmt::format("  reg %{} : i8\n", i);
    registers += "  reg %8 : i1\n  reg %9 : ptr\n  reg %10 : ptr\n  reg %11 : i64\n";
    for (int i = 0; i < loops_; ++i)
      registers += fmt::format("  reg %{} : i8\n", 12 + i);
    return "module lp64\nglobal @a : 4 align 4\n"
           "func @twice(%0 : i8) -> i8 {\nblock entry:\n  %0 = add %0, %0\n  ret %0\n}\n"
           "func @main() -> i32 {\n" +
           registers + "block entry:\n" + body + "}\n";
  }

private:
  std::string reg() { return fmt::format("%{}", rng_.below(4)); }
  std::string value() { return rng_.below(3) == 0 ? fmt::format("i8 {}", rng_.below(6)) : reg(); }

  /// In %10: a byte of the array or of the block, rarely one too far.
  void address(std::string& body) {
    const std::string index = value();
    const int mask = rng_.below(5) == 0 ? 7 : 3;
    const char* const base = rng_.below(2) == 0 ? "@a" : "%9";
    body += fmt::format(
        "  %5 = and {}, i8 {}\n  %11 = zext %5\n  %10 = ptradd {}, %11\n", index, mask, base);
  }

  void statement(std::string& body, int depth) {
    static const char* const kOps[] = {"add", "sub", "mul", "xor", "and"};
    static const char* const kTests[] = {"ult", "ne", "sle", "eq"};
    // The order in which arguments are evaluated is not said.
    const std::string dest = reg();
    const std::string left = reg();
    const std::string right = value();
    const std::uint64_t which = rng_.below(20);
    switch (rng_.below(depth > 0 ? 9 : 7)) {
    case 0:
    case 1:
      body += fmt::format("  {} = {} {}, {}\n", dest, kOps[which % 5], left, right);
      return;
    case 2:
      address(body);
      body += fmt::format("  {} = load %10\n", dest);
      return;
    case 3:
      address(body);
      body += fmt::format("  store i8 {}, %10\n", left);
      return;
    case 4:
      body += fmt::format("  {} = call @twice({})\n", dest, left);
      return;
    case 5:
      body += fmt::format("  %8 = {} {}, {}\n  assert %8, \"random\"\n",
                          kTests[which % 2],
                          left,
                          which < 10 ? "i8 60" : "i8 9");
      return;
    case 6:
      body += fmt::format("  %8 = ult {}, i8 {}\n  assume %8\n", left, 100 + 7 * which);
      return;
    case 7: {
      const int label = labels_++;
      body += fmt::format("  %8 = {} {}, {}\n  branch %8, then{}, else{}\nblock then{}:\n",
                          kTests[which % 4],
                          left,
                          right,
                          label,
                          label,
                          label);
      statements(body, 2, depth - 1);
      body += fmt::format("  jump join{}\nblock else{}:\n", label, label);
      statements(body, 1, depth - 1);
      body += fmt::format("  jump join{}\nblock join{}:\n", label, label);
      return;
    }
    default: {
      const int label = labels_++;
      const int counter = 12 + loops_++;
      body += fmt::format("  %{} = and {}, i8 3\n  jump head{}\nblock head{}:\n"
                          "  %8 = ne %{}, i8 0\n  branch %8, body{}, exit{}\nblock body{}:\n",
                          counter,
                          right,
                          label,
                          label,
                          counter,
                          label,
                          label,
                          label);
      statements(body, 2, depth - 1);
      body += fmt::format(
          "  %{} = sub %{}, i8 1\n  jump head{}\nblock exit{}:\n", counter, counter, label, label);
    }
    }
  }

  void statements(std::string& body, std::uint64_t most, int depth) {
    const std::uint64_t count = most / 2 + rng_.below(most / 2 + 1);
    for (std::uint64_t i = 0; i <= count; ++i)
      statement(body, depth);
  }

  Rng rng_;
  int labels_ = 0;
  int loops_ = 0;
};

TEST(Bounded, RandomProgramsAreDecidedAsByTheExplicitEngine) {
  unsigned violated = 0;
  unsigned proved = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::string text = RandomProgram(seed).text();
    const Property property = seed % 3 == 0 ? Property::kMemory : Property::kReach;
    const verdict::Verdict expected = run(build(text, "sc", spec::Check{property}));
    engine::BoundedOptions options;
    options.induction = seed % 2 == 0;
    options.bits = seed % 5 == 0 ? 3 : 0;
    const verdict::Verdict found = ask(text, property, options);
    EXPECT_EQ(kind_of(found), kind_of(expected)) << "seed " << seed << "\n" << text;
    violated += kind_of(expected) == "violated" ? 1 : 0;
    proved += kind_of(expected) == "proved" ? 1 : 0;
  }
  EXPECT_GT(violated, 30U);
  EXPECT_GT(proved, 30U);
}

} // namespace
} // namespace heddle::engine_test
