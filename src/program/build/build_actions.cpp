// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory, calls and synchronisation. The operands of an instruction are read before its destination
// is asked for, since asking may write pending computations down.
#include "program/build/build_procedure.h"

#include <fmt/format.h>

namespace heddle::program {

Access ProcedureBuilder::access_of(const ir::Access& access, unsigned bits) const {
  Access result;
  result.size = static_cast<std::uint8_t>((bits + 7) / 8);
  result.kind = access.kind;
  result.order = access.order;
  result.tags = access.tags;
  return result;
}

void ProcedureBuilder::load(const ir::Load& instruction) {
  const Term address = value(instruction.address);
  const unsigned width = width_of(instruction.dest);
  const Access access = access_of(instruction.access, width);
  const auto marks = [&]() -> std::optional<LocalId> {
    if (!instruction.marks)
      return std::nullopt;
    return destination(*instruction.marks);
  };
  if (width == 8U * access.size) {
    const LocalId dest = destination(instruction.dest);
    emit(Load{dest, address, access, marks()});
    return;
  }
  // Whole bytes are read; the value is their low bits.
  const LocalId bytes = temporary(8U * access.size);
  emit(Load{bytes, address, access, marks()});
  const LocalId dest = destination(instruction.dest);
  emit(Assign{dest, adapt(variable(bytes), width)});
}

void ProcedureBuilder::store(const ir::Store& instruction) {
  const Access access = access_of(instruction.access, module_.bits(instruction.type));
  const Term address = value(instruction.address);
  const Term stored = adapt(value(instruction.value), 8U * access.size);
  std::optional<Term> marks;
  if (instruction.marks)
    marks = adapt(value(*instruction.marks), 8);
  emit(Store{address, stored, access, marks});
}

void ProcedureBuilder::store_exclusive(const ir::StoreExclusive& instruction) {
  const Access access = access_of(instruction.access, module_.bits(instruction.type));
  const Term address = value(instruction.address);
  const Term stored = adapt(value(instruction.value), 8U * access.size);
  const LocalId success = destination(instruction.success);
  emit(StoreExclusive{success, address, stored, access});
}

void ProcedureBuilder::read_modify_write(const ir::ReadModifyWrite& instruction) {
  const unsigned width = width_of(instruction.dest);
  const Access access = access_of(instruction.access, width);
  if (width != 8U * access.size) {
    emit(Trap{fmt::format("an atomic update of {} bits", width), "use a type of whole bytes"});
    return;
  }
  const Term address = value(instruction.address);
  const Term operand = adapt(value(instruction.value), width);
  const LocalId dest = destination(instruction.dest);
  emit(ReadModifyWrite{dest, address, instruction.op, operand, access});
}

void ProcedureBuilder::compare_exchange(const ir::CompareExchange& instruction) {
  const unsigned width = width_of(instruction.dest);
  const Access access = access_of(instruction.access, width);
  if (width != 8U * access.size) {
    emit(Trap{fmt::format("a compare-exchange of {} bits", width), "use a type of whole bytes"});
    return;
  }
  CompareExchange action;
  action.address = value(instruction.address);
  action.expected = adapt(value(instruction.expected), width);
  action.desired = adapt(value(instruction.desired), width);
  action.access = access;
  action.failure_order = instruction.failure_order;
  action.weak = instruction.weak;
  action.dest = destination(instruction.dest);
  action.success = destination(instruction.success);
  emit(std::move(action));
}

void ProcedureBuilder::allocate(const ir::Allocate& instruction) {
  const bool is_heap = instruction.where == ir::Allocate::Where::kHeap;
  const Term size = adapt(value(instruction.size), program_.pointer_bits());
  const std::uint64_t bytes = terms_.is_constant(size) ? terms_.node(size).value : 0;
  std::string name =
      loc_.is_known()
          ? fmt::format("{} at line {}", is_heap ? "block allocated" : "array", loc_.line)
          : fmt::format("{} in {}", is_heap ? "block allocated" : "array", function_.name);
  const ObjectId site = add_site(program_,
                                 is_heap ? Object::Kind::kHeapSite : Object::Kind::kFrameSite,
                                 std::move(name),
                                 bytes,
                                 loc_);
  const LocalId dest = destination(instruction.dest);
  emit(Allocate{dest, size, instruction.where, instruction.zeroed, site, is_heap});
}

/// As many as the callee has parameters, of their widths: more are dropped, missing ones are
/// arbitrary (legacy C).
std::vector<Term> ProcedureBuilder::arguments_for(const ir::Function& callee,
                                                  const std::vector<ir::Operand>& given) {
  std::vector<Term> arguments;
  for (std::size_t i = 0; i < callee.parameter_count; ++i) {
    const unsigned width = module_.bits(callee.registers[ir::RegisterId{i}].type);
    if (i < given.size()) {
      arguments.push_back(adapt(value(given[i]), width));
      continue;
    }
    const LocalId missing = temporary(width);
    emit(Nondet{missing, fmt::format("missing argument {} of {}", i + 1, callee.name)});
    arguments.push_back(variable(missing));
  }
  return arguments;
}

std::vector<ProcedureId> ProcedureBuilder::pointer_targets(std::size_t argument_count) const {
  std::vector<ProcedureId> targets;
  for (const ir::FunctionId id : symbols_.address_taken) {
    const ir::Function& function = module_.functions[id];
    if (function.parameter_count <= argument_count)
      targets.push_back(symbols_.procedures[id]);
  }
  return targets;
}

void ProcedureBuilder::call(const ir::Call& instruction) {
  Call action;
  if (const auto* direct = std::get_if<ir::FunctionAddress>(&instruction.callee)) {
    const ir::Function& callee = module_.functions[direct->function];
    if (callee.is_declaration()) {
      emit(Trap{missing_function_message(callee), kMissingFunctionHelp});
      return;
    }
    action.targets = {symbols_.procedures[direct->function]};
    action.arguments = arguments_for(callee, instruction.arguments);
  } else {
    action.function = value(instruction.callee);
    for (const ir::Operand& argument : instruction.arguments)
      action.arguments.push_back(value(argument));
    action.targets = pointer_targets(instruction.arguments.size());
  }
  if (instruction.dest)
    action.dest = destination(*instruction.dest);
  emit(std::move(action));
}

void ProcedureBuilder::synchronize(const ir::Synchronize& instruction) {
  Synchronize action;
  action.op = instruction.op;
  if (instruction.op == SyncOp::kCreate) {
    const auto* direct = std::get_if<ir::FunctionAddress>(&instruction.operands[0]);
    if (direct != nullptr && module_.functions[direct->function].is_declaration()) {
      emit(Trap{fmt::format("a thread that runs '{}', which has no body",
                            module_.functions[direct->function].name),
                kMissingFunctionHelp});
      return;
    }
    action.targets =
        direct != nullptr ? std::vector{symbols_.procedures[direct->function]} : pointer_targets(1);
  }
  for (const ir::Operand& operand : instruction.operands)
    action.operands.push_back(value(operand));
  if (instruction.dest)
    action.dest = destination(*instruction.dest);
  emit(std::move(action));
}

void ProcedureBuilder::check_assertion(const ir::Assert& instruction) {
  if (instruction.is_index_check) {
    emit(Check{condition(instruction.condition),
               CheckKind::kArrayIndex,
               "the index of an array is out of its bounds"});
    return;
  }
  const bool is_error_call =
      instruction.what == "reach_error" || instruction.what == "__VERIFIER_error";
  emit(Check{condition(instruction.condition),
             is_error_call ? CheckKind::kErrorCall : CheckKind::kAssertion,
             instruction.what});
}

} // namespace heddle::program
