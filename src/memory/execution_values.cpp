// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/execution_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace heddle::memory {

namespace {

using execution::Event;
using execution::Execution;
using relation::BitMatrix;
using relation::BitSet;
using Kind = Event::Kind;

bool is_write(const Event& event) {
  return event.kind == Kind::kWrite || event.kind == Kind::kInitialWrite;
}
bool is_memory(const Event& event) {
  return event.kind == Kind::kRead || is_write(event);
}
bool is_register(const Event& event) {
  return event.kind == Kind::kRegisterRead || event.kind == Kind::kRegisterWrite;
}
bool is_initial(const Event& event) {
  return event.kind == Kind::kInitialWrite;
}

using SetRule = bool (*)(const Event&);
constexpr std::array<std::pair<std::string_view, SetRule>, 15> kSetRules = {{
    {"R", [](const Event& e) { return e.kind == Kind::kRead; }},
    {"W", is_write},
    {"M", is_memory},
    {"IW", is_initial},
    {"F", [](const Event& e) { return e.kind == Kind::kFence; }},
    {"B", [](const Event& e) { return e.kind == Kind::kBranch; }},
    {"BCC", [](const Event& e) { return e.kind == Kind::kBranch; }},
    {"Exp", is_memory},
    {"Rreg", [](const Event& e) { return e.kind == Kind::kRegisterRead; }},
    {"Wreg", [](const Event& e) { return e.kind == Kind::kRegisterWrite; }},
    {"ADDR", [](const Event& e) { return e.feeds_address; }},
    {"DATA", [](const Event& e) { return e.feeds_data; }},
    {"I", is_initial},
    {"V", [](const Event&) { return false; }},
    {"_", [](const Event&) { return true; }},
}};

/// A tag names its set; a model may write the first letter in upper case ('once is Once).
bool has_tag(const Event& event, std::string_view name) {
  return std::any_of(event.tags.begin(), event.tags.end(), [&](const std::string& tag) {
    return tag == name || (tag.size() == name.size() && !tag.empty() &&
                           std::toupper(static_cast<unsigned char>(tag[0])) ==
                               static_cast<unsigned char>(name[0]) &&
                           tag.compare(1, std::string::npos, name.substr(1)) == 0);
  });
}

bool same_thread(const Event& a, const Event& b) {
  return !is_initial(a) && !is_initial(b) && a.thread == b.thread;
}
bool same_instruction(const Event& a, const Event& b) {
  return same_thread(a, b) && a.instruction == b.instruction;
}
bool same_register(const Event& a, const Event& b) {
  return is_register(a) && is_register(b) && same_thread(a, b) &&
         a.register_name == b.register_name;
}
/// Fences may have a place, too (grace periods of a domain), and registers are places of a thread.
bool same_place(const Event& a, const Event& b) {
  if (is_register(a) || is_register(b))
    return same_register(a, b);
  return a.address != 0 && a.address == b.address;
}

using PairRule = bool (*)(const Event&, const Event&);
constexpr std::array<std::pair<std::string_view, PairRule>, 10> kPairRules = {{
    {"loc", same_place},
    {"same-loc", same_place},
    {"scl", same_place},
    {"int", same_thread},
    {"ext", [](const Event& a, const Event& b) { return &a != &b && !same_thread(a, b); }},
    {"same-instance", same_instruction},
    {"si", same_instruction},
    {"same-gpr", same_register},
    {"sm",
     [](const Event& a, const Event& b) {
       return is_memory(a) &&
              (&a == &b || (same_instruction(a, b) && a.kind == b.kind && a.access == b.access));
     }},
    {"different-values",
     [](const Event& a, const Event& b) {
       return is_memory(a) && is_memory(b) && a.value != b.value;
     }},
}};

} // namespace

BitSet base_set(const Execution& execution, std::string_view name) {
  const std::size_t count = execution.events.size();
  BitSet result(count);
  if (name == "FW") {
    for (std::size_t i = 0; i < count; ++i)
      if (is_write(execution.events[i]) && execution.co.row(i).empty())
        result.insert(i);
    return result;
  }
  const auto* const rule = std::find_if(
      kSetRules.begin(), kSetRules.end(), [&](const auto& known) { return known.first == name; });
  for (std::size_t i = 0; i < count; ++i)
    if (rule != kSetRules.end() ? rule->second(execution.events[i])
                                : has_tag(execution.events[i], name))
      result.insert(i);
  return result;
}

BitMatrix base_relation(const Execution& execution, std::string_view name) {
  const std::size_t count = execution.events.size();
  const std::array<std::pair<std::string_view, const BitMatrix*>, 9> given = {{
      {"po", &execution.po},
      {"rf", &execution.rf},
      {"co", &execution.co},
      {"rmw", &execution.rmw},
      {"addr", &execution.addr},
      {"data", &execution.data},
      {"ctrl", &execution.ctrl},
      {"iico_data", &execution.intra_data},
      {"iico_ctrl", &execution.intra_control},
  }};
  for (const auto& [known, matrix] : given)
    if (known == name)
      return matrix->bound() == count ? *matrix : BitMatrix(count);
  if (name == "id")
    return BitMatrix::identity(count);
  BitMatrix result(count);
  if (name == "amo" || name == "lxsx") {
    for (const auto& [read, write] : execution.rmw.pairs())
      if ((execution.events[read].instruction == execution.events[write].instruction) ==
          (name == "amo"))
        result.insert(read, write);
    return result;
  }
  const auto* const rule = std::find_if(
      kPairRules.begin(), kPairRules.end(), [&](const auto& known) { return known.first == name; });
  if (rule == kPairRules.end())
    return result;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      if (rule->second(execution.events[i], execution.events[j]))
        result.insert(i, j);
  return result;
}

std::optional<Event::Kind> event_kind(program::StaticEvent::Kind kind) {
  switch (kind) {
  case program::StaticEvent::Kind::kRead:
    return Event::Kind::kRead;
  case program::StaticEvent::Kind::kWrite:
    return Event::Kind::kWrite;
  case program::StaticEvent::Kind::kFence:
    return Event::Kind::kFence;
  case program::StaticEvent::Kind::kBranch:
    return Event::Kind::kBranch;
  case program::StaticEvent::Kind::kRegisterRead:
    return Event::Kind::kRegisterRead;
  case program::StaticEvent::Kind::kRegisterWrite:
    return Event::Kind::kRegisterWrite;
  case program::StaticEvent::Kind::kChoice:
  case program::StaticEvent::Kind::kAssume:
  case program::StaticEvent::Kind::kCheck:
  case program::StaticEvent::Kind::kCut:
  case program::StaticEvent::Kind::kTrap:
    break;
  }
  return std::nullopt;
}

const char* order_tag(program::Order order) {
  switch (order) {
  case program::Order::kNone:
    return nullptr;
  case program::Order::kRelaxed:
    return "RLX";
  case program::Order::kConsume:
    return "CON";
  case program::Order::kAcquire:
    return "ACQ";
  case program::Order::kRelease:
    return "REL";
  case program::Order::kAcqRel:
    return "ACQ_REL";
  case program::Order::kSeqCst:
    return "SC";
  }
  return nullptr;
}

} // namespace heddle::memory
