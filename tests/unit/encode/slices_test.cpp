// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Slices and what is known of locks against the other encodings: random events, all values that
// reads can have, under SC, TSO and PSO.
#include "encode/order/lock_words.h"
#include "encode/order/memory_formula.h"
#include "encode/order/online_order.h"
#include "encode/order/pair_order.h"
#include "encode/slices/slices.h"
#include "program/model/program.h"
#include "solve/cadical.h"
#include "solve/core/make_core.h"
#include "support/rng.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>

namespace heddle::encode {
namespace {

using program::EventSet;
using program::StaticEvent;
using Kind = StaticEvent::Kind;
using Strength = program::Fence::Strength;

constexpr std::uint64_t kPlaces = 3;
constexpr ThreadOrder kSC = {};
constexpr ThreadOrder kTSO = {.delays_writes = true};
constexpr ThreadOrder kPSO = {.delays_writes = true, .reorders_writes = true};

/// Events of threads over a few bytes that are 0 at first.
class Maker {
public:
  Maker() {
    program_.objects.push_back({.name = "bytes",
                                .size = kPlaces,
                                .initial = std::vector<std::uint8_t>(kPlaces, 0),
                                .unit = program::AddressSpace::kFirstGlobalUnit});
    set_.program = &program_;
  }

  void thread() {
    finish_thread();
    program::StaticThread entry;
    entry.first = static_cast<EventIndex>(set_.events.size());
    set_.threads.push_back(entry);
    guard_ = set_.terms.boolean(true);
    reads_.clear();
    all_reads_.clear();
  }
  Term read(std::uint64_t place, bool drains = false) {
    StaticEvent& event = add(Kind::kRead, place);
    event.drains = drains;
    event.value = set_.terms.variable(EventSet::variable_of(last()), logic::Sort{8});
    reads_.push_back(event.value);
    all_reads_.push_back(event.value);
    return event.value;
  }
  void write(std::uint64_t place, Term value, bool drains = false) {
    StaticEvent& event = add(Kind::kWrite, place);
    event.value = value;
    event.drains = drains;
  }
  /// An access of two bytes that was cut: two events in one node.
  std::pair<Term, Term> read_pieces(std::uint64_t place, bool drains = false) {
    const Term low = read(place, drains);
    const EventIndex first = last();
    const Term high = read((place + 1) % kPlaces, drains);
    set_.events.back().instruction = set_.events.back().piece_of = first;
    return {low, high};
  }
  void write_pieces(std::uint64_t place, Term low, Term high) {
    write(place, low);
    const EventIndex first = last();
    write((place + 1) % kPlaces, high);
    set_.events.back().instruction = set_.events.back().piece_of = first;
  }
  void update(std::uint64_t place, std::uint64_t added) {
    const Term old = read(place, true);
    const EventIndex from = last();
    write(place, plus(old, added), true);
    set_.amo.push_back({from, last(), guard_});
  }
  void fence(Strength strength) { add(Kind::kFence, std::nullopt).strength = strength; }
  std::uint32_t begin() { return section_ = ++sections_; }
  void resume(std::uint32_t section) { section_ = section; }
  void end() { section_ = 0; }
  /// What follows happens only if the condition holds, and is forgotten elsewhere.
  void only_if(Term condition) {
    if (guard_ == set_.terms.boolean(true))
      unconditional_ = reads_.size();
    guard_ = set_.terms.and_(guard_, condition);
  }
  /// In one step: only if it is free, and what follows only then.
  void take(std::uint64_t place) {
    (void)begin();
    only_if(is_zero(read(place)));
    write(place, constant(1));
    end();
  }
  void give(std::uint64_t place, bool drains) { write(place, constant(0), drains); }
  /// What was read only in between must not be used again.
  Term guard() const { return guard_; }
  void back_to(Term guard) { guard_ = guard; }
  void always() {
    if (guard_ != set_.terms.boolean(true))
      reads_.resize(unconditional_);
    guard_ = set_.terms.boolean(true);
  }

  Term constant(std::uint64_t value) { return set_.terms.constant(value, 8); }
  Term plus(Term a, std::uint64_t b) { return plus(a, constant(b)); }
  Term plus(Term a, Term b) { return set_.terms.binary(logic::Op::kAdd, a, b); }
  Term not_(Term a) { return set_.terms.not_(a); }
  Term is_zero(Term a) { return set_.terms.equal(a, constant(0)); }
  const std::vector<Term>& reads() const { return reads_; }

  EventSet& done() {
    finish_thread();
    return set_;
  }

private:
  EventIndex last() const { return static_cast<EventIndex>(set_.events.size() - 1); }

  StaticEvent& add(Kind kind, std::optional<std::uint64_t> place) {
    StaticEvent event;
    event.kind = kind;
    event.thread = static_cast<std::uint32_t>(set_.threads.size() - 1);
    event.guard = guard_;
    event.instruction = event.piece_of = static_cast<std::uint32_t>(set_.events.size());
    event.section = section_;
    if (place) {
      const std::uint64_t base = program_.space().base_of(program::AddressSpace::kFirstGlobalUnit);
      event.address = set_.terms.constant(base + *place, 64);
      event.size = 1;
    }
    set_.events.push_back(std::move(event));
    return set_.events.back();
  }

  /// A check of all that was read, so that every value matters to somebody.
  void finish_thread() {
    if (set_.threads.empty() || set_.threads.back().last != 0)
      return;
    Term all = set_.terms.boolean(true);
    for (const Term read : all_reads_)
      all = set_.terms.and_(all, is_zero(read));
    guard_ = set_.terms.boolean(true);
    add(Kind::kCheck, std::nullopt).value = all;
    set_.threads.back().last = static_cast<EventIndex>(set_.events.size());
  }

  program::Program program_;
  EventSet set_;
  Term guard_;
  std::vector<Term> reads_;     // of the current thread, those that happen wherever we are
  std::vector<Term> all_reads_; // of the current thread
  std::size_t unconditional_ = 0;
  std::uint32_t section_ = 0;
  std::uint32_t sections_ = 0;
};

/// By event: what it read, or nothing if it is not a read or does not happen.
using Values = std::vector<std::optional<std::uint64_t>>;

/// Along the order, with each thread's writes that have not reached memory: does every read find
/// what the model says?
void follow(const EventSet& set,
            const Skeleton& skeleton,
            const std::vector<Node>& order,
            const Values& values) {
  const auto value = [&](Term term) {
    return set.terms.evaluate(term, [&](std::uint64_t number) {
      return values[number - program::kFirstEventVariable].value_or(0);
    });
  };
  std::map<Term, std::uint64_t> memory;
  std::vector<bool> is_in_memory(set.events.size(), false);
  for (const Node node : order)
    for (EventIndex e = 0; e < set.events.size(); ++e) {
      const StaticEvent& event = set.events[e];
      if (skeleton.node_of[e] != node || value(event.guard) == 0)
        continue;
      if (event.kind == Kind::kWrite) {
        memory[event.address] = value(event.value);
        is_in_memory[e] = true;
      }
      if (event.kind != Kind::kRead)
        continue;
      std::uint64_t found = memory[event.address];
      for (EventIndex own = set.threads[event.thread].first; own < e; ++own)
        if (set.events[own].kind == Kind::kWrite && set.events[own].address == event.address &&
            !is_in_memory[own] && value(set.events[own].guard) != 0)
          found = value(set.events[own].value);
      EXPECT_EQ(found, values[e].value_or(~0ULL)) << "event " << e;
    }
}

enum class Encoding { kPairs, kOnline, kSlices };

/// What the reads can be, over all models.
std::set<Values> all_values(EventSet& set, ThreadOrder thread_order, Encoding encoding) {
  const Skeleton skeleton = make_skeleton(set, thread_order);
  const std::unique_ptr<solve::Sat> sat =
      encoding == Encoding::kOnline ? solve::make_core() : solve::make_cadical();
  logic::Gates gates(*sat);
  std::unique_ptr<NodeOrder> order;
  std::unique_ptr<MemoryEncoding> formula;
  if (encoding == Encoding::kSlices) {
    EXPECT_FALSE(why_not_sliced(set, skeleton).has_value());
    formula = std::make_unique<Slices>(set, skeleton, gates);
  } else {
    if (encoding == Encoding::kOnline)
      order = std::make_unique<OnlineOrder>(skeleton, gates, *sat);
    else
      order = std::make_unique<PairOrder>(skeleton, gates);
    formula = std::make_unique<MemoryFormula>(set, skeleton, gates, *order);
  }
  EXPECT_TRUE(formula->encode());
  if (order != nullptr)
    order->finish();
  std::vector<Literal> executed;
  std::map<EventIndex, std::vector<Literal>> bits; // 0 where a read does not happen
  for (EventIndex e = 0; e < set.events.size(); ++e) {
    const StaticEvent& event = set.events[e];
    executed.push_back(formula->executed(e));
    if (event.kind != Kind::kRead)
      continue;
    bits[e].push_back(executed[e]);
    for (unsigned bit = 0; bit < 8; ++bit)
      bits[e].push_back(
          gates.and_(executed[e],
                     formula->literal(set.terms.to_bool(set.terms.extract(event.value, bit, 1)))));
  }
  const logic::LiteralValues model = [&](Literal literal) { return sat->value(literal); };
  std::set<Values> result;
  while (sat->solve() == solve::Answer::kSatisfiable) {
    Values values(set.events.size());
    std::vector<Literal> others;
    for (const auto& [event, literals] : bits) {
      std::uint64_t number = 0;
      for (std::size_t i = 0; i < literals.size(); ++i) {
        number |= (model(literals[i]) ? 1ULL : 0ULL) << i;
        others.push_back(literals[i] ^ model(literals[i]));
      }
      if ((number & 1U) != 0)
        values[event] = number >> 1U;
    }
    EXPECT_TRUE(result.insert(values).second);
    std::vector<bool> happens(skeleton.nodes.size(), false);
    for (EventIndex e = 0; e < set.events.size(); ++e)
      if (skeleton.node_of[e] != kNoNode && model(executed[e]))
        happens[skeleton.node_of[e]] = true;
    follow(set, skeleton, formula->linearise(model, happens), values);
    gates.require_any(others);
  }
  return result;
}

void random_operation(Maker& maker, Rng& rng) {
  const std::uint64_t place = rng.below(kPlaces);
  const auto some_read = [&] {
    return maker.reads().empty() ? maker.constant(1)
                                 : maker.reads()[rng.below(maker.reads().size())];
  };
  switch (rng.below(13)) {
  case 0:
  case 1:
    (void)maker.read(place);
    return;
  case 2:
  case 3:
    return maker.write(place, maker.constant(1 + rng.below(3)));
  case 4:
    return maker.write(place, maker.plus(some_read(), 1));
  case 5:
    return maker.write(place, maker.plus(some_read(), some_read()));
  case 6:
    return maker.update(place, 1 + rng.below(2));
  case 7:
    return maker.fence(rng.chance(1, 2) ? Strength::kFull : Strength::kStoreStore);
  case 8: { // a section of some of these
    (void)maker.begin();
    const Term first = maker.read(place);
    maker.write(place, maker.plus(first, 1));
    if (rng.chance(1, 2))
      maker.write(rng.below(kPlaces), maker.plus(some_read(), maker.read(rng.below(kPlaces))));
    maker.end();
    return;
  }
  case 9: { // not atomic: the shape that latches are for
    const Term first = maker.read(place);
    return maker.write(place, maker.plus(first, maker.read(rng.below(kPlaces))));
  }
  case 10: { // a section and another arm, whose events stand in between
    maker.always();
    const Term condition = maker.is_zero(some_read());
    maker.only_if(condition);
    const std::uint32_t section = maker.begin();
    (void)maker.read(place);
    maker.end();
    maker.always();
    maker.only_if(maker.not_(condition));
    maker.write((place + 1) % kPlaces, maker.plus(maker.read(rng.below(kPlaces)), 1));
    maker.always();
    maker.only_if(condition);
    maker.resume(section);
    maker.write(place, maker.plus(maker.read(rng.below(kPlaces)), 2));
    maker.end();
    return maker.always();
  }
  case 11:
    if (!maker.reads().empty())
      maker.only_if(maker.is_zero(some_read()));
    return;
  default:
    return maker.always();
  }
}

/// The same, where accesses are of one byte or of two.
void random_piecewise_operation(Maker& maker, Rng& rng) {
  const std::uint64_t place = rng.below(kPlaces);
  const auto some_read = [&] {
    return maker.reads().empty() ? maker.constant(1)
                                 : maker.reads()[rng.below(maker.reads().size())];
  };
  switch (rng.below(6)) {
  case 0:
    (void)maker.read_pieces(place);
    return;
  case 1:
    return maker.write_pieces(place, maker.constant(1), maker.constant(2 + rng.below(2)));
  case 2: {
    const Term low = some_read();
    return maker.write_pieces(place, low, some_read());
  }
  case 3: { // a copy: both pieces are computed in the same way
    const auto [low, high] = maker.read_pieces(place);
    return maker.write_pieces(rng.below(kPlaces), maker.plus(low, 1), maker.plus(high, 1));
  }
  case 4:
    return maker.write(place, maker.plus(some_read(), 1));
  default:
    return random_operation(maker, rng);
  }
}

/// What slices are made for: the same steps several times, computing from what was just read;
/// mostly one writer for each place.
void random_loop(Maker& maker, Rng& rng, std::uint64_t own_place) {
  struct Step {
    bool is_read = false;
    std::uint64_t place = 0;
    std::vector<std::uint64_t>
        operands; // which of the round's reads are added up; none: a constant
  };
  std::vector<Step> body;
  std::uint64_t reads = 0;
  for (std::uint64_t i = 2 + rng.below(3); i > 0; --i) {
    Step step;
    step.is_read = rng.chance(1, 2);
    step.place = step.is_read || rng.chance(1, 4) ? rng.below(kPlaces) : own_place;
    if (step.is_read)
      ++reads;
    else
      for (std::uint64_t n = reads == 0 ? 0 : rng.below(3); n > 0; --n)
        step.operands.push_back(rng.below(reads));
    body.push_back(step);
  }
  const bool is_regular = rng.chance(2, 3); // else the rounds add different constants
  for (std::uint64_t round = 0; round < 2; ++round) {
    const std::size_t first = maker.reads().size();
    for (const Step& step : body) {
      if (step.is_read) {
        (void)maker.read(step.place);
        continue;
      }
      Term value = maker.constant(is_regular ? 1 : 1 + round);
      for (const std::uint64_t operand : step.operands)
        value = maker.plus(value, maker.reads()[first + operand]);
      maker.write(step.place, value);
    }
  }
}

/// Sections of one or two locks around accesses to another place; not always given back, and now
/// and then by one who has not taken it.
void random_sections(Maker& maker, Rng& rng, std::uint64_t sections) {
  for (std::uint64_t section = 0; section < sections; ++section) {
    const std::uint64_t lock = rng.chance(1, 4) ? 1 : 0;
    const Term before = maker.guard();
    if (!rng.chance(1, 16))
      maker.take(lock);
    Term last = maker.constant(1);
    for (std::uint64_t i = 1 + rng.below(2); i > 0; --i) {
      if (rng.chance(1, 2))
        last = maker.read(2);
      else
        maker.write(2, maker.plus(last, 1), rng.chance(1, 4));
    }
    const bool drains = rng.chance(1, 2);
    if (rng.chance(1, 4)) { // in both arms of a branch
      const Term inside = maker.guard();
      const Term condition = maker.is_zero(maker.read(2));
      maker.only_if(condition);
      maker.give(lock, drains);
      maker.back_to(inside);
      maker.only_if(maker.not_(condition));
      maker.write(2, maker.constant(9));
      maker.give(lock, drains);
      maker.back_to(inside);
    } else if (!rng.chance(1, 8)) {
      maker.give(lock, drains);
      if (rng.chance(1, 16))
        maker.give(lock, drains);
    }
    if (rng.chance(1, 4))
      maker.write(2, maker.constant(5)); // outside
    if (rng.chance(1, 8))
      maker.back_to(before);
  }
}

void compare_encodings(EventSet& set, ThreadOrder order, std::uint64_t seed, std::size_t& count) {
  const std::set<Values> expected = all_values(set, order, Encoding::kPairs);
  count += expected.size();
  const char* model = order.reorders_writes ? " pso" : order.delays_writes ? " tso" : " sc";
  EXPECT_EQ(all_values(set, order, Encoding::kSlices), expected) << "seed " << seed << model;
  if (seed % 5 == 0) {
    EXPECT_EQ(all_values(set, order, Encoding::kOnline), expected) << "seed " << seed << model;
  }
}

TEST(Slices, HaveTheExecutionsOfTheOtherEncodings) {
  std::size_t executions = 0;
  for (std::uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed)
    for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
      Rng rng(seed);
      Maker maker;
      for (std::uint64_t thread = 2 + rng.below(2); thread > 0; --thread) {
        maker.thread();
        for (std::uint64_t i = 1 + rng.below(5); i > 0; --i)
          random_operation(maker, rng);
      }
      compare_encodings(maker.done(), order, seed, executions);
    }
  EXPECT_GT(executions, 1000U);
}

TEST(Slices, HaveTheExecutionsOfPieces) {
  std::size_t executions = 0;
  for (std::uint64_t seed = 0; seed < 400 && !HasFailure(); ++seed)
    for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
      Rng rng(seed);
      Maker maker;
      for (std::uint64_t thread = 2; thread > 0; --thread) {
        maker.thread();
        for (std::uint64_t i = 1 + rng.below(3); i > 0; --i)
          random_piecewise_operation(maker, rng);
      }
      compare_encodings(maker.done(), order, seed, executions);
    }
  EXPECT_GT(executions, 1000U);
}

/// Writes of the same code in two threads are one circuit, but not the pieces of one of them.
TEST(Slices, PiecesOfAWriteThatWaitsAreTheirOwn) {
  std::size_t executions = 0;
  for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
    Maker maker;
    for (int thread = 0; thread < 2; ++thread) {
      maker.thread();
      const auto [low, high] = maker.read_pieces(1);
      maker.write_pieces(0, maker.plus(low, 1), maker.plus(high, 1));
    }
    maker.thread();
    maker.write(2, maker.constant(8));
    (void)maker.read(0);
    compare_encodings(maker.done(), order, 0, executions);
  }
  EXPECT_GT(executions, 10U);
}

/// Slices do not know of locks.
TEST(LockWords, LeaveTheExecutionsAsTheyAre) {
  std::size_t executions = 0;
  std::size_t kept = 0;
  std::size_t hidden = 0;
  for (std::uint64_t seed = 0; seed < 100 && !HasFailure(); ++seed)
    for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
      Rng rng(seed);
      Maker maker;
      const std::uint64_t threads = seed % 4 == 0 ? 3 : 2;
      for (std::uint64_t thread = 0; thread < threads; ++thread) {
        maker.thread();
        random_sections(maker, rng, threads == 2 && thread == 0 ? 2 : 1);
      }
      EventSet& set = maker.done();
      compare_encodings(set, order, seed, executions);
      const Skeleton skeleton = make_skeleton(set, order);
      Places places(set);
      Guards guards(set.terms);
      const LockWords locks(set, skeleton, places, guards);
      for (const LockWords::Word& word : locks.words())
        kept += set.terms.is_constant(word.is_kept) ? 1U : 0U;
      for (EventIndex a = 0; a < set.events.size(); ++a)
        for (EventIndex b = 0; b < set.events.size(); ++b)
          hidden += set.events[a].kind == Kind::kWrite && set.events[b].kind == Kind::kRead &&
                            locks.hides(a, b)
                        ? 1U
                        : 0U;
    }
  EXPECT_GT(executions, 1000U);
  EXPECT_GT(kept, 100U);
  EXPECT_GT(hidden, 100U);
}

TEST(Slices, HaveTheExecutionsOfLoops) {
  std::size_t executions = 0;
  for (std::uint64_t seed = 0; seed < 150 && !HasFailure(); ++seed)
    for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
      Rng rng(seed);
      Maker maker;
      for (std::uint64_t thread = 0; thread < 2; ++thread) {
        maker.thread();
        random_loop(maker, rng, thread);
      }
      compare_encodings(maker.done(), order, seed, executions);
    }
  EXPECT_GT(executions, 1000U);
}

TEST(Slices, PendingWritesKeepWhatTheyWereComputedFrom) {
  std::size_t executions = 0;
  for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
    Maker maker;
    maker.thread();
    maker.write(1, maker.plus(maker.read(0), 1));
    maker.write(2, maker.plus(maker.read(0), 2)); // the place is read again while the first waits
    maker.thread();
    maker.write(0, maker.constant(4));
    (void)maker.read(1);
    (void)maker.read(2);
    compare_encodings(maker.done(), order, 0, executions);
  }
  EXPECT_GT(executions, 10U);
}

/// The events of another arm stand between those of a section, whose node comes before theirs.
TEST(Slices, LatchesKeepOnlyWhatHappens) {
  std::size_t executions = 0;
  for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
    Maker maker;
    maker.thread();
    const Term condition = maker.is_zero(maker.read(2));
    maker.only_if(condition);
    const std::uint32_t section = maker.begin();
    (void)maker.read(1);
    maker.end();
    maker.always();
    maker.only_if(maker.not_(condition));
    maker.write(1, maker.plus(maker.read(0), 1), true);
    maker.always();
    maker.only_if(condition);
    maker.resume(section);
    const Term in_section = maker.read(0);
    maker.end();
    maker.write(1, maker.plus(in_section, 2), true);
    maker.thread();
    maker.write(0, maker.constant(4), true);
    maker.write(0, maker.constant(8), true);
    (void)maker.read(1);
    maker.write(2, maker.constant(1), true);
    compare_encodings(maker.done(), order, 0, executions);
  }
  EXPECT_GT(executions, 10U);
}

/// Two writes of one kind; the second may be in any slot where it does not happen.
TEST(Slices, WritesThatDoNotHappenSelectNothing) {
  std::size_t executions = 0;
  for (const ThreadOrder order : {kSC, kTSO, kPSO}) {
    Maker maker;
    maker.thread();
    maker.write(0, maker.plus(maker.read(1), 1));
    maker.thread();
    maker.only_if(maker.not_(maker.is_zero(maker.read(0))));
    maker.write(2, maker.plus(maker.read(1), 1));
    maker.thread();
    maker.write(1, maker.constant(4));
    (void)maker.read(0);
    (void)maker.read(2);
    compare_encodings(maker.done(), order, 0, executions);
  }
  EXPECT_GT(executions, 10U);
}

/// Two threads add to each other's places, as often as said.
void add_up(Maker& maker, int rounds, bool is_conditional) {
  for (std::uint64_t thread = 0; thread < 2; ++thread) {
    maker.thread();
    for (int round = 0; round < rounds; ++round) {
      (void)maker.begin();
      const Term own = maker.read(thread);
      const Term other = maker.read(1 - thread);
      if (is_conditional)
        maker.only_if(maker.is_zero(other));
      maker.write(thread, maker.plus(own, other));
      maker.end();
    }
  }
}

TEST(Slices, AreChosenWhereValuesGoALongWay) {
  const auto is_chosen = [](int rounds, bool is_conditional) {
    Maker maker;
    add_up(maker, rounds, is_conditional);
    EventSet& set = maker.done();
    return is_made_for_slices(set, make_skeleton(set, kTSO));
  };
  EXPECT_TRUE(is_chosen(3, false));
  EXPECT_FALSE(is_chosen(2, false));
  EXPECT_FALSE(is_chosen(3, true));
}

TEST(Slices, AreRefusedWhereAddressesAreComputed) {
  Maker maker;
  maker.thread();
  const Term index = maker.read(0);
  maker.write(1, maker.constant(1));
  EventSet& set = maker.done();
  const Skeleton skeleton = make_skeleton(set, kSC);
  EXPECT_FALSE(why_not_sliced(set, skeleton).has_value());
  set.events[1].address =
      set.terms.binary(logic::Op::kAdd, set.events[1].address, set.terms.zero_extend(index, 64));
  EXPECT_TRUE(why_not_sliced(set, skeleton).has_value());
  const std::unique_ptr<solve::Sat> sat = solve::make_cadical();
  logic::Gates gates(*sat);
  EXPECT_FALSE(Slices(set, skeleton, gates).encode());
}

} // namespace
} // namespace heddle::encode
