// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/find_cycle.h"

#include "program/model/sync_kinds.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

namespace heddle::check {

namespace {

using execution::Step;
using verdict::CycleEdge;

class Graph {
public:
  explicit Graph(std::size_t nodes) : edges_(nodes) {}

  void add(std::uint32_t from, std::uint32_t to, const char* relation) {
    if (from == to)
      return;
    for (const CycleEdge& edge : edges_[from])
      if (edge.to == to)
        return;
    edges_[from].push_back({from, to, relation});
  }
  /// A shortest cycle; the one that starts at the earliest step, among equals.
  [[nodiscard]] std::vector<CycleEdge> shortest_cycle() const {
    std::vector<CycleEdge> best;
    for (std::uint32_t start = 0; start < edges_.size(); ++start) {
      std::vector<CycleEdge> cycle = shortest_cycle_from(start);
      if (!cycle.empty() && (best.empty() || cycle.size() < best.size()))
        best = std::move(cycle);
    }
    return best;
  }

private:
  [[nodiscard]] std::vector<CycleEdge> shortest_cycle_from(std::uint32_t start) const {
    std::vector<std::optional<CycleEdge>> reached_by(edges_.size());
    std::deque<std::uint32_t> queue{start};
    while (!queue.empty()) {
      const std::uint32_t node = queue.front();
      queue.pop_front();
      for (const CycleEdge& edge : edges_[node]) {
        if (reached_by[edge.to])
          continue;
        reached_by[edge.to] = edge;
        if (edge.to == start)
          return path_to(start, reached_by);
        queue.push_back(edge.to);
      }
    }
    return {};
  }
  [[nodiscard]] static std::vector<CycleEdge>
  path_to(std::uint32_t start, const std::vector<std::optional<CycleEdge>>& reached_by) {
    std::vector<CycleEdge> path;
    std::uint32_t node = start;
    do {
      path.push_back(*reached_by[node]);
      node = reached_by[node]->from;
    } while (node != start);
    std::ranges::reverse(path);
    return path;
  }

  std::vector<std::vector<CycleEdge>> edges_;
};

/// Program order, with creation before the child's first step and its last before whoever joined
/// it.
void add_program_order(const Replayer& replayer, Graph& graph) {
  const execution::Run& run = replayer.run();
  std::map<program::ThreadIndex, std::uint32_t> last;
  std::map<program::ThreadIndex, std::uint32_t> created_by;
  for (std::uint32_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    if (step.what == Step::What::kFlush)
      continue;
    const program::ThreadIndex thread = step.transition.thread;
    if (const auto creator = created_by.find(thread); creator != created_by.end()) {
      graph.add(creator->second, i, "sync");
      created_by.erase(creator);
    }
    if (const auto earlier = last.find(thread); earlier != last.end())
      graph.add(earlier->second, i, "po");
    last[thread] = i;
    if (const auto joined = replayer.joined_at(i); joined && last.contains(*joined))
      graph.add(last[*joined], i, "sync");
    if (step.created)
      created_by[*step.created] = i;
  }
}

/// Of an object in memory: creating and joining threads is program order's.
bool is_synchronisation(const Step& step) {
  if (const auto* synchronize =
          step.edge == nullptr ? nullptr : std::get_if<program::Synchronize>(&step.edge->action))
    if (is_thread_operation(synchronize->op))
      return false;
  return step.what == Step::What::kSynchronize || step.what == Step::What::kReacquire ||
         step.what == Step::What::kLeaveBarrier;
}

/// Operations on one object take place one after the other, in the order of the run.
void add_synchronisation(const execution::Run& run, Graph& graph) {
  std::map<std::uint64_t, std::uint32_t> last;
  for (std::uint32_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    if (!is_synchronisation(step) || step.address == 0)
      continue;
    if (const auto earlier = last.find(step.address); earlier != last.end())
      graph.add(earlier->second, i, "sync");
    last[step.address] = i;
  }
}

struct WritesOfByte {
  std::vector<std::uint32_t> in_memory; // in the order they reached it
  std::vector<std::uint32_t> pending;
};

} // namespace

std::vector<CycleEdge> find_cycle(const Replayer& replayer) {
  const execution::Run& run = replayer.run();
  Graph graph(run.steps.size());
  add_program_order(replayer, graph);
  add_synchronisation(run, graph);

  std::map<std::uint64_t, WritesOfByte> bytes;
  for (const Provenance::Pending& write : replayer.provenance().memory_order())
    for (std::uint32_t i = 0; i < write.size; ++i)
      bytes[write.address + i].in_memory.push_back(write.step);
  for (program::ThreadIndex thread = 0; thread < replayer.state().core.threads.size(); ++thread)
    for (const Provenance::Pending& write : replayer.provenance().pending(thread))
      for (std::uint32_t i = 0; i < write.size; ++i)
        bytes[write.address + i].pending.push_back(write.step);

  for (const auto& [address, writes] : bytes) {
    for (std::size_t i = 0; i + 1 < writes.in_memory.size(); ++i)
      graph.add(writes.in_memory[i], writes.in_memory[i + 1], "co");
    if (!writes.in_memory.empty())
      for (const std::uint32_t pending : writes.pending)
        graph.add(writes.in_memory.back(), pending, "co");
  }
  for (std::uint32_t i = 0; i < run.steps.size(); ++i) {
    const Sources& sources = replayer.sources()[i];
    for (std::size_t byte = 0; byte < sources.bytes.size(); ++byte) {
      const std::optional<std::uint32_t>& source = sources.bytes[byte];
      if (source)
        graph.add(*source, i, "rf");
      // fr goes to the next write of the byte; co leads on from there.
      const WritesOfByte& writes = bytes[run.steps[i].address + byte];
      auto next = writes.in_memory.begin();
      if (source) {
        next = std::ranges::find(writes.in_memory, *source);
        if (next == writes.in_memory.end())
          continue; // read from its own buffer, and never flushed: nothing is known to come later
        ++next;
      }
      while (next != writes.in_memory.end() && *next == i)
        ++next; // its own write, of a read-modify-write
      if (next != writes.in_memory.end())
        graph.add(i, *next, "fr");
      else
        for (const std::uint32_t pending : writes.pending)
          graph.add(i, pending, "fr");
    }
  }
  return graph.shortest_cycle();
}

namespace {

/// The start and the end of a thread are shown by its nearest step.
std::uint32_t shown_step(const execution::Execution& execution,
                         const execution::Event& event,
                         std::size_t steps) {
  if (event.step < steps)
    return event.step;
  std::optional<std::uint32_t> nearest;
  std::uint32_t least = 0;
  for (const execution::Event& other : execution.events) {
    if (other.kind == execution::Event::Kind::kInitialWrite || other.thread != event.thread ||
        other.step >= steps)
      continue;
    const std::uint32_t distance = other.instruction > event.instruction
                                       ? other.instruction - event.instruction
                                       : event.instruction - other.instruction;
    if (!nearest || distance < least) {
      nearest = other.step;
      least = distance;
    }
  }
  return nearest.value_or(0);
}

} // namespace

std::vector<CycleEdge> find_cycle(const execution::Execution& execution, std::size_t steps) {
  // What is one instruction is one node.
  std::map<std::pair<program::ThreadIndex, std::uint32_t>, std::uint32_t> node_of;
  std::vector<std::uint32_t> step_of;
  std::vector<std::optional<std::uint32_t>> nodes(execution.events.size());
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    const execution::Event& event = execution.events[i];
    if (event.kind != execution::Event::Kind::kRead && event.kind != execution::Event::Kind::kWrite)
      continue;
    const auto [entry, is_new] = node_of.try_emplace({event.thread, event.instruction},
                                                     static_cast<std::uint32_t>(step_of.size()));
    if (is_new)
      step_of.push_back(shown_step(execution, event, steps));
    nodes[i] = entry->second;
  }
  Graph graph(step_of.size());
  const auto add = [&](std::size_t from, std::size_t to, const char* relation) {
    if (nodes[from] && nodes[to])
      graph.add(*nodes[from], *nodes[to], relation);
  };
  for (const auto& [from, to] : execution.po.pairs())
    add(from, to, "po");
  for (const auto& [write, read] : execution.rf.pairs()) {
    add(write, read, "rf");
    for (const std::size_t later : execution.co.row(write).elements())
      add(read, later, "fr");
  }
  for (const auto& [first, second] : execution.co.pairs())
    add(first, second, "co");
  std::vector<CycleEdge> cycle = graph.shortest_cycle();
  for (CycleEdge& edge : cycle) {
    edge.from = step_of[edge.from];
    edge.to = step_of[edge.to];
  }
  return cycle;
}

} // namespace heddle::check
