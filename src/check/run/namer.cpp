// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/namer.h"

#include "ir/part.h"
#include "program/model/sync_kinds.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace heddle::check {

namespace {

using program::Request;

/// Fewer threads of a slot are named one by one.
constexpr std::size_t kFewestOfRange = 3;

std::string operation_of(ir::RmwOp op) {
  using ir::RmwOp;
  switch (op) {
  case RmwOp::kExchange:
    return "exchange";
  case RmwOp::kAdd:
    return "fetch add";
  case RmwOp::kSub:
    return "fetch sub";
  case RmwOp::kAnd:
    return "fetch and";
  case RmwOp::kNand:
    return "fetch nand";
  case RmwOp::kOr:
    return "fetch or";
  case RmwOp::kXor:
    return "fetch xor";
  case RmwOp::kMax:
  case RmwOp::kUMax:
    return "fetch max";
  case RmwOp::kMin:
  case RmwOp::kUMin:
    return "fetch min";
  }
  HEDDLE_CHECK(false, "no such read-modify-write");
  return "";
}

std::string with_offset(std::string name, std::uint64_t offset) {
  const auto signed_offset = static_cast<std::int64_t>(offset);
  if (signed_offset == 0)
    return name;
  return signed_offset > 0 ? fmt::format("{}+{}", name, signed_offset)
                           : fmt::format("{}{}", name, signed_offset);
}

} // namespace

bool Namer::add_block(std::uint64_t address) {
  return !blocks_.try_emplace(address, static_cast<unsigned>(blocks_.size()) + 1).second;
}

std::string Namer::name_of_site(program::ObjectId site, std::uint64_t base) const {
  std::vector<std::uint64_t>& known = by_site_[site];
  const auto found = std::ranges::find(known, base);
  const auto number = found - known.begin();
  if (found == known.end())
    known.push_back(base);
  const std::string& name = interpreter_.program().objects[site].name;
  return number == 0 ? name : fmt::format("{}, no. {}", name, number + 1);
}

std::string
Namer::name(const program::MemoryState& memory, std::uint64_t address, std::uint64_t size) const {
  const auto place = interpreter_.place(memory, address);
  if (!place || !place->object.is_valid())
    return address == 0 ? "null" : fmt::format("{:#x}", address);
  const auto block = blocks_.find(address - place->offset);
  const program::Object& object = interpreter_.program().objects[place->object];
  if (block != blocks_.end())
    return with_offset(fmt::format("block {}", block->second), place->offset) +
           (place->is_freed ? " (freed)" : "");
  if (object.kind == program::Object::Kind::kHeapSite) {
    const std::string site = name_of_site(place->object, address - place->offset);
    return (place->offset == 0 ? site : with_offset("(" + site + ")", place->offset)) +
           (place->is_freed ? " (freed)" : "");
  }
  const ir::PartPath path = ir::part_at(object.parts, place->offset, size);
  return with_offset(object.name + path.text, path.rest) + (place->is_freed ? " (freed)" : "");
}

std::string Namer::value(const program::MemoryState& memory,
                         std::uint64_t value,
                         unsigned size,
                         std::uint64_t address) const {
  const program::Program& program = interpreter_.program();
  const unsigned bits = std::clamp(size * 8, 8U, 64U);
  value &= logic::mask_of(bits);
  const program::AddressSpace space = program.space();
  if (bits == program.pointer_bits() && value >= space.base_of(program::AddressSpace::kCodeUnit)) {
    if (const auto place = interpreter_.place(memory, value);
        place && place->object.is_valid() && value >= space.base_of(space.unit_of(value)))
      return "&" + name(memory, value);
  }
  if (const auto place = interpreter_.place(memory, address); place && place->object.is_valid()) {
    const program::Object& object = program.objects[place->object];
    const ir::Part* part = ir::part_at(object.parts, place->offset, size).part;
    const bool is_part = part != nullptr && part->scalar_bits != 0;
    if (object.scalar_bits != 0 || is_part)
      return (is_part ? part->scalar_signed : object.scalar_signed)
                 ? std::to_string(logic::sign_extended(value, bits))
                 : std::to_string(value);
  }
  // The type is not known: a number just below the top is a small negative one.
  const std::int64_t as_signed = logic::sign_extended(value, bits);
  return bits >= 32 && as_signed < 0 && as_signed > -65536 ? std::to_string(as_signed)
                                                           : std::to_string(value);
}

std::string operation_of(const Request& request) {
  switch (request.kind) {
  case Request::Kind::kSynchronize: {
    const auto* synchronize = request.edge == nullptr
                                  ? nullptr
                                  : std::get_if<program::Synchronize>(&request.edge->action);
    return synchronize == nullptr ? "synchronise" : std::string(ir::facts_of(synchronize->op).said);
  }
  case Request::Kind::kReadModifyWrite: {
    const auto* modify = request.edge == nullptr
                             ? nullptr
                             : std::get_if<program::ReadModifyWrite>(&request.edge->action);
    return modify == nullptr ? "read-modify-write" : operation_of(modify->op);
  }
  case Request::Kind::kCompareExchange:
    return "compare exchange";
  case Request::Kind::kFence:
    return "fence";
  case Request::Kind::kAllocate:
    return "allocate";
  case Request::Kind::kFree:
    return "free";
  case Request::Kind::kNondet:
    return "choose";
  case Request::Kind::kWakeUp:
    return "wake up spuriously";
  case Request::Kind::kReacquire:
    return "take back";
  case Request::Kind::kLeaveBarrier:
    return "leave barrier";
  case Request::Kind::kAtomicBegin:
    return "begin atomic section";
  case Request::Kind::kAtomicEnd:
    return "end atomic section";
  case Request::Kind::kThreadExit:
    return "thread ends";
  case Request::Kind::kExit:
    return "program ends";
  case Request::Kind::kLocal:
  case Request::Kind::kLoad:
  case Request::Kind::kStore:
  case Request::Kind::kLoadExclusive:
  case Request::Kind::kStoreExclusive:
  case Request::Kind::kFault:
    return "";
  }
  HEDDLE_CHECK(false, "no such request");
  return "";
}

std::string to_string(program::Wait::Reason reason) {
  using Reason = program::Wait::Reason;
  switch (reason) {
  case Reason::kMutex:
    return "mutex";
  case Reason::kReadWriteLock:
    return "read-write lock";
  case Reason::kJoin:
    return "join";
  case Reason::kCondition:
    return "condition variable";
  case Reason::kSemaphore:
    return "semaphore";
  case Reason::kBarrier:
    return "barrier";
  case Reason::kOnce:
    return "once";
  case Reason::kAtomicSection:
    return "atomic section";
  }
  HEDDLE_CHECK(false, "no such reason");
  return "";
}

ThreadNames thread_names(const program::Program& program,
                         const std::vector<std::vector<program::ProcedureId>>& starts) {
  std::map<program::ProcedureId, unsigned> total;
  for (const auto& slot : starts)
    for (const program::ProcedureId start : slot)
      ++total[start];
  std::map<program::ProcedureId, unsigned> seen;
  ThreadNames names;
  for (std::size_t slot = 0; slot < starts.size(); ++slot) {
    const std::string unknown = fmt::format("thread {}", slot);
    std::vector<std::string>& each = names.each.emplace_back();
    std::string all;
    for (std::size_t first = 0; first < starts[slot].size();) {
      const program::ProcedureId start = starts[slot][first];
      std::size_t next = first;
      for (; next < starts[slot].size() && starts[slot][next] == start; ++next) {
        each.push_back(start.is_valid() ? program.procedures[start].name : unknown);
        if (start.is_valid() && total[start] > 1)
          each.back() += fmt::format(" {}", ++seen[start]);
      }
      const std::size_t count = next - first;
      if (count >= kFewestOfRange && start.is_valid()) {
        all += fmt::format("{}{}-{}", all.empty() ? "" : ", ", each[first], seen[start]);
      } else {
        for (std::size_t i = first; i < next; ++i)
          all += (all.empty() ? "" : ", ") + each[i];
      }
      first = next;
    }
    names.slots.push_back(all.empty() ? unknown : all);
  }
  return names;
}

} // namespace heddle::check
