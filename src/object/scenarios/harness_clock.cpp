// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/harness_clock.h"

#include "ir/link.h"
#include "object/scenarios/harness_builder.h"
#include "object/scenarios/harness_effects.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace heddle::object {

namespace {

using What = CallMoment::What;
using Ask = ClockPlan::Ask;

using ir::kBit;
using ir::kByte;
constexpr std::size_t kMostTicks = 200; // a clock is a byte

bool is_marker(What what) {
  return what == What::kCallFlushed || what == What::kReturnFlushed;
}

class ClockBuilder final : HarnessBuilder {
public:
  ClockBuilder(const ir::Module& module, const Scenario& scenario, const ClockPlan& plan)
      : HarnessBuilder(module, scenario), plan_(plan) {}

  Result<ClockHarness> run() {
    assume_assertions();
    look_at_plan();
    // Before anything else is put there.
    if (plan_.notes_stores)
      note_stores();
    clock_ = global(kHarnessClock);
    if (!plan_.effects.empty()) {
      Result<EffectCells> cells = record_effects(module_, clock_, plan_.effects);
      if (!cells)
        return cells.error();
      effect_cells_ = *cells;
    }
    forbidden_ = global(kHarnessForbidden);
    if (Status status = make_cells(); !status)
      return status.error();
    for (std::size_t i = 0; ticks_ != 0 && needs_snapshots() && i < ticks_; ++i)
      snapshots_.push_back(global(fmt::format("__heddle_tick_{}", i)));
    Result<std::vector<ir::FunctionId>> threads = make_threads();
    if (!threads)
      return threads.error();
    if (ticks_ != 0)
      threads->push_back(module_.functions.push_back(make_clock_thread()));
    if (const Status made = make_entry(*threads); !made)
      return made.error();
    if (plan_.ask == Ask::kList)
      harness_.cells.emplace_back(kHarnessForbidden);
    harness_.module = ir::keep_reachable(module_, {kHarnessEntry});
    return std::move(harness_);
  }

private:
  struct Call {
    std::size_t thread = 0;
    std::size_t number = 0; // in its thread
    bool is_conditional = false;
    ir::GlobalId times;
    ir::GlobalId result;
    ir::GlobalId effect;
    ir::GlobalId stored;
  };

  /// Moments that no precedence speaks of need no time.
  void look_at_plan() {
    for (const KnownResults& known : plan_.known)
      for (const std::vector<CallPrecedence>& together : known.forbidden) {
        // Each may need a tick of its own between its two moments.
        ticks_ = std::max(ticks_, together.size());
        for (const CallPrecedence& one : together)
          for (const CallMoment& moment : {one.first, one.second})
            timed_.insert({moment.call, moment.what});
      }
    if (plan_.ask == Ask::kShow) {
      std::uint32_t call = 0;
      for (const auto& thread : scenario_.threads)
        for (std::size_t i = 0; i < thread.size(); ++i, ++call) {
          timed_.insert({call, What::kCall});
          timed_.insert({call, What::kReturn});
        }
      ticks_ = std::max<std::size_t>(ticks_, 1);
    }
    HEDDLE_CHECK(ticks_ < kMostTicks, "too many ticks of a clock");
  }
  [[nodiscard]] bool is_timed(std::size_t call, What what) const {
    return timed_.contains({static_cast<std::uint32_t>(call), what});
  }
  /// Are there stores whose way to memory has to be seen?
  [[nodiscard]] bool needs_snapshots() const {
    return std::ranges::any_of(timed_, [](const auto& one) {
      return is_marker(one.second) || one.second == What::kEffect;
    });
  }

  Status make_cells() {
    for (std::size_t thread = 0; thread < scenario_.threads.size(); ++thread)
      for (std::size_t i = 0; i < scenario_.threads[thread].size(); ++i) {
        const ScenarioCall& scenario_call = scenario_.threads[thread][i];
        const std::size_t number = calls_.size();
        Call call{thread, i, scenario_call.if_succeeded, {}, {}, {}, {}};
        harness_.times.emplace_back();
        harness_.results.emplace_back();
        harness_.effects.emplace_back();
        harness_.stores.emplace_back();
        const auto make = [&](const char* what, std::string& name) {
          const ir::GlobalId made = global(fmt::format("__heddle_{}_{}", what, number));
          name = module_.globals[made].name;
          harness_.cells.push_back(name);
          return made;
        };
        if (call.is_conditional || is_timed(number, What::kCall) || is_timed(number, What::kReturn))
          call.times = make("times", harness_.times.back());
        Result<ir::FunctionId> id =
            find(scenario_call.function, scenario_call.argument.has_value());
        if (!id)
          return id.error();
        if (!module_.functions[*id].result.is_void())
          call.result = make("result", harness_.results.back());
        if (!plan_.effects.empty())
          call.effect = make("effect", harness_.effects.back());
        if (plan_.notes_stores)
          call.stored = make("stored", harness_.stores.back());
        calls_.push_back(call);
      }
    return Done{};
  }

  /// The byte of the clock, as a word.
  [[nodiscard]] ir::RegisterId time_now(Code& code) const {
    const ir::RegisterId read = code.make(kByte);
    code.emit(ir::Load{read, ir::GlobalAddress{clock_}, kRelaxed});
    return code.compute(kWord, ir::Op::kZExt, {read});
  }
  void put_marker(Code& code, std::size_t call, What what) const {
    if (!is_timed(call, what))
      return;
    code.emit(
        ir::Store{ir::GlobalAddress{clock_, static_cast<std::int64_t>(calls_[call].thread) + 1},
                  ir::Constant{kByte, marker_of(call, what)},
                  kByte,
                  kRelaxed});
  }
  /// Markers of a thread count up.
  [[nodiscard]] std::uint64_t marker_of(std::size_t call, What what) const {
    return 2 * calls_[call].number + (what == What::kCallFlushed ? 1 : 2);
  }

  void invoke(Code& code, std::size_t call, const CallRegisters& registers) override {
    code.emit(ir::Compute{registers.begin, ir::Op::kCopy, {word(0)}});
    if (effect_cells_)
      effect_cells_->reset(code, calls_[call].thread);
    if (plan_.notes_stores)
      forget_stores(code);
    if (is_timed(call, What::kCall))
      code.emit(ir::Compute{registers.begin, ir::Op::kCopy, {time_now(code)}});
    put_marker(code, call, What::kCallFlushed);
  }
  void respond(Code& code, std::size_t call, const CallRegisters& registers) override {
    put_marker(code, call, What::kReturnFlushed);
    if (is_timed(call, What::kReturn))
      code.emit(ir::Compute{registers.end, ir::Op::kCopy, {time_now(code)}});
    if (effect_cells_)
      effect_cells_->take(code, registers.effect);
    if (plan_.notes_stores)
      code.emit(ir::Compute{registers.stored, ir::Op::kCopy, {has_stored(code)}});
  }
  void leave(Code& code, std::size_t first, const std::vector<CallRegisters>& registers) override {
    for (std::size_t i = 0; i < registers.size(); ++i) {
      const Call& call = calls_[first + i];
      if (call.times.is_valid()) {
        // kNever stays what it is.
        const ir::RegisterId end = code.compute(kWord, ir::Op::kShl, {registers[i].end, word(8)});
        const ir::RegisterId both = code.compute(kWord, ir::Op::kOr, {registers[i].begin, end});
        code.emit(ir::Store{ir::GlobalAddress{call.times}, both, kWord, {}});
      }
      if (call.result.is_valid())
        code.emit(ir::Store{ir::GlobalAddress{call.result}, registers[i].result, kWord, {}});
      if (call.effect.is_valid())
        code.emit(ir::Store{ir::GlobalAddress{call.effect}, registers[i].effect, kWord, {}});
      if (call.stored.is_valid())
        code.emit(ir::Store{ir::GlobalAddress{call.stored}, registers[i].stored, kWord, {}});
    }
  }

  ir::Function make_clock_thread() {
    Code code("clock", ir::Type::pointer(), {});
    code.parameter(ir::Type::pointer());
    std::vector<ir::RegisterId> seen;
    for (std::size_t i = 0; i < ticks_; ++i) {
      if (snapshots_.empty()) {
        code.emit(
            ir::Store{ir::GlobalAddress{clock_}, ir::Constant{kByte, i + 1}, kByte, kRelaxed});
        continue;
      }
      seen.push_back(code.make(kWord));
      code.emit(ir::ReadModifyWrite{
          seen.back(), ir::GlobalAddress{clock_}, ir::RmwOp::kAdd, word(1), kRelaxed});
    }
    for (std::size_t i = 0; i < snapshots_.size(); ++i)
      code.emit(ir::Store{ir::GlobalAddress{snapshots_[i]}, seen[i], kWord, {}});
    code.emit(ir::Return{ir::Constant{ir::Type::pointer(), 0}});
    return std::move(code).finish();
  }

  /// Words that the entry has read, each once.
  ir::RegisterId read(Code& code, ir::GlobalId cell) {
    const auto known = read_.find(cell.index());
    if (known != read_.end())
      return known->second;
    const ir::RegisterId found = code.make(kWord);
    code.emit(ir::Load{found, ir::GlobalAddress{cell}, {}});
    read_.emplace(cell.index(), found);
    return found;
  }
  static ir::RegisterId field(Code& code, const ir::Operand& word_read, std::size_t index) {
    const ir::RegisterId down = code.compute(kWord, ir::Op::kLShr, {word_read, word(8 * index)});
    return code.compute(kWord, ir::Op::kAnd, {down, word(0xff)});
  }
  /// How many ticks found fewer markers of that thread in memory: those before its way there.
  ir::RegisterId ticks_before(Code& code, std::size_t thread, const ir::Operand& marker) {
    ir::Operand count = word(0);
    for (const ir::GlobalId snapshot : snapshots_) {
      const ir::RegisterId there = field(code, read(code, snapshot), thread + 1);
      const ir::RegisterId less = code.compute(kBit, ir::Op::kULt, {there, marker});
      count =
          code.compute(kWord, ir::Op::kAdd, {count, code.compute(kWord, ir::Op::kZExt, {less})});
    }
    return std::get<ir::RegisterId>(count);
  }
  /// When a moment was. An effect takes a while: it is over at its end, and not begun before its
  /// beginning.
  ir::RegisterId time_of(Code& code, const CallMoment& moment, bool is_first) {
    const Call& call = calls_[moment.call];
    switch (moment.what) {
    case What::kCall:
      return field(code, read(code, call.times), 0);
    case What::kReturn:
      return field(code, read(code, call.times), 1);
    case What::kCallFlushed:
    case What::kReturnFlushed:
      return ticks_before(code, call.thread, word(marker_of(moment.call, moment.what)));
    case What::kEffect: {
      const ir::RegisterId effect = read(code, call.effect);
      const ir::RegisterId recorded = field(code, effect, is_first ? 2 : 1);
      const ir::RegisterId flushed = ticks_before(code, call.thread, recorded);
      const ir::RegisterId is_flush =
          code.compute(kBit, ir::Op::kEq, {field(code, effect, 0), word(EffectCells::kFlushed)});
      return code.compute(kWord, ir::Op::kSelect, {is_flush, flushed, recorded});
    }
    }
    HEDDLE_CHECK(false, "no such moment");
    return {};
  }

  static ir::Operand both(Code& code, const ir::Operand& a, const ir::Operand& b) {
    return code.compute(kBit, ir::Op::kAnd, {a, b});
  }
  static ir::Operand either(Code& code, const ir::Operand& a, const ir::Operand& b) {
    return code.compute(kBit, ir::Op::kOr, {a, b});
  }

  ir::Operand has_results(Code& code, const std::vector<CallResult>& results) {
    ir::Operand all = ir::Constant{kBit, 1};
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const Call& call = calls_[i];
      if (call.is_conditional) {
        const ir::Op op = results[i].was_made ? ir::Op::kNe : ir::Op::kEq;
        all = both(code,
                   all,
                   code.compute(kBit, op, {read(code, call.times), word(RecordedCall::kNever)}));
      }
      if (call.result.is_valid())
        all = both(code,
                   all,
                   code.compute(kBit,
                                ir::Op::kEq,
                                {read(code, call.result),
                                 word(static_cast<std::uint64_t>(results[i].value))}));
      if (call.effect.is_valid()) {
        const ir::Op op = results[i].had_effect ? ir::Op::kNe : ir::Op::kEq;
        all = both(
            code, all, code.compute(kBit, op, {field(code, read(code, call.effect), 0), word(0)}));
      }
      if (call.stored.is_valid()) {
        const ir::Op op = results[i].has_stored ? ir::Op::kNe : ir::Op::kEq;
        all = both(code, all, code.compute(kBit, op, {read(code, call.stored), word(0)}));
      }
    }
    return all;
  }

  Status make_entry(const std::vector<ir::FunctionId>& threads) {
    Code code(kHarnessEntry, ir::Type::integer(32), {});
    if (const Status begun = begin_entry(code); !begun)
      return begun;
    const std::vector<ir::RegisterId> handles = create(code, threads);
    const std::size_t joined = snapshots_.empty() ? scenario_.threads.size() : handles.size();
    for (std::size_t i = 0; i < joined; ++i)
      code.emit(ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {handles[i]}});
    ir::Operand is_known = ir::Constant{kBit, 0};
    ir::Operand is_forbidden = ir::Constant{kBit, 0};
    for (const KnownResults& known :
         plan_.ask == Ask::kTimes ? std::vector<KnownResults>() : plan_.known) {
      const ir::Operand is_this = has_results(code, known.calls);
      is_known = either(code, is_known, is_this);
      for (const std::vector<CallPrecedence>& together : known.forbidden) {
        ir::Operand all = is_this;
        for (const CallPrecedence& one : together) {
          const ir::RegisterId first = time_of(code, one.first, true);
          const ir::RegisterId second = time_of(code, one.second, false);
          all = both(code, all, code.compute(kBit, ir::Op::kULt, {first, second}));
        }
        is_forbidden = either(code, is_forbidden, all);
      }
    }
    if (plan_.ask == Ask::kOther)
      // Read all of them: the run is to tell what they are.
      for (const Call& call : calls_)
        for (const ir::GlobalId cell : {call.times, call.result, call.effect, call.stored})
          if (cell.is_valid())
            read(code, cell);
    if (plan_.ask == Ask::kList)
      code.emit(ir::Store{ir::GlobalAddress{forbidden_},
                          code.compute(kWord, ir::Op::kZExt, {is_forbidden}),
                          kWord,
                          {}});
    if (plan_.ask == Ask::kOther || plan_.ask == Ask::kShow) {
      const ir::Operand is_allowed =
          code.compute(kBit, ir::Op::kXor, {is_forbidden, ir::Constant{kBit, 1}});
      code.emit(ir::Assert{plan_.ask == Ask::kOther ? both(code, is_known, is_allowed) : is_allowed,
                           kHarnessAssertion});
    }
    code.emit(ir::Return{ir::Constant{ir::Type::integer(32), 0}});
    module_.functions.push_back(std::move(code).finish());
    return Done{};
  }

  const ClockPlan& plan_;
  ClockHarness harness_;
  std::size_t ticks_ = 0;
  std::set<std::pair<std::uint32_t, What>> timed_;
  std::vector<Call> calls_;
  ir::GlobalId clock_;
  ir::GlobalId forbidden_;
  std::vector<ir::GlobalId> snapshots_;
  std::optional<EffectCells> effect_cells_;
  std::map<std::size_t, ir::RegisterId> read_;
};

} // namespace

Result<ClockHarness>
make_clock_harness(const ir::Module& module, const Scenario& scenario, const ClockPlan& plan) {
  return ClockBuilder(module, scenario, plan).run();
}

bool saw_forbidden(const KnownResults& known,
                   const std::vector<std::optional<std::uint64_t>>& times) {
  const auto time_of = [&](const CallMoment& moment) {
    HEDDLE_CHECK(moment.what == What::kCall || moment.what == What::kReturn, "not in the times");
    return times[moment.call].value_or(0) >> (moment.what == What::kReturn ? 8U : 0U) & 0xffU;
  };
  return std::ranges::any_of(known.forbidden, [&](const std::vector<CallPrecedence>& together) {
    return std::ranges::all_of(together, [&](const CallPrecedence& one) {
      return time_of(one.first) < time_of(one.second);
    });
  });
}

CallResult call_result(std::optional<std::uint64_t> times,
                       std::optional<std::uint64_t> result,
                       std::optional<std::uint64_t> effect,
                       std::optional<std::uint64_t> stored) {
  return {!times || *times != RecordedCall::kNever,
          !effect || (*effect & 0xffU) != 0,
          stored.value_or(0) != 0,
          static_cast<std::int64_t>(result.value_or(0))};
}

} // namespace heddle::object
