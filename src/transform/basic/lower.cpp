// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Lowering by the tables in docs/semantics.md; the one to the machine vocabulary is here, those to
// processors in lower_targets.cpp. Orders of C11 become fences of the machine and marks on what
// waits for the store buffer. A machine without buffers needs neither. A fence with no effect on
// the machine stays a step (kMark) if C11 gives it an order, because data races are judged by it.
// The lowered program is the ground on which schedules are replayed; there is nothing to lift to,
// so the lift is the identity.
#include "program/model/control_flow.h"
#include "program/model/history_mark.h"
#include "support/overloaded.h"
#include "transform/basic/lower_mapping.h"
#include "transform/basic/lower_targets.h"
#include "transform/basic/rewrite.h"
#include "transform/basic/transform.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace heddle::transform {

namespace {

using program::Access;
using program::Action;
using program::Fence;
using program::Order;

bool is_release(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

bool has_tag(const Access& access, std::string_view name) {
  return std::any_of(access.tags.begin(), access.tags.end(), [name](const std::string& tag) {
    return std::equal(tag.begin(), tag.end(), name.begin(), name.end(), [](char a, char b) {
      return std::tolower(static_cast<unsigned char>(a)) == b;
    });
  });
}

using FenceStrength = Fence::Strength;

class Lowering {
public:
  explicit Lowering(memory::MachineKind machine)
      : has_buffers_(machine != memory::MachineKind::kSequential),
        reorders_stores_(machine == memory::MachineKind::kPartialStoreOrder) {}

  void lower(program::Procedure& procedure) const {
    const std::size_t count = procedure.edges.size();
    for (std::size_t i = 0; i < count; ++i) {
      mark(procedure.edges[i].action);
      if (const auto* store = std::get_if<program::Store>(&procedure.edges[i].action)) {
        const Access access = store->access;
        if (access.kind != program::AccessKind::kAtomic)
          continue;
        if (reorders_stores_ && is_release(access.order))
          insert_before(procedure, i, FenceStrength::kStoreStore);
        if (has_buffers_ && access.order == Order::kSeqCst)
          insert_after(procedure, i, FenceStrength::kFull);
      }
    }
  }

private:
  FenceStrength strength_of(const Access& access) const {
    if (access.kind != program::AccessKind::kAtomic)
      return FenceStrength::kNone; // a compiler barrier
    if (has_tag(access, "mfence") || access.order == Order::kSeqCst)
      return has_buffers_ ? FenceStrength::kFull : FenceStrength::kMark;
    if (has_tag(access, "sfence") || is_release(access.order))
      return reorders_stores_ ? FenceStrength::kStoreStore : FenceStrength::kMark;
    return access.order == Order::kNone || access.order == Order::kRelaxed ? FenceStrength::kNone
                                                                           : FenceStrength::kMark;
  }

  /// Sets what the action itself waits for.
  void mark(Action& action) const {
    std::visit(Overloaded{
                   [](program::Skip&) {},
                   [](program::Assign&) {},
                   [](program::AssignSequence&) {},
                   [](program::Nondet&) {},
                   [](program::Assume&) {},
                   [](program::Check&) {},
                   [](program::CheckNeighbourhood&) {},
                   [](program::Load&) {},
                   [](program::Store&) {},
                   [this](program::LoadExclusive& a) { a.access.drains = has_buffers_; },
                   [this](program::StoreExclusive& a) { a.access.drains = has_buffers_; },
                   [this](program::ReadModifyWrite& a) {
                     a.access.drains = has_buffers_ && !program::is_history_mark(a.access);
                   },
                   [this](program::CompareExchange& a) { a.access.drains = has_buffers_; },
                   [this](Fence& a) { a.strength = strength_of(a.access); },
                   [](program::Allocate&) {},
                   [](program::Free&) {},
                   [](program::BlockSize&) {},
                   [](program::Call&) {},
                   [](program::Return&) {},
                   [this](program::Synchronize& a) {
                     a.drains = has_buffers_ && a.op != program::SyncOp::kSelf;
                   },
                   [this](program::AtomicBegin& a) { a.drains = has_buffers_; },
                   [this](program::AtomicEnd& a) { a.drains = has_buffers_; },
                   [](program::Hint&) {},
                   [this](program::ThreadExit& a) { a.drains = has_buffers_; },
                   [](program::Exit&) {},
                   [](program::Cut&) {},
                   [](program::Trap&) {},
               },
               action);
  }

  static Fence machine_fence(FenceStrength strength) {
    Fence fence;
    fence.access.kind = program::AccessKind::kAtomic;
    fence.strength = strength;
    return fence;
  }

  /// The edge's action moves behind a new location that the fence leads to.
  static void
  insert_before(program::Procedure& procedure, std::size_t edge, FenceStrength strength) {
    program::Edge& first = procedure.edges[edge];
    const program::LocationId middle =
        procedure.locations.push_back(program::Location{{}, first.loc, {}, false});
    Action action = std::exchange(first.action, machine_fence(strength));
    const program::LocationId target = std::exchange(first.to, middle);
    const SourceLoc loc = first.loc;
    program::add_edge(procedure, program::Edge{middle, target, std::move(action), loc});
  }
  /// A fence after the store that edge `edge` (or what insert_before has just put behind it) is.
  static void
  insert_after(program::Procedure& procedure, std::size_t edge, FenceStrength strength) {
    const bool was_moved = !std::holds_alternative<program::Store>(procedure.edges[edge].action);
    program::Edge& store = was_moved ? procedure.edges.back() : procedure.edges[edge];
    const program::LocationId middle =
        procedure.locations.push_back(program::Location{{}, store.loc, {}, false});
    const program::LocationId target = std::exchange(store.to, middle);
    const SourceLoc loc = store.loc;
    program::add_edge(procedure, program::Edge{middle, target, machine_fence(strength), loc});
  }

  bool has_buffers_;
  bool reorders_stores_;
};

class Lower final : public Transform {
public:
  explicit Lower(const memory::Model& model) : model_(model) {}

  [[nodiscard]] std::string_view name() const override { return "lower"; }
  [[nodiscard]] bool preserves(spec::Property) const override { return true; }

  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    if (!source.is_lowered && source.vocabulary != "c11" &&
        source.vocabulary == memory::to_string(model_.vocabulary))
      return lower_threads(source);
    const Mapping* const mapping = find_mapping(model_.vocabulary);
    if (mapping == nullptr && !model_.machine)
      return Error{ErrorKind::kUnsupported,
                   "TRF-001",
                   fmt::format("no lowering from C to the vocabulary '{}' of the memory model '{}' "
                               "is known",
                               memory::to_string(model_.vocabulary),
                               model_.name)};
    if (source.vocabulary != "c11")
      return Error{ErrorKind::kUnsupported,
                   "TRF-002",
                   fmt::format("the program has already been lowered, to '{}'", source.vocabulary)};
    Transformed result{source, same_schedule(), {}};
    if (mapping != nullptr) {
      lower_to(result.program, *mapping);
    } else {
      const Lowering lowering(*model_.machine);
      for (program::Procedure& procedure : result.program.procedures) {
        lowering.lower(procedure);
        program::tidy(procedure);
      }
    }
    result.program.vocabulary = memory::to_string(model_.vocabulary);
    result.program.is_lowered = true;
    return result;
  }

private:
  /// A program written in the vocabulary of the model, as litmus tests are.
  [[nodiscard]] Result<Transformed> lower_threads(const program::Program& source) const {
    const Mapping* const mapping = find_thread_mapping(model_.vocabulary);
    if (mapping == nullptr)
      return Error{ErrorKind::kUnsupported,
                   "TRF-003",
                   fmt::format("how threads are started and joined is not known for '{}'",
                               source.vocabulary)};
    Transformed result{source, same_schedule(), {}};
    lower_synchronization_to(result.program, *mapping);
    return result;
  }

  memory::Model model_;
};

} // namespace

std::unique_ptr<Transform> lower(const memory::Model& model) {
  return std::make_unique<Lower>(model);
}

bool can_lower_to(memory::Vocabulary vocabulary) {
  return find_mapping(vocabulary) != nullptr;
}

} // namespace heddle::transform
