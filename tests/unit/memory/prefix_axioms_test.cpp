// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which axioms hold of prefixes of what they hold of.
#include "cat_helpers.h"
#include "memory/prefix_axioms.h"

#include <algorithm>
#include <iterator>
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

bool may_lose_equal_updates(const std::string& model, Vocabulary vocabulary) {
  cat::LoadOptions options = options_for(vocabulary);
  options.search_path = {HEDDLE_SOURCE_DIR "/models"};
  const auto loaded = cat::load(HEDDLE_SOURCE_DIR "/models/" + model + ".cat", options);
  EXPECT_TRUE(std::holds_alternative<Core>(loaded)) << model;
  return holds_without_equal_updates(std::get<Core>(loaded));
}

TEST(PrefixAxioms, ModelsThatCannotTellAnUpdateThatWritesWhatItFound) {
  EXPECT_TRUE(may_lose_equal_updates("rc11", Vocabulary::kC11));
  // Whose write was read matters there: rfi and rfe.
  for (const char* model : {"imm", "c11", "tso", "pso"})
    EXPECT_FALSE(may_lose_equal_updates(model, Vocabulary::kC11)) << model;
  EXPECT_FALSE(may_lose_equal_updates("armv8", Vocabulary::kAArch64));
  const std::string known = "let fr = rf^-1; co\nacyclic po | rf | co | fr\n";
  const auto may_lose = [&](const std::string& axiom) {
    return holds_without_equal_updates(load_core(known + "empty rmw & (fr; co)\n" + axiom));
  };
  EXPECT_TRUE(may_lose("empty po & (rf | co)+"));
  EXPECT_TRUE(may_lose("empty po & ([W]; (rf; rmw)*; rf; [R])"));
  EXPECT_TRUE(may_lose("acyclic po & loc | rmw | rf"));
  EXPECT_FALSE(may_lose("empty po & rf"));
  EXPECT_FALSE(may_lose("acyclic (po & loc) | rf"));
  EXPECT_FALSE(may_lose("acyclic po | rf | co | (po; rf^-1)"));
  EXPECT_FALSE(may_lose("empty po & ((rf; rmw)*; [W]; rf)"));
  EXPECT_FALSE(may_lose("empty po & (rf; rf)"));
  // Something may come between the halves, or before the one and after the other.
  EXPECT_FALSE(holds_without_equal_updates(load_core(known)));
  EXPECT_FALSE(holds_without_equal_updates(load_core("empty rmw & ((rf^-1; co); co)")));
}

constexpr std::size_t kMostEvents = 16;

/// Random executions whose updates come just after what they have read.
class DrawUpdates {
public:
  explicit DrawUpdates(std::uint64_t seed) : random_(seed) {}

  struct Drawn {
    std::size_t count = 0;
    std::map<std::string, relation::BitMatrix> relations;
    std::map<std::string, relation::BitSet> sets;
    std::vector<std::size_t> source; // by event: of a read, or of the read of a write's update
    std::vector<bool> is_update;     // by event: the write of one
  };

  std::string relation(int depth) {
    switch (below(depth == 0 ? 6 : 14)) {
    case 0:
      return pick({"po", "co", "rmw", "loc", "ext", "int", "id"});
    case 1:
      return pick({"[R]", "[W]", "[IW]"});
    case 2:
      return "(rf^-1; co)";
    case 3:
      return pick({"(rf | co)+", "(co | rf | po)*", "(po | rf)+", "(rmw | rf)+"});
    case 4:
      return pick({"((rf; rmw)*; rf)", "((rf; rmw)+; rf)", "(rf; rmw)*"});
    case 5:
      return pick({"rf", "(rf & ext)", "rf^-1", "(sm \\ id)"});
    case 6:
    case 7:
    case 8:
      return "(" + relation(depth - 1) + "; " + relation(depth - 1) + ")";
    case 9:
      return "(" + relation(depth - 1) + " | " + relation(depth - 1) + ")";
    case 10:
      return "(" + relation(depth - 1) + " & " + relation(depth - 1) + ")";
    case 11:
      return "(" + relation(depth - 1) + " \\ " + relation(depth - 1) + ")";
    case 12:
      return "(" + relation(depth - 1) + ")" + pick({"+", "*", "?", "^-1"});
    default:
      return "(" + relation(depth - 1) + " | rf | co)+";
    }
  }

  Drawn execution() {
    Drawn drawn;
    constexpr std::size_t kPlaces = 2;
    constexpr std::size_t kThreads = 3;
    std::vector<std::size_t> thread;
    std::vector<std::size_t> place;
    std::vector<std::size_t> half; // of an update, by its write: its read
    std::vector<char> kind;
    const auto add = [&](char what, std::size_t of, std::size_t at) {
      kind.push_back(what);
      thread.push_back(of);
      place.push_back(at);
      half.push_back(kMostEvents);
      return kind.size() - 1;
    };
    std::vector<std::vector<std::size_t>> order(kPlaces);
    for (std::size_t at = 0; at < kPlaces; ++at)
      order[at].push_back(add('I', kThreads, at));
    while (kind.size() + 2 <= kMostEvents) {
      const std::size_t of = below(kThreads);
      const std::size_t at = below(kPlaces);
      const std::size_t what = below(4);
      const std::size_t first = add(what == 0 ? 'W' : 'R', of, at);
      const std::size_t last = what < 2 ? first : add('W', of, at);
      if (what >= 2)
        half[last] = first;
      if (what == 1)
        continue;
      // Nothing comes between an update and what it has read.
      std::vector<std::size_t> open;
      for (std::size_t i = 1; i <= order[at].size(); ++i)
        if (i == order[at].size() || half[order[at][i]] == kMostEvents)
          open.push_back(i);
      const std::size_t chosen = open[below(open.size())];
      order[at].insert(order[at].begin() + static_cast<std::ptrdiff_t>(chosen), last);
    }
    const std::size_t count = kind.size();
    drawn.count = count;
    drawn.source.assign(count, kMostEvents);
    drawn.is_update.assign(count, false);
    for (const std::vector<std::size_t>& writes : order)
      for (std::size_t i = 1; i < writes.size(); ++i)
        if (half[writes[i]] != kMostEvents) {
          drawn.source[half[writes[i]]] = writes[i - 1];
          drawn.source[writes[i]] = writes[i - 1];
          drawn.is_update[writes[i]] = true;
        }
    for (std::size_t i = 0; i < count; ++i)
      if (kind[i] == 'R' && drawn.source[i] == kMostEvents)
        drawn.source[i] = order[place[i]][below(order[place[i]].size())];
    for (const char* name : {"po", "co", "rmw", "loc", "ext", "int", "sm", "rf"})
      drawn.relations.emplace(name, relation::BitMatrix(count));
    for (const char* name : {"R", "W", "IW"})
      drawn.sets.emplace(name, relation::BitSet(count));
    for (std::size_t i = 0; i < count; ++i) {
      drawn.sets.at(kind[i] == 'R' ? "R" : "W").insert(i);
      if (kind[i] == 'I')
        drawn.sets.at("IW").insert(i);
      drawn.relations.at("sm").insert(i, i);
      if (half[i] != kMostEvents)
        drawn.relations.at("rmw").insert(half[i], i);
      for (std::size_t j = 0; j < count; ++j) {
        const bool is_same = thread[i] == thread[j] && kind[i] != 'I';
        if (place[i] == place[j])
          drawn.relations.at("loc").insert(i, j);
        if (i != j)
          drawn.relations.at(is_same ? "int" : "ext").insert(i, j);
        if (is_same && i < j)
          drawn.relations.at("po").insert(i, j);
      }
    }
    for (const std::vector<std::size_t>& writes : order)
      for (std::size_t i = 0; i < writes.size(); ++i)
        for (std::size_t j = i + 1; j < writes.size(); ++j)
          drawn.relations.at("co").insert(writes[i], writes[j]);
    return drawn;
  }

  /// Some updates.
  std::vector<bool> left_out(const Drawn& drawn) {
    std::vector<bool> out(drawn.count, false);
    for (std::size_t i = 0; i < drawn.count; ++i)
      out[i] = drawn.is_update[i] && below(2) == 0;
    for (const auto& [read, write] : drawn.relations.at("rmw").pairs())
      out[read] = out[write];
    return out;
  }

private:
  std::size_t below(std::size_t limit) { return random_() % limit; }
  std::string pick(const std::vector<std::string>& from) { return from[below(from.size())]; }
  std::mt19937_64 random_;
};

/// Each read has its source, or what the updates that are left out have read.
Whole with_sources(const DrawUpdates::Drawn& drawn, const std::vector<bool>& out) {
  Whole made{drawn.relations, drawn.sets};
  for (std::size_t i = 0; i < drawn.count; ++i) {
    if (!drawn.sets.at("R").contains(i) || out[i])
      continue;
    std::size_t source = drawn.source[i];
    while (out[source])
      source = drawn.source[source];
    made.relations.at("rf").insert(source, i);
  }
  return made;
}

TEST(PrefixAxioms, WhatIsSaidToHoldWithoutEqualUpdatesDoes) {
  std::size_t claimed = 0;
  std::size_t broken = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    DrawUpdates draw(seed);
    const std::string text = "empty " + draw.relation(3);
    const Core core = load_core(text);
    const bool is_claimed = only_gains_with_equal_updates(core, core.axioms.back().node);
    for (int i = 0; i < 4; ++i) {
      const DrawUpdates::Drawn drawn = draw.execution();
      const std::vector<bool> out = draw.left_out(drawn);
      std::vector<std::size_t> all(drawn.count);
      std::iota(all.begin(), all.end(), std::size_t{0});
      std::vector<std::size_t> kept;
      std::copy_if(all.begin(), all.end(), std::back_inserter(kept), [&](std::size_t event) {
        return !out[event];
      });
      const relation::BitMatrix on_whole =
          value_on(core, with_sources(drawn, std::vector<bool>(drawn.count, false)), all);
      const Pairs pairs = value_on(core, with_sources(drawn, out), kept).pairs();
      const bool holds = std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
        return on_whole.contains(kept[pair.first], kept[pair.second]);
      });
      EXPECT_TRUE(holds || !is_claimed) << text;
      claimed += is_claimed ? 1 : 0;
      broken += holds ? 0 : 1;
    }
  }
  EXPECT_GT(claimed, 300U);
  EXPECT_GT(broken, 20U);
}

} // namespace
} // namespace heddle::memory
