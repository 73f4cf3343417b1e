// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/event_options.h"

#include "memory/register_use.h"
#include "memory/vocabulary.h"

#include <algorithm>
#include <string>

namespace heddle::memory {

namespace {

bool is_assembly(Vocabulary vocabulary) {
  switch (vocabulary) {
  case Vocabulary::kX86:
  case Vocabulary::kAArch64:
  case Vocabulary::kPower:
  case Vocabulary::kRiscV:
  case Vocabulary::kArm:
  case Vocabulary::kMips:
  case Vocabulary::kBpf:
    return true;
  case Vocabulary::kC11:
  case Vocabulary::kMachine:
  case Vocabulary::kLinux:
    return false;
  }
  return false;
}

} // namespace

bool takes_dependencies(const Core& core) {
  return std::ranges::any_of(core.base_names, [](const std::string& name) {
    return name == "addr" || name == "data" || name == "ctrl";
  });
}

bool is_assembly(const program::Program& program) {
  const std::optional<Vocabulary> vocabulary = find_vocabulary(program.vocabulary);
  return vocabulary && is_assembly(*vocabulary) && !program.is_lowered;
}

Result<program::EventSetOptions> event_options(const Core& core, const program::Program& program) {
  program::EventSetOptions options;
  const std::optional<Vocabulary> vocabulary = find_vocabulary(program.vocabulary);
  const bool is_for_assembly = vocabulary && is_assembly(*vocabulary);
  // What was lowered from C has its accesses one by one, and its registers are not the processor's.
  options.groups_by_location = is_for_assembly && !program.is_lowered;
  const AskedOfRegisters asked = asked_of_registers(core);
  if (core.computes_dependencies && is_for_assembly && program.is_lowered)
    return Error{ErrorKind::kUnsupported,
                 "ENU-003",
                 "the model works out dependencies from the registers of assembly, which a C "
                 "program does not name; use one that takes addr, data and ctrl as they are"};
  if (options.groups_by_location && asked.registers && asked.dependencies)
    return Error{ErrorKind::kUnsupported,
                 "ENU-004",
                 "the model looks at registers (Rreg, Wreg, ADDR, DATA, iico_data, iico_ctrl, "
                 "rf-reg or same-gpr), and takes addr, data or ctrl as they are; help: define "
                 "these three from registers"};
  options.register_events = core.computes_dependencies && options.groups_by_location;
  options.control_ends_at_join = !options.groups_by_location;
  if ((program.is_compiled || program.is_lowered) && takes_dependencies(core))
    options.merges = program.is_lowered ? program::EventSetOptions::Merges::kControl
                                        : program::EventSetOptions::Merges::kData;
  return options;
}

} // namespace heddle::memory
