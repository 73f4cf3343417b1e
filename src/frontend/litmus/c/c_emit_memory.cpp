// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Accesses to memory, and courses that no value decides.
#include "frontend/litmus/c/c_emit.h"

#include <utility>

namespace heddle::frontend::litmus {

CEmitter::Value CEmitter::load(const Cell& cell, ir::Access access, SourceLoc loc) {
  const ir::RegisterId dest = new_register(cell.type, loc);
  add(ir::Load{dest, cell.address, std::move(access), {}}, loc);
  return {dest, cell.type};
}

void CEmitter::store(const Cell& cell, const Value& value, ir::Access access, SourceLoc loc) {
  const Value converted = convert(value, cell.type, loc);
  add(ir::Store{cell.address, converted.operand, ir_type(cell.type), std::move(access), {}}, loc);
}

CEmitter::Value CEmitter::read_modify_write(
    ir::RmwOp op, const Cell& cell, const Value& value, ir::Access access, SourceLoc loc) {
  const Value converted = convert(value, cell.type, loc);
  const ir::RegisterId dest = new_register(cell.type, loc);
  add(ir::ReadModifyWrite{dest, cell.address, op, converted.operand, std::move(access)}, loc);
  return {dest, cell.type};
}

CEmitter::Exchanged CEmitter::compare_exchange(const Cell& cell,
                                               const Value& expected,
                                               const Value& desired,
                                               ir::CompareExchange how,
                                               SourceLoc loc) {
  how.address = cell.address;
  how.expected = convert(expected, cell.type, loc).operand;
  how.desired = convert(desired, cell.type, loc).operand;
  how.dest = new_register(cell.type, loc);
  how.success = new_register(CType{1, false, 0}, loc);
  const Exchanged result{{how.dest, cell.type}, {how.success, CType{1, false, 0}}};
  add(std::move(how), loc);
  return result;
}

void CEmitter::assume(const Value& condition, SourceLoc loc) {
  add(ir::Assume{truth(condition, loc).operand}, loc);
}

void CEmitter::full_barrier(SourceLoc loc) {
  add(ir::Fence{{ir::AccessKind::kAtomic, ir::Order::kSeqCst, {"mb"}}}, loc);
}

CEmitter::Value CEmitter::either(const std::string& what,
                                 CType type,
                                 SourceLoc loc,
                                 const std::function<Value()>& yes,
                                 const std::function<Value()>& no) {
  const ir::RegisterId choice = new_register(CType{1, false, 0}, loc);
  const ir::RegisterId result = new_register(type, loc);
  const ir::BlockId first = new_block();
  const ir::BlockId second = new_block();
  const ir::BlockId after = new_block();
  add(ir::Nondet{choice, what}, loc);
  add(ir::Branch{choice, first, second}, loc);
  for (const bool is_first : {true, false}) {
    block_ = is_first ? first : second;
    const Value value = convert(is_first ? yes() : no(), type, loc);
    add(ir::Compute{result, ir::Op::kCopy, {value.operand}}, loc);
    jump(after, loc);
  }
  block_ = after;
  return {result, type};
}

} // namespace heddle::frontend::litmus
