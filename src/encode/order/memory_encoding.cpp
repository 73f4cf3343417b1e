// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/memory_encoding.h"

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;

} // namespace

/// While a section is open, nobody else does anything. A thread that would wait inside has not
/// entered, so that a section is left, or the run ends in it; what others do after that end does
/// not matter. (Where states are looked at, a thread may wait inside: encode/order/stuck.h.)
void MemoryEncoding::close_section(const program::StaticSection& section) {
  std::vector<Literal> left{~executed(section.begin)};
  for (const EventIndex end : section.ends) {
    if (implies(set_.events[section.begin].guard, set_.events[end].guard))
      return;
    left.push_back(executed(end));
  }
  const std::uint32_t thread = set_.events[section.begin].thread;
  for (EventIndex e = section.begin; e < set_.threads[thread].last; ++e) {
    const program::StaticEvent& event = set_.events[e];
    if (event.section != section.number)
      continue;
    if (event.kind == Kind::kCut || event.kind == Kind::kTrap)
      left.push_back(executed(e));
    else if (event.kind == Kind::kCheck)
      left.push_back(gates_.and_(executed(e), ~literal(event.value)));
  }
  for (const program::StaticWait& wait : set_.waits)
    if (wait.section == section.number)
      left.push_back(literal(wait.waits));
  has_unsure_sections_ = true;
  gates_.require_any(left);
}

} // namespace heddle::encode
