// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "unit/report/sample_page.h"

#include <fmt/format.h>

namespace heddle::report_test {

using execution::Event;
using execution::Execution;
using relation::BitMatrix;
using relation::BitSet;

namespace {

constexpr std::uint64_t kX = 0x100;
constexpr std::uint64_t kY = 0x200;
constexpr std::uint64_t kZ = 0x300;

Event event(Event::Kind kind,
            execution::ThreadIndex thread,
            std::uint64_t address,
            unsigned value) {
  Event made;
  made.kind = kind;
  made.thread = thread;
  made.address = address;
  made.size = 4;
  made.value = value;
  return made;
}

std::string location(const Event& event) {
  return event.address == kX ? "x" : event.address == kY ? "y" : "z";
}

void add_program_order(Execution& execution) {
  const std::size_t count = execution.events.size();
  execution.po = BitMatrix(count);
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = a + 1; b < count; ++b)
      if (execution.events[a].kind != Event::Kind::kInitialWrite &&
          execution.events[a].thread == execution.events[b].thread)
        execution.po.insert(a, b);
  execution.rf = BitMatrix(count);
  execution.co = BitMatrix(count);
}

/// Each read takes the write of its value; writes to one location are ordered as they stand.
void add_communication(Execution& execution) {
  const auto is_write = [](const Event& e) {
    return e.kind == Event::Kind::kWrite || e.kind == Event::Kind::kInitialWrite;
  };
  for (std::size_t a = 0; a < execution.events.size(); ++a)
    for (std::size_t b = 0; b < execution.events.size(); ++b) {
      const Event& from = execution.events[a];
      const Event& to = execution.events[b];
      if (!is_write(from) || from.address != to.address)
        continue;
      if (to.kind == Event::Kind::kRead && to.value == from.value)
        execution.rf.insert(a, b);
      if (is_write(to) && a < b)
        execution.co.insert(a, b);
    }
}

std::vector<report::ProgramThread> program() {
  return {{0, "P0", {{"MOV [x],$1 // <b>&amp;\"</script>", {1, 3, 1}}, {"MOV EAX,[y]", {1, 4, 1}}}},
          {1, "P1", {{"MOV [y],$1", {1, 3, 20}}, {"MOV EAX,[x]", {1, 4, 20}}}}};
}

} // namespace

Execution store_buffering(unsigned first, unsigned second) {
  Execution execution;
  execution.events = {event(Event::Kind::kInitialWrite, 0, kX, 0),
                      event(Event::Kind::kInitialWrite, 0, kY, 0),
                      event(Event::Kind::kWrite, 0, kX, 1),
                      event(Event::Kind::kRead, 0, kY, first),
                      event(Event::Kind::kWrite, 1, kY, 1),
                      event(Event::Kind::kRead, 1, kX, second)};
  for (std::size_t i = 2; i < 6; ++i)
    execution.events[i].loc = {1, i % 2 == 0 ? 3U : 4U, i < 4 ? 1U : 20U};
  add_program_order(execution);
  add_communication(execution);
  return execution;
}

report::Picture store_buffering_picture(const Execution& execution) {
  const std::size_t count = execution.events.size();
  report::PictureInput input;
  input.execution = &execution;
  input.threads = program();
  input.location = location;
  input.files = {"", "SB.litmus"};
  BitSet memory(count);
  for (std::size_t i = 0; i < count; ++i)
    memory.insert(i);
  BitSet first(count);
  first.insert(2);
  first.insert(4);
  input.sets = {{"M", memory, false}, {"First", first, false}, {"W", memory, true}};
  BitMatrix ppo(count);
  ppo.insert(2, 3);
  ppo.insert(4, 5);
  input.relations = {{"ppo", ppo, false}};
  if (execution.events[3].value == 0 && execution.events[5].value == 0)
    input.highlight = report::Highlight{
        "sc",
        "acyclic po | rf | co | fr",
        "No order of the four accesses gives both reads 0.",
        {{2, 3, "po"}, {3, 4, "fr"}, {4, 5, "po"}, {5, 2, "fr"}},
    };
  return report::picture(input);
}

report::Page store_buffering_page() {
  report::Page page;
  page.title = "SB<script>alert(1)</script>";
  page.model = "sc";
  page.condition = "exists (0:EAX=0 /\\ 1:EAX=0)";
  page.notes = {"All 4 candidates, of which 3 are allowed."};
  for (const auto& [first, second] :
       std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {1, 0}, {1, 1}, {0, 0}}) {
    report::ShownExecution shown;
    shown.picture = store_buffering_picture(store_buffering(first, second));
    shown.state = {{"0:EAX", std::to_string(first)}, {"1:EAX", std::to_string(second)}};
    shown.satisfies = first == 0 && second == 0;
    if (shown.satisfies) {
      shown.status = report::ShownExecution::Status::kForbidden;
      shown.axioms = {"sc"};
    }
    page.executions.push_back(std::move(shown));
  }
  return page;
}

report::Page large_page() {
  Execution execution;
  for (const std::uint64_t address : {kX, kY, kZ})
    execution.events.push_back(event(Event::Kind::kInitialWrite, 0, address, 0));
  const auto add = [&](Event::Kind kind, unsigned thread, std::uint64_t address, unsigned value) {
    execution.events.push_back(event(kind, thread, address, value));
    Event& last = execution.events.back();
    last.loc = {1, static_cast<std::uint32_t>(execution.events.size()), 1};
    return execution.events.size() - 1;
  };
  add(Event::Kind::kWrite, 0, kX, 1);
  add(Event::Kind::kFence, 0, 0, 0);
  execution.events.back().tags = {"DMB.SY"};
  add(Event::Kind::kWrite, 0, kY, 1);
  execution.events.back().order = ir::Order::kRelease;
  add(Event::Kind::kWrite, 0, kZ, 1);
  const std::size_t acquire = add(Event::Kind::kRead, 1, kY, 1);
  execution.events.back().order = ir::Order::kAcquire;
  const std::size_t branch = add(Event::Kind::kBranch, 1, 0, 0);
  const std::size_t update_read = add(Event::Kind::kRead, 1, kX, 1);
  const std::size_t update_write = add(Event::Kind::kWrite, 1, kX, 2);
  add(Event::Kind::kRead, 2, kX, 2);
  const std::size_t address_read = add(Event::Kind::kRead, 2, kZ, 0);
  const std::size_t dependent = add(Event::Kind::kRead, 2, kY, 0);
  add(Event::Kind::kWrite, 3, kZ, 3);
  add(Event::Kind::kRead, 3, kZ, 3);
  const std::size_t data_read = add(Event::Kind::kRead, 3, kY, 1);
  const std::size_t data_write = add(Event::Kind::kWrite, 3, kX, 4);
  add_program_order(execution);
  add_communication(execution);
  const std::size_t count = execution.events.size();
  execution.rmw = execution.addr = execution.data = execution.ctrl = BitMatrix(count);
  execution.rmw.insert(update_read, update_write);
  execution.addr.insert(address_read, dependent);
  execution.data.insert(data_read, data_write);
  execution.ctrl.insert(acquire, update_write);

  report::PictureInput input;
  input.execution = &execution;
  input.location = location;
  input.files = {"", "large.litmus"};
  for (execution::ThreadIndex thread = 0; thread < 4; ++thread) {
    report::ProgramThread text{thread, fmt::format("P{}", thread), {}};
    for (const Event& each : execution.events)
      if (each.loc.is_known() && each.thread == thread)
        text.lines.push_back({fmt::format("instruction {}", each.loc.line), each.loc});
    input.threads.push_back(std::move(text));
  }
  BitSet branches(count);
  branches.insert(branch);
  input.sets = {{"Br", branches, true}};
  input.relations = {{"hb", execution.po | execution.rf, false}};
  report::Page page;
  page.title = "large";
  page.model = "aarch64";
  page.executions.push_back({report::picture(input)});
  page.executions.back().flags = {"data-race"};
  return page;
}

} // namespace heddle::report_test
