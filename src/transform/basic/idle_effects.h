// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the steps of a loop do to what other threads can see (idle.cpp). Private to that transform.
#pragma once

#include "program/model/program.h"

#include <cstdint>
#include <vector>

namespace heddle::transform {

/// What a step of a turn does to what others can see.
struct Effect {
  enum class Kind : std::uint8_t {
    kNone,
    kSome,
    kUnless, // something, unless `condition` (over the locals after it) holds
    kOwn,    // a store to memory of the thread's own: something, unless that was there already
    kTake,   // of `lock`
    kGive,
    kWait, // gives `lock` and takes it again
  };
  Kind kind = Kind::kNone;
  program::Term condition = {};
  program::Term lock = {}; // an atomic section has none
};

/// By set of objects: does no step of the program read any of them?
[[nodiscard]] IdVector<program::ObjectSetId, bool> unread_objects(const program::Program& program);

/// Can a thread tell that a lock is taken, other than by waiting for it?
[[nodiscard]] bool has_attempts(const program::Program& program);

class Effects {
public:
  struct Seen {
    bool locks_balance = false;   // nobody can tell a lock that is taken and given back
    bool signals = false;         // it matters who was woken
    bool equal_exchanges = false; // a compare-exchange that writes what it found is nothing
    bool attempts = false;        // an attempt to take a lock is nothing where it fails
    /// Stores there are nothing; none: all stores are something.
    const IdVector<program::ObjectSetId, bool>* unread = nullptr;
  };
  /// `changed` says of each local how many steps of the loop at hand assign it. All outlive it.
  Effects(logic::TermStore& terms,
          const program::Procedure& procedure,
          const std::vector<std::uint32_t>& changed,
          Seen seen)
      : terms_(terms), procedure_(procedure), changed_(changed), seen_(seen) {}

  [[nodiscard]] Effect of(const program::Action& action);

private:
  [[nodiscard]] Effect of_store(const program::Store& store) const;
  [[nodiscard]] Effect of_update(const program::ReadModifyWrite& update);
  [[nodiscard]] Effect of_exchange(const program::CompareExchange& exchange);
  [[nodiscard]] Effect of_synchronisation(const program::Synchronize& sync);
  [[nodiscard]] program::Term value_of(program::LocalId local) {
    return terms_.variable(local.value, logic::Sort{procedure_.locals[local].width});
  }

  logic::TermStore& terms_;
  const program::Procedure& procedure_;
  const std::vector<std::uint32_t>& changed_;
  Seen seen_;
};

} // namespace heddle::transform
