// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/event_print.h"

#include <fmt/format.h>

namespace heddle::program {

namespace {

const char* name_of(StaticEvent::Kind kind) {
  switch (kind) {
  case StaticEvent::Kind::kRead:
    return "R";
  case StaticEvent::Kind::kWrite:
    return "W";
  case StaticEvent::Kind::kFence:
    return "F";
  case StaticEvent::Kind::kBranch:
    return "branch";
  case StaticEvent::Kind::kRegisterRead:
    return "register read";
  case StaticEvent::Kind::kRegisterWrite:
    return "register write";
  case StaticEvent::Kind::kChoice:
    return "choice";
  case StaticEvent::Kind::kAssume:
    return "assume";
  case StaticEvent::Kind::kCheck:
    return "check";
  case StaticEvent::Kind::kCut:
    return "cut";
  case StaticEvent::Kind::kTrap:
    return "trap";
  case StaticEvent::Kind::kFree:
    return "free";
  case StaticEvent::Kind::kFound:
    return "found";
  case StaticEvent::Kind::kEndpoint:
    return "endpoint";
  }
  return "?";
}

/// A constant address by the object it lies in.
std::string address_text(const EventSet& set, Term address) {
  if (!set.terms.is_constant(address))
    return "[" + to_text(set, address) + "]";
  const std::uint64_t at = set.terms.node(address).value;
  const AddressSpace space = set.program->space();
  for (const Object& object : set.program->objects) {
    const std::uint64_t base = space.base_of(object.unit);
    if (object.kind == Object::Kind::kGlobal && at >= base && at < base + object.size)
      return at == base ? object.name : fmt::format("{}+{}", object.name, at - base);
  }
  return fmt::format("{:#x}", at);
}

} // namespace

std::string to_text(const EventSet& set, Term term) {
  return set.terms.to_text(term, [&](std::uint64_t number) {
    if (number >= kFirstDefinedVariable)
      return fmt::format("d{}", number - kFirstDefinedVariable);
    if (number >= kFirstEventVariable) {
      const auto index = static_cast<EventIndex>(number - kFirstEventVariable);
      const bool is_choice = set.events[index].kind == StaticEvent::Kind::kChoice;
      return fmt::format("{}{}", is_choice ? 'c' : 'r', index);
    }
    return fmt::format("v{}", number);
  });
}

std::string to_text(const EventSet& set, const StaticEvent& event) {
  std::string text = name_of(event.kind);
  if (event.size != 0)
    text += fmt::format(" {}", event.size);
  if (event.address.is_valid())
    text += " " + address_text(set, event.address);
  const bool is_write = event.kind == StaticEvent::Kind::kWrite;
  if (event.value.is_valid() && (is_write || event.kind == StaticEvent::Kind::kCheck))
    text += (is_write ? " := " : " ") + to_text(set, event.value);
  if (event.fault != FaultKind::kNone)
    text += fmt::format(" ({})", to_string(event.fault));
  if (!set.terms.is_constant(event.guard) || set.terms.node(event.guard).value == 0)
    text += " if " + to_text(set, event.guard);
  if (event.section != 0)
    text += fmt::format(" in section {}", event.section);
  if (event.drains)
    text += " drains";
  return text;
}

std::string to_text(const EventSet& set) {
  std::string text;
  for (std::size_t i = 0; i < set.threads.size(); ++i) {
    text += fmt::format("thread {} {}\n", i, set.threads[i].name);
    for (EventIndex event = set.threads[i].first; event < set.threads[i].last; ++event)
      text += fmt::format("  {}: {}\n", event, to_text(set, set.events[event]));
  }
  for (const StaticEdge& edge : set.amo)
    text += fmt::format("update {} {}\n", edge.from, edge.to);
  for (const StaticJoin& join : set.joins)
    text += fmt::format(
        "join {} of thread {} if {}\n", join.joiner, join.thread, to_text(set, join.guard));
  for (const StaticSection& section : set.sections) {
    text += fmt::format("section {} from {} to", section.number, section.begin);
    for (const EventIndex end : section.ends)
      text += fmt::format(" {}", end);
    text += "\n";
  }
  for (const StaticDefinition& definition : set.definitions)
    text +=
        fmt::format("{} = {}\n", to_text(set, definition.variable), to_text(set, definition.value));
  for (const Approximation& approximation : set.approximations)
    text += fmt::format("approximation: {}\n", approximation.what);
  return text;
}

} // namespace heddle::program
