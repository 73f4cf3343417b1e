// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Building against its definition: random straight-line code, folded into terms and run by the
// interpreter, gives what a direct evaluation of the ir gives; and the overflow conditions hold
// exactly where wide arithmetic says so. Threads that pass pointers around behave alike with and
// without alias analysis, its findings being asserted on every access.
#include "memory/model.h"
#include "program/analyse/analyse.h"
#include "program/build/build.h"
#include "program/build/build_context.h"
#include "program/model/print_program.h"
#include "support/rng.h"
#include "unit/memory/explore.h"
#include "unit/program/program_fixture.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

namespace heddle::program {
namespace {

using namespace program_test;

__extension__ using Wide = __int128;

constexpr unsigned kGlobals = 4;
constexpr unsigned kWidth = 32;

/// Writes random code and computes what it does at the same time.
class RandomCode {
public:
  explicit RandomCode(Rng& rng) : rng_(rng), main_("main", ir::Type::integer(32)) {
    module_ = empty_module();
    for (unsigned i = 0; i < kGlobals; ++i) {
      globals_.push_back(add_global(module_, "g" + std::to_string(i), 4));
      memory_.push_back(0);
    }
    for (unsigned i = 0; i < 3; ++i)
      set(main_.i32("v" + std::to_string(i)), ir::Op::kCopy, {number(i + 1)}, i + 1);
  }

  void run() {
    const unsigned blocks = 1 + static_cast<unsigned>(rng_.below(3));
    for (unsigned b = 0; b < blocks; ++b) {
      if (b > 0) {
        const ir::BlockId next = main_.block("b" + std::to_string(b));
        main_.add(ir::Jump{next});
        main_.at(next);
      }
      const unsigned count = static_cast<unsigned>(rng_.below(14));
      for (unsigned i = 0; i < count; ++i)
        step();
    }
    for (const ir::GlobalId global : globals_)
      if (rng_.chance(1, 2))
        store(global);
    // Every global is touched, so that all are in the program.
    for (const ir::GlobalId global : globals_) {
      const ir::RegisterId unused = main_.i32();
      main_.add(load_of(unused, ir::GlobalAddress{global}));
    }
    main_.add(ir::Return{number(0)});
    module_.functions.push_back(main_.done());
  }

  [[nodiscard]] const ir::Module& module() const { return module_; }
  [[nodiscard]] const std::vector<std::uint64_t>& memory() const { return memory_; }

private:
  void set(ir::RegisterId dest, ir::Op op, std::vector<ir::Operand> operands, std::uint64_t value) {
    main_.compute(dest, op, std::move(operands));
    set(dest, value);
  }
  void set(ir::RegisterId dest, std::uint64_t value) {
    if (!values_.contains(dest))
      known_.push_back(dest);
    values_[dest] = value & logic::mask_of(kWidth);
  }
  ir::RegisterId any() { return known_[rng_.below(known_.size())]; }
  ir::RegisterId destination() { return rng_.chance(1, 3) ? any() : main_.i32(); }
  void store(ir::GlobalId global) {
    const ir::RegisterId from = any();
    main_.add(store_of(ir::GlobalAddress{global}, from));
    memory_[global.index()] = values_[from];
  }

  void step() {
    const std::uint64_t kind = rng_.below(10);
    if (kind == 0) {
      store(globals_[rng_.below(kGlobals)]);
      return;
    }
    if (kind <= 2) {
      const ir::GlobalId global = globals_[rng_.below(kGlobals)];
      const ir::RegisterId dest = destination();
      main_.add(load_of(dest, ir::GlobalAddress{global}));
      set(dest, memory_[global.index()]);
      return;
    }
    const ir::RegisterId a = any();
    const ir::RegisterId b = any();
    const std::uint64_t x = values_[a];
    const std::uint64_t y = values_[b];
    if (kind == 3) {
      const ir::RegisterId bit = main_.i1();
      main_.compute(bit, ir::Op::kULt, {a, b});
      const ir::RegisterId c = any();
      set(destination(), ir::Op::kSelect, {bit, c, a}, x < y ? values_[c] : x);
      return;
    }
    const ir::RegisterId dest = destination();
    switch (kind) {
    case 4:
      set(dest, ir::Op::kCopy, {a}, x);
      return;
    case 5:
      set(dest, ir::Op::kAdd, {a, b}, x + y);
      return;
    case 6:
      set(dest, ir::Op::kSub, {a, b}, x - y);
      return;
    case 7:
      set(dest, ir::Op::kMul, {a, b}, x * y);
      return;
    case 8:
      set(dest, ir::Op::kXor, {a, b}, x ^ y);
      return;
    default:
      set(dest, ir::Op::kShl, {a, number(3)}, x << 3U);
      return;
    }
  }

  Rng& rng_;
  FunctionWriter main_;
  ir::Module module_;
  std::vector<ir::GlobalId> globals_;
  std::vector<ir::RegisterId> known_;
  std::map<ir::RegisterId, std::uint64_t> values_;
  std::vector<std::uint64_t> memory_;
};

memory_test::Globals all_globals(const Program& program) {
  memory_test::Globals globals;
  for (std::size_t i = 0; i < program.objects.size(); ++i)
    if (program.objects[ObjectId{i}].kind == Object::Kind::kGlobal &&
        program.objects[ObjectId{i}].size == 4)
      globals.objects.emplace_back(i);
  return globals;
}

TEST(BuildRandom, FoldedCodeComputesWhatTheIrSays) {
  EXPECT_TRUE(rc::check("folding", [](std::uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < 10; ++i) {
      RandomCode code(rng);
      code.run();
      Result<Program> program = build(code.module(), {});
      RC_ASSERT(program.has_value());
      annotate(*program, AliasAnalysis::kPointsTo);
      const memory_test::Explored explored =
          memory_test::explore(*program, memory::MachineKind::kSequential, all_globals(*program));
      RC_ASSERT(explored.outcomes.size() == 1U);
      if (*explored.outcomes.begin() != code.memory())
        RC_FAIL(to_text(*program));
    }
  }));
}

TEST(BuildChecks, OverflowConditionsAgreeWithWideArithmetic) {
  for (const unsigned width : {3U, 4U, 40U}) {
    Rng rng(width);
    logic::TermStore terms;
    const Term a = terms.variable(0, logic::Sort{static_cast<std::uint8_t>(width)});
    const Term b = terms.variable(1, logic::Sort{static_cast<std::uint8_t>(width)});
    const Wide low = -(static_cast<Wide>(1) << (width - 1));
    const Wide high = -low - 1;
    const auto check = [&](std::uint64_t x, std::uint64_t y) {
      const Wide p = logic::sign_extended(x, width);
      const Wide q = logic::sign_extended(y, width);
      const std::map<ir::Op, Wide> exact = {
          {ir::Op::kAdd, p + q}, {ir::Op::kSub, p - q}, {ir::Op::kMul, p * q}};
      for (const auto& [op, result] : exact) {
        const bool fits = result >= low && result <= high;
        const Term x_term = terms.constant(x, width);
        const Term y_term = terms.constant(y, width);
        for (const auto& [left, right] : {std::pair{a, b},
                                          std::pair{x_term, b},
                                          std::pair{a, y_term},
                                          std::pair{x_term, y_term}}) {
          const Term holds = no_signed_overflow(terms, op, left, right);
          EXPECT_EQ(
              terms.evaluate(holds, [&](std::uint64_t number) { return number == 0 ? x : y; }) != 0,
              fits)
              << width << " " << x << " " << y;
        }
      }
      if (q != 0) {
        const Wide quotient = p / q;
        const Term holds = division_fits(terms, a, b);
        EXPECT_EQ(
            terms.evaluate(holds, [&](std::uint64_t number) { return number == 0 ? x : y; }) != 0,
            quotient >= low && quotient <= high);
      }
    };
    if (width <= 4)
      for (std::uint64_t x = 0; x <= logic::mask_of(width); ++x)
        for (std::uint64_t y = 0; y <= logic::mask_of(width); ++y)
          check(x, y);
    const std::uint64_t edges[] = {0,
                                   1,
                                   2,
                                   logic::mask_of(width),
                                   logic::mask_of(width) >> 1U,
                                   (logic::mask_of(width) >> 1U) + 1,
                                   1ULL << (width / 2)};
    for (const std::uint64_t x : edges)
      for (const std::uint64_t y : edges)
        check(x & logic::mask_of(width), y & logic::mask_of(width));
    for (int i = 0; i < 200; ++i)
      check(rng.next() & logic::mask_of(width), rng.next() & logic::mask_of(width));
  }
}

/// Two threads and main pass pointers to globals, slots and heap blocks through cells, fields and
/// arguments.
class RandomThreads {
public:
  explicit RandomThreads(Rng& rng) : rng_(rng) {
    module_ = empty_module(rng.chance(1, 2) ? ir::DataModel::kLP64 : ir::DataModel::kILP32);
    for (unsigned i = 0; i < 2; ++i)
      numbers_.push_back(add_global(module_, "n" + std::to_string(i), 4));
    pointer_bytes_ = module_.pointer_bits() / 8;
    for (unsigned i = 0; i < 2; ++i) {
      pointers_.push_back(add_global(module_, "p" + std::to_string(i), 2 * pointer_bytes_));
      // Never null: an access through it is always of something.
      module_.globals[pointers_.back()].relocations = {
          {0, ir::GlobalAddress{numbers_[0]}}, {pointer_bytes_, ir::GlobalAddress{numbers_[1]}}};
    }
    own_ = add_global(module_, "own", 4);
    module_.globals[own_].is_thread_local = true;
  }

  ir::Module make() {
    FunctionWriter main("main", ir::Type::integer(32));
    const ir::SlotId slot = main.slot("box", 8);
    main.add(store_of(ir::SlotAddress{slot}, number(1)));
    main.add(store_of(ir::SlotAddress{slot}, number(2)));
    const ir::RegisterId a = main.reg(ir::Type::integer(64), "a");
    const ir::RegisterId b = main.reg(ir::Type::integer(64), "b");
    const ir::RegisterId block = main.pointer("block");
    main.add(
        ir::Allocate{block, number(8, module_.pointer_bits()), ir::Allocate::Where::kHeap, true});
    const auto argument = [&]() -> ir::Operand {
      switch (rng_.below(3)) {
      case 0:
        return ir::SlotAddress{slot};
      case 1:
        return block;
      default:
        return ir::GlobalAddress{numbers_[0]};
      }
    };
    main.add(ir::Synchronize{
        a, ir::SyncOp::kCreate, {ir::FunctionAddress{ir::FunctionId{1U}}, argument()}});
    main.add(ir::Synchronize{
        b, ir::SyncOp::kCreate, {ir::FunctionAddress{ir::FunctionId{2U}}, argument()}});
    body(main, block, 2);
    main.add(ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {a}});
    main.add(ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {b}});
    main.add(ir::Return{number(0)});
    module_.functions.push_back(main.done());
    for (const char* name : {"left", "right"}) {
      FunctionWriter thread(name, ir::Type::pointer());
      const ir::RegisterId parameter = thread.parameter(ir::Type::pointer(), "argument");
      body(thread, parameter, 3);
      thread.add(ir::Return{ir::Operand{ir::Constant{ir::Type::pointer(), 0}}});
      module_.functions.push_back(thread.done());
    }
    return module_;
  }

private:
  void body(FunctionWriter& code, ir::RegisterId given, unsigned length) {
    const ir::SlotId slot = code.slot("local", 4);
    code.add(store_of(ir::SlotAddress{slot}, number(7)));
    const ir::RegisterId value = code.i32("value");
    const ir::RegisterId pointer = code.pointer("pointer");
    code.compute(value, ir::Op::kCopy, {number(1)});
    code.compute(pointer, ir::Op::kCopy, {given});
    for (unsigned i = 0; i < length; ++i) {
      const ir::GlobalId cell = pointers_[rng_.below(2)];
      const auto field = static_cast<std::int64_t>(rng_.below(2) * pointer_bytes_);
      switch (rng_.below(8)) {
      case 0:
        code.add(load_of(pointer, ir::GlobalAddress{cell, field}));
        break;
      case 1:
        code.add(ir::Store{ir::GlobalAddress{cell, field},
                           ir::GlobalAddress{numbers_[rng_.below(2)]},
                           ir::Type::pointer(),
                           {}});
        break;
      case 2:
        code.add(load_of(value, pointer));
        break;
      case 3:
        code.add(store_of(pointer, value));
        break;
      case 4: {
        const ir::RegisterId more = code.i32();
        code.compute(more, ir::Op::kAdd, {value, number(1)});
        code.add(store_of(ir::SlotAddress{slot}, more));
        code.add(load_of(value, ir::SlotAddress{slot}));
        break;
      }
      case 5:
        code.add(store_of(ir::GlobalAddress{own_}, value));
        code.add(load_of(value, ir::GlobalAddress{own_}));
        break;
      case 6:
        code.add(store_of(ir::GlobalAddress{numbers_[rng_.below(2)]}, value));
        break;
      default: {
        // Through an integer, with a tag that is taken off again.
        const ir::RegisterId bits = code.reg(ir::Type::integer(module_.pointer_bits()), "bits");
        code.compute(bits, ir::Op::kOr, {pointer, number(1, module_.pointer_bits())});
        code.compute(
            bits,
            ir::Op::kAnd,
            {bits, number(logic::mask_of(module_.pointer_bits()) - 1, module_.pointer_bits())});
        code.compute(pointer, ir::Op::kCopy, {bits});
        break;
      }
      }
    }
    code.add(store_of(ir::GlobalAddress{numbers_[rng_.below(2)]}, value));
  }

  Rng& rng_;
  ir::Module module_;
  std::vector<ir::GlobalId> numbers_;
  std::vector<ir::GlobalId> pointers_;
  ir::GlobalId own_;
  std::uint64_t pointer_bytes_ = 8;
};

TEST(AnalyseRandom, InvisibleAccessesChangeNoOutcome) {
  std::size_t hidden = 0;
  std::size_t accesses = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed);
    const ir::Module module = RandomThreads(rng).make();
    const auto outcomes = [&](AliasAnalysis analysis) {
      Result<Program> program = build(module, {});
      EXPECT_TRUE(program.has_value());
      annotate(*program, analysis);
      for (const Procedure& procedure : program->procedures)
        for (const Edge& edge : procedure.edges)
          if (std::holds_alternative<Load>(edge.action) ||
              std::holds_alternative<Store>(edge.action)) {
            ++accesses;
            hidden += is_visible(edge.action) ? 0 : 1;
          }
      InterpreterOptions options;
      options.check_analyses = analysis == AliasAnalysis::kPointsTo;
      const memory_test::Explored explored = memory_test::explore(
          *program, memory::MachineKind::kSequential, all_globals(*program), options);
      EXPECT_TRUE(explored.is_complete);
      return std::pair{explored.outcomes, explored.faults};
    };
    EXPECT_EQ(outcomes(AliasAnalysis::kPointsTo), outcomes(AliasAnalysis::kNone))
        << "seed " << seed;
  }
  // Half the runs are without analysis; of the others a fair part must be hidden, or this tests
  // nothing.
  EXPECT_GT(hidden, accesses / 20);
}

} // namespace
} // namespace heddle::program
