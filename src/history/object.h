// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Sequential objects: what each operation does when it runs alone, which is what a concurrent
// object is compared with. The built-in ones are made here by name; others (a specification in C)
// implement the interface.
#pragma once

#include "history/history.h"
#include "support/result.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::history {

/// The content of an object; equal contents are equal vectors.
using ObjectState = std::vector<std::int64_t>;

/// An operation of an object, as a scenario may use it.
struct Method {
  enum class Argument : std::uint8_t {
    kNone,
    kUnique, // a value no other operation of the scenario has, so that it tells where it came from
    kKey,    // one of few values, so that operations meet
  };
  std::string name;
  Argument argument = Argument::kNone;
  bool operator==(const Method&) const = default;
};

/// What a thread does in one piece: usually one operation. A lock is given back by whoever took it.
struct Unit {
  struct Call {
    Method method;
    /// Only if the call before it in this unit gave something other than 0.
    bool if_succeeded = false;
  };
  std::vector<Call> calls;
};

class SequentialObject {
public:
  virtual ~SequentialObject() = default;
  [[nodiscard]] virtual ObjectState initial() const = 0;
  /// The state after the operation, or nothing if it cannot happen in that state or would return
  /// something else. What a pending operation, or one of a function without result, returns does
  /// not matter.
  [[nodiscard]] virtual std::optional<ObjectState> apply(const ObjectState& state,
                                                         const Operation& operation) const = 0;
  /// Can an operation that returns nothing still have to wait for others? Then it cannot be left to
  /// a store buffer. Nothing: not known, so that whoever asks has to look when it could not happen.
  [[nodiscard]] virtual std::optional<bool> may_wait(const Operation& operation) const {
    (void)operation;
    return std::nullopt;
  }
  /// Set when the object could not tell what an operation does: no answer counts any more.
  [[nodiscard]] virtual std::optional<Error> error() const { return std::nullopt; }
};

/// How an implementation says what C has no type for.
struct ResultCodes {
  std::int64_t empty = -1; // nothing to take
  /// An operation that gave up returns this, and has done nothing.
  std::optional<std::int64_t> abort = {};
};

/// What the object holds at first, and how much it can hold.
struct Contents {
  /// From the bottom of a stack, the front of a queue or the top of a deque; the keys of a set; the
  /// number of a counter or register; the first cells of stm.
  ObjectState initial = {};
  /// An operation that finds no room returns `full` and does nothing; one that finds some returns
  /// something else.
  std::optional<std::uint64_t> capacity = {};
  std::int64_t full = 0;
};

struct ObjectKind {
  std::string name;
  std::string description;
  /// Of stm: none; its operations are words like "w0r1" (transactions.h).
  std::vector<Method> methods;
};

/// stack, queue, deque, set, multiset, counter, register, lock, stm.
[[nodiscard]] std::span<const ObjectKind> object_kinds();
/// A usage error (HIS-001) that lists the known names, otherwise.
[[nodiscard]] Result<ObjectKind> find_object_kind(std::string_view name);
/// A usage error (HIS-002) that lists the object's operations, otherwise.
[[nodiscard]] Result<Method> find_method(const ObjectKind& kind, std::string_view name);
/// The pieces that threads are made of, if these operations are there.
[[nodiscard]] Result<std::vector<Unit>> units_of(const ObjectKind& kind,
                                                 std::span<const Method> methods);
/// Does the operation put something in that there may be no room for?
[[nodiscard]] bool needs_room(const ObjectKind& kind, std::string_view method);
/// As such an object holds them; a usage error (HIS-005) for contents that it cannot have.
[[nodiscard]] Result<Contents> contents_of(const ObjectKind& kind, Contents given);
/// The contents are those of contents_of; without `initial` it is empty, or 0.
[[nodiscard]] std::unique_ptr<SequentialObject>
make_object(const ObjectKind& kind, const ResultCodes& codes, Contents contents = {});

} // namespace heddle::history
