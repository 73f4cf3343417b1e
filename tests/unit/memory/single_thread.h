// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program of one thread, for tests of what memory is to it.
#pragma once

#include "unit/memory/explore.h"
#include "unit/memory/program_maker.h"

namespace heddle::memory_test {

using namespace program_test;
using Outcomes = std::set<Words>;
using Faults = std::set<FaultKind>;
using Where = ir::Allocate::Where;

/// A program of one thread, main.
struct Single {
  ProgramMaker maker;
  ProcedureId main = maker.procedure("main");
  CodeMaker code{maker, main};
  ObjectId site = maker.site("malloc", Object::Kind::kHeapSite);
  ObjectId slot = maker.site("slot", Object::Kind::kFrameSite);

  explicit Single(ir::DataModel model = ir::DataModel::kLP64) : maker(model) {
    maker.program.templates.push_back({main, "main"});
  }
  LocalId allocate(std::uint64_t size, Where where = Where::kHeap, bool zeroed = false) {
    const LocalId pointer = code.local(maker.pointer_bits());
    code.add(Allocate{
        pointer, maker.pointer(size), where, zeroed, where == Where::kHeap ? site : slot, false});
    return pointer;
  }
  void release(LocalId pointer) { code.add(Free{code.value(pointer), true, {}}); }
  Term plus(LocalId pointer, std::uint64_t offset) {
    return maker.program.terms.binary(logic::Op::kAdd, code.value(pointer), maker.pointer(offset));
  }
  Explored run(std::vector<ObjectId> observed = {},
               program::InterpreterOptions options = {},
               MachineKind kind = MachineKind::kSequential) {
    code.give_back();
    return explore(maker.program, kind, Globals{std::move(observed)}, options);
  }
};

} // namespace heddle::memory_test
