// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the builder of threads adds to what dialects ask for: widths, tags, labels, both ends.
#include "frontend/litmus/shared/thread_builder.h"
#include "ir/print.h"
#include "ir/verify.h"

#include <gtest/gtest.h>

namespace heddle::frontend::litmus {

namespace {

ir::Module fresh() {
  ir::Module module;
  module.files.emplace_back("t");
  return module;
}

std::string printed(const ir::Module& module) {
  const Status verified = ir::verify(module);
  EXPECT_TRUE(verified) << verified.error().to_string();
  const std::string text = ir::print(module);
  return text.substr(text.find("block entry"));
}

// The only location, for a module that verifies.
ThreadBuilder::Value location(ir::Module& module, ThreadBuilder& out) {
  const ThreadBuilder::Value address = out.address_of("x");
  module.globals[ir::GlobalId{0}].size = 8;
  return address;
}

} // namespace

TEST(LitmusThreadBuilder, ReadingARegisterIsACopy) {
  ir::Module module = fresh();
  ThreadBuilder out(module, "P0", 64);
  const auto a = out.get("A", 64);
  out.set("A", out.constant(1, 8));
  out.set("B", a);
  out.set_low("B", out.constant(0x1ff, 8));
  ASSERT_TRUE(out.close({}, {{"A", ir::Constant{ir::Type::integer(64), 7}}}));
  EXPECT_EQ(printed(module),
            "block entry:\n  %1 = copy i64 7\n  %3 = copy i64 0\n  jump code\n"
            "block end:\n  ret ptr 0\n"
            "block code:\n  %2 = copy %1\n  %1 = zext i8 1\n  %3 = copy %2\n  %4 = copy %3\n"
            "  %5 = and %4, i64 -256\n  %6 = zext i8 -1\n  %7 = or %5, %6\n  %3 = copy %7\n"
            "  jump end\n}\n");
}

TEST(LitmusThreadBuilder, WidenedAccessesAreOfTheWholeCell) {
  ir::Module module = fresh();
  ThreadBuilder out(module, "P0", 64);
  out.widen_accesses(64);
  const auto address = location(module, out);
  const auto value = out.load(address, 32, {});
  out.store(address, value, {});
  (void)out.compare_exchange(address, value, value, {ir::Order::kAcqRel, {"X", "R:A", "X"}});
  ASSERT_TRUE(out.close({}, {}));
  EXPECT_EQ(out.footprint().access_bits, std::set<unsigned>{32});
  const std::string text = printed(module);
  EXPECT_NE(text.find("%1 = load.atomic.relaxed @x\n  %2 = trunc %1\n  %3 = zext %2\n"
                      "  store.atomic.relaxed i64 %3, @x\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("cmpxchg.atomic.acq_rel[\"R:A\", \"X\"] @x, %4, %5 failure acquire\n"),
            std::string::npos)
      << text;
}

TEST(LitmusThreadBuilder, ArithmeticThatDependsOnItsWidthIsNoted) {
  ir::Module module = fresh();
  ThreadBuilder out(module, "P0", 64);
  const auto address = location(module, out);
  (void)out.read_modify_write(ir::RmwOp::kOr, address, out.constant(1, 32), {});
  EXPECT_TRUE(out.footprint().arithmetic_bits.empty());
  (void)out.read_modify_write(ir::RmwOp::kAdd, address, out.constant(1, 32), {});
  EXPECT_EQ(out.footprint().arithmetic_bits, std::set<unsigned>{32});
  out.note_extent(16);
  EXPECT_EQ(out.footprint().bytes, 16U);
}

TEST(LitmusThreadBuilder, LabelsBeforeAndBehind) {
  ir::Module module = fresh();
  ThreadBuilder out(module, "P0", 32);
  module.data_model = ir::DataModel::kILP32;
  out.label("back");
  EXPECT_TRUE(out.has_label("back"));
  out.branch_if(out.constant(1, 1), "ahead");
  out.jump("back");
  out.label("ahead");
  out.finish();
  ASSERT_TRUE(out.close({}, {}));
  EXPECT_NE(printed(module).find("branch i1 1, at.ahead, after.0"), std::string::npos);
}

TEST(LitmusThreadBuilder, ALabelThatIsNowhereIsAnError) {
  ir::Module module = fresh();
  ThreadBuilder out(module, "P0", 64);
  out.at({1, 3, 4});
  out.jump("away");
  const Status closed = out.close({}, {});
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().code, "LIT-034");
  EXPECT_EQ(closed.error().line, 3U);
  EXPECT_EQ(closed.error().column, 4U);
}

TEST(LitmusThreadBuilder, ObservedRegistersAreStoredAtTheEnd) {
  ir::Module module = fresh();
  ThreadBuilder out(module, "P0", 64);
  ir::Global seen;
  seen.name = "0:W0";
  seen.size = 4;
  const ir::GlobalId id = module.globals.push_back(seen);
  ASSERT_TRUE(out.close({{"X0", 32, id}}, {}));
  EXPECT_EQ(printed(module),
            "block entry:\n  %1 = copy i64 0\n  jump code\n"
            "block end:\n  %2 = trunc %1\n  store i32 %2, @\"0:W0\"\n  ret ptr 0\n"
            "block code:\n  jump end\n}\n");
}

} // namespace heddle::frontend::litmus
