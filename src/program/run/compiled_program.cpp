// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "program/run/compiled_program.h"

#include "program/analyse/choice_classes.h"
#include "program/analyse/liveness.h"
#include "program/run/interpreter_layout.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <algorithm>
#include <variant>

namespace heddle::program {

namespace {

/// More would only slow the search down: values above the bound are samples anyway.
constexpr std::size_t kMaxSamplesPerWidth = 16;

/// Locations times locals up to which it is found out where a local is dead. States of larger
/// procedures, which a transform has made, are stepped one by one and never compared in number.
constexpr std::size_t kMostLiveness = 1ULL << 26U;

class Compiler {
public:
  Compiler(const Program& program, CompiledProgram& out) : program_(program), out_(out) {}

  CompiledProcedure compile(const Procedure& procedure) {
    CompiledProcedure result;
    result.local_count = static_cast<std::uint32_t>(procedure.locals.size());
    result.entry = procedure.entry.value;
    for (const Local& local : procedure.locals)
      result.masks.push_back(local.width == 0 ? 1 : logic::mask_of(local.width));
    for (const LocalId parameter : procedure.parameters)
      result.parameters.push_back(parameter.value);
    HEDDLE_CHECK(result.local_count < (1U << layout::kLocalsBits) &&
                     procedure.locations.size() < (1U << layout::kLocationBits),
                 "a procedure too large to be stepped");
    if (procedure.locations.size() * procedure.locals.size() <= kMostLiveness)
      find_dead_locals(procedure, result);
    const std::vector<std::vector<std::uint64_t>> classes =
        choice_classes(program_.terms, procedure);
    for (std::size_t i = 0; i < procedure.locations.size(); ++i) {
      const Location& location = procedure.locations[LocationId{i}];
      result.first_edge.push_back(static_cast<std::uint32_t>(result.edges.size()));
      for (const std::uint32_t index : location.out) {
        result.edges.push_back(compile(procedure.edges[index], result));
        if (!classes[index].empty())
          add_values(result.edges.back(), classes[index]);
      }
      HEDDLE_CHECK(location.out.size() <= 1 || result.edges.back().code == OpCode::kBranch,
                   "several edges leave a location that is no branch");
    }
    result.first_edge.push_back(static_cast<std::uint32_t>(result.edges.size()));
    return result;
  }

private:
  void add_values(CompiledEdge& code, const std::vector<std::uint64_t>& values) {
    code.first = static_cast<std::uint32_t>(out_.choice_values.size());
    code.count = static_cast<std::uint32_t>(values.size());
    out_.choice_values.insert(out_.choice_values.end(), values.begin(), values.end());
  }

  void find_dead_locals(const Procedure& procedure, CompiledProcedure& result) const {
    LiveLocals live = live_locals_by_word(program_, procedure, Liveness::kStrong);
    result.dead_words = static_cast<std::uint32_t>(live.words);
    result.dead = std::move(live.rows);
    const std::uint32_t last = result.local_count % LiveLocals::kBits;
    for (std::size_t i = 0; i < result.dead.size(); ++i) {
      const bool is_end = last != 0 && (i + 1) % live.words == 0;
      result.dead[i] = ~result.dead[i] & (is_end ? logic::mask_of(last) : ~std::uint64_t{0});
    }
  }

  Expression expression(Term term) { return out_.expressions.compile(program_.terms, term); }

  void set_dest(CompiledEdge& code, LocalId dest, const CompiledProcedure& procedure) {
    if (!dest.is_valid())
      return;
    code.dest = dest.value;
    code.dest_mask = procedure.masks[dest.index()];
  }

  void set_access(CompiledEdge& code, const Access& access) {
    HEDDLE_CHECK(access.size >= 1 && access.size <= 8, "an access of more than eight bytes");
    code.size = access.size;
    code.drains = access.drains;
    code.is_visible = access.is_visible;
    code.may = access.may;
  }

  CompiledEdge compile(const Edge& edge, const CompiledProcedure& procedure) {
    CompiledEdge code;
    code.edge = &edge;
    code.to = edge.to.is_valid() ? edge.to.value : 0;
    std::visit(Overloaded{
                   [&](const Skip&) { code.code = OpCode::kSkip; },
                   [&](const Assign& assign) {
                     code.code = OpCode::kAssign;
                     set_dest(code, assign.dest, procedure);
                     code.a = expression(assign.value);
                   },
                   [&](const AssignSequence& sequence) {
                     code.code = OpCode::kAssignSequence;
                     code.first = static_cast<std::uint32_t>(out_.assignments.size());
                     code.count = static_cast<std::uint32_t>(sequence.assignments.size());
                     for (const Assign& assign : sequence.assignments)
                       out_.assignments.push_back({assign.dest.value,
                                                   procedure.masks[assign.dest.index()],
                                                   expression(assign.value)});
                   },
                   [&](const Nondet& nondet) {
                     code.code = OpCode::kNondet;
                     set_dest(code, nondet.dest, procedure);
                   },
                   [&](const Assume& assume) {
                     code.code = assume.is_branch ? OpCode::kBranch : OpCode::kAssume;
                     code.a = expression(assume.condition);
                   },
                   [&](const Check& check) {
                     code.code = OpCode::kCheck;
                     code.a = expression(check.condition);
                   },
                   [&](const CheckNeighbourhood& check) {
                     code.code = OpCode::kCheckNeighbourhood;
                     code.a = expression(check.base);
                     code.b = expression(check.result);
                   },
                   [&](const Load& load) {
                     code.code = OpCode::kLoad;
                     set_access(code, load.access);
                     set_dest(code, load.dest, procedure);
                     if (load.marks)
                       code.marks = load.marks->value;
                     code.a = expression(load.address);
                   },
                   [&](const Store& store) {
                     code.code = OpCode::kStore;
                     set_access(code, store.access);
                     code.a = expression(store.address);
                     code.b = expression(store.value);
                     code.has_value = store.marks.has_value();
                     if (store.marks)
                       code.c = expression(*store.marks);
                   },
                   // No source language of ours has them; machines have no reservations.
                   [&](const LoadExclusive&) { code.code = OpCode::kTrap; },
                   [&](const StoreExclusive&) { code.code = OpCode::kTrap; },
                   [&](const ReadModifyWrite& rmw) {
                     code.code = OpCode::kReadModifyWrite;
                     set_access(code, rmw.access);
                     set_dest(code, rmw.dest, procedure);
                     code.a = expression(rmw.address);
                     code.b = expression(rmw.value);
                   },
                   [&](const CompareExchange& exchange) {
                     code.code = OpCode::kCompareExchange;
                     set_access(code, exchange.access);
                     set_dest(code, exchange.dest, procedure);
                     if (exchange.success.is_valid())
                       code.success = exchange.success.value;
                     code.a = expression(exchange.address);
                     code.b = expression(exchange.expected);
                     code.c = expression(exchange.desired);
                   },
                   [&](const Fence& fence) {
                     code.code =
                         fence.strength == Fence::Strength::kNone ? OpCode::kSkip : OpCode::kFence;
                     code.drains = fence.strength == Fence::Strength::kFull;
                   },
                   [&](const Allocate& allocate) {
                     code.code = OpCode::kAllocate;
                     code.is_visible = allocate.is_visible;
                     set_dest(code, allocate.dest, procedure);
                     code.a = expression(allocate.size);
                     if (allocate.where == ir::Allocate::Where::kFrame)
                       out_.dangling_frames =
                           std::max(out_.dangling_frames, program_.objects[allocate.site].dangling);
                   },
                   [&](const Free& free) {
                     code.code = OpCode::kFree;
                     code.is_visible = free.is_visible;
                     code.may = free.may;
                     code.a = expression(free.address);
                     out_.has_free = true;
                   },
                   [&](const BlockSize& size) {
                     code.code = OpCode::kBlockSize;
                     set_dest(code, size.dest, procedure);
                     code.a = expression(size.address);
                   },
                   [&](const Call& call) {
                     code.code = OpCode::kCall;
                     if (call.dest)
                       set_dest(code, *call.dest, procedure);
                     if (call.function)
                       code.a = expression(*call.function);
                     code.has_value = call.function.has_value();
                     code.first = static_cast<std::uint32_t>(out_.arguments.size());
                     code.count = static_cast<std::uint32_t>(call.arguments.size());
                     for (const Term argument : call.arguments)
                       out_.arguments.push_back(expression(argument));
                   },
                   [&](const Return& give) {
                     code.code = OpCode::kReturn;
                     code.has_value = give.value.has_value();
                     if (give.value)
                       code.a = expression(*give.value);
                   },
                   [&](const Synchronize& sync) {
                     code.code = OpCode::kSynchronize;
                     code.sync = sync.op;
                     code.drains = sync.drains;
                     code.may = sync.may;
                     if (sync.dest)
                       set_dest(code, *sync.dest, procedure);
                     if (!sync.operands.empty())
                       code.a = expression(sync.operands[0]);
                     if (sync.operands.size() > 1)
                       code.b = expression(sync.operands[1]);
                   },
                   [&](const AtomicBegin& begin) {
                     code.code = OpCode::kAtomicBegin;
                     code.drains = begin.drains;
                   },
                   [&](const AtomicEnd& end) {
                     code.code = OpCode::kAtomicEnd;
                     code.drains = end.drains;
                   },
                   [&](const Hint&) { code.code = OpCode::kSkip; },
                   [&](const ThreadExit& leave) {
                     code.code = OpCode::kThreadExit;
                     code.drains = leave.drains;
                     code.has_value = leave.value.has_value();
                     if (leave.value)
                       code.a = expression(*leave.value);
                   },
                   [&](const Exit&) { code.code = OpCode::kExit; },
                   [&](const Cut&) { code.code = OpCode::kCut; },
                   [&](const Trap&) { code.code = OpCode::kTrap; },
               },
               edge.action);
    return code;
  }

  const Program& program_;
  CompiledProgram& out_;
};

void collect_samples(const Program& program, CompiledProgram& out) {
  std::vector<std::pair<std::uint8_t, std::uint64_t>> found;
  for (std::size_t i = 0; i < program.terms.size(); ++i) {
    const logic::Node& node = program.terms.node(Term{i});
    if (node.op != logic::Op::kConstant || node.sort.width < 8)
      continue;
    const std::uint64_t mask = logic::mask_of(node.sort.width);
    for (const std::uint64_t value : {node.value, node.value + 1, node.value - 1})
      found.emplace_back(node.sort.width, value & mask);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::size_t count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    count = i > 0 && found[i].first == found[i - 1].first ? count + 1 : 1;
    if (count <= kMaxSamplesPerWidth)
      out.samples.push_back(found[i]);
  }
}

} // namespace

CompiledProgram::CompiledProgram(const Program& program) {
  HEDDLE_CHECK(program.procedures.size() < (1U << layout::kProcedureBits),
               "a program of too many procedures to be stepped");
  Compiler compiler(program, *this);
  procedures.reserve(program.procedures.size());
  for (const Procedure& procedure : program.procedures)
    procedures.push_back(compiler.compile(procedure));
  has_dangling_thread_locals =
      std::any_of(program.objects.begin(), program.objects.end(), is_dangling_thread_local);
  collect_samples(program, *this);
}

} // namespace heddle::program
