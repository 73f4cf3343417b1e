// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tables. Sources: P. Sewell et al., "C/C++11 mappings to processors" (the page of the
// Cambridge group) and M. Batty et al., "Clarifying and compiling C/C++ concurrency: from C++11 to
// POWER", POPL 2012, for x86, Power and Armv7; what clang 19 emits where these leave a choice; the
// RISC-V unprivileged manual, table A.6; the Arm ABI for C11 atomics ("C++11 atomics in the
// A-profile ABI") with the LSE instructions of Armv8.1.
#include "transform/basic/lower_mapping.h"

namespace heddle::transform {

namespace {

/// MOV, but a seq_cst store is XCHG; LOCK-ed instructions; MFENCE.
constexpr Mapping make_x86() {
  Mapping to;
  to.update.fill({"", "X", ""});
  to.compare = to.update;
  to.fence = {"", "", "", "", "MFENCE"};
  to.exchanges_for_seq_cst_store = true;
  to.lock = {"", "X", ""};
  return to;
}

/// LDR, LDAR; STR, STLR; LDADD and its kin, CAS, with A and L; DMB ISHLD for an acquire fence,
/// otherwise DMB ISH. LDAPR needs an option (rcpc) that Armv8.1 does not have.
constexpr Mapping make_aarch64() {
  Mapping to;
  const Form plain{};
  const Form acquire{"", "A", ""};
  const Form release{"", "L", ""};
  to.load = {plain, acquire, plain, acquire, acquire};
  to.store = {plain, plain, release, release, release};
  to.update = {Form{"", "X", ""},
               Form{"", "X R:A", ""},
               Form{"", "X W:L", ""},
               Form{"", "X R:A W:L", ""},
               Form{"", "X R:A W:L", ""}};
  to.compare = to.update;
  to.fence = {"", "DMB.ISHLD", "DMB.ISH", "DMB.ISH", "DMB.ISH"};
  to.lock = {"", "X R:A", ""};
  to.release = release;
  to.acquire = acquire;
  return to;
}

/// The mapping with sync in front of seq_cst accesses. Acquire loads are followed by a branch on
/// their value and isync; updates that acquire by lwsync, as clang has it. Synchronisations that
/// acquire have lwsync, too: there is no value to branch on.
constexpr Mapping make_power() {
  Mapping to;
  const Form plain{};
  to.load = {plain,
             Form{"", "", "ISYNC", true},
             plain,
             Form{"", "", "ISYNC", true},
             Form{"SYNC", "", "ISYNC", true}};
  to.store = {plain, plain, Form{"LWSYNC", "", ""}, Form{"LWSYNC", "", ""}, Form{"SYNC", "", ""}};
  to.update = {Form{"", "EX X", ""},
               Form{"", "EX X", "LWSYNC"},
               Form{"LWSYNC", "EX X", ""},
               Form{"LWSYNC", "EX X", "LWSYNC"},
               Form{"SYNC", "EX X", "LWSYNC"}};
  to.compare = to.update;
  to.fence = {"", "LWSYNC", "LWSYNC", "LWSYNC", "SYNC"};
  to.update_by = UpdateBy::kExclusives;
  to.compare_by = UpdateBy::kExclusives;
  to.lock = {"", "EX X", "LWSYNC"};
  to.release = {"LWSYNC", "", ""};
  to.acquire = {"", "", "LWSYNC"};
  return to;
}

/// Table A.6: fences for loads and stores, annotations for atomics; compare-exchange by LR and SC.
constexpr Mapping make_riscv() {
  Mapping to;
  const Form plain{};
  const Form acquire{"", "", "Fence.r.rw"};
  const Form release{"Fence.rw.w", "", ""};
  to.load = {plain, acquire, plain, acquire, Form{"Fence.rw.rw", "", "Fence.r.rw"}};
  to.store = {plain, plain, release, release, release};
  to.update = {Form{"", "AMO X", ""},
               Form{"", "AMO Acq X", ""},
               Form{"", "AMO Rel X", ""},
               Form{"", "AMO AcqRel X", ""},
               Form{"", "AMO AcqRel X", ""}};
  to.compare = {Form{"", "EX X", ""},
                Form{"", "EX R:Acq X", ""},
                Form{"", "EX W:Rel X", ""},
                Form{"", "EX R:Acq W:Rel X", ""},
                Form{"", "EX R:AcqRel W:Rel X", ""}};
  to.fence = {"", "Fence.r.rw", "Fence.rw.w", "Fence.tso", "Fence.rw.rw"};
  to.compare_by = UpdateBy::kExclusives;
  to.lock = {"", "AMO Acq X", ""};
  to.release = release;
  to.acquire = acquire;
  return to;
}

/// One full fence for everything: before what releases, after what acquires. DMB ISH of Armv7, sync
/// of MIPS.
constexpr Mapping make_with_one_fence(std::string_view fence) {
  Mapping to;
  const Form plain{};
  const Form acquire{"", "", fence};
  const Form release{fence, "", ""};
  const Form both{fence, "", fence};
  to.load = {plain, acquire, plain, acquire, acquire};
  to.store = {plain, plain, release, release, both};
  to.update = {plain, acquire, release, both, both};
  for (Form& form : to.update)
    form.tags = "EX X";
  to.compare = to.update;
  to.fence = {"", fence, fence, fence, fence};
  to.update_by = UpdateBy::kExclusives;
  to.compare_by = UpdateBy::kExclusives;
  to.lock = {"", "EX X", fence};
  to.release = release;
  to.acquire = acquire;
  return to;
}

/// smp_store_release and smp_load_acquire.
constexpr Mapping make_linux_threads() {
  Mapping to;
  to.release = {"", "release", ""};
  to.acquire = {"", "acquire", ""};
  return to;
}

constexpr Mapping kX86 = make_x86();
constexpr Mapping kAArch64 = make_aarch64();
constexpr Mapping kPower = make_power();
constexpr Mapping kRiscV = make_riscv();
constexpr Mapping kArm = make_with_one_fence("DMB.ISH");
constexpr Mapping kMips = make_with_one_fence("SYNC");
constexpr Mapping kLinuxThreads = make_linux_threads();

} // namespace

Strength strength_of(program::Order order) {
  switch (order) {
  case program::Order::kNone:
  case program::Order::kRelaxed:
    return Strength::kRelaxed;
  case program::Order::kConsume:
  case program::Order::kAcquire:
    return Strength::kAcquire;
  case program::Order::kRelease:
    return Strength::kRelease;
  case program::Order::kAcqRel:
    return Strength::kAcqRel;
  case program::Order::kSeqCst:
    return Strength::kSeqCst;
  }
  return Strength::kSeqCst;
}

Strength stronger(Strength a, Strength b) {
  if (a == b || b == Strength::kRelaxed)
    return a;
  if (a == Strength::kRelaxed)
    return b;
  return a == Strength::kSeqCst || b == Strength::kSeqCst ? Strength::kSeqCst : Strength::kAcqRel;
}

const Mapping* find_mapping(memory::Vocabulary vocabulary) {
  switch (vocabulary) {
  case memory::Vocabulary::kX86:
    return &kX86;
  case memory::Vocabulary::kAArch64:
    return &kAArch64;
  case memory::Vocabulary::kPower:
    return &kPower;
  case memory::Vocabulary::kRiscV:
    return &kRiscV;
  case memory::Vocabulary::kArm:
    return &kArm;
  case memory::Vocabulary::kMips:
    return &kMips;
  case memory::Vocabulary::kC11:
  case memory::Vocabulary::kMachine:
  case memory::Vocabulary::kLinux:
  case memory::Vocabulary::kBpf:
    return nullptr;
  }
  return nullptr;
}

const Mapping* find_thread_mapping(memory::Vocabulary vocabulary) {
  return vocabulary == memory::Vocabulary::kLinux ? &kLinuxThreads : find_mapping(vocabulary);
}

} // namespace heddle::transform
