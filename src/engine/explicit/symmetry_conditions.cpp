// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/explicit/symmetry_conditions.h"

#include "engine/explicit/actions.h"
#include "program/analyse/future_effects.h"
#include "program/model/action_terms.h"
#include "program/model/sync_layout.h"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace heddle::engine {
namespace {

using program::Action;
using program::Edge;
using program::ObjectBits;
using program::Procedure;
using program::ProcedureId;
using program::Program;
using program::SyncOp;
using program::Term;

std::optional<SyncOp> op_of(const Action& action) {
  const auto* synchronize = std::get_if<program::Synchronize>(&action);
  return synchronize == nullptr ? std::nullopt : std::optional(synchronize->op);
}

class Conditions {
public:
  explicit Conditions(const Program& program) : program_(program) {}

  SymmetryConditions decide() {
    SymmetryConditions result;
    find_created();
    result.why_not = first_obstacle();
    if (result.why_not.empty())
      result.why_not = find_owner_words(result.owner_words);
    result.hold = result.why_not.empty();
    result.is_crowd = result.hold && is_crowd();
    return result;
  }

private:
  /// Procedures that created threads may run.
  void find_created() {
    is_created_.assign(program_.procedures.size(), false);
    std::vector<ProcedureId> pending;
    for (const Procedure& procedure : program_.procedures)
      for (const Edge& edge : procedure.edges)
        if (op_of(edge.action) == SyncOp::kCreate) {
          const auto& targets = std::get<program::Synchronize>(edge.action).targets;
          pending.insert(pending.end(), targets.begin(), targets.end());
        }
    while (!pending.empty()) {
      const ProcedureId id = pending.back();
      pending.pop_back();
      if (is_created_[id.index()])
        continue;
      is_created_[id.index()] = true;
      for (const Edge& edge : program_.procedures[id].edges)
        if (const auto* call = std::get_if<program::Call>(&edge.action))
          pending.insert(pending.end(), call->targets.begin(), call->targets.end());
    }
  }

  std::string first_obstacle() {
    for (const program::Object& object : program_.objects)
      if (object.kind == program::Object::Kind::kThreadLocal)
        return "there are thread-local objects";
    const ProcedureId main = program_.templates[0].entry;
    if (is_created_[main.index()])
      return "the initial thread's procedure may be started again";
    for (std::size_t p = 0; p < program_.procedures.size(); ++p) {
      const Procedure& procedure = program_.procedures[ProcedureId{p}];
      for (const Edge& edge : procedure.edges) {
        if (is_created_[p])
          if (std::string obstacle = created_obstacle(edge.action); !obstacle.empty())
            return obstacle;
        const auto op = op_of(edge.action);
        if (op == SyncOp::kConditionSignal || op == SyncOp::kDetach || op == SyncOp::kSelf)
          return "a thread is named by its index";
        if ((op == SyncOp::kCreate || op == SyncOp::kJoin) && p != main.index())
          return "threads are created or joined outside of the initial thread's procedure";
        if (op && lock_kind(*op) == LockKind::kReadWrite)
          return "read-write locks keep sets of threads";
        if (op == SyncOp::kJoin && std::get<program::Synchronize>(edge.action).dest)
          return "what a thread returned is used";
      }
    }
    if (const std::string obstacle = handle_obstacle(main); !obstacle.empty())
      return obstacle;
    return join_obstacle(program_.procedures[main]);
  }

  std::string created_obstacle(const Action& action) const {
    if (std::holds_alternative<program::Allocate>(action))
      return "a created thread has blocks of its own";
    for (const Term term : program::terms_of(action)) {
      const std::vector<std::uint64_t> variables = program_.terms.variables(term);
      if (std::find(variables.begin(), variables.end(), program::kSelfVariable) != variables.end())
        return "a created thread uses its index";
    }
    return {};
  }

  /// Handles may be kept, copied and joined; nothing else may depend on one.
  std::string handle_obstacle(ProcedureId main) {
    const Procedure& procedure = program_.procedures[main];
    std::set<std::uint64_t> locals;
    ObjectBits objects;
    bool has_objects = false;
    const auto is_tainted = [&](Term term) {
      for (const std::uint64_t variable : program_.terms.variables(term))
        if (locals.contains(variable))
          return true;
      return false;
    };
    for (bool changed = true; changed;) {
      changed = false;
      const auto taint = [&](program::LocalId local) {
        changed |= locals.insert(local.value).second;
      };
      for (const Edge& edge : procedure.edges) {
        if (const auto* create = std::get_if<program::Synchronize>(&edge.action);
            create != nullptr && create->op == SyncOp::kCreate && create->dest)
          taint(*create->dest);
        if (const auto* assign = std::get_if<program::Assign>(&edge.action))
          if (is_tainted(assign->value))
            taint(assign->dest);
        if (const auto* sequence = std::get_if<program::AssignSequence>(&edge.action))
          for (const program::Assign& part : sequence->assignments)
            if (is_tainted(part.value))
              taint(part.dest);
        if (const auto* store = std::get_if<program::Store>(&edge.action);
            store != nullptr && is_tainted(store->value)) {
          if (!store->access.may.is_valid())
            return "a handle is stored somewhere";
          ObjectBits more;
          for (const program::ObjectId object : program_.object_sets[store->access.may])
            more.add(object);
          has_objects = true;
          changed |= objects.add(more);
        }
        if (const auto* load = std::get_if<program::Load>(&edge.action);
            load != nullptr && has_objects && touches(load->access.may, objects))
          taint(load->dest);
      }
    }
    for (std::size_t p = 0; p < program_.procedures.size(); ++p)
      for (const Edge& edge : program_.procedures[ProcedureId{p}].edges) {
        if (p != main.index()) {
          const program::Access* access = access_of(edge.action);
          if (has_objects && access != nullptr &&
              !std::holds_alternative<program::Fence>(edge.action) && touches(access->may, objects))
            return "a handle is kept where other procedures can read it";
          continue;
        }
        if (observes(edge.action, is_tainted))
          return "something depends on a thread's handle";
        if (has_objects &&
            (std::holds_alternative<program::ReadModifyWrite>(edge.action) ||
             std::holds_alternative<program::CompareExchange>(edge.action)) &&
            touches(access_of(edge.action)->may, objects))
          return "a handle is changed in memory";
      }
    return {};
  }

  template <std::predicate<Term> IsTainted>
  static bool observes(const Action& action, IsTainted is_tainted) {
    if (std::holds_alternative<program::Assign>(action) ||
        std::holds_alternative<program::AssignSequence>(action) || op_of(action) == SyncOp::kJoin)
      return false;
    if (const auto* store = std::get_if<program::Store>(&action))
      return is_tainted(store->address);
    const std::vector<Term> terms = program::terms_of(action);
    return std::any_of(terms.begin(), terms.end(), is_tainted);
  }

  bool touches(program::ObjectSetId may, const ObjectBits& objects) const {
    if (!may.is_valid())
      return true;
    const auto& set = program_.object_sets[may];
    return std::any_of(set.begin(), set.end(), [&](program::ObjectId o) { return objects.has(o); });
  }

  /// Between the first join and the last, the initial thread does nothing anybody can see. (Which
  /// thread it waits for first then makes no difference: it goes on when all have ended.)
  static std::string join_obstacle(const Procedure& procedure) {
    std::size_t creates = 0;
    bool has_joins = false;
    for (const Edge& edge : procedure.edges) {
      creates += op_of(edge.action) == SyncOp::kCreate ? 1 : 0;
      has_joins |= op_of(edge.action) == SyncOp::kJoin;
    }
    if (!has_joins)
      return {};
    for (const Edge& edge : procedure.edges)
      if ((op_of(edge.action) == SyncOp::kCreate || op_of(edge.action) == SyncOp::kJoin) &&
          reaches(procedure, edge.to, edge.from))
        return "threads are created or joined in a loop";
    std::set<std::pair<std::uint32_t, std::size_t>> seen;
    std::vector<std::pair<std::uint32_t, std::size_t>> pending = {{procedure.entry.value, 0}};
    while (!pending.empty()) {
      const auto [location, joins] = pending.back();
      pending.pop_back();
      if (!seen.insert({location, joins}).second)
        continue;
      for (const std::uint32_t index : procedure.locations[program::LocationId{location}].out) {
        const Edge& edge = procedure.edges[index];
        const bool is_join = op_of(edge.action) == SyncOp::kJoin;
        const bool ends = std::holds_alternative<program::Return>(edge.action);
        const bool is_seen = program::is_visible(edge.action) || ends ||
                             std::holds_alternative<program::Call>(edge.action);
        if (!is_join && is_seen && joins > 0 && joins < creates)
          return "something happens between two joins";
        if (edge.to.is_valid() && !ends)
          pending.emplace_back(edge.to.value, joins + (is_join ? 1 : 0));
      }
    }
    return {};
  }

  static bool
  reaches(const Procedure& procedure, program::LocationId from, program::LocationId to) {
    std::set<std::uint32_t> seen;
    std::vector<program::LocationId> pending = {from};
    while (!pending.empty()) {
      const program::LocationId at = pending.back();
      pending.pop_back();
      if (!at.is_valid() || !seen.insert(at.value).second)
        continue;
      if (at == to)
        return true;
      for (const std::uint32_t index : procedure.locations[at].out)
        pending.push_back(procedure.edges[index].to);
    }
    return false;
  }

  bool is_crowd() const {
    bool creates_in_loop = false;
    for (const Procedure& procedure : program_.procedures)
      for (const Edge& edge : procedure.edges) {
        const auto op = op_of(edge.action);
        if (op == SyncOp::kCreate)
          creates_in_loop = creates_in_loop || reaches(procedure, edge.to, edge.from);
        else if (op && !is_lock_like(edge.action))
          return false;
      }
    return creates_in_loop;
  }

  std::string find_owner_words(std::vector<std::uint64_t>& words) {
    ObjectBits locks;
    std::set<std::uint64_t> addresses;
    for (const Procedure& procedure : program_.procedures)
      for (const Edge& edge : procedure.edges) {
        const auto op = op_of(edge.action);
        if (!op || lock_kind(*op) == LockKind::kNone)
          continue;
        const auto& action = std::get<program::Synchronize>(edge.action);
        const Term address = action.operands[lock_kind(*op) == LockKind::kConditionMutex ? 1 : 0];
        if (!program_.terms.is_constant(address))
          return "a lock has a computed address";
        addresses.insert(program_.terms.node(address).value + program::sync_layout::kMutexOwner);
      }
    if (addresses.empty())
      return {};
    const program::AddressSpace space = program_.space();
    for (std::size_t i = 0; i < program_.objects.size(); ++i) {
      const program::Object& object = program_.objects[program::ObjectId{i}];
      if (object.kind != program::Object::Kind::kGlobal)
        continue;
      const std::uint64_t base = space.base_of(object.unit);
      for (const std::uint64_t address : addresses)
        if (address >= base && address < base + object.size) {
          locks.add(program::ObjectId{i});
          words.push_back(address);
        }
    }
    if (words.size() != addresses.size())
      return "a lock is no global";
    for (const Procedure& procedure : program_.procedures)
      for (const Edge& edge : procedure.edges) {
        const program::Access* access = access_of(edge.action);
        if (access != nullptr && !std::holds_alternative<program::Fence>(edge.action) &&
            touches(access->may, locks))
          return "a lock's bytes are also accessed directly";
      }
    return {};
  }

  const Program& program_;
  std::vector<bool> is_created_;
};

} // namespace

SymmetryConditions symmetry_conditions(const program::Program& program) {
  return Conditions(program).decide();
}

} // namespace heddle::engine
