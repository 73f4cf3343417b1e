// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/first_unexplained.h"

#include "history/linearize.h"

#include <set>

namespace heddle::history {

namespace {

/// The history of the first events, with the operations that have been invoked by then.
struct Begun {
  History history;
  std::vector<std::uint32_t> operations; // their indices in the whole history
};

Begun begun(const std::vector<Operation>& operations, std::span<const Event> events) {
  Begun result;
  std::vector<Operation> invoked;
  std::vector<std::uint32_t> index(operations.size(), 0);
  std::vector<Event> own;
  for (const Event& event : events) {
    if (event.kind == Event::Kind::kInvocation) {
      index[event.operation] = static_cast<std::uint32_t>(invoked.size());
      invoked.push_back(operations[event.operation]);
      result.operations.push_back(event.operation);
    }
    own.push_back({event.kind, index[event.operation]});
  }
  result.history = from_events(std::move(invoked), own);
  return result;
}

} // namespace

std::optional<FirstUnexplained> first_unexplained(const History& history,
                                                  std::span<const Event> events,
                                                  const SequentialObject& object,
                                                  std::span<const std::int64_t> tried) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].kind != Event::Kind::kResponse)
      continue;
    const std::span<const Event> with_return = events.first(i + 1);
    if (linearize(begun(history.operations, with_return).history, object))
      continue;
    FirstUnexplained found{events[i].operation};
    const auto explain = [&](const Begun& begun) {
      const std::optional<Linearization> explanation = linearize(begun.history, object);
      if (explanation && found.order.empty())
        for (const std::uint32_t operation : explanation->order)
          found.order.push_back(begun.operations[operation]);
      return explanation.has_value();
    };
    std::vector<Operation> changed = history.operations;
    std::optional<std::int64_t>& result = changed[found.operation].result;
    if (result)
      for (const std::int64_t value : std::set<std::int64_t>(tried.begin(), tried.end())) {
        result = value;
        if (explain(begun(changed, with_return)))
          found.explained.push_back(value);
      }
    if (found.explained.empty())
      explain(begun(history.operations, events.first(i)));
    return found;
  }
  return std::nullopt;
}

} // namespace heddle::history
