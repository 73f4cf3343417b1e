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
using execution::is_write;
using relation::BitMatrix;
using relation::BitSet;
using Kind = Event::Kind;

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
constexpr std::array<std::pair<std::string_view, SetRule>, 13> kSetRules = {{
    {"R", [](const Event& e) { return e.kind == Kind::kRead; }},
    {"W", is_write},
    {"M", is_memory},
    {"IW", is_initial},
    {"F", [](const Event& e) { return e.kind == Kind::kFence; }},
    {"B", [](const Event& e) { return e.kind == Kind::kBranch; }},
    {"BCC", [](const Event& e) { return e.kind == Kind::kBranch && e.tags.empty(); }},
    {"Exp", is_memory},
    {"Rreg", [](const Event& e) { return e.kind == Kind::kRegisterRead; }},
    {"Wreg", [](const Event& e) { return e.kind == Kind::kRegisterWrite; }},
    {"ADDR", [](const Event& e) { return e.feeds_address; }},
    {"DATA", [](const Event& e) { return e.feeds_data; }},
    {"_", [](const Event&) { return true; }},
}};

/// A tag names its set; a model may write the first letter in upper case ('once is Once).
bool has_tag(const Event& event, std::string_view name) {
  for (const std::string& tag : event.tags)
    if (tag.size() == name.size() &&
        (tag == name ||
         (!tag.empty() &&
          std::toupper(static_cast<unsigned char>(tag[0])) == static_cast<unsigned char>(name[0]) &&
          tag.compare(1, std::string::npos, name.substr(1)) == 0)))
      return true;
  return false;
}

bool same_thread(const Event& a, const Event& b) {
  return !is_initial(a) && !is_initial(b) && a.thread == b.thread;
}
bool same_instruction(const Event& a, const Event& b) {
  return same_thread(a, b) && a.instruction == b.instruction;
}
/// Whichever round of a loop they are of.
bool same_instruction_text(const Event& a, const Event& b) {
  return same_thread(a, b) &&
         (a.instruction == b.instruction || (a.loc.is_known() && a.loc == b.loc));
}
/// The same event of it: of two rounds, or one and the same.
bool same_static_event(const Event& a, const Event& b) {
  return &a == &b || (same_instruction_text(a, b) && a.instruction != b.instruction &&
                      a.kind == b.kind && a.register_name == b.register_name);
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
constexpr std::array<std::pair<std::string_view, PairRule>, 12> kPairRules = {{
    {"loc", same_place},
    {"same-loc", same_place},
    {"scl", same_place},
    {"int", same_thread},
    {"ext", [](const Event& a, const Event& b) { return &a != &b && !same_thread(a, b); }},
    {"same-instance", same_instruction},
    {"si", same_instruction},
    {"same-instr", same_instruction_text},
    {"same-static", same_static_event},
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

/// Calls `insert` for each element.
template <class Insert>
void for_each_in_set(const Execution& execution, std::string_view name, Insert insert) {
  const std::size_t count = execution.events.size();
  if (name == "FW") {
    for (std::size_t i = 0; i < count; ++i)
      if (is_write(execution.events[i]) && execution.co.row(i).empty())
        insert(i);
    return;
  }
  const auto* const rule = std::find_if(kSetRules.begin(), kSetRules.end(), [&](const auto& known) {
    return known.first.front() == name.front() && known.first == name;
  });
  for (std::size_t i = 0; i < count; ++i)
    if (rule != kSetRules.end() ? rule->second(execution.events[i])
                                : has_tag(execution.events[i], name))
      insert(i);
}

/// The relation of that name that an execution has itself.
const BitMatrix* find_relation(const Execution& execution, std::string_view name) {
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
      return matrix;
  return nullptr;
}

/// Calls `insert` for each pair of a relation that is made from the events.
template <class Insert>
void for_each_in_relation(const Execution& execution, std::string_view name, Insert insert) {
  const std::size_t count = execution.events.size();
  if (name == "id") {
    for (std::size_t i = 0; i < count; ++i)
      insert(i, i);
    return;
  }
  if (name == "amo" || name == "lxsx") {
    for (const auto& [read, write] : execution.rmw.pairs())
      if ((execution.events[read].instruction == execution.events[write].instruction) ==
          (name == "amo"))
        insert(read, write);
    return;
  }
  const auto* const rule =
      std::find_if(kPairRules.begin(), kPairRules.end(), [&](const auto& known) {
        return known.first.front() == name.front() && known.first == name;
      });
  if (rule == kPairRules.end())
    return;
  // All these are symmetric.
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = i; j < count; ++j)
      if (rule->second(execution.events[i], execution.events[j])) {
        insert(i, j);
        insert(j, i);
      }
}

bool is_c(const std::string& vocabulary) {
  return vocabulary == "c11" || vocabulary == "machine" || vocabulary == "lkmm";
}

/// The name models of C11 have for an order; null for none.
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

} // namespace

BitSet base_set(const Execution& execution, std::string_view name) {
  BitSet result(execution.events.size());
  for_each_in_set(execution, name, [&](std::size_t i) { result.insert(i); });
  return result;
}

BitMatrix base_relation(const Execution& execution, std::string_view name) {
  const std::size_t count = execution.events.size();
  if (const BitMatrix* given = find_relation(execution, name))
    return given->bound() == count ? *given : BitMatrix(count);
  BitMatrix result(count);
  for_each_in_relation(execution, name, [&](std::size_t i, std::size_t j) { result.insert(i, j); });
  return result;
}

void write_base(const Execution& execution,
                std::string_view name,
                bool is_set,
                std::uint64_t* words,
                std::size_t stride) {
  const auto insert = [&](std::size_t row, std::size_t i) {
    words[row * stride + i / 64] |= std::uint64_t{1} << (i % 64);
  };
  if (is_set) {
    for_each_in_set(execution, name, [&](std::size_t i) { insert(0, i); });
  } else if (const BitMatrix* given = find_relation(execution, name)) {
    for (std::size_t i = 0; i < given->bound(); ++i)
      std::copy_n(given->row(i).words().begin(), stride, words + i * stride);
  } else {
    for_each_in_relation(execution, name, insert);
  }
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
  case program::StaticEvent::Kind::kFree:
  case program::StaticEvent::Kind::kFound:
  case program::StaticEvent::Kind::kEndpoint:
    break;
  }
  return std::nullopt;
}

std::vector<const char*> implied_tags(const std::string& vocabulary,
                                      const program::StaticEvent& event,
                                      program::Order order) {
  std::vector<const char*> tags;
  if (event.is_exclusive)
    tags.push_back("EX");
  const bool is_access = event.kind == program::StaticEvent::Kind::kRead ||
                         event.kind == program::StaticEvent::Kind::kWrite;
  if (vocabulary == "c11" || vocabulary == "machine") {
    const char* const tag =
        event.access == program::AccessKind::kAtomic ? order_tag(order) : nullptr;
    if (tag != nullptr)
      tags.push_back(tag);
    if (is_access)
      tags.push_back(tag != nullptr ? "A" : "NA");
  }
  // The atomic accesses of x86 models.
  if (vocabulary == "x86" && is_access &&
      std::find(event.tags.begin(), event.tags.end(), "X") != event.tags.end())
    tags.push_back("A");
  return tags;
}

Event event_of(const std::string& vocabulary, const program::StaticEvent& from, bool succeeded) {
  Event event;
  event.kind = *event_kind(from.kind);
  event.thread = static_cast<program::ThreadIndex>(from.thread);
  event.size = from.size;
  event.is_atomic = from.access == program::AccessKind::kAtomic;
  event.order = succeeded ? from.order : from.failure_order;
  event.tags = from.tags;
  event.loc = from.loc;
  event.instruction = from.instruction;
  event.access = from.piece_of;
  if (is_register(event))
    event.register_name = from.text;
  event.feeds_address = from.feeds_address;
  event.feeds_data = from.feeds_data;
  for (const char* tag : implied_tags(vocabulary, from, event.order))
    add_tag(event, tag);
  return event;
}

std::span<const char* const> update_tags(const std::string& vocabulary) {
  static constexpr std::array<const char*, 2> kTags = {"RMW", "X"};
  return std::span<const char* const>(kTags).first(is_c(vocabulary) ? 2 : 1);
}

bool are_in_program_order(const std::string& vocabulary, const Event& first, const Event& second) {
  return is_c(vocabulary) || first.instruction < second.instruction ||
         (first.kind == Kind::kRead && second.kind == Kind::kWrite);
}

void add_tag(Event& event, const char* tag) {
  if (std::find(event.tags.begin(), event.tags.end(), tag) == event.tags.end())
    event.tags.emplace_back(tag);
}

} // namespace heddle::memory
