// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Code with one location per instruction, as the literature counts it, and the examples whose
// graphs have published sizes.
#pragma once

#include "transform/buffers/store_buffer_graph.h"
#include "unit/memory/program_maker.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle::transform_test {

using namespace program_test; // NOLINT: makes programs
using memory::MachineKind;
using transform::StoreBufferGraph;

/// Code as a list of instructions; the end is the location after the last.
class Listing {
public:
  explicit Listing(unsigned instructions) {
    id = maker.procedure("f");
    Procedure& procedure = maker.program.procedures[id];
    for (unsigned i = 0; i < instructions; ++i)
      procedure.locations.push_back({});
    maker.program.templates.push_back({id, "f"});
  }

  /// Instruction `at`, which leads to the next.
  void line(std::size_t at, Action action) { line(at, std::move(action), at + 1); }
  void line(std::size_t at, Action action, std::size_t to) {
    add_edge(
        maker.program.procedures[id],
        {LocationId{at}, LocationId{to}, std::move(action), {1, 1 + static_cast<unsigned>(at), 1}});
  }
  void branch(std::size_t at, std::size_t yes, std::size_t no) {
    const Term condition = maker.program.terms.equal(value(local(32)), maker.number(0));
    line(at, Assume{condition, true}, yes);
    line(at, Assume{maker.program.terms.not_(condition), true}, no);
  }
  LocalId local(unsigned width) {
    return maker.program.procedures[id].locals.push_back(
        {"", static_cast<std::uint8_t>(width), {}});
  }
  Term value(LocalId local) {
    return maker.program.terms.variable(
        local.value, logic::Sort{maker.program.procedures[id].locals[local].width});
  }
  Action load(LocalId dest, Term address, ObjectId object) {
    return Load{dest, address, access(object, dest)};
  }
  Action store(Term address, Term stored, ObjectId object) {
    Access made;
    made.size = 4;
    made.may = only(object);
    return Store{address, stored, made};
  }
  Action compare_exchange(Term address, ObjectId object) {
    Access made;
    made.size = 4;
    made.may = only(object);
    return CompareExchange{local(32), local(1), address, maker.number(0), maker.number(1), made};
  }
  Action compute(LocalId dest) {
    return Assign{dest, maker.number(0, maker.program.procedures[id].locals[dest].width)};
  }
  static Action full_fence() { return Fence{{}, Fence::Strength::kFull}; }

  /// Nodes and edges.
  std::pair<std::size_t, std::size_t> size(MachineKind machine) {
    const StoreBufferGraph graph = this->graph(machine);
    return {graph.nodes.size(), graph.edges.size()};
  }
  StoreBufferGraph graph(MachineKind machine) {
    Program program = maker.program;
    return graph(program, machine);
  }
  /// The program gets the locals of copied operands.
  StoreBufferGraph graph(Program& program, MachineKind machine) const {
    Result<StoreBufferGraph> graph = transform::build_graph(program, id, {machine});
    EXPECT_TRUE(graph.has_value()) << graph.error().to_string();
    return std::move(graph).value();
  }

  ProgramMaker maker;
  ProcedureId id;

private:
  ObjectSetId only(ObjectId object) { return maker.program.object_sets.push_back({object}); }
  Access access(ObjectId object, LocalId dest) {
    Access made;
    made.size = static_cast<std::uint8_t>(maker.program.procedures[id].locals[dest].width / 8);
    made.may = only(object);
    return made;
  }
};

/// 1: r := x; 2: fence; 3: y := r; 4: goto 1. The only store whose value is assigned again while it
/// is pending.
inline void write_def_chain(Listing& code) {
  const ObjectId x = code.maker.global("x");
  const ObjectId y = code.maker.global("y");
  const LocalId r = code.local(32);
  code.line(0, code.load(r, code.maker.at(x), x));
  code.line(1, Listing::full_fence());
  code.line(2, code.store(code.maker.at(y), code.value(r), y));
  code.line(3, Skip{}, 0);
}

/// The work-stealing queue of Arora, Blumofe and Plaxton as an optimising compiler leaves it: one
/// cell each for the bottom and for top and tag, reached through pointers.
class Arora : public Listing {
public:
  using Listing::Listing;
  const ObjectId bot_pointer = maker.global("bot", 8);
  const ObjectId deq_pointer = maker.global("deq", 8);
  const ObjectId age_pointer = maker.global("age", 8);
  const ObjectId bottom = maker.global("bottom");
  const ObjectId elements = maker.global("elements", 40);
  const ObjectId age = maker.global("top and tag");
  const LocalId p0 = local(64), p2 = local(64), p4 = local(64), idx = local(64), p8 = local(64);
  const LocalId b = local(32), e = local(32), a = local(32), t = local(32);

  Action load_pointer(LocalId dest, ObjectId from) { return load(dest, maker.at(from), from); }
};

inline void push_bottom(Arora& code, bool has_fence) {
  code.line(0, code.load_pointer(code.p0, code.bot_pointer));
  code.line(1, code.load(code.b, code.value(code.p0), code.bottom));
  code.line(2, code.load_pointer(code.p2, code.deq_pointer));
  code.line(3, code.compute(code.idx));
  code.line(4, code.store(code.value(code.idx), code.value(code.e), code.elements));
  code.line(5, code.compute(code.t));
  std::size_t at = 6;
  if (has_fence)
    code.line(at++, Listing::full_fence());
  code.line(at, code.store(code.value(code.p0), code.value(code.t), code.bottom));
  code.line(at + 1, Return{});
}

inline void pop_top(Arora& code) {
  code.line(0, code.load_pointer(code.p0, code.age_pointer));
  code.line(1, code.load(code.a, code.value(code.p0), code.age));
  code.line(2, code.load_pointer(code.p2, code.bot_pointer));
  code.line(3, code.load(code.b, code.value(code.p2), code.bottom));
  code.line(4, code.compute(code.t));
  code.line(5, code.compute(code.t));
  code.branch(6, 7, 15);
  code.line(7, code.load_pointer(code.p4, code.deq_pointer));
  code.line(8, code.compute(code.idx));
  code.line(9, code.load(code.e, code.value(code.idx), code.elements));
  code.line(10, code.compute(code.t));
  code.line(11, code.compare_exchange(code.value(code.p0), code.age));
  code.line(12, code.compute(code.t));
  code.line(13, code.compute(code.t));
  code.line(14, Skip{});
  code.line(15, code.compute(code.e)); // phi
  code.line(16, Return{});
}

inline void pop_bottom(Arora& code, bool has_fence) {
  const std::size_t f = has_fence ? 1 : 0;
  code.line(0, code.load_pointer(code.p0, code.bot_pointer));
  code.line(1, code.load(code.b, code.value(code.p0), code.bottom));
  code.line(2, code.compute(code.t));
  code.branch(3, 27 + f, 4);
  const LocalId dec = code.local(32);
  code.line(4, code.compute(dec));
  code.line(5, code.store(code.value(code.p0), code.value(dec), code.bottom));
  code.line(6, code.load_pointer(code.p2, code.deq_pointer));
  code.line(7, code.compute(code.idx));
  code.line(8, code.load(code.e, code.value(code.idx), code.elements));
  code.line(9, code.load_pointer(code.p4, code.age_pointer));
  if (has_fence)
    code.line(10, Listing::full_fence());
  code.line(10 + f, code.load(code.a, code.value(code.p4), code.age));
  code.line(11 + f, code.compute(code.local(32)));
  code.line(12 + f, code.compute(code.t));
  code.branch(13 + f, 27 + f, 14 + f);
  code.line(14 + f, code.store(code.value(code.p0), code.maker.number(0), code.bottom));
  code.line(15 + f, code.compute(code.local(32)));
  const LocalId add = code.local(32);
  code.line(16 + f, code.compute(add));
  code.line(17 + f, code.compute(code.t));
  code.branch(18 + f, 19 + f, 24 + f);
  code.line(19 + f, code.compare_exchange(code.value(code.p4), code.age));
  code.line(20 + f, code.compute(code.t));
  code.branch(21 + f, 27 + f, 22 + f);
  code.line(22 + f, code.load_pointer(code.local(64), code.age_pointer));
  code.line(23 + f, Skip{});
  code.line(24 + f, code.compute(code.p8)); // phi
  code.line(25 + f, code.store(code.value(code.p8), code.value(add), code.age));
  code.line(26 + f, Skip{});
  code.line(27 + f, code.compute(code.local(32))); // phi
  code.line(28 + f, Return{});
}

} // namespace heddle::transform_test
