// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/analyse/future_effects.h"

#include "program/model/sync_kinds.h"
#include "support/overloaded.h"

#include <variant>

namespace heddle::program {
namespace {

ObjectBits bits_of(const Program& program, ObjectSetId set) {
  ObjectBits bits;
  if (!set.is_valid()) {
    bits.add_all();
    return bits;
  }
  for (const ObjectId object : program.object_sets[set])
    bits.add(object);
  return bits;
}

/// The effect of the action itself, without callees and created threads.
class Effect {
public:
  explicit Effect(const Program& program) : program_(program) {}

  FutureEffects of(const Action& action) const {
    FutureEffects future;
    std::visit(Overloaded{
                   [&](const Load& a) { read(future, a.access); },
                   [&](const LoadExclusive& a) { read(future, a.access); },
                   [&](const Store& a) { write(future, a.access); },
                   [&](const StoreExclusive& a) { write(future, a.access); },
                   [&](const ReadModifyWrite& a) { write(future, a.access); },
                   [&](const CompareExchange& a) { write(future, a.access); },
                   [&](const Allocate& a) {
                     if (a.where == ir::Allocate::Where::kHeap)
                       future.changes_heap = true;
                     else if (a.is_visible)
                       future.frames.add(a.site);
                   },
                   [&](const Free& a) {
                     future.changes_heap = true;
                     future.writes.add(bits_of(program_, a.may));
                   },
                   [&](const Synchronize& a) { synchronize(future, a); },
                   [&](const Exit&) { future.exits = true; },
                   [](const Skip&) {},
                   [](const Assign&) {},
                   [](const AssignSequence&) {},
                   [](const Nondet&) {},
                   [](const Assume&) {},
                   [](const Check&) {},
                   [](const CheckNeighbourhood&) {},
                   [](const Fence&) {},
                   [](const BlockSize&) {},
                   [](const Call&) {},
                   [](const Return&) {},
                   [](const AtomicBegin&) {},
                   [](const AtomicEnd&) {},
                   [](const Hint&) {},
                   [](const ThreadExit&) {},
                   [](const Cut&) {},
                   [](const Trap&) {},
               },
               action);
    return future;
  }

private:
  void read(FutureEffects& future, const Access& access) const {
    if (access.is_visible)
      future.reads.add(bits_of(program_, access.may));
  }
  void write(FutureEffects& future, const Access& access) const {
    if (!access.is_visible)
      return;
    const ObjectBits bits = bits_of(program_, access.may);
    future.reads.add(bits);
    future.writes.add(bits);
  }
  void synchronize(FutureEffects& future, const Synchronize& action) const {
    if (!is_thread_operation(action.op)) {
      const ObjectBits bits = bits_of(program_, action.may); // a wait's mutex is among them
      future.reads.add(bits);
      future.writes.add(bits);
    } else if (action.op == SyncOp::kCreate) {
      future.creates = true;
    } else if (action.op == SyncOp::kJoin || action.op == SyncOp::kDetach) {
      future.joins = true;
    }
  }

  const Program& program_;
};

std::vector<ProcedureId> targets_of(const Action& action) {
  if (const auto* call = std::get_if<Call>(&action))
    return call->targets;
  if (const auto* synchronize = std::get_if<Synchronize>(&action))
    return synchronize->targets;
  return {};
}

} // namespace

bool ObjectBits::add(const ObjectBits& other) {
  bool changed = false;
  if (other.all_ && !all_) {
    all_ = true;
    changed = true;
  }
  if (other.words_.size() > words_.size())
    words_.resize(other.words_.size());
  for (std::size_t i = 0; i < other.words_.size(); ++i) {
    changed |= (other.words_[i] & ~words_[i]) != 0;
    words_[i] |= other.words_[i];
  }
  return changed;
}

bool ObjectBits::intersects(const ObjectBits& other) const {
  const auto is_empty = [](const ObjectBits& bits) {
    for (const std::uint64_t word : bits.words_)
      if (word != 0)
        return false;
    return !bits.all_;
  };
  if (all_ || other.all_)
    return !is_empty(*this) && !is_empty(other);
  for (std::size_t i = 0; i < words_.size() && i < other.words_.size(); ++i)
    if ((words_[i] & other.words_[i]) != 0)
      return true;
  return false;
}

bool FutureEffects::add(const FutureEffects& other) {
  bool changed = reads.add(other.reads);
  changed |= writes.add(other.writes);
  changed |= frames.add(other.frames);
  const auto raise = [&changed](bool& flag, bool value) {
    changed |= value && !flag;
    flag |= value;
  };
  raise(creates, other.creates);
  raise(joins, other.joins);
  raise(changes_heap, other.changes_heap);
  raise(exits, other.exits);
  return changed;
}

FutureAnalysis::FutureAnalysis(const Program& program) {
  std::size_t count = 0;
  for (const Procedure& procedure : program.procedures) {
    first_.push_back(count);
    count += procedure.locations.size();
  }
  futures_.resize(count);
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ObjectId object{i};
    switch (program.objects[object].kind) {
    case Object::Kind::kGlobal:
      break;
    case Object::Kind::kThreadLocal:
      thread_local_.add(object);
      break;
    case Object::Kind::kHeapSite:
      heap_.add(object);
      break;
    case Object::Kind::kFrameSite:
      frame_.add(object);
      break;
    }
  }
  find_effects(program);
  find_joins(program);
}

void FutureAnalysis::find_effects(const Program& program) {
  const Effect effect(program);
  std::vector<std::vector<FutureEffects>> own; // by procedure and edge
  for (const Procedure& procedure : program.procedures) {
    own.emplace_back();
    frames_.emplace_back();
    for (const Edge& edge : procedure.edges) {
      own.back().push_back(effect.of(edge.action));
      frames_.back().add(own.back().back().frames);
      asks_block_sizes_ |= std::holds_alternative<BlockSize>(edge.action);
      if (const auto* action = std::get_if<Synchronize>(&edge.action);
          action != nullptr && !is_thread_operation(action->op))
        synchronisation_.add(bits_of(program, action->may));
    }
  }
  // A least fixpoint over edges and calls; edges are visited backwards, as information flows that
  // way.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = program.procedures.size(); p-- > 0;) {
      const Procedure& procedure = program.procedures[ProcedureId{p}];
      for (std::size_t e = procedure.edges.size(); e-- > 0;) {
        const Edge& edge = procedure.edges[e];
        FutureEffects& future = futures_[first_[p] + edge.from.index()];
        changed |= future.add(own[p][e]);
        if (edge.to.is_valid() && edge.to != edge.from)
          changed |= future.add(futures_[first_[p] + edge.to.index()]);
        for (const ProcedureId target : targets_of(edge.action))
          changed |= future.add(from(target, program.procedures[target].entry));
      }
    }
  }
}

void FutureAnalysis::find_joins(const Program& program) {
  joins_before_end_.assign(futures_.size(), kNever);
  // A shortest path to the end, where only joins count.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t p = program.procedures.size(); p-- > 0;) {
      const Procedure& procedure = program.procedures[ProcedureId{p}];
      for (std::size_t e = procedure.edges.size(); e-- > 0;) {
        const Edge& edge = procedure.edges[e];
        std::uint32_t joins = kNever;
        if (std::holds_alternative<Return>(edge.action) ||
            std::holds_alternative<Exit>(edge.action)) {
          joins = 0;
        } else if (std::holds_alternative<ThreadExit>(edge.action)) {
          continue;
        } else {
          if (edge.to.is_valid() && joins_before_end_[first_[p] + edge.to.index()] != kNever)
            joins = joins_before_end_[first_[p] + edge.to.index()];
          const auto* action = std::get_if<Synchronize>(&edge.action);
          if (action != nullptr && action->op == SyncOp::kJoin && joins != kNever)
            ++joins;
          if (std::holds_alternative<Call>(edge.action))
            for (const ProcedureId target : targets_of(edge.action))
              if (from(target, program.procedures[target].entry).exits)
                joins = 0;
        }
        std::uint32_t& known = joins_before_end_[first_[p] + edge.from.index()];
        if (joins < known) {
          known = joins;
          changed = true;
        }
      }
    }
  }
}

} // namespace heddle::program
