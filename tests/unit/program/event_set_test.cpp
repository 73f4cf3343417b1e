// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs as events: when each happens, what it depends on, and how accesses are cut.
#include "event_set_fixture.h"
#include "unit/check/programs.h"

namespace heddle::program_test {
namespace {

// Guards

TEST(EventSet, WhatABranchSkipsIsGuardedAndWhatFollowsIsNot) {
  Events made = from_lines({"LDR W4,[X1]", "CBNZ W4,L0", "STR W0,[X2]", "L0:", "STR W0,[X3]"});
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_FALSE(made.is_certain(writes[0]));
  EXPECT_TRUE(made.is_certain(writes[1]));
  EXPECT_TRUE(made.is_certain(made.of(1, Kind::kRead).front()));
  EXPECT_EQ(made.of(1, Kind::kBranch).size(), 1U);
  // It happens where the read gives 0.
  const Term read = made.at(made.of(1, Kind::kRead).front()).value;
  const Term is_zero = made.set->terms.equal(read, made.set->terms.constant(0, 32));
  EXPECT_TRUE(made.is_constant(
      made.set->terms.and_(made.at(writes[0]).guard, made.set->terms.not_(is_zero)), false));
}

TEST(EventSet, TheArmsOfABranchExcludeEachOther) {
  Events made = from_litmus(R"(C arms
{}
P0 (int *x, int *y) {
  int r0 = READ_ONCE(*x);
  if (r0 == 1) {
    WRITE_ONCE(*y, 1);
  } else {
    WRITE_ONCE(*y, 2);
  }
  WRITE_ONCE(*y, 3);
}
P1 (int *x, int *y) {
  WRITE_ONCE(*x, 1);
  int r1 = READ_ONCE(*y);
}
exists (0:r0=1)
)");
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_FALSE(made.is_certain(writes[0]) || made.is_certain(writes[1]));
  EXPECT_FALSE(made.may_both(writes[0], writes[1]));
  EXPECT_TRUE(made.may_both(writes[0], writes[2]));
  EXPECT_TRUE(made.is_certain(writes[2]));
  EXPECT_TRUE(made.of(1, Kind::kBranch).empty()); // only machines have branches as events
}

TEST(EventSet, AValueThatComesFromTwoArmsDependsOnTheOneTaken) {
  Events made =
      from_lines({"LDR W4,[X1]", "LDR W5,[X2]", "CBNZ W4,L0", "LDR W5,[X3]", "L0:", "STR W5,[X1]"});
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(reads.size(), 3U);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(pairs(made.set->data).count({reads[1], writes[0]}), 1U);
  EXPECT_EQ(pairs(made.set->data).count({reads[2], writes[0]}), 1U);
  // Not from both at once.
  Term first;
  Term second;
  for (const StaticEdge& edge : made.set->data)
    if (edge.to == writes[0])
      (edge.from == reads[1] ? first : second) = edge.guard;
  ASSERT_TRUE(first.is_valid() && second.is_valid());
  EXPECT_TRUE(made.is_constant(made.set->terms.and_(first, second), false));
}

// Dependencies

TEST(EventSet, DependenciesFollowRegistersEvenWhereValuesDoNot) {
  const Events made = from_lines({"LDR W4,[X1]",
                                  "EOR W5,W4,W4",
                                  "LDR W6,[X2,W5,SXTW]",
                                  "EOR W7,W6,W6",
                                  "ADD W7,W7,#1",
                                  "STR W7,[X3]"});
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(reads.size(), 2U);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(pairs(made.set->addr), (Pairs{{reads[0], reads[1]}}));
  EXPECT_EQ(pairs(made.set->data), (Pairs{{reads[1], writes[0]}}));
  EXPECT_TRUE(made.set->ctrl.empty());
  // The values are known all the same.
  EXPECT_TRUE(made.set->terms.is_constant(made.at(writes[0]).value));
  EXPECT_TRUE(made.set->terms.is_constant(made.at(reads[1]).address));
}

TEST(EventSet, AnOverwrittenRegisterCarriesNothing) {
  const Events made = from_lines({"LDR W4,[X1]", "MOV W4,#1", "STR W4,[X2]"});
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.set->data.empty());
}

TEST(EventSet, InAssemblyControlReachesToTheEnd) {
  const Events made =
      from_lines({"LDR W4,[X1]", "CBNZ W4,L0", "L0:", "STR W0,[X2]", "DMB ISH", "LDR W5,[X3]"});
  ASSERT_TRUE(made.set);
  const EventIndex read = made.of(1, Kind::kRead)[0];
  EXPECT_EQ(pairs(made.set->ctrl),
            (Pairs{{read, made.of(1, Kind::kWrite)[0]},
                   {read, made.of(1, Kind::kFence)[0]},
                   {read, made.of(1, Kind::kRead)[1]}}));
}

TEST(EventSet, InCControlEndsWhereTheArmsMeet) {
  const Events made = from_litmus(R"(C control
{}
P0 (int *x, int *y, int *z) {
  int r0 = READ_ONCE(*x);
  if (r0 == 1) {
    WRITE_ONCE(*y, 1);
  }
  WRITE_ONCE(*z, 1);
}
P1 (int *x, int *y, int *z) {
  WRITE_ONCE(*x, 1);
  int r1 = READ_ONCE(*y);
  int r2 = READ_ONCE(*z);
}
exists (0:r0=1)
)");
  ASSERT_TRUE(made.set);
  EXPECT_EQ(pairs(made.set->ctrl),
            (Pairs{{made.of(1, Kind::kRead)[0], made.of(1, Kind::kWrite)[0]}}));
}

// Updates and exclusives

TEST(EventSet, AnUpdateHasTwoHalves) {
  const Events made = from_lines({"MOV W5,#1", "LDADDAL W5,W4,[X1]"});
  ASSERT_TRUE(made.set);
  const EventIndex read = made.of(1, Kind::kRead)[0];
  const EventIndex write = made.of(1, Kind::kWrite)[0];
  EXPECT_EQ(pairs(made.set->amo), (Pairs{{read, write}}));
  EXPECT_EQ(made.at(read).instruction, made.at(write).instruction);
  EXPECT_EQ(made.address(read), made.address(write));
  const auto has = [&](EventIndex event, const char* tag) {
    const std::vector<std::string>& tags = made.at(event).tags;
    return std::find(tags.begin(), tags.end(), tag) != tags.end();
  };
  // The read acquires, the write releases.
  EXPECT_TRUE(has(read, "A") && !has(read, "L"));
  EXPECT_TRUE(has(write, "L") && !has(write, "A"));
  EXPECT_FALSE(made.set->terms.is_constant(made.at(write).value));
}

TEST(EventSet, AStoreExclusiveMaySucceedOnlyAfterItsLoad) {
  const Events good = from_lines({"LDXR W4,[X1]", "STXR W5,W0,[X1]", "STXR W6,W0,[X1]"});
  ASSERT_TRUE(good.set);
  const EventIndex load = good.of(1, Kind::kRead)[0];
  const std::vector<EventIndex> stores = good.of(1, Kind::kWrite);
  ASSERT_EQ(stores.size(), 2U);
  EXPECT_TRUE(good.at(load).is_exclusive && good.at(stores[0]).is_exclusive);
  EXPECT_EQ(pairs(good.set->exclusive), (Pairs{{load, stores[0]}}));
  // The first may fail for no reason; the second has lost its reservation.
  EXPECT_FALSE(good.set->terms.is_constant(good.at(stores[0]).guard));
  EXPECT_TRUE(good.is_constant(good.at(stores[1]).guard, false));
  EXPECT_EQ(good.of(1, Kind::kChoice).size(), 1U);
  // Of another place, or without a load, it fails.
  for (const std::vector<std::string>& lines :
       {std::vector<std::string>{"LDXR W4,[X2]", "STXR W5,W0,[X1]"},
        std::vector<std::string>{"STXR W5,W0,[X1]"}}) {
    const Events bad = from_lines(lines);
    ASSERT_TRUE(bad.set);
    EXPECT_TRUE(bad.is_constant(bad.at(bad.of(1, Kind::kWrite)[0]).guard, false));
    EXPECT_TRUE(bad.of(1, Kind::kChoice).empty());
  }
}

TEST(EventSet, ACompareExchangeThatFailsHasItsOrderForThat) {
  const Events made = from_litmus(R"(C cas
{ e = 3; }
P0 (atomic_int *x, int *e) {
  int r0 = atomic_compare_exchange_strong_explicit(x, e, 2, memory_order_acq_rel, memory_order_relaxed);
}
P1 (atomic_int *x, int *e) {
  atomic_store_explicit(x, 3, memory_order_relaxed);
}
exists (0:r0=0)
)");
  ASSERT_TRUE(made.set);
  const auto reads = made.of(1, Kind::kRead);
  const auto update = std::find_if(reads.begin(), reads.end(), [&](EventIndex read) {
    return made.at(read).success.is_valid();
  });
  ASSERT_NE(update, reads.end());
  EXPECT_EQ(made.at(*update).order, Order::kAcqRel);
  EXPECT_EQ(made.at(*update).failure_order, Order::kRelaxed);
  ASSERT_EQ(made.set->amo.size(), 1U);
  EXPECT_EQ(made.set->amo[0].from, *update);
  const StaticEvent& write = made.at(made.set->amo[0].to);
  EXPECT_FALSE(made.set->terms.is_constant(write.guard));
  // It writes where it succeeds.
  EXPECT_EQ(write.guard, made.at(*update).success);
}

// Sizes

TEST(EventSet, AccessesOfDifferentSizesAreCut) {
  const Events made = from_litmus(R"(AArch64 mixed
{ uint32_t x = 0; 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 LDR W4,[X1] | MOV W0,#1 ;
 STR W4,[X1] | STRH W0,[X1] ;
exists (0:X4=1)
)");
  ASSERT_TRUE(made.set);
  const std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  const std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  ASSERT_EQ(reads.size(), 2U);
  ASSERT_EQ(writes.size(), 2U);
  ASSERT_EQ(made.of(2, Kind::kWrite).size(), 1U);
  EXPECT_EQ(made.at(reads[0]).size, 2U);
  EXPECT_EQ(made.address(reads[1]), made.address(reads[0]) + 2);
  EXPECT_EQ(made.address(made.of(2, Kind::kWrite)[0]), made.address(reads[0]));
  EXPECT_EQ(made.at(reads[0]).piece_of, made.at(reads[1]).piece_of);
  EXPECT_EQ(made.at(reads[0]).instruction, made.at(reads[1]).instruction);
  EXPECT_NE(made.at(reads[0]).piece_of, made.at(writes[0]).piece_of);
  // Each piece of what is stored depends on both pieces of what was read: it is one value.
  EXPECT_EQ(pairs(made.set->data).size(), 4U);
}

TEST(EventSet, AccessesOfOneSizeAreWhole) {
  const Events made = from_lines({"LDR W4,[X1]"});
  ASSERT_TRUE(made.set);
  ASSERT_EQ(made.of(1, Kind::kRead).size(), 1U);
  EXPECT_EQ(made.at(made.of(1, Kind::kRead)[0]).size, 4U);
}

/// The sizes of the events of two threads that store words of 8 and 4 bytes to one object.
std::vector<unsigned> sizes_of_stores(const std::string& wide, const std::string& narrow) {
  std::string text = R"(
module lp64
global @node : 24 align 8
func @worker(%0 : ptr "argument") -> ptr {
block entry:
  store i64 1, WIDE
  store i32 2, NARROW
  ret ptr 0
}
func @main() -> i32 {
  reg %0 : i64 "t"
  reg %1 : i64 "v"
block entry:
  %0 = create(@worker, ptr 0)
  store i64 3, WIDE
  store i32 4, NARROW
  ret i32 0
}
)";
  for (const auto& [word, address] : {std::pair{std::string("WIDE"), wide}, {"NARROW", narrow}})
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word))
      text.replace(at, word.size(), address);
  const Events made = from_ir(text);
  std::vector<unsigned> sizes;
  if (made.set)
    for (const EventIndex write : made.of(1, Kind::kWrite))
      if (!made.at(write).is_hidden)
        sizes.push_back(made.at(write).size);
  return sizes;
}

TEST(EventSet, FieldsThatDoNotOverlapAreWholeWhateverTheirSizes) {
  EXPECT_EQ(sizes_of_stores("@node", "@node + 8"), (std::vector<unsigned>{8, 4}));
  EXPECT_EQ(sizes_of_stores("@node", "@node + 4"), (std::vector<unsigned>{4, 4, 4}));
}

TEST(EventSet, PiecesLieAtMultiplesOfTheirSize) {
  EXPECT_EQ(sizes_of_stores("@node + 4", "@node"), (std::vector<unsigned>{4, 4, 4}));
  EXPECT_EQ(sizes_of_stores("@node + 2", "@node + 12"), (std::vector<unsigned>{2, 2, 2, 2, 4}));
}

// Registers and private memory

TEST(EventSet, RegistersAreEventsWhereModelsAsk) {
  const Events made = from_lines({"LDR W4,[X1]", "ADD W5,W4,#1", "STR W5,[X2]"}, true);
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.set->addr.empty() && made.set->data.empty() && made.set->ctrl.empty());
  std::vector<std::string> text;
  for (EventIndex i = made.set->threads[1].first; i < made.set->threads[1].last; ++i)
    if (made.at(i).kind == Kind::kRegisterRead || made.at(i).kind == Kind::kRegisterWrite)
      text.push_back((made.at(i).kind == Kind::kRegisterRead ? "R " : "W ") + made.at(i).text);
  EXPECT_EQ(text, (std::vector<std::string>{"R X1", "W X4", "R X4", "W X5", "R X2", "R X5"}));
  // What flows inside an instruction: X4 into the sum, both operands into the store.
  const EventIndex store = made.of(1, Kind::kWrite)[0];
  std::size_t into_store = 0;
  for (const StaticEdge& edge : made.set->intra_data) {
    EXPECT_EQ(made.at(edge.from).instruction, made.at(edge.to).instruction);
    into_store += edge.to == store ? 1 : 0;
  }
  EXPECT_EQ(into_store, 2U);
  std::size_t address = 0;
  std::size_t data = 0;
  for (const EventIndex read : made.of(1, Kind::kRegisterRead)) {
    address += made.at(read).feeds_address ? 1 : 0;
    data += made.at(read).feeds_data ? 1 : 0;
  }
  EXPECT_EQ(address, 2U); // X1 and X2
  EXPECT_EQ(data, 1U);    // X5
}

TEST(EventSet, WhatRegistersHoldAtTheEndIsPrivate) {
  const Events made = from_lines({"LDR W4,[X1]", "MOV W5,#7"});
  ASSERT_TRUE(made.set);
  EXPECT_TRUE(made.of(1, Kind::kWrite).empty());
  bool has_seven = false;
  bool has_read = false;
  for (const PrivateFinal& final : made.set->threads[1].finals) {
    if (made.set->terms.is_constant(final.value))
      has_seven = has_seven || made.set->terms.node(final.value).value == 7;
    else
      has_read = true;
  }
  EXPECT_TRUE(has_seven && has_read);
}

TEST(EventSet, MemoryOfOneThreadIsFollowedLikeRegisters) {
  // What the left thread reads back from its frame is what it wrote.
  std::string text =
      check_test::two_threads("  %1 = load.atomic.relaxed @y !1:11:1\n  store i32 %1, $0 !1:12:1\n"
                              "  %2 = load $0 !1:13:1\n  store.atomic.relaxed i32 %2, @y !1:14:1\n",
                              "  store.atomic.relaxed i32 1, @y !1:21:1\n");
  text.insert(text.find("  reg %6 : ptr\n") + 15, "  slot $0 : 4 align 4 \"own\"\n");
  const Events made = from_ir(text);
  ASSERT_TRUE(made.set) << made.set.error().to_string();
  std::vector<EventIndex> reads = made.of(1, Kind::kRead);
  std::erase_if(reads, [&](EventIndex event) { return made.at(event).is_hidden; });
  std::vector<EventIndex> writes = made.of(1, Kind::kWrite);
  std::erase_if(writes, [&](EventIndex event) { return made.at(event).is_hidden; });
  ASSERT_EQ(reads.size(), 1U);
  ASSERT_EQ(writes.size(), 1U);
  EXPECT_EQ(made.at(writes[0]).value, made.at(reads[0]).value);
  EXPECT_EQ(pairs(made.set->data), (Pairs{{reads[0], writes[0]}}));
}

} // namespace
} // namespace heddle::program_test
