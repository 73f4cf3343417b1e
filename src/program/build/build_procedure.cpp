// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/build_procedure.h"

#include "ir/operands.h"
#include "program/model/control_flow.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>

namespace heddle::program {

ProcedureBuilder::ProcedureBuilder(const ir::Module& module,
                                   ir::FunctionId function,
                                   const BuildOptions& options,
                                   const Symbols& symbols,
                                   Program& program)
    : module_(module), function_(module.functions[function]), options_(options), symbols_(symbols),
      program_(program), terms_(program.terms), uses_(find_uses(function_)),
      locals_(function_.registers.size()), slots_(function_.slots.size()),
      starts_(function_.blocks.size()) {
  if (options_.keep_registers)
    for (RegisterUse& use : uses_)
      use.is_foldable = false;
}

Procedure ProcedureBuilder::build() {
  procedure_.name = function_.name;
  procedure_.loc = function_.loc;
  procedure_.result_width = static_cast<std::uint8_t>(module_.bits(function_.result));
  for (std::size_t i = 0; i < function_.parameter_count; ++i)
    procedure_.parameters.push_back(local_of(ir::RegisterId{i}));
  std::size_t instructions = 0;
  for (const ir::Block& block : function_.blocks)
    instructions += block.instructions.size();
  // About as many as there will be: one for each instruction, and those around the blocks.
  procedure_.edges.reserve(instructions + 1);
  procedure_.locations.resize(instructions + function_.blocks.size() + 2);
  end_ = new_location();
  for (LocationId& start : starts_)
    start = new_location();
  loc_ = function_.loc;
  current_ = new_location();
  procedure_.entry = current_;
  allocate_slots();
  emit_to(starts_[ir::BlockId{0}], Skip{});
  for (std::size_t i = 0; i < function_.blocks.size(); ++i)
    build_block(ir::BlockId{i});
  procedure_.locations.resize(used_locations_);
  return std::move(procedure_);
}

LocationId ProcedureBuilder::new_location() {
  if (used_locations_ == procedure_.locations.size())
    procedure_.locations.push_back(Location{});
  return LocationId{used_locations_++};
}

void ProcedureBuilder::emit(Action&& action) {
  emit_to(new_location(), std::move(action));
}

void ProcedureBuilder::emit_to(LocationId target, Action&& action) {
  Location& here = procedure_.locations[current_];
  if (here.out.empty())
    here.loc = loc_;
  add_edge(procedure_, Edge{current_, target, std::move(action), loc_});
  current_ = target;
}

void ProcedureBuilder::emit_end(Action&& action) {
  emit_to(end_, std::move(action));
}

void ProcedureBuilder::allocate_slots() {
  for (std::size_t i = 0; i < function_.slots.size(); ++i) {
    const ir::Slot& slot = function_.slots[ir::SlotId{i}];
    loc_ = slot.loc.is_known() ? slot.loc : function_.loc;
    const auto width = static_cast<std::uint8_t>(program_.pointer_bits());
    const LocalId local = procedure_.locals.push_back(Local{"&" + slot.name, width, slot.loc});
    slots_[ir::SlotId{i}] = local;
    const ObjectId site =
        add_site(program_, Object::Kind::kFrameSite, slot.name, slot.size, slot.loc);
    program_.objects[site].align = slot.align;
    program_.objects[site].parts = slot.parts;
    emit(Allocate{
        local, terms_.constant(slot.size, width), ir::Allocate::Where::kFrame, false, site, false});
  }
}

void ProcedureBuilder::retarget_copies(const std::vector<ir::Instruction>& instructions) {
  for (std::uint32_t i = 0; i + 1 < instructions.size(); ++i) {
    const auto* copy = std::get_if<ir::Compute>(&instructions[i + 1].operation);
    if (copy == nullptr || copy->op != ir::Op::kCopy ||
        std::holds_alternative<ir::Compute>(instructions[i].operation))
      continue;
    const auto* source = std::get_if<ir::RegisterId>(&copy->operands[0]);
    if (source == nullptr || *source == copy->dest)
      continue;
    const RegisterUse& use = uses_[*source];
    const bool dies_here = use.definitions == 1 && use.uses == 1 &&
                           source->index() >= function_.parameter_count &&
                           function_.registers[*source].name.empty();
    if (!dies_here || width_of(*source) != width_of(copy->dest) || uses_[copy->dest].is_foldable)
      continue;
    // Only the sole result: a compare-exchange has two, and the other may be the copy's
    // destination.
    unsigned results = 0;
    bool defines = false;
    ir::for_each_result(instructions[i].operation, [&](ir::RegisterId id) {
      ++results;
      defines = defines || id == *source;
    });
    if (defines && results == 1)
      retargeted_[*source] = copy->dest;
  }
}

void ProcedureBuilder::build_block(ir::BlockId block) {
  const std::vector<ir::Instruction>& instructions = function_.blocks[block].instructions;
  current_ = starts_[block];
  pending_.clear();
  retargeted_.clear();
  if (!options_.keep_registers)
    retarget_copies(instructions);
  for (index_ = 0; index_ < instructions.size(); ++index_) {
    loc_ = instructions[index_].loc;
    build_instruction(instructions[index_].operation);
  }
}

void ProcedureBuilder::build_instruction(const ir::Operation& operation) {
  std::visit(
      Overloaded{
          [&](const ir::Compute& i) { compute(i); },
          [&](const ir::Nondet& i) {
            const LocalId dest = destination(i.dest);
            emit(Nondet{dest, i.origin});
          },
          [&](const ir::Load& i) { load(i); },
          [&](const ir::Store& i) { store(i); },
          [&](const ir::LoadExclusive& i) {
            const Term address = value(i.address);
            const LocalId dest = destination(i.dest);
            emit(LoadExclusive{dest, address, access_of(i.access, width_of(i.dest))});
          },
          [&](const ir::StoreExclusive& i) { store_exclusive(i); },
          [&](const ir::ReadModifyWrite& i) { read_modify_write(i); },
          [&](const ir::CompareExchange& i) { compare_exchange(i); },
          [&](const ir::Fence& i) { emit(Fence{access_of(i.access, 0), Fence::Strength::kNone}); },
          [&](const ir::Allocate& i) { allocate(i); },
          [&](const ir::Free& i) { emit(Free{value(i.address)}); },
          [&](const ir::BlockSize& i) {
            const Term address = value(i.address);
            const LocalId dest = destination(i.dest);
            emit(BlockSize{dest, address});
          },
          [&](const ir::Call& i) { call(i); },
          [&](const ir::Synchronize& i) { synchronize(i); },
          [&](const ir::AtomicBegin&) { emit(AtomicBegin{}); },
          [&](const ir::AtomicEnd&) { emit(AtomicEnd{}); },
          [&](const ir::Assume& i) { emit(Assume{condition(i.condition), false}); },
          [&](const ir::Assert& i) { check_assertion(i); },
          [&](const ir::Hint& i) {
            Hint hint{i.kind, i.name, {}};
            for (const ir::Operand& operand : i.operands)
              hint.operands.push_back(value(operand));
            emit(std::move(hint));
          },
          [&](const ir::Trap& i) { emit(Trap{i.what, i.help}); },
          [&](const ir::Jump& i) { emit_to(starts_[i.target], Skip{}); },
          [&](const ir::Branch& i) { finish_block(i); },
          [&](const ir::Switch& i) { finish_block(i); },
          [&](const ir::Return& i) {
            std::optional<Term> result;
            if (i.value && procedure_.result_width != 0)
              result = adapt(value(*i.value), procedure_.result_width);
            emit_end(Return{result});
          },
          [&](const ir::ThreadExit& i) {
            std::optional<Term> result;
            if (i.value)
              result = value(*i.value);
            emit_end(ThreadExit{result});
          },
          [&](const ir::Exit&) { emit_end(Exit{}); },
          [&](const ir::Unreachable&) {
            emit_end(Check{terms_.boolean(false),
                           CheckKind::kUnreachable,
                           "control reached what cannot be reached"});
          },
      },
      operation);
}

void ProcedureBuilder::finish_block(const ir::Branch& branch) {
  const Term holds = condition(branch.condition);
  const bool is_decided =
      terms_.is_constant(holds) || (branch.if_true == branch.if_false && !options_.keep_registers);
  if (is_decided) {
    const bool is_true = !terms_.is_constant(holds) || terms_.node(holds).value != 0;
    emit_to(starts_[is_true ? branch.if_true : branch.if_false], Skip{});
    return;
  }
  const LocationId here = current_;
  emit_to(starts_[branch.if_true], Assume{holds, true});
  current_ = here;
  emit_to(starts_[branch.if_false], Assume{terms_.not_(holds), true});
}

void ProcedureBuilder::finish_block(const ir::Switch& choice) {
  const Term selector = value(choice.value);
  const unsigned width = terms_.sort(selector).width;
  const LocationId here = current_;
  Term other = terms_.boolean(true);
  // Cases whose condition folds to false are left out, so the edges that remain still exclude each
  // other.
  std::vector<std::pair<Term, LocationId>> branches;
  for (const ir::SwitchCase& one : choice.cases) {
    const Term matches =
        terms_.equal(selector, terms_.constant(one.value & logic::mask_of(width), width));
    branches.emplace_back(matches, starts_[one.target]);
    other = terms_.and_(other, terms_.not_(matches));
  }
  branches.emplace_back(other, starts_[choice.otherwise]);
  std::erase_if(branches, [this](const auto& branch) {
    return terms_.is_constant(branch.first) && terms_.node(branch.first).value == 0;
  });
  HEDDLE_CHECK(!branches.empty(), "a switch with no way out");
  if (branches.size() == 1) {
    emit_to(branches[0].second, Skip{});
    return;
  }
  for (const auto& [holds, target] : branches) {
    current_ = here;
    emit_to(target, Assume{holds, true});
  }
}

Procedure build_procedure(const ir::Module& module,
                          ir::FunctionId function,
                          const BuildOptions& options,
                          const Symbols& symbols,
                          Program& program) {
  return ProcedureBuilder(module, function, options, symbols, program).build();
}

} // namespace heddle::program
