// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/history.h"

#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace heddle::history {

namespace {

OperationSet all(const History& history) {
  const std::size_t count = history.operations.size();
  return count == kMaxOperations ? ~OperationSet{0} : only(count) - 1;
}

/// A moment without operations under way splits a history into those that returned before it and
/// those that are invoked after it: every one of the first part is before every one of the second.
/// The first part is then what is before some earliest operation of the second, so nothing else
/// needs to be tried.
std::vector<OperationSet> quiescent_cuts(const History& history) {
  std::vector<OperationSet> cuts;
  for (const OperationSet first : history.before) {
    bool is_cut = true;
    for (std::size_t i = 0; i < history.operations.size(); ++i)
      is_cut = is_cut && ((first & only(i)) != 0 || (first & ~history.before[i]) == 0);
    if (is_cut)
      cuts.push_back(first);
  }
  return cuts;
}

} // namespace

History from_events(std::vector<Operation> operations, const std::vector<Event>& events) {
  HEDDLE_CHECK(operations.size() <= kMaxOperations, "too many operations in a history");
  History history{std::move(operations), {}};
  history.before.resize(history.operations.size());
  for (Operation& operation : history.operations)
    operation.has_returned = false;
  OperationSet returned = 0;
  for (const Event& event : events) {
    if (event.kind == Event::Kind::kInvocation) {
      history.before[event.operation] = returned;
    } else {
      returned |= only(event.operation);
      history.operations[event.operation].has_returned = true;
    }
  }
  for (Operation& operation : history.operations)
    if (!operation.has_returned)
      operation.result.reset();
  return history;
}

std::vector<Event> to_events(const History& history) {
  std::vector<std::uint32_t> order(history.operations.size());
  std::iota(order.begin(), order.end(), 0U);
  // What had returned by an invocation only grows, so the sizes tell which came first.
  std::ranges::sort(order, {}, [&](std::uint32_t operation) {
    return std::pair(std::popcount(history.before[operation]), operation);
  });
  std::vector<Event> events;
  OperationSet returned = 0;
  const auto respond = [&](OperationSet operations) {
    for (std::uint32_t i = 0; i < history.operations.size(); ++i)
      if ((operations & ~returned & only(i)) != 0)
        events.push_back({Event::Kind::kResponse, i});
    returned |= operations;
  };
  for (const std::uint32_t operation : order) {
    respond(history.before[operation]);
    events.push_back({Event::Kind::kInvocation, operation});
  }
  OperationSet ended = 0;
  for (std::size_t i = 0; i < history.operations.size(); ++i)
    if (history.operations[i].has_returned)
      ended |= only(i);
  respond(ended);
  return events;
}

History with_order_of(History history, Criterion criterion) {
  switch (criterion) {
  case Criterion::kLinearizable:
    return history;
  case Criterion::kQuiescent: {
    const std::vector<OperationSet> cuts = quiescent_cuts(history);
    for (std::size_t i = 0; i < history.operations.size(); ++i) {
      OperationSet before = 0;
      for (const OperationSet cut : cuts)
        if ((cut & only(i)) == 0)
          before |= cut;
      history.before[i] = before;
    }
    return history;
  }
  case Criterion::kSequential:
    for (std::size_t i = 0; i < history.operations.size(); ++i) {
      OperationSet before = 0;
      for (std::size_t j = 0; j < i; ++j)
        if (history.operations[j].thread == history.operations[i].thread)
          before |= only(j);
      history.before[i] = before & all(history);
    }
    return history;
  }
  HEDDLE_CHECK(false, "no such criterion");
  return history;
}

bool has_returned_value(const Operation& operation, std::int64_t value) {
  if (!operation.has_returned || !operation.result)
    return false;
  const auto differs =
      static_cast<std::uint64_t>(*operation.result) ^ static_cast<std::uint64_t>(value);
  // A truth value is 0 or 1 and no number of one bit.
  const unsigned bits = operation.result_bits > 1 ? operation.result_bits : 64;
  return differs << (64 - bits) == 0;
}

std::string to_string(const Operation& operation) {
  std::string text = fmt::format(
      "{}({})", operation.method, operation.argument ? fmt::to_string(*operation.argument) : "");
  if (!operation.has_returned)
    return text + " pending";
  return operation.result ? fmt::format("{} = {}", text, *operation.result) : text;
}

} // namespace heddle::history
