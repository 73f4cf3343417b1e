// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/harness.h"

#include "ir/link.h"
#include "object/scenarios/harness_builder.h"
#include "object/scenarios/harness_effect_marks.h"
#include "program/model/history_mark.h"
#include "support/check.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::object {

namespace {

constexpr std::size_t kMaxCalls = 63; // 64 would make a set of all of them kNever

class MarkBuilder final : HarnessBuilder {
public:
  MarkBuilder(const ir::Module& module, const Scenario& scenario, Responses responses)
      : HarnessBuilder(module, scenario), responses_(responses) {}

  Result<Harness> run(const std::optional<std::vector<RecordedCall>>& forbidden,
                      const std::vector<EffectPlace>& effects) {
    assume_assertions();
    returned_ = global(kHarnessReturned);
    if (responses_ == Responses::kAtEffect) {
      Result<EffectMarks> marks = mark_effects(module_, returned_, effects);
      if (!marks)
        return marks.error();
      effect_marks_ = *marks;
      if (forbidden)
        moment_ = global(kHarnessMoment);
    }
    if (responses_ == Responses::kAtLastFlush)
      note_stores();
    Harness harness;
    for (const auto& thread : scenario_.threads)
      for (std::size_t i = 0; i < thread.size(); ++i) {
        const std::size_t call = before_.size();
        HEDDLE_CHECK(call <
                         (responses_ == Responses::kAtLastFlush ? kMaxCallsAtLastFlush : kMaxCalls),
                     "too many calls in a scenario");
        before_.push_back(global(fmt::format("__heddle_before_{}", call)));
        result_.push_back(global(fmt::format("__heddle_result_{}", call)));
        harness.cells.push_back(module_.globals[before_.back()].name);
        harness.cells.push_back(module_.globals[result_.back()].name);
      }
    if (responses_ == Responses::kAtReturnSoFar)
      harness.cells.emplace_back(kHarnessReturned);
    const Result<std::vector<ir::FunctionId>> threads = make_threads();
    if (!threads)
      return threads.error();
    if (const Status made = make_entry(*threads, forbidden); !made)
      return made.error();
    harness.module = ir::keep_reachable(module_, {kHarnessEntry});
    return harness;
  }

private:
  static void mark(Code& code, ir::RegisterId dest, ir::GlobalId cell, const ir::Operand& bits) {
    ir::Access mark{ir::AccessKind::kAtomic, ir::Order::kRelaxed, {}};
    mark.tags.emplace_back(program::kHistoryMark);
    code.emit(
        ir::ReadModifyWrite{dest, ir::GlobalAddress{cell}, ir::RmwOp::kOr, bits, std::move(mark)});
  }
  void update_returned(Code& code, ir::RegisterId dest, std::uint64_t bits) const {
    mark(code, dest, returned_, word(bits));
  }
  [[nodiscard]] ir::FunctionId function_of(std::size_t call) const {
    for (const auto& thread : scenario_.threads) {
      if (call < thread.size())
        return *module_.find_function(thread[call].function);
      call -= thread.size();
    }
    HEDDLE_CHECK(false, "no such call");
    return {};
  }
  /// So that a run shows when it calls and returns.
  void show_moment(Code& code) const {
    if (moment_.is_valid())
      mark(code, code.make(kWord), moment_, word(0));
  }
  void invoke(Code& code, std::size_t call, const CallRegisters& registers) override {
    const ir::RegisterId before = registers.begin;
    if (effect_marks_) {
      show_moment(code);
      effect_marks_->reset(code, call, function_of(call));
      return;
    }
    if (responses_ != Responses::kAtLastFlush) {
      code.emit(ir::Load{
          before, ir::GlobalAddress{returned_}, {ir::AccessKind::kAtomic, ir::Order::kRelaxed}});
      if (responses_ == Responses::kAtReturnSoFar) {
        const ir::RegisterId made = code.compute(kWord, ir::Op::kOr, {before, word(kMadeBit)});
        mark(code, code.make(kWord), before_[call], made);
      }
      return;
    }
    // What the thread's own buffer still holds is not over, so not a load.
    forget_stores(code);
    update_returned(code, before, 0);
  }
  void respond(Code& code, std::size_t call, const CallRegisters& registers) override {
    if (effect_marks_) {
      effect_marks_->take(code, registers.begin, registers.result, function_of(call));
      show_moment(code);
      return;
    }
    if (responses_ == Responses::kAtReturnSoFar)
      mark(code, code.make(kWord), result_[call], registers.result);
    if (responses_ != Responses::kAtLastFlush) {
      update_returned(code, code.make(kWord), std::uint64_t{1} << call);
      return;
    }
    // A store behind those of the call reaches memory right after them. If the call has made none,
    // those of earlier calls must not delay it.
    const ir::RegisterId is_later =
        code.compute(ir::Type::integer(1), ir::Op::kNe, {has_stored(code), word(0)});
    const ir::BlockId later = code.next_block();
    const ir::BlockId now{later.index() + 1};
    const ir::BlockId after{later.index() + 2};
    code.emit(ir::Branch{is_later, later, now});
    code.start(fmt::format("later{}", call));
    code.emit(ir::Store{ir::GlobalAddress{returned_, static_cast<std::int64_t>(call)},
                        ir::Constant{ir::Type::integer(8), 1},
                        ir::Type::integer(8),
                        {ir::AccessKind::kAtomic, ir::Order::kRelaxed}});
    code.emit(ir::Jump{after});
    code.start(fmt::format("now{}", call));
    update_returned(code, code.make(kWord), std::uint64_t{1} << (8 * call));
    code.emit(ir::Jump{after});
    code.start(fmt::format("over{}", call));
  }

  void leave(Code& code, std::size_t first, const std::vector<CallRegisters>& registers) override {
    if (responses_ == Responses::kAtReturnSoFar)
      return;
    for (std::size_t i = 0; i < registers.size(); ++i) {
      code.emit(ir::Store{ir::GlobalAddress{before_[first + i]}, registers[i].begin, kWord, {}});
      code.emit(ir::Store{ir::GlobalAddress{result_[first + i]}, registers[i].result, kWord, {}});
    }
  }

  /// What the cell of the call holds.
  [[nodiscard]] std::uint64_t recorded_before(const RecordedCall& call) const {
    const bool was_made = call.before != RecordedCall::kNever;
    if (responses_ == Responses::kAtReturnSoFar)
      return was_made ? call.before | kMadeBit : 0;
    return was_made && !call.had_effect ? kNoEffect : call.before;
  }

  Status make_entry(const std::vector<ir::FunctionId>& threads,
                    const std::optional<std::vector<RecordedCall>>& forbidden) {
    Code code(kHarnessEntry, ir::Type::integer(32), {});
    if (const Status begun = begin_entry(code); !begun)
      return begun;
    const std::vector<ir::RegisterId> handles = create(code, threads);
    // What the threads have done when the program ends is the history so far, at one moment.
    if (responses_ == Responses::kAtReturnSoFar)
      code.emit(ir::AtomicBegin{});
    else
      for (const ir::RegisterId handle : handles)
        code.emit(ir::Synchronize{std::nullopt, ir::SyncOp::kJoin, {handle}});
    if (forbidden) {
      HEDDLE_CHECK(forbidden->size() == before_.size(), "a history of another scenario");
      ir::Operand differs = ir::Constant{ir::Type::integer(1), 0};
      const auto compare = [&](ir::GlobalId cell, std::uint64_t value) {
        const ir::RegisterId found = code.make(kWord);
        code.emit(ir::Load{found, ir::GlobalAddress{cell}, {}});
        const ir::RegisterId other =
            code.compute(ir::Type::integer(1), ir::Op::kNe, {found, word(value)});
        differs = code.compute(ir::Type::integer(1), ir::Op::kOr, {differs, other});
      };
      std::uint64_t returned = 0;
      for (std::size_t i = 0; i < before_.size(); ++i) {
        const RecordedCall& call = (*forbidden)[i];
        const bool was_made = call.before != RecordedCall::kNever;
        compare(before_[i], recorded_before(call));
        compare(result_[i], static_cast<std::uint64_t>(call.result));
        if (was_made && call.has_returned)
          returned |= std::uint64_t{1} << i;
      }
      if (responses_ == Responses::kAtReturnSoFar)
        compare(returned_, returned);
      code.emit(ir::Assert{differs, kHarnessAssertion});
    }
    if (responses_ == Responses::kAtReturnSoFar)
      code.emit(ir::AtomicEnd{});
    code.emit(ir::Return{ir::Constant{ir::Type::integer(32), 0}});
    module_.functions.push_back(std::move(code).finish());
    return Done{};
  }

  Responses responses_;
  ir::GlobalId returned_;
  ir::GlobalId moment_;
  std::optional<EffectMarks> effect_marks_; // kAtEffect
  std::vector<ir::GlobalId> before_;
  std::vector<ir::GlobalId> result_;
};

} // namespace

Result<Harness> make_harness(const ir::Module& module,
                             const Scenario& scenario,
                             Responses responses,
                             const std::optional<std::vector<RecordedCall>>& forbidden,
                             const std::vector<EffectPlace>& effects) {
  return MarkBuilder(module, scenario, responses).run(forbidden, effects);
}

void drop_notes_of_private_stores(program::Program& program) {
  const auto is_note = [](const program::Action& action) {
    const auto* store = std::get_if<program::Store>(&action);
    return store != nullptr && store->access.tags == std::vector<std::string>{kStoreNote};
  };
  for (program::Procedure& procedure : program.procedures)
    for (program::Edge& edge : procedure.edges) {
      if (!is_note(edge.action))
        continue;
      HEDDLE_CHECK(!std::get<program::Store>(edge.action).access.is_visible,
                   "a note of a store that others can see");
      // Nothing but checks and the fences of lowering stands between the note and its store.
      const program::Edge* next = &edge;
      do {
        const std::vector<std::uint32_t>& out = procedure.locations[next->to].out;
        HEDDLE_CHECK(out.size() == 1, "a note without its store");
        next = &procedure.edges[out.front()];
      } while (!std::holds_alternative<program::Store>(next->action));
      HEDDLE_CHECK(!is_note(next->action), "a note without its store");
      if (!std::get<program::Store>(next->action).access.is_visible)
        edge.action = program::Skip{};
    }
}

} // namespace heddle::object
