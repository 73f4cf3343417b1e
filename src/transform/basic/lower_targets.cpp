// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Each atomic action becomes a little chain: fence, access, branch, fence. Of a loop with
// exclusives only the round that succeeds is there: rounds that fail write nothing and read nothing
// that is kept. A dependency that the value does not really have (x ^ x) is dropped, as compilers
// fold it; so nothing is forbidden because of it.
#include "transform/basic/lower_targets.h"

#include "program/events/event_builder.h"
#include "program/model/control_flow.h"
#include "program/model/sync_kinds.h"
#include "support/overloaded.h"

#include <algorithm>
#include <set>
#include <utility>

namespace heddle::transform {

namespace {

using logic::Term;
using program::Access;
using program::AccessKind;
using program::Action;
using program::Assign;
using program::Assume;
using program::CompareExchange;
using program::Fence;
using program::LocalId;
using program::LocationId;
using program::Order;
using program::ReadModifyWrite;
using program::SyncOp;

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

const Form& form_of(const Forms& forms, Strength strength) {
  return forms[static_cast<std::size_t>(strength)];
}

bool is_atomic(const Access& access) {
  return access.kind == AccessKind::kAtomic;
}

/// The tags that the read ('R') or the write ('W') of an update has.
std::vector<std::string> half(std::string_view tags, char which) {
  std::vector<std::string> result;
  for (const std::string& tag : split(tags)) {
    const bool is_of_half = tag.size() > 2 && tag[1] == ':';
    if (!is_of_half)
      result.push_back(tag);
    else if (tag[0] == which)
      result.push_back(tag.substr(2));
  }
  return result;
}

Fence fence_of(std::string_view tag) {
  Fence fence;
  fence.access.kind = AccessKind::kAtomic;
  fence.access.order = Order::kSeqCst;
  fence.access.tags = split(tag);
  return fence;
}

/// The fences of x86 that C programs have as inline assembly.
Strength strength_of_fence(const Access& access) {
  const auto has = [&](std::string_view name) {
    return std::find(access.tags.begin(), access.tags.end(), name) != access.tags.end();
  };
  if (has("mfence"))
    return Strength::kSeqCst;
  if (has("sfence"))
    return Strength::kRelease;
  if (has("lfence"))
    return Strength::kAcquire;
  return strength_of(access.order);
}

enum class SyncKind : std::uint8_t { kNone, kLock, kRelease, kAcquire, kGive, kMeet, kWait };

SyncKind kind_of(SyncOp op) {
  const ir::SyncFacts& facts = facts_of(op);
  switch (facts.role) {
  case ir::SyncRole::kCreate:
  case ir::SyncRole::kLeave:
    return SyncKind::kRelease;
  case ir::SyncRole::kJoin:
    return SyncKind::kAcquire;
  case ir::SyncRole::kTake:
  case ir::SyncRole::kTakeShared:
  case ir::SyncRole::kEnter:
    return SyncKind::kLock;
  case ir::SyncRole::kGive: // what others have, too, is given back by an update
    return is_exclusive_lock(facts.object) ? SyncKind::kRelease : SyncKind::kGive;
  case ir::SyncRole::kPost:
    return SyncKind::kGive;
  case ir::SyncRole::kArrive:
    return SyncKind::kMeet;
  case ir::SyncRole::kWait:
    return SyncKind::kWait;
  case ir::SyncRole::kDetach:
  case ir::SyncRole::kSelf:
  case ir::SyncRole::kInitialise:
  case ir::SyncRole::kDestroy:
  case ir::SyncRole::kSignal:
  case ir::SyncRole::kBroadcast:
  case ir::SyncRole::kLook:
    return SyncKind::kNone;
  }
  return SyncKind::kNone;
}

/// Rewrites the edges of one procedure, each to a chain that starts where the edge did.
class Rewriting {
public:
  enum class What : std::uint8_t { kEverything, kSynchronization };
  Rewriting(program::Program& program, program::Procedure& procedure, const Mapping& to, What what)
      : terms_(program.terms), procedure_(procedure), to_(to), what_(what) {}

  void rewrite(bool is_thread) {
    const std::size_t count = procedure_.edges.size();
    for (std::size_t i = 0; i < count; ++i)
      if (what_ == What::kEverything || is_synchronization(procedure_.edges[i].action))
        rewrite_edge(i, is_thread);
    if (is_thread && !to_.acquire.after.empty()) {
      const LocationId first = new_location();
      program::add_edge(
          procedure_,
          program::Edge{first, procedure_.entry, fence_of(to_.acquire.after), procedure_.loc});
      procedure_.entry = first;
    }
  }

private:
  static bool is_synchronization(const Action& action) {
    return std::holds_alternative<program::Synchronize>(action) ||
           std::holds_alternative<program::Return>(action) ||
           std::holds_alternative<program::ThreadExit>(action);
  }

  void rewrite_edge(std::size_t index, bool is_thread) {
    loc_ = procedure_.edges[index].loc;
    Action action = procedure_.edges[index].action;
    const auto around = [&](const Form& form, Action middle) {
      begin(index);
      fence(form.before);
      emit(std::move(middle));
      fence(form.after);
      end();
    };
    std::visit(Overloaded{
                   [](program::Skip&) {},
                   [&](Assign& a) {
                     a.also_from.clear();
                     procedure_.edges[index].action = a;
                   },
                   [&](program::AssignSequence& a) {
                     for (Assign& one : a.assignments)
                       one.also_from.clear();
                     procedure_.edges[index].action = a;
                   },
                   [](program::Nondet&) {},
                   [](Assume&) {},
                   [](program::Check&) {},
                   [](program::CheckNeighbourhood&) {},
                   [&](program::Load& a) { load(index, a); },
                   [&](program::Store& a) { store(index, a); },
                   [](program::LoadExclusive&) {},
                   [](program::StoreExclusive&) {},
                   [&](ReadModifyWrite& a) { update(index, a); },
                   [&](CompareExchange& a) { compare_exchange(index, a); },
                   [&](Fence& a) {
                     const auto strength = static_cast<std::size_t>(strength_of_fence(a.access));
                     begin(index);
                     if (is_atomic(a.access) || !a.access.tags.empty())
                       fence(to_.fence[strength]);
                     end();
                   },
                   [](program::Allocate&) {},
                   [](program::Free&) {},
                   [](program::BlockSize&) {},
                   [](program::Call&) {},
                   [&](program::Return& a) {
                     if (is_thread)
                       around({to_.release.before, {}, {}}, a);
                   },
                   [&](program::Synchronize& a) {
                     switch (kind_of(a.op)) {
                     case SyncKind::kNone:
                       return;
                     case SyncKind::kLock:
                       return around(to_.lock, a);
                     case SyncKind::kRelease:
                       return around(to_.release, a);
                     case SyncKind::kAcquire:
                       return around(to_.acquire, a);
                     case SyncKind::kGive:
                       return around(form_of(to_.update, Strength::kRelease), a);
                     case SyncKind::kMeet: // an update and an acquire read
                       return around(
                           {form_of(to_.update, Strength::kAcqRel).before, {}, to_.acquire.after},
                           a);
                     case SyncKind::kWait: // an unlock and a lock
                       return around({to_.release.before, {}, to_.lock.after}, a);
                     }
                   },
                   [](program::AtomicBegin&) {},
                   [](program::AtomicEnd&) {},
                   [](program::Hint&) {},
                   [&](program::ThreadExit& a) { around({to_.release.before, {}, {}}, a); },
                   [](program::Exit&) {},
                   [](program::Cut&) {},
                   [](program::Trap&) {},
               },
               action);
  }

  void load(std::size_t index, program::Load action) {
    if (!is_atomic(action.access))
      return;
    const Form& form = form_of(to_.load, strength_of(action.access.order));
    action.access.tags = split(form.tags);
    begin(index);
    fence(form.before);
    const LocalId dest = action.dest;
    emit(std::move(action));
    if (form.is_followed_by_branch)
      branch_on(dest);
    fence(form.after);
    end();
  }

  void store(std::size_t index, program::Store action) {
    if (!is_atomic(action.access))
      return;
    const Strength strength = strength_of(action.access.order);
    if (strength == Strength::kSeqCst && to_.exchanges_for_seq_cst_store) {
      ReadModifyWrite exchange;
      exchange.dest = new_local(8U * action.access.size);
      exchange.address = action.address;
      exchange.op = program::RmwOp::kExchange;
      exchange.value = action.value;
      exchange.access = action.access;
      return update(index, std::move(exchange));
    }
    const Form& form = form_of(to_.store, strength);
    action.access.tags = split(form.tags);
    begin(index);
    fence(form.before);
    emit(std::move(action));
    fence(form.after);
    end();
  }

  void update(std::size_t index, ReadModifyWrite action) {
    const Strength strength = strength_of(action.access.order);
    // No processor has an instruction for nand; with exclusives it is as any other.
    const bool has_instruction =
        to_.update_by == UpdateBy::kInstruction &&
        (action.op != program::RmwOp::kNand || to_.compare_by == UpdateBy::kInstruction);
    const Form& form = form_of(has_instruction ? to_.update : to_.compare, strength);
    begin(index);
    fence(form.before);
    if (has_instruction) {
      action.access.tags = split(form.tags);
      emit(std::move(action));
    } else {
      const LocalId old = load_exclusive(action.address, action.access, form);
      const Term value = program::rmw_result(terms_, action.op, value_of(old), action.value);
      const LocalId is_stored = store_exclusive(action.address, value, action.access, form);
      emit(Assume{terms_.to_bool(value_of(is_stored)), false});
      branch_on(is_stored);
      emit(Assign{action.dest, value_of(old)});
    }
    fence(form.after);
    end();
  }

  void compare_exchange(std::size_t index, CompareExchange action) {
    const Strength strength =
        stronger(strength_of(action.access.order), strength_of(action.failure_order));
    const Form& form = form_of(to_.compare, strength);
    begin(index);
    fence(form.before);
    if (to_.compare_by == UpdateBy::kInstruction) {
      action.access.tags = split(form.tags);
      emit(std::move(action));
    } else {
      compare_by_exclusives(action, form);
    }
    fence(form.after);
    end();
  }

  void compare_by_exclusives(const CompareExchange& action, const Form& form) {
    const LocalId old = load_exclusive(action.address, action.access, form);
    const Term is_equal = terms_.equal(value_of(old), action.expected);
    const LocationId both = at_;
    const LocationId equal = new_location();
    const LocationId different = new_location();
    const LocationId done = new_location();
    connect(both, equal, Assume{is_equal, true});
    connect(both, different, Assume{terms_.not_(is_equal), true});
    at_ = equal;
    const LocalId is_stored = store_exclusive(action.address, action.desired, action.access, form);
    if (!action.weak)
      emit(Assume{terms_.to_bool(value_of(is_stored)), false});
    const unsigned width = procedure_.locals[action.success].width;
    const LocalId result = new_local(width);
    emit(Assign{result, terms_.zero_extend(value_of(is_stored), width), {old}});
    connect(at_, done, program::Skip{});
    at_ = different;
    emit(Assign{result, terms_.constant(0, width), {old}});
    connect(at_, done, program::Skip{});
    at_ = done;
    branch_on(old);
    emit(Assign{action.dest, value_of(old)});
    emit(Assign{action.success, value_of(result)});
  }

  LocalId load_exclusive(Term address, const Access& access, const Form& form) {
    program::LoadExclusive load;
    load.dest = new_local(8U * access.size);
    load.address = address;
    load.access = access;
    load.access.tags = half(form.tags, 'R');
    const LocalId dest = load.dest;
    emit(std::move(load));
    return dest;
  }

  LocalId store_exclusive(Term address, Term value, const Access& access, const Form& form) {
    program::StoreExclusive store;
    store.success = new_local(1);
    store.address = address;
    store.value = value;
    store.access = access;
    store.access.tags = half(form.tags, 'W');
    const LocalId success = store.success;
    emit(std::move(store));
    return success;
  }

  /// All that follows is behind a branch that looks at the local but always goes on.
  void branch_on(LocalId local) {
    const LocalId flag = new_local(1);
    emit(Assign{flag, terms_.constant(0, 1), {local}});
    const Term is_set = terms_.to_bool(value_of(flag));
    const LocationId next = new_location();
    connect(at_, next, Assume{terms_.not_(is_set), true});
    connect(at_, new_location(), Assume{is_set, true});
    at_ = next;
  }

  void begin(std::size_t index) {
    program::Edge& edge = procedure_.edges[index];
    target_ = edge.to;
    edge.action = program::Skip{};
    at_ = new_location();
    procedure_.edges[index].to = at_;
  }
  void end() { connect(at_, target_, program::Skip{}); }

  void fence(std::string_view tag) {
    if (!tag.empty())
      emit(fence_of(tag));
  }
  void emit(Action action) {
    const LocationId next = new_location();
    connect(at_, next, std::move(action));
    at_ = next;
  }
  void connect(LocationId from, LocationId to, Action action) {
    program::add_edge(procedure_, program::Edge{from, to, std::move(action), loc_});
  }
  LocationId new_location() {
    return procedure_.locations.push_back(program::Location{{}, loc_, {}, false});
  }
  LocalId new_local(unsigned width) {
    return procedure_.locals.push_back(program::Local{"", static_cast<std::uint8_t>(width), loc_});
  }
  Term value_of(LocalId local) {
    return terms_.variable(local.index(), logic::Sort{procedure_.locals[local].width});
  }

  logic::TermStore& terms_;
  program::Procedure& procedure_;
  const Mapping& to_;
  What what_;
  SourceLoc loc_;
  LocationId at_;     // where the chain has come to
  LocationId target_; // where it leads
};

void rewrite(program::Program& program, const Mapping& mapping, Rewriting::What what) {
  std::set<program::ProcedureId> threads;
  for (std::size_t i = 1; i < program.templates.size(); ++i)
    threads.insert(program.templates[i].entry);
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    const program::ProcedureId id{i};
    program::Procedure& procedure = program.procedures[id];
    Rewriting(program, procedure, mapping, what).rewrite(threads.contains(id));
    program::tidy(procedure);
  }
  program.synchronization.lock = split(mapping.lock.tags);
  program.synchronization.release = split(mapping.release.tags);
  program.synchronization.acquire = split(mapping.acquire.tags);
  program.synchronization.give = split(form_of(mapping.update, Strength::kRelease).tags);
  program.synchronization.meet = split(form_of(mapping.update, Strength::kAcqRel).tags);
}

} // namespace

void lower_to(program::Program& program, const Mapping& mapping) {
  rewrite(program, mapping, Rewriting::What::kEverything);
}

void lower_synchronization_to(program::Program& program, const Mapping& mapping) {
  rewrite(program, mapping, Rewriting::What::kSynchronization);
}

} // namespace heddle::transform
