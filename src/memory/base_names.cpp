// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The names that executions give a meaning to, for each vocabulary. docs/cat-support.md explains
// them.
#include "memory/vocabulary.h"
#include "support/check.h"

#include <array>

namespace heddle::memory {

namespace {

using Names = std::vector<std::string>;
using Aliases = std::vector<std::pair<std::string, std::string>>;

void append(Names& to, const Names& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// What every vocabulary has.
BaseNames common() {
  BaseNames names;
  names.sets = {"M", "R", "W", "F", "IW", "FW", "RMW", "Exp", "X"};
  names.relations = {"po",
                     "rf",
                     "co",
                     "loc",
                     "int",
                     "ext",
                     "addr",
                     "data",
                     "ctrl",
                     "rmw",
                     "sm",
                     "si",
                     "same-instance",
                     "same-instr",
                     "same-static",
                     "different-values"};
  // Accesses that no instruction asks for, speculation, undefined behaviour as an event.
  names.empty_sets = {"NExp", "SPEC", "SPURIOUS", "UB"};
  // What is done in sequence inside an instruction for no other reason: herd has it for calls.
  names.empty_relations = {"iico_order"};
  return names;
}

/// Assembly has registers, with events for models that work out dependencies themselves.
void add_registers(BaseNames& names) {
  append(names.sets, {"ADDR", "DATA", "Rreg", "Wreg", "B", "BCC"});
  append(names.relations, {"iico_data", "rf-reg", "same-gpr"});
}

/// Branches of C and values that it computes are no events, and C has no exclusive loads and
/// stores.
void add_c(BaseNames& names) {
  append(names.relations, {"amo"});
  append(names.empty_sets, {"B", "EX", "ADDR", "DATA"});
  append(names.empty_relations, {"lxsx", "iico_data", "rf-reg"});
}

/// Nothing inside an instruction decides about the rest of it: whether an exclusive store succeeds
/// is chosen.
void add_no_decisions(BaseNames& names) {
  append(names.empty_relations, {"iico_ctrl"});
}

/// Only exclusives make updates: amo is empty.
void add_exclusives_only(BaseNames& names) {
  add_no_decisions(names);
  append(names.sets, {"EX"});
  append(names.relations, {"lxsx"});
  append(names.empty_relations, {"amo"});
}

void add_c11(BaseNames& names) {
  add_c(names);
  append(names.sets, {"RLX", "ACQ", "REL", "ACQ_REL", "SC", "CON", "NA", "A", "NAL"});
  append(names.relations, {"iico_ctrl", "casdep"});
  // Locks are updates and writes that release; no update is strong: docs/cat-support.md.
  append(names.empty_sets, {"LS", "LK", "UL", "STRONG"});
}

void add_x86(BaseNames& names) {
  add_registers(names);
  append(names.sets, {"MFENCE", "SFENCE", "LFENCE"});
  append(names.relations, {"amo", "iico_ctrl"});
  append(names.empty_sets, {"EX"});
  append(names.empty_relations, {"lxsx"});
  names.aliases = {{"A", "X"}, {"mfence", "MFENCE"}, {"sfence", "SFENCE"}, {"lfence", "LFENCE"}};
}

/// What Arm's own models speak of and programs here have no instructions for.
void add_no_system(BaseNames& names) {
  // Memory tagging, virtual memory, instruction fetch, cache and translation maintenance,
  // exceptions.
  append(names.empty_sets,
         {"T",
          "TagCheck",
          "PTE",
          "PTEV",
          "PTEINV",
          "PTEAF0",
          "D-PTE",
          "I-PTE",
          "AF",
          "DB",
          "MMU",
          "D-MMU",
          "I-MMU",
          "Translation",
          "AccessFlag",
          "Permission",
          "FAULT",
          "Instr",
          "Restricted-CMODX",
          "TLBI",
          "TLBInXS",
          "TLBIIS",
          "IC",
          "IC.IVAU",
          "IC.IALLU",
          "IC.IALLUIS",
          "DC.CVAU",
          "EXC-ENTRY",
          "EXC-RET",
          "SVC"});
  append(names.empty_relations,
         {"inv-domain",
          "inv-scope",
          "same-tag-loc",
          "same-low-order-bits",
          "PTEtoPA",
          "tr-ib",
          "tc-ib"});
}

void add_aarch64(BaseNames& names) {
  add_registers(names);
  append(names.sets, {"A", "L", "Q", "NoRet", "ISB", "EX"});
  append(names.relations, {"amo", "lxsx", "iico_ctrl"});
  for (const char* fence : {"DMB.", "DSB."})
    for (const char* domain : {"NSH", "ISH", "OSH"})
      for (const char* kind : {"", "LD", "ST"})
        names.sets.push_back(std::string(fence) + domain + kind);
  for (const char* fence : {"DMB.", "DSB."})
    for (const char* kind : {"SY", "LD", "ST"})
      names.sets.push_back(std::string(fence) + kind);
  add_no_system(names);
}

void add_power(BaseNames& names) {
  add_registers(names);
  add_exclusives_only(names);
  append(names.sets, {"SYNC", "LWSYNC", "EIEIO", "ISYNC"});
  names.aliases = {
      {"sync", "SYNC"}, {"lwsync", "LWSYNC"}, {"isync", "ISYNC"}, {"eieio", "EIEIO"}, {"A", "X"}};
}

void add_riscv(BaseNames& names) {
  add_registers(names);
  append(names.sets, {"Acq", "Rel", "AcqRel", "Fence.tso", "Fence.i", "AMO", "EX"});
  append(names.empty_sets, {"Sc"}); // no instruction has that mark: .aq.rl is AcqRel
  add_no_decisions(names);
  append(names.relations, {"amo", "lxsx"});
  for (const char* before : {"r", "w", "rw"})
    for (const char* after : {"r", "w", "rw"})
      names.sets.push_back(std::string("Fence.") + before + "." + after);
}

void add_arm(BaseNames& names) {
  add_registers(names);
  add_exclusives_only(names);
  append(names.sets, {"DMB", "DMB.ST", "DMB.ISH", "DSB", "DSB.ST", "ISB", "A", "L"});
  add_no_system(names);
}

void add_mips(BaseNames& names) {
  add_registers(names);
  add_exclusives_only(names);
  append(names.sets, {"SYNC"});
  names.aliases = {{"sync", "SYNC"}};
}

/// Atomics that return the old value are in SC, loads that acquire in AQ, stores that release in
/// RL.
void add_bpf(BaseNames& names) {
  add_registers(names);
  append(names.sets, {"SC", "AQ", "RL", "EX"});
  append(names.relations, {"amo", "lxsx"});
}

void add_linux(BaseNames& names) {
  add_c(names);
  append(names.empty_relations, {"iico_ctrl"});
  append(names.sets,
         {"Once",
          "Acquire",
          "Release",
          "Noreturn",
          "Mb",
          "Rmb",
          "Wmb",
          "Barrier",
          "Rcu-lock",
          "Rcu-unlock",
          "Sync-rcu",
          "Before-atomic",
          "After-atomic",
          "After-spinlock",
          "After-unlock-lock",
          "After-srcu-read-unlock",
          "Srcu-lock",
          "Srcu-unlock",
          "Sync-srcu",
          "LKR",
          "LKW",
          "UL",
          "LF",
          "RL",
          "RU"});
  names.aliases = {{"ONCE", "Once"},
                   {"ACQUIRE", "Acquire"},
                   {"RELEASE", "Release"},
                   {"NORETURN", "Noreturn"},
                   {"MB", "Mb"}};
}

BaseNames make(Vocabulary vocabulary) {
  BaseNames names = common();
  names.vocabulary = to_string(vocabulary);
  switch (vocabulary) {
  case Vocabulary::kC11:
    add_c11(names);
    break;
  case Vocabulary::kMachine:
    add_c11(names);
    append(names.sets, {"MFENCE", "SFENCE"});
    break;
  case Vocabulary::kX86:
    add_x86(names);
    break;
  case Vocabulary::kAArch64:
    add_aarch64(names);
    break;
  case Vocabulary::kPower:
    add_power(names);
    break;
  case Vocabulary::kRiscV:
    add_riscv(names);
    break;
  case Vocabulary::kArm:
    add_arm(names);
    break;
  case Vocabulary::kMips:
    add_mips(names);
    break;
  case Vocabulary::kLinux:
    add_linux(names);
    break;
  case Vocabulary::kBpf:
    add_bpf(names);
    break;
  }
  return names;
}

constexpr std::size_t kCount = static_cast<std::size_t>(Vocabulary::kBpf) + 1;

} // namespace

const BaseNames& base_names(Vocabulary vocabulary) {
  static const std::array<BaseNames, kCount> all = [] {
    std::array<BaseNames, kCount> made;
    for (std::size_t i = 0; i < kCount; ++i)
      made[i] = make(static_cast<Vocabulary>(i));
    return made;
  }();
  return all[static_cast<std::size_t>(vocabulary)];
}

} // namespace heddle::memory
