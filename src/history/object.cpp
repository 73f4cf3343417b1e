// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "history/object.h"

#include "history/transactions.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>

namespace heddle::history {

namespace {

using Argument = Method::Argument;

constexpr std::string_view kTransactional = "stm";

/// What an operation may have returned.
class Returned {
public:
  explicit Returned(const Operation& operation) : operation_(operation) {}
  [[nodiscard]] bool is(std::int64_t value) const {
    return !is_known() || has_returned_value(operation_, value);
  }
  /// C's truth: anything but 0.
  [[nodiscard]] bool is_truth(bool value) const {
    return !is_known() || (*operation_.result != 0) == value;
  }

private:
  [[nodiscard]] bool is_known() const {
    return operation_.has_returned && operation_.result.has_value();
  }
  const Operation& operation_;
};

using After = std::optional<ObjectState>;
using Step = std::function<After(ObjectState, const Operation&, const ResultCodes&)>;

After if_matches(bool matches, ObjectState state) {
  return matches ? After(std::move(state)) : std::nullopt;
}

After push_back(ObjectState state, const Operation& operation, const ResultCodes&) {
  state.push_back(operation.argument.value_or(0));
  return state;
}
After push_front(ObjectState state, const Operation& operation, const ResultCodes&) {
  state.insert(state.begin(), operation.argument.value_or(0));
  return state;
}
After take(ObjectState state, const Operation& operation, const ResultCodes& codes, bool front) {
  const Returned returned(operation);
  if (state.empty())
    return if_matches(returned.is(codes.empty), std::move(state));
  const auto place = front ? state.begin() : state.end() - 1;
  const std::int64_t value = *place;
  state.erase(place);
  return if_matches(returned.is(value), std::move(state));
}
After pop_back(ObjectState state, const Operation& operation, const ResultCodes& codes) {
  return take(std::move(state), operation, codes, false);
}
After pop_front(ObjectState state, const Operation& operation, const ResultCodes& codes) {
  return take(std::move(state), operation, codes, true);
}

// Sets and multisets are sorted.
std::pair<ObjectState::iterator, bool> find(ObjectState& state, std::int64_t key) {
  const auto place = std::ranges::lower_bound(state, key);
  return {place, place != state.end() && *place == key};
}
After set_add(ObjectState state, const Operation& operation, const ResultCodes&) {
  const std::int64_t key = operation.argument.value_or(0);
  const auto [place, is_there] = find(state, key);
  if (!is_there)
    state.insert(place, key);
  return if_matches(Returned(operation).is_truth(!is_there), std::move(state));
}
After set_remove(ObjectState state, const Operation& operation, const ResultCodes&) {
  const auto [place, is_there] = find(state, operation.argument.value_or(0));
  if (is_there)
    state.erase(place);
  return if_matches(Returned(operation).is_truth(is_there), std::move(state));
}
After set_contains(ObjectState state, const Operation& operation, const ResultCodes&) {
  const bool is_there = find(state, operation.argument.value_or(0)).second;
  return if_matches(Returned(operation).is_truth(is_there), std::move(state));
}
After multiset_add(ObjectState state, const Operation& operation, const ResultCodes&) {
  const std::int64_t key = operation.argument.value_or(0);
  state.insert(find(state, key).first, key);
  return state;
}
After multiset_count(ObjectState state, const Operation& operation, const ResultCodes&) {
  const auto count = std::ranges::count(state, operation.argument.value_or(0));
  return if_matches(Returned(operation).is(count), std::move(state));
}

// Counters and registers hold one value.
After count_by(ObjectState state, const Operation& operation, std::int64_t by, bool tells) {
  const std::int64_t old = state[0];
  state[0] += by;
  return if_matches(!tells || Returned(operation).is(old), std::move(state));
}
After increment(ObjectState state, const Operation& operation, const ResultCodes&) {
  return count_by(std::move(state), operation, 1, false);
}
After decrement(ObjectState state, const Operation& operation, const ResultCodes&) {
  return count_by(std::move(state), operation, -1, false);
}
After fetch_increment(ObjectState state, const Operation& operation, const ResultCodes&) {
  return count_by(std::move(state), operation, 1, true);
}
After fetch_decrement(ObjectState state, const Operation& operation, const ResultCodes&) {
  return count_by(std::move(state), operation, -1, true);
}
After get(ObjectState state, const Operation& operation, const ResultCodes&) {
  const bool matches = Returned(operation).is(state[0]);
  return if_matches(matches, std::move(state));
}
After set_value(ObjectState state, const Operation& operation, const ResultCodes&) {
  state[0] = operation.argument.value_or(0);
  return state;
}
After exchange(ObjectState state, const Operation& operation, const ResultCodes&) {
  const std::int64_t old = state[0];
  state[0] = operation.argument.value_or(0);
  return if_matches(Returned(operation).is(old), std::move(state));
}

// A lock holds the number of its owner, or is empty. It can only be taken when free and only be
// given back by its owner.
After acquire(ObjectState state, const Operation& operation, const ResultCodes&) {
  if (!state.empty())
    return std::nullopt;
  return ObjectState{operation.thread};
}
After try_acquire(ObjectState state, const Operation& operation, const ResultCodes&) {
  const bool is_free = state.empty();
  if (is_free)
    state.push_back(operation.thread);
  return if_matches(Returned(operation).is_truth(is_free), std::move(state));
}
After release(ObjectState state, const Operation& operation, const ResultCodes&) {
  return if_matches(state == ObjectState{operation.thread}, {});
}

After transaction(ObjectState state, const Operation& operation, const ResultCodes&) {
  const std::int64_t read =
      run_transaction(operation.method, operation.argument.value_or(0), state);
  return if_matches(Returned(operation).is(read), std::move(state));
}

struct MethodRow {
  Method method;
  Step step;
};
struct ObjectRow {
  ObjectKind kind; // its methods are filled from the rows
  ObjectState initial;
  std::vector<MethodRow> methods;
};

std::vector<ObjectRow> make_rows() {
  std::vector<ObjectRow> rows = {
      {{"stack", "last in, first out", {}},
       {},
       {{{"push", Argument::kUnique}, push_back}, {{"pop", Argument::kNone}, pop_back}}},
      {{"queue", "first in, first out", {}},
       {},
       {{{"enqueue", Argument::kUnique}, push_back}, {{"dequeue", Argument::kNone}, pop_front}}},
      {{"deque", "a queue with two ends", {}},
       {},
       {{{"push_bottom", Argument::kUnique}, push_back},
        {{"pop_bottom", Argument::kNone}, pop_back},
        {{"push_top", Argument::kUnique}, push_front},
        {{"pop_top", Argument::kNone}, pop_front}}},
      {{"set", "keys, each at most once", {}},
       {},
       {{{"add", Argument::kKey}, set_add},
        {{"remove", Argument::kKey}, set_remove},
        {{"contains", Argument::kKey}, set_contains}}},
      {{"multiset", "keys, each any number of times", {}},
       {},
       {{{"add", Argument::kKey}, multiset_add},
        {{"remove", Argument::kKey}, set_remove},
        {{"contains", Argument::kKey}, set_contains},
        {{"count", Argument::kKey}, multiset_count}}},
      {{"counter", "a number; fetch_ operations return the old one", {}},
       {0},
       {{{"increment", Argument::kNone}, increment},
        {{"decrement", Argument::kNone}, decrement},
        {{"fetch_increment", Argument::kNone}, fetch_increment},
        {{"fetch_decrement", Argument::kNone}, fetch_decrement},
        {{"get", Argument::kNone}, get}}},
      {{"register", "one value, at first 0", {}},
       {0},
       {{{"write", Argument::kUnique}, set_value},
        {{"read", Argument::kNone}, get},
        {{"exchange", Argument::kUnique}, exchange}}},
      {{"lock", "mutual exclusion", {}},
       {},
       {{{"acquire", Argument::kNone}, acquire},
        {{"release", Argument::kNone}, release},
        {{"try_acquire", Argument::kNone}, try_acquire}}},
      {{std::string(kTransactional), "cells, read and written by transactions (w0r1, …)", {}},
       ObjectState(kTransactionCells, 0),
       {}},
  };
  for (ObjectRow& row : rows)
    for (const MethodRow& method : row.methods)
      row.kind.methods.push_back(method.method);
  return rows;
}

const std::vector<ObjectRow>& rows() {
  static const std::vector<ObjectRow> table = make_rows();
  return table;
}

const ObjectRow& row_of(const ObjectKind& kind) {
  const auto found =
      std::ranges::find(rows(), kind.name, [](const ObjectRow& row) { return row.kind.name; });
  HEDDLE_CHECK(found != rows().end(), "no such object");
  return *found;
}

class BuiltIn final : public SequentialObject {
public:
  BuiltIn(const ObjectRow& row, const ResultCodes& codes, Contents contents)
      : row_(row), codes_(codes), contents_(std::move(contents)) {}

  [[nodiscard]] ObjectState initial() const override { return contents_.initial; }
  [[nodiscard]] After apply(const ObjectState& state, const Operation& operation) const override {
    if (codes_.abort && has_returned_value(operation, *codes_.abort))
      return state;
    if (contents_.capacity && needs_room(row_.kind, operation.method)) {
      const Returned returned(operation);
      if (state.size() >= *contents_.capacity)
        return if_matches(returned.is(contents_.full), state);
      if (has_returned_value(operation, contents_.full))
        return std::nullopt;
    }
    return step_of(operation.method)(state, operation, codes_);
  }

  [[nodiscard]] std::optional<bool> may_wait(const Operation& operation) const override {
    return row_.kind.name == "lock" && operation.method == "acquire";
  }

private:
  [[nodiscard]] Step step_of(const std::string& method) const {
    if (row_.kind.name == kTransactional)
      return transaction;
    const auto found = std::ranges::find(
        row_.methods, method, [](const MethodRow& row) { return row.method.name; });
    HEDDLE_CHECK(found != row_.methods.end(), "an operation the object does not have");
    return found->step;
  }

  const ObjectRow& row_; // in the table, which lives as long as the program
  ResultCodes codes_;
  Contents contents_;
};

Error usage(std::string code, std::string message) {
  return Error{ErrorKind::kUsage, std::move(code), std::move(message)};
}

bool has(std::span<const Method> methods, std::string_view name) {
  return std::ranges::any_of(methods, [&](const Method& method) { return method.name == name; });
}

} // namespace

std::span<const ObjectKind> object_kinds() {
  static const std::vector<ObjectKind> kinds = [] {
    std::vector<ObjectKind> list;
    for (const ObjectRow& row : rows())
      list.push_back(row.kind);
    return list;
  }();
  return kinds;
}

Result<ObjectKind> find_object_kind(std::string_view name) {
  std::string known;
  for (const ObjectKind& kind : object_kinds()) {
    if (kind.name == name)
      return kind;
    known += (known.empty() ? "" : ", ") + kind.name;
  }
  return usage("HIS-001", fmt::format("unknown object '{}'; expected one of {}", name, known));
}

Result<Method> find_method(const ObjectKind& kind, std::string_view name) {
  if (kind.name == kTransactional) {
    if (is_transaction(name))
      return Method{std::string(name), writes_a_cell(name) ? Argument::kUnique : Argument::kNone};
    return usage("HIS-002",
                 fmt::format("stm has no operation '{}'; expected what a transaction does, as in "
                             "w0r1: w or r and the number of a cell, with at most three reads",
                             name));
  }
  std::string known;
  for (const Method& method : kind.methods) {
    if (method.name == name)
      return method;
    known += (known.empty() ? "" : ", ") + method.name;
  }
  return usage(
      "HIS-002",
      fmt::format("a {} has no operation '{}'; expected one of {}", kind.name, name, known));
}

Result<std::vector<Unit>> units_of(const ObjectKind& kind, std::span<const Method> methods) {
  std::vector<Unit> units;
  if (kind.name != "lock") {
    for (const Method& method : methods)
      units.push_back({{{method, false}}});
    return units;
  }
  const Method back{"release", Argument::kNone};
  if (!has(methods, "release"))
    return usage("HIS-003", "a lock needs its operation release");
  for (const Method& method : methods)
    if (method.name != "release")
      units.push_back({{{method, false}, {back, method.name == "try_acquire"}}});
  if (units.empty())
    return usage("HIS-003", "a lock needs one of its operations acquire and try_acquire");
  return units;
}

bool needs_room(const ObjectKind& kind, std::string_view method) {
  constexpr std::array kLists{"stack", "queue", "deque"};
  return std::ranges::find(kLists, kind.name) != kLists.end() &&
         (method.starts_with("push") || method == "enqueue");
}

Result<Contents> contents_of(const ObjectKind& kind, Contents given) {
  const bool has_room = std::ranges::any_of(
      kind.methods, [&](const Method& method) { return needs_room(kind, method.name); });
  if (given.capacity && !has_room)
    return usage("HIS-005", fmt::format("a {} has no capacity", kind.name));
  if (given.initial.empty())
    return given;
  const std::size_t cells = row_of(kind).initial.size();
  if (kind.name == "lock")
    return usage("HIS-005", "a lock is free at first: it has no initial content");
  if (cells != 0 && given.initial.size() > cells)
    return usage("HIS-005",
                 fmt::format("a {} holds {}, got {} to begin with",
                             kind.name,
                             cells == 1 ? "one number" : fmt::format("{} numbers", cells),
                             given.initial.size()));
  if (cells != 0)
    given.initial.resize(cells, 0);
  if (kind.name == "set" || kind.name == "multiset")
    std::ranges::sort(given.initial);
  if (kind.name == "set" && std::ranges::adjacent_find(given.initial) != given.initial.end())
    return usage("HIS-005", "a set holds each key at most once");
  if (given.capacity && given.initial.size() > *given.capacity)
    return usage("HIS-005",
                 fmt::format("a {} with room for {} cannot hold {} to begin with",
                             kind.name,
                             *given.capacity,
                             given.initial.size()));
  return given;
}

std::unique_ptr<SequentialObject>
make_object(const ObjectKind& kind, const ResultCodes& codes, Contents contents) {
  const ObjectRow& row = row_of(kind);
  if (contents.initial.empty())
    contents.initial = row.initial;
  return std::make_unique<BuiltIn>(row, codes, std::move(contents));
}

} // namespace heddle::history
