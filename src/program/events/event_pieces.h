// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where the accesses of a program may go, object by object and offset by offset, and what follows
// from it for events: into pieces of which size an access is cut, so that two pieces are the same
// bytes or disjoint, and (for a solver) which objects only one thread touches and are followed like
// registers instead of having events.
#pragma once

#include "program/analyse/alias.h"
#include "program/model/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

namespace heddle::program {

/// Where one access may go.
struct AccessPlace {
  /// Anywhere, at multiples of its size; what lies otherwise is to be refused when it happens.
  bool is_any = false;
  std::vector<std::pair<ObjectId, Offsets>> targets = {};
  std::uint8_t size = 0;
  std::uint8_t piece = 0;   // bytes; divides `size` and every offset
  bool is_followed = false; // all targets are private to a thread and followed like registers
};

/// How the state of a lock lies in memory (sync_layout.h): as the interpreter has it, or one word
/// for all that a step looks at, so that it is one access (for models with axioms).
enum class LockWords : std::uint8_t { kFields, kWhole };

class AccessPieces {
public:
  /// Objects of `with_events` are not followed.
  explicit AccessPieces(const Program& program,
                        const std::set<ObjectId>& with_events = {},
                        LockWords words = LockWords::kFields);

  /// Of the access of `size` bytes at `address` + `shift` that the procedure makes.
  [[nodiscard]] const AccessPlace&
  place(ProcedureId procedure, Term address, std::uint64_t shift, std::uint8_t size) const;
  [[nodiscard]] bool is_followed(ObjectId object) const { return is_followed_[object]; }
  /// Is every mutex of the normal kind? Judged by initial bytes, pthread_mutex_init and stores to
  /// where the kind lies.
  [[nodiscard]] bool has_only_normal_mutexes() const;

private:
  using Key = std::tuple<ProcedureId, Term, std::uint64_t, std::uint8_t>;
  void collect(ProcedureId procedure, const Action& action);
  void
  add(ProcedureId procedure, Term address, std::uint64_t shift, std::uint8_t size, bool has_event);
  [[nodiscard]] AliasValue address_value(ProcedureId procedure, Term address);
  void leave_out_freed();
  void choose_followed(const std::set<ObjectId>& with_events);
  void choose_pieces();
  bool shrink(AccessPlace& a, Offsets at_a, AccessPlace& b, Offsets at_b);

  const Program& program_;
  LockWords words_;
  ConstantAddresses constants_;
  std::optional<PointsTo> points_to_;    // once an address is not a number
  std::map<Key, std::size_t> by_access_; // into places_
  std::vector<AccessPlace> places_;      // each once
  std::vector<bool> has_event_;          // by place
  IdVector<ObjectId, bool> is_followed_;
};

/// The words a synchronisation reads and writes, as (operand, offset, bytes); see sync_layout.h.
struct SyncWord {
  std::size_t operand = 0;
  std::uint64_t offset = 0;
  std::uint8_t size = 0;
};
[[nodiscard]] std::vector<SyncWord> sync_words(SyncOp op, ir::DataModel model, LockWords words);

} // namespace heddle::program
