// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The primitives of the Linux kernel: which events with which tags.
#include "frontend/litmus/shared/test.h"
#include "unit/frontend_litmus/c_emitted.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {
namespace {

TEST(CLinux, SingleAccesses) {
  EXPECT_EQ(code_of_body("int r; r = READ_ONCE(*x); WRITE_ONCE(*y, r);"),
            "%2 = load.atomic.relaxed[\"once\"] @x\n"
            "%r = copy %2\n"
            "store.atomic.relaxed[\"once\"] i32 %r, @y\n");
  EXPECT_EQ(code_of_body("int r = smp_load_acquire(x); smp_store_release(y, 3);"),
            "%2 = load.atomic.acquire[\"acquire\"] @x\n"
            "%r = copy %2\n"
            "store.atomic.release[\"release\"] i32 3, @y\n");
  EXPECT_EQ(code_of_body("smp_store_mb(*x, 1);"),
            "store.atomic.relaxed[\"once\"] i32 1, @x\n"
            "fence.atomic.seq_cst[\"mb\"]\n");
}

TEST(CLinux, PlainAccessesHaveNoTag) {
  EXPECT_EQ(code_of_body("int r = *x; *y = r; smp_mb();"),
            "%2 = load @x\n"
            "%r = copy %2\n"
            "store i32 %r, @y\n"
            "fence.atomic.seq_cst[\"mb\"]\n");
}

TEST(CLinux, Fences) {
  EXPECT_EQ(code_of_body("smp_rmb(); smp_wmb(); barrier(); rcu_read_lock(); rcu_read_unlock(); "
                         "synchronize_rcu(); smp_mb__before_atomic(); smp_mb__after_spinlock();"),
            "fence.atomic.acquire[\"rmb\"]\n"
            "fence.atomic.release[\"wmb\"]\n"
            "fence[\"barrier\"]\n"
            "fence.atomic.relaxed[\"rcu-lock\"]\n"
            "fence.atomic.relaxed[\"rcu-unlock\"]\n"
            "fence.atomic.seq_cst[\"sync-rcu\"]\n"
            "fence.atomic.seq_cst[\"before-atomic\"]\n"
            "fence.atomic.seq_cst[\"after-spinlock\"]\n");
}

TEST(CLinux, ExchangeOfEachOrder) {
  EXPECT_EQ(code_of_body("int r = xchg(x, 1);"),
            "fence.atomic.seq_cst[\"mb\"]\n"
            "%2 = rmw.atomic.relaxed[\"once\"] xchg @x, i32 1\n"
            "fence.atomic.seq_cst[\"mb\"]\n"
            "%r = copy %2\n");
  EXPECT_EQ(code_of_body("xchg_relaxed(x, 1);"),
            "%1 = rmw.atomic.relaxed[\"once\"] xchg @x, i32 1\n");
  EXPECT_EQ(code_of_body("xchg_acquire(x, 1);"),
            "%1 = rmw.atomic.acquire[\"R:acquire\", \"W:once\"] xchg @x, i32 1\n");
  EXPECT_EQ(code_of_body("xchg_release(x, 1);"),
            "%1 = rmw.atomic.release[\"R:once\", \"W:release\"] xchg @x, i32 1\n");
}

TEST(CLinux, FailedCompareExchangeIsNotOrdered) {
  EXPECT_EQ(
      code_of_body("int r = cmpxchg(x, 0, 1);"),
      "%2 = nondet \"__cmpxchg succeeds\"\n"
      "branch %2, b2, b3\n"
      "end:\n"
      "ret ptr 0\n"
      "b2:\n"
      "fence.atomic.seq_cst[\"mb\"]\n"
      "%4, %5 = cmpxchg.atomic.relaxed[\"once\"] @x, i32 0, i32 1 failure relaxed\n"
      "assume %5\n"
      "fence.atomic.seq_cst[\"mb\"]\n"
      "%3 = copy %4\n"
      "jump b4\n"
      "b3:\n"
      "%6, %7 = cmpxchg.atomic.relaxed[\"R:RMW\", \"once\"] @x, i32 0, i32 1 failure relaxed\n"
      "%8 = eq %7, i1 0\n"
      "assume %8\n"
      "%3 = copy %6\n"
      "jump b4\n"
      "b4:\n"
      "%r = copy %3\n"
      "jump end\n");
  EXPECT_EQ(
      code_of_body("cmpxchg_relaxed(x, 0, 1);"),
      "%1, %2 = cmpxchg.atomic.relaxed[\"R:RMW\", \"once\"] @x, i32 0, i32 1 failure relaxed\n");
}

TEST(CLinux, OperationsWithoutResultAreMarkedSo) {
  EXPECT_EQ(code_of_body("atomic_inc(x); atomic_sub(2, y); atomic_andnot(3, z);"),
            "%1 = rmw.atomic.relaxed[\"R:noreturn\", \"W:once\"] add @x, i32 1\n"
            "%2 = rmw.atomic.relaxed[\"R:noreturn\", \"W:once\"] sub @y, i32 2\n"
            "%3 = rmw.atomic.relaxed[\"R:noreturn\", \"W:once\"] and @z, i32 -4\n");
}

TEST(CLinux, OperationsGiveTheNewOrTheOldValue) {
  EXPECT_EQ(code_of_body("int r = atomic_add_return_acquire(5, x);"),
            "%2 = rmw.atomic.acquire[\"R:acquire\", \"W:once\"] add @x, i32 5\n"
            "%3 = add %2, i32 5\n"
            "%r = copy %3\n");
  EXPECT_EQ(code_of_body("int r = atomic_fetch_or_release(5, x);"),
            "%2 = rmw.atomic.release[\"R:once\", \"W:release\"] or @x, i32 5\n"
            "%r = copy %2\n");
  EXPECT_EQ(code_of_body("int r = atomic_dec_and_test(x);"),
            "fence.atomic.seq_cst[\"mb\"]\n"
            "%2 = rmw.atomic.relaxed[\"once\"] sub @x, i32 1\n"
            "fence.atomic.seq_cst[\"mb\"]\n"
            "%3 = sub %2, i32 1\n"
            "%4 = eq %3, i32 0\n"
            "%5 = zext %4\n"
            "%r = copy %5\n");
}

TEST(CLinux, AddUnlessHasTwoCourses) {
  const std::string code = code_of_body("int r = atomic_add_unless(x, 1, 5);");
  EXPECT_NE(code.find("fence.atomic.seq_cst[\"mb\"]\n"
                      "%4 = rmw.atomic.relaxed[\"once\"] add @x, i32 1\n"
                      "%5 = ne %4, i32 5\n"
                      "assume %5\n"
                      "fence.atomic.seq_cst[\"mb\"]\n"
                      "%3 = copy i32 1\n"),
            std::string::npos)
      << code;
  EXPECT_NE(code.find("%6 = load.atomic.relaxed[\"RMW\", \"once\"] @x\n"
                      "%7 = eq %6, i32 5\n"
                      "assume %7\n"
                      "%3 = copy i32 0\n"),
            std::string::npos)
      << code;
}

TEST(CLinux, LocksAreTakenOnlyWhenFree) {
  EXPECT_EQ(code_of_body("spin_lock(x); spin_unlock(x);"),
            "%1 = rmw.atomic.acquire[\"R:LKR\", \"R:acquire\", \"W:LKW\"] xchg @x, i32 1\n"
            "%2 = eq %1, i32 0\n"
            "assume %2\n"
            "store.atomic.release[\"UL\", \"release\"] i32 0, @x\n");
}

TEST(CLinux, TrylockFailsWithARead) {
  const std::string code = code_of_body("int r = spin_trylock(x);");
  EXPECT_NE(code.find("\"W:LKW\"] xchg @x, i32 1\n%5 = eq %4, i32 0\nassume %5\n%3 = copy i32 1\n"),
            std::string::npos)
      << code;
  EXPECT_NE(code.find("%6 = load.atomic.relaxed[\"LF\"] @x\n%7 = ne %6, i32 0\nassume %7\n"
                      "%3 = copy i32 0\n"),
            std::string::npos)
      << code;
}

TEST(CLinux, IsLockedReadsFromALockOrAnUnlock) {
  const std::string code = code_of_body("int r = spin_is_locked(x);");
  EXPECT_NE(code.find("load.atomic.relaxed[\"RL\"] @x\n%5 = ne %4, i32 0\nassume %5\n"),
            std::string::npos)
      << code;
  EXPECT_NE(code.find("load.atomic.relaxed[\"RU\"] @x\n%7 = eq %6, i32 0\nassume %7\n"),
            std::string::npos)
      << code;
}

TEST(CLinux, SleepableRcu) {
  const auto test = parse_right("C t\n{}\nP0(struct srcu_struct *s) {\n"
                                "int r = srcu_read_lock(s); srcu_read_unlock(s, r);\n"
                                "synchronize_srcu(s);\n}\nexists (0:r=0)\n");
  EXPECT_EQ(code_of(test, "P0"),
            "%2 = load.atomic.relaxed[\"srcu-lock\"] @s\n"
            "%r = copy %2\n"
            "store.atomic.relaxed[\"srcu-unlock\"] i32 %r, @s\n"
            "%3 = load.atomic.relaxed[\"sync-srcu\"] @s\n"
            "jump end\nend:\n"
            "store i32 %r, @\"0:r\"\n"
            "ret ptr 0\n");
  EXPECT_EQ(test.vocabulary, "lkmm");
}

TEST(CLinux, PointersInMemory) {
  const auto test = parse_right("C t\n{ int y=2; p=y; }\nP0(int **p, int *x) {\n"
                                "int *q = rcu_dereference(*p); int r = READ_ONCE(*q);\n"
                                "rcu_assign_pointer(*p, x);\n}\nexists (0:r=2 /\\ p=x)\n");
  EXPECT_EQ(code_of(test, "P0"),
            "%3 = load.atomic.relaxed[\"once\"] @p\n"
            "%q = copy %3\n"
            "%4 = load.atomic.relaxed[\"once\"] %q\n"
            "%r = copy %4\n"
            "store.atomic.release[\"release\"] ptr @x, @p\n"
            "jump end\nend:\n"
            "store i32 %r, @\"0:r\"\n"
            "ret ptr 0\n");
  const ir::Global& pointer = test.module.globals[*test.module.find_global("p")];
  ASSERT_EQ(pointer.relocations.size(), 1U);
  EXPECT_EQ(std::get<ir::GlobalAddress>(pointer.relocations[0].target).global,
            *test.module.find_global("y"));
  EXPECT_TRUE(test.module.approximations.empty());
}

TEST(CLinux, AddressesInIntegersMakeIntegersWide) {
  const auto test = parse_right("C t\n{ p=y; }\nP0(int *p, int *y) {\n"
                                "int r = READ_ONCE(*p); WRITE_ONCE(*r, 1);\n}\nexists (0:r=y)\n");
  EXPECT_EQ(code_of(test, "P0"),
            "%2 = load.atomic.relaxed[\"once\"] @p\n"
            "%r = copy %2\n"
            "store.atomic.relaxed[\"once\"] i64 1, %r\n"
            "jump end\nend:\n"
            "store i64 %r, @\"0:r\"\n"
            "ret ptr 0\n");
  EXPECT_EQ(test.module.approximations.size(), 1U);
  EXPECT_EQ(test.observed.at(0).bits, 64);
}

TEST(CLinux, DefinitionsOfTheUserComeFirst) {
  EXPECT_EQ(code_of_body("int r = READ_ONCE(*x); smp_mb();",
                         "READ_ONCE(X) __load{acquire}(X)\nunused() { __fence{mb}; }"),
            "%2 = load.atomic.acquire[\"acquire\"] @x\n"
            "%r = copy %2\n"
            "fence.atomic.seq_cst[\"mb\"]\n");
}

TEST(CLinux, DefinitionsInCapitalsMeanTheSame) {
  EXPECT_EQ(code_of_body("int r = READ_ONCE(*x); atomic_inc(y);",
                         "READ_ONCE(X) __load{ONCE}(X)\n"
                         "atomic_inc(X) { __atomic_op{NORETURN}(X,+,1); }"),
            "%2 = load.atomic.relaxed[\"once\"] @x\n"
            "%r = copy %2\n"
            "%3 = rmw.atomic.relaxed[\"R:noreturn\", \"W:once\"] add @y, i32 1\n");
}

TEST(CLinux, ArgumentsAreNotCutUp) {
  // X is `*x + 1` as a whole in whatever the definition makes of it.
  EXPECT_EQ(code_of_body("int r = twice(2 + 3); smp_mb();", "twice(X) X * 2"),
            "%2 = add i32 2, i32 3\n"
            "%3 = mul %2, i32 2\n"
            "%r = copy %3\n"
            "fence.atomic.seq_cst[\"mb\"]\n");
}

} // namespace
} // namespace heddle::frontend::litmus
