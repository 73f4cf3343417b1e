// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/build_handles.h"

#include "ir/operands.h"

#include <vector>

namespace heddle::program {

namespace {

class HandleTurns {
public:
  HandleTurns(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry)
      : module_(module), reachable_(reachable), effects_(module.functions.size()),
        is_of_main_(module.functions.size(), false) {
    find_effects();
    find_functions_of_main(entry);
  }

  [[nodiscard]] bool may_recur() const {
    bool creates = false;
    bool gives_up = false;
    bool is_elsewhere = false;
    for (std::size_t i = 0; i < module_.functions.size(); ++i) {
      const ir::FunctionId id{i};
      if (!reachable_.functions[id])
        continue;
      creates = creates || effects_[id].creates;
      gives_up = gives_up || effects_[id].gives_up;
      is_elsewhere =
          is_elsewhere || (!is_of_main_[id] && (effects_[id].creates || effects_[id].gives_up));
    }
    if (!creates || !gives_up)
      return false;
    if (is_elsewhere)
      return true;
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      if (is_of_main_[ir::FunctionId{i}] && may_recur_in(module_.functions[ir::FunctionId{i}]))
        return true;
    return false;
  }

private:
  struct Effects {
    bool creates = false;
    bool gives_up = false; // joins or detaches
  };

  /// Of an instruction, with what it calls.
  [[nodiscard]] Effects effects_of(const ir::Operation& operation) const {
    if (const auto* sync = std::get_if<ir::Synchronize>(&operation))
      return {sync->op == ir::SyncOp::kCreate,
              sync->op == ir::SyncOp::kJoin || sync->op == ir::SyncOp::kDetach};
    Effects effects;
    for_each_callee(operation, [&](ir::FunctionId callee) {
      effects.creates = effects.creates || effects_[callee].creates;
      effects.gives_up = effects.gives_up || effects_[callee].gives_up;
    });
    return effects;
  }

  template <class Visit>
  void for_each_callee(const ir::Operation& operation, const Visit& visit) const {
    const auto* call = std::get_if<ir::Call>(&operation);
    if (call == nullptr)
      return;
    if (const auto* direct = std::get_if<ir::FunctionAddress>(&call->callee)) {
      visit(direct->function);
      return;
    }
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      if (reachable_.address_taken[ir::FunctionId{i}])
        visit(ir::FunctionId{i});
  }

  void find_effects() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = 0; i < module_.functions.size(); ++i) {
        Effects& known = effects_[ir::FunctionId{i}];
        for (const ir::Block& block : module_.functions[ir::FunctionId{i}].blocks)
          for (const ir::Instruction& instruction : block.instructions) {
            const Effects more = effects_of(instruction.operation);
            is_changed = is_changed || (more.creates && !known.creates) ||
                         (more.gives_up && !known.gives_up);
            known.creates = known.creates || more.creates;
            known.gives_up = known.gives_up || more.gives_up;
          }
      }
    }
  }

  void find_functions_of_main(ir::FunctionId entry) {
    IdVector<ir::FunctionId, bool> is_of_threads(module_.functions.size(), false);
    std::vector<ir::FunctionId> open;
    const auto close = [&](IdVector<ir::FunctionId, bool>& found) {
      while (!open.empty()) {
        const ir::FunctionId id = open.back();
        open.pop_back();
        if (found[id])
          continue;
        found[id] = true;
        for (const ir::Block& block : module_.functions[id].blocks)
          for (const ir::Instruction& instruction : block.instructions)
            for_each_callee(instruction.operation,
                            [&](ir::FunctionId callee) { open.push_back(callee); });
      }
    };
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      for (const ir::Block& block : module_.functions[ir::FunctionId{i}].blocks)
        for (const ir::Instruction& instruction : block.instructions) {
          const auto* sync = std::get_if<ir::Synchronize>(&instruction.operation);
          if (sync == nullptr || sync->op != ir::SyncOp::kCreate)
            continue;
          if (const auto* known = std::get_if<ir::FunctionAddress>(&sync->operands[0])) {
            open.push_back(known->function);
            continue;
          }
          for (std::size_t f = 0; f < module_.functions.size(); ++f)
            if (reachable_.address_taken[ir::FunctionId{f}])
              open.push_back(ir::FunctionId{f});
        }
    close(is_of_threads);
    open.push_back(entry);
    close(is_of_main_);
    for (std::size_t i = 0; i < module_.functions.size(); ++i)
      is_of_main_[ir::FunctionId{i}] =
          is_of_main_[ir::FunctionId{i}] && !is_of_threads[ir::FunctionId{i}];
  }

  /// Does a create come after something else that gives a handle up?
  [[nodiscard]] bool may_recur_in(const ir::Function& function) const {
    std::vector<bool> is_after(function.blocks.size(), false); // at the beginning of the block
    std::vector<ir::BlockId> open;
    const auto go_through = [&](std::size_t at, bool was_given_up) {
      for (const ir::Instruction& instruction : function.blocks[ir::BlockId{at}].instructions) {
        const Effects effects = effects_of(instruction.operation);
        if (was_given_up && effects.creates)
          return true;
        was_given_up = was_given_up || effects.gives_up;
      }
      if (was_given_up)
        ir::for_each_target(function.blocks[ir::BlockId{at}].instructions.back().operation,
                            [&](ir::BlockId to) {
                              if (!is_after[to.index()]) {
                                is_after[to.index()] = true;
                                open.push_back(to);
                              }
                            });
      return false;
    };
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      if (go_through(b, false))
        return true;
    while (!open.empty()) {
      const ir::BlockId block = open.back();
      open.pop_back();
      if (go_through(block.index(), true))
        return true;
    }
    return false;
  }

  const ir::Module& module_;
  const Reachable& reachable_;
  IdVector<ir::FunctionId, Effects> effects_; // with what is called
  IdVector<ir::FunctionId, bool> is_of_main_; // called by the initial thread only
};

} // namespace

bool may_handles_recur(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry) {
  return HandleTurns(module, reachable, entry).may_recur();
}

} // namespace heddle::program
