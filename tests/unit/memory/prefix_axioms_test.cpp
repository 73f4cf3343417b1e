// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which axioms hold of prefixes of what they hold of.
#include "cat_helpers.h"
#include "memory/prefix_axioms.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace heddle::memory {
namespace {

bool is_of_prefixes(const std::string& axiom) {
  const Core core = load_core(axiom);
  return !core.axioms.empty() && holds_of_prefixes(core, core.axioms.back());
}

TEST(PrefixAxioms, ByTheirShape) {
  for (const char* axiom : {"acyclic po | rf | co | (rf^-1; co)",
                            "empty rmw & ((rf^-1; co) & ext; (co & ext))",
                            "acyclic po \\ (po; [W]; po)",
                            "acyclic (po & loc) \\ (rf^-1; rf) | co", // two reads of one write
                            "empty [R] \\ [range(rf)]",               // a source is earlier
                            "empty co \\ (range([IW]; loc) * W)",     // initial writes are there
                            "acyclic co \\ (amo | amo^-1 | sm)*",     // parts of one access
                            "let rec hb = po | rf | hb; hb\nacyclic co \\ hb"})
    EXPECT_TRUE(is_of_prefixes(axiom)) << axiom;
  for (const char* axiom : {"~empty rf",
                            "empty W \\ FW",
                            "acyclic po \\ (co; co)", // a later write may come between
                            "empty R \\ range(co; rf)",
                            "empty W \\ domain(rf)", // may be read later
                            "acyclic po \\ (rf; rf^-1)",
                            "empty W \\ domain(rmw)",
                            "let rec r = co | r; r\nacyclic po \\ r"})
    EXPECT_FALSE(is_of_prefixes(axiom)) << axiom;
}

constexpr std::size_t kEvents = 7;
const std::vector<std::string> kEarlier = {"po", "rf", "rmw", "data"};
const std::vector<std::string> kOthers = {"co", "loc"};

struct Whole {
  std::map<std::string, relation::BitMatrix> relations;
  std::map<std::string, relation::BitSet> sets;
};

/// Random axioms, executions and prefixes of them.
class Draw {
public:
  explicit Draw(std::uint64_t seed) : random_(seed) {}

  std::string pick(const std::vector<std::string>& from) { return from[below(from.size())]; }

  std::string relation(int depth) {
    switch (below(depth == 0 ? 3 : 14)) {
    case 0:
      return pick(kEarlier);
    case 1:
      return pick(kOthers);
    case 2:
      return pick({"amo", "id", "[R]", "[W]", "[IW]"});
    case 3:
    case 4:
    case 5:
      return "(" + relation(depth - 1) + "; " + relation(depth - 1) + ")";
    case 6:
      return "(" + relation(depth - 1) + " | " + relation(depth - 1) + ")";
    case 7:
      return "(" + relation(depth - 1) + " & " + relation(depth - 1) + ")";
    case 8:
    case 9:
      return "(" + relation(depth - 1) + " \\ " + relation(depth - 1) + ")";
    case 10:
      return "(" + relation(depth - 1) + ")" + pick({"+", "*", "?"});
    case 11:
      return "(" + relation(depth - 1) + ")^-1";
    case 12:
      return "[" + set(depth - 1) + "]";
    default:
      return "(" + set(depth - 1) + " * " + set(depth - 1) + ")";
    }
  }

  std::string axiom() {
    if (below(3) == 0)
      return "let rec r = " + relation(1) + " | r; " + relation(1) + "\nempty r \\ " + relation(2);
    return "empty " + relation(3);
  }

  Whole whole() {
    Whole made;
    for (const std::string& name : kEarlier) // few, or a prefix is all or nothing
      made.relations.emplace(name, matrix_of(20));
    made.relations.emplace("loc", matrix_of(3));
    made.relations.emplace("amo", matrix_of(40));
    for (const std::string name : {"R", "W", "IW"}) {
      relation::BitSet set(kEvents);
      for (std::size_t i = 0; i < kEvents; ++i)
        if (below(name == "IW" ? 4 : 2) == 0)
          set.insert(i);
      made.sets.emplace(name, std::move(set));
    }
    relation::BitMatrix co = matrix_of(2);
    for (const auto& [from, to] : co.pairs())
      if (!made.sets.at("W").contains(from) || !made.sets.at("W").contains(to))
        co.erase(from, to);
    made.relations.emplace("co", std::move(co));
    return made;
  }

  /// Some events, and with them what a prefix that has these has.
  std::vector<std::size_t> prefix(const Whole& whole) {
    std::vector<bool> has(kEvents);
    for (std::size_t i = 0; i < kEvents; ++i)
      has[i] = whole.sets.at("IW").contains(i) || below(2) == 0;
    for (bool changes = true; changes;) {
      changes = false;
      for (std::size_t i = 0; i < kEvents; ++i)
        for (std::size_t j = 0; j < kEvents; ++j)
          if (has[j] && !has[i] && comes_with(whole, i, j)) {
            has[i] = true;
            changes = true;
          }
    }
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < kEvents; ++i)
      if (has[i])
        kept.push_back(i);
    return kept;
  }

  /// All events but some that write nothing, belong to no update and are read by nobody.
  std::vector<std::size_t> without_reads(const Whole& whole) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < kEvents; ++i) {
      bool is_needed = whole.sets.at("W").contains(i) || whole.sets.at("IW").contains(i);
      for (std::size_t j = 0; j < kEvents; ++j) {
        is_needed = is_needed || whole.relations.at("rf").contains(i, j);
        for (const char* name : {"co", "rmw", "amo"})
          is_needed = is_needed || whole.relations.at(name).contains(i, j) ||
                      whole.relations.at(name).contains(j, i);
      }
      if (is_needed || below(4) == 0)
        kept.push_back(i);
    }
    return kept;
  }

private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string set(int depth) {
    switch (below(depth == 0 ? 2 : 6)) {
    case 0:
      return pick({"R", "W"});
    case 1:
      return "IW";
    case 2:
      return "domain(" + relation(depth - 1) + ")";
    case 3:
      return "range(" + relation(depth - 1) + ")";
    case 4:
      return "(" + set(depth - 1) + " \\ " + set(depth - 1) + ")";
    default:
      return "(" + set(depth - 1) + " & " + set(depth - 1) + ")";
    }
  }

  /// One of `thinness` pairs is in it.
  relation::BitMatrix matrix_of(std::size_t thinness) {
    relation::BitMatrix made(kEvents);
    for (std::size_t i = 0; i < kEvents; ++i)
      for (std::size_t j = 0; j < kEvents; ++j)
        if (below(thinness) == 0)
          made.insert(i, j);
    return made;
  }

  static bool comes_with(const Whole& whole, std::size_t i, std::size_t j) {
    const relation::BitMatrix& amo = whole.relations.at("amo");
    return amo.contains(i, j) || amo.contains(j, i) ||
           std::any_of(kEarlier.begin(), kEarlier.end(), [&](const std::string& name) {
             return whole.relations.at(name).contains(i, j);
           });
  }

  std::mt19937_64 random_;
};

/// What the axiom is about, between these events.
relation::BitMatrix
value_on(const Core& core, const Whole& whole, const std::vector<std::size_t>& events) {
  BitAlgebra algebra(events.size());
  for (const auto& [name, all] : whole.relations) {
    relation::BitMatrix some(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
      for (std::size_t j = 0; j < events.size(); ++j)
        if (all.contains(events[i], events[j]))
          some.insert(i, j);
    algebra.give(name, std::move(some));
  }
  for (const auto& [name, all] : whole.sets) {
    relation::BitSet some(events.size());
    for (std::size_t i = 0; i < events.size(); ++i)
      if (all.contains(events[i]))
        some.insert(i);
    algebra.give(name, std::move(some));
  }
  Fold<BitAlgebra> fold(core, algebra);
  return fold.relation(core.axioms.back().node);
}

using Claim = bool (*)(const Core&, const Axiom&);
using Part = std::vector<std::size_t> (Draw::*)(const Whole&);

/// Whatever is claimed of an axiom, what it is about has no pair on a part that it has not on the
/// whole.
void expect_only_gains(Claim claim, Part part) {
  std::vector<std::size_t> all(kEvents);
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::size_t claimed = 0;
  std::size_t broken = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Draw draw(seed);
    const std::string text = draw.axiom();
    const Core core = load_core(text);
    const bool is_claimed = claim(core, core.axioms.back());
    for (int i = 0; i < 10; ++i) {
      const Whole whole = draw.whole();
      const std::vector<std::size_t> events = (draw.*part)(whole);
      const relation::BitMatrix on_whole = value_on(core, whole, all);
      const Pairs pairs = value_on(core, whole, events).pairs();
      const bool holds = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return on_whole.contains(events[pair.first], events[pair.second]);
      });
      EXPECT_TRUE(holds || !is_claimed) << text;
      claimed += is_claimed ? 1 : 0;
      broken += holds ? 0 : 1;
    }
  }
  EXPECT_GT(claimed, 5000U);
  EXPECT_GT(broken, 10U);
}

TEST(PrefixAxioms, WhatIsSaidToHoldOfPrefixesDoes) {
  expect_only_gains(holds_of_prefixes, &Draw::prefix);
}

TEST(PrefixAxioms, WhatIsSaidToHoldWithoutReadsDoes) {
  expect_only_gains(holds_without_reads, &Draw::without_reads);
}

TEST(PrefixAxioms, RacesStayWithoutReads) {
  const auto is_flagged = [](const std::string& flag) {
    const Core core = load_core("let hb = (po | rf)+\n" + flag);
    return is_flagged_without_reads(core, core.axioms.back());
  };
  const std::string between = "((W * M | M * W) & loc & ext)";
  EXPECT_TRUE(is_flagged("flag ~empty " + between + " \\ (hb | hb^-1) as race"));
  EXPECT_TRUE(is_flagged("undefined_unless empty " + between + " \\ (hb | hb^-1) as race"));
  EXPECT_FALSE(is_flagged("flag empty " + between + " \\ (hb | hb^-1) as race"));
  EXPECT_FALSE(is_flagged("flag ~empty " + between + " & hb as race"));
  EXPECT_FALSE(is_flagged("flag ~empty ((W * M | M * W) & loc) \\ (hb | hb^-1) as race"));
  EXPECT_FALSE(is_flagged("flag ~acyclic " + between + " \\ (hb | hb^-1) as race"));
}

} // namespace
} // namespace heddle::memory
