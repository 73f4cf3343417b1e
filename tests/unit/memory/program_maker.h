// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs put together by hand, action by action, for tests of the interpreter and the machines.
#pragma once

#include "program/model/control_flow.h"
#include "program/model/program.h"

#include <string>
#include <utility>
#include <vector>

namespace heddle::program_test {

using namespace heddle::program;

class ProgramMaker {
public:
  explicit ProgramMaker(ir::DataModel model = ir::DataModel::kLP64) {
    program.data_model = model;
    program.vocabulary = "machine";
  }

  ObjectId global(std::string name,
                  std::uint64_t size = 4,
                  std::vector<std::uint8_t> initial = {},
                  Object::Kind kind = Object::Kind::kGlobal) {
    Object object;
    object.name = std::move(name);
    object.kind = kind;
    object.size = size;
    object.unit = next_unit_;
    object.initial = std::move(initial);
    object.initial.resize(size, 0);
    next_unit_ +=
        program.space().units_for(size) * (kind == Object::Kind::kThreadLocal ? kMaxThreads : 1);
    return program.objects.push_back(std::move(object));
  }
  ObjectId constant(std::string name, std::vector<std::uint8_t> bytes) {
    const std::uint64_t size = bytes.size();
    const ObjectId id = global(std::move(name), size, std::move(bytes));
    program.objects[id].is_constant = true;
    return id;
  }
  ObjectId thread_local_object(std::string name, std::vector<std::uint8_t> bytes) {
    const std::uint64_t size = bytes.size();
    return global(std::move(name), size, std::move(bytes), Object::Kind::kThreadLocal);
  }
  ObjectId site(std::string name, Object::Kind kind) {
    Object object;
    object.name = std::move(name);
    object.kind = kind;
    return program.objects.push_back(std::move(object));
  }
  ProcedureId procedure(std::string name) {
    Procedure made;
    made.name = std::move(name);
    made.entry = made.locations.push_back({});
    return program.procedures.push_back(std::move(made));
  }

  [[nodiscard]] unsigned pointer_bits() const { return program.pointer_bits(); }
  Term number(std::uint64_t value, unsigned width = 32) {
    return program.terms.constant(value, width);
  }
  Term pointer(std::uint64_t value) { return number(value, pointer_bits()); }
  std::uint64_t address(ObjectId object, std::uint64_t offset = 0) const {
    return program.space().base_of(program.objects[object].unit) + offset;
  }
  Term at(ObjectId object, std::uint64_t offset = 0) { return pointer(address(object, offset)); }
  Term function(ProcedureId procedure) {
    return pointer(program.space().function_address(procedure.value));
  }

  Program program;

private:
  std::uint64_t next_unit_ = AddressSpace::kFirstGlobalUnit;
};

/// Writes one procedure: actions one after the other, with labels and branches.
class CodeMaker {
public:
  CodeMaker(ProgramMaker& maker, ProcedureId id) : maker_(maker), id_(id) {
    current_ = procedure().entry;
  }

  LocalId local(unsigned width = 32, std::string name = "") {
    return procedure().locals.push_back({std::move(name), static_cast<std::uint8_t>(width), {}});
  }
  LocalId parameter(unsigned width = 64, std::string name = "") {
    const LocalId id = local(width, std::move(name));
    procedure().parameters.push_back(id);
    return id;
  }
  Term value(LocalId id) {
    return maker_.program.terms.variable(id.value, logic::Sort{procedure().locals[id].width});
  }

  void add(Action action) {
    const LocationId next = procedure().locations.push_back({});
    add_edge(procedure(), {current_, next, std::move(action), {1, ++line_, 1}});
    current_ = next;
  }
  [[nodiscard]] LocationId here() const { return current_; }
  /// Goes to `target` if the condition holds, on otherwise.
  void branch_to(LocationId target, Term condition) {
    const LocationId next = procedure().locations.push_back({});
    add_edge(procedure(), {current_, target, Assume{condition, true}, {1, ++line_, 1}});
    add_edge(procedure(),
             {current_, next, Assume{maker_.program.terms.not_(condition), true}, {1, line_, 1}});
    current_ = next;
  }
  void jump_to(LocationId target) {
    add_edge(procedure(), {current_, target, Skip{}, {1, ++line_, 1}});
  }

  void store(Term address, Term value, unsigned size = 4, bool is_visible = true) {
    Access access;
    access.size = static_cast<std::uint8_t>(size);
    access.is_visible = is_visible;
    add(Store{address, value, access});
  }
  void store(ObjectId object, std::uint64_t value, unsigned size = 4) {
    store(maker_.at(object), maker_.number(value, 8 * size), size);
  }
  void load(LocalId dest, Term address, unsigned size = 4, bool is_visible = true) {
    Access access;
    access.size = static_cast<std::uint8_t>(size);
    access.is_visible = is_visible;
    add(Load{dest, address, access});
  }
  /// A load into a new local.
  LocalId load(ObjectId object, unsigned size = 4) {
    const LocalId dest = local(8 * size);
    load(dest, maker_.at(object), size);
    return dest;
  }
  /// Reads one global and keeps what was read in another.
  void copy(ObjectId from, ObjectId to, unsigned size = 4) {
    const LocalId value_read = load(from, size);
    store(maker_.at(to), value(value_read), size, false);
  }
  void fence(Fence::Strength strength = Fence::Strength::kFull) { add(Fence{{}, strength}); }
  void sync(SyncOp op, std::vector<Term> operands, std::optional<LocalId> dest = std::nullopt) {
    add(Synchronize{dest, op, std::move(operands), {}, true, {}});
  }
  void sync(SyncOp op, ObjectId object, std::optional<LocalId> dest = std::nullopt) {
    sync(op, std::vector<Term>{maker_.at(object)}, dest);
  }
  LocalId create(ProcedureId entry, std::uint64_t argument = 0) {
    const LocalId handle = local(maker_.pointer_bits());
    sync(SyncOp::kCreate, {maker_.function(entry), maker_.pointer(argument)}, handle);
    return handle;
  }
  LocalId join(LocalId handle) {
    const LocalId result = local(maker_.pointer_bits());
    sync(SyncOp::kJoin, {value(handle)}, result);
    return result;
  }
  void give_back() { add(Return{}); }

private:
  Procedure& procedure() { return maker_.program.procedures[id_]; }

  ProgramMaker& maker_;
  ProcedureId id_;
  LocationId current_;
  std::uint32_t line_ = 0;
};

/// Makes main create the threads, wait for them and return.
inline void add_main(ProgramMaker& maker, const std::vector<ProcedureId>& threads) {
  const ProcedureId main = maker.procedure("main");
  CodeMaker code(maker, main);
  std::vector<LocalId> handles;
  for (const ProcedureId thread : threads)
    handles.push_back(code.create(thread));
  for (const LocalId handle : handles)
    code.join(handle);
  code.give_back();
  maker.program.templates.push_back({main, "main"});
}

} // namespace heddle::program_test
