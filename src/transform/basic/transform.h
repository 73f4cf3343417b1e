// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A transform turns a Program into a Program that keeps the answers to some properties, and can
// carry a run of the result back. Composed transforms compose their lifts; the checker replays
// after every lift, so a failure names its transform.
#pragma once

#include "execution/run.h"
#include "memory/model.h"
#include "program/model/program.h"
#include "spec/task.h"
#include "support/approximation.h"
#include "support/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::transform {

/// A schedule of the target program to one of the source program.
using Lift = std::function<Result<execution::Schedule>(const execution::Schedule&)>;

struct Transformed {
  program::Program program;
  Lift lift;
  Approximations approximations;
};

class Transform {
public:
  virtual ~Transform() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Is the answer to that property the same on the result (or, with an approximation recorded,
  /// weaker)?
  [[nodiscard]] virtual bool preserves(spec::Property property) const = 0;
  [[nodiscard]] virtual Result<Transformed> apply(const program::Program& source,
                                                  const spec::Bounds& bounds) const = 0;
};

/// Rewrites the program into the vocabulary of a model by the table in docs/semantics.md. Every
/// engine, machine and evaluation sees the lowered program; it is the ground the checker replays
/// on.
[[nodiscard]] std::unique_ptr<Transform> lower(const memory::Model& model);
/// Is there a lowering from C to a vocabulary of a processor?
[[nodiscard]] bool can_lower_to(memory::Vocabulary vocabulary);
/// Calls through pointers become choices between direct ones, which can be inlined.
[[nodiscard]] std::unique_ptr<Transform> direct_calls();
/// With kPrivate a procedure with locals in memory is inlined, too, if no other thread has them and
/// their end makes no difference: they move to the caller's frame. With kInPlace it always is, and
/// every execution of the body makes new ones, whose end is not noticed. kPrivateOrInPlace moves
/// them where it can. Otherwise its calls stay.
enum class InlineSlots : std::uint8_t { kNone, kPrivate, kInPlace, kPrivateOrInPlace };
[[nodiscard]] std::unique_ptr<Transform> inline_calls(InlineSlots slots = InlineSlots::kNone);
/// Thread-local variables that are only read and written by name become locals; calls are inlined
/// for it. A program where one of them has to stay in memory is left as it is.
[[nodiscard]] std::unique_ptr<Transform> thread_registers();
/// A loop that the bounds name by its line must be there, unless it may have been unrolled before.
enum class NamedLoops : std::uint8_t { kMustExist, kMayBeGone };
[[nodiscard]] std::unique_ptr<Transform> unroll(NamedLoops named = NamedLoops::kMustExist);
/// One procedure copy per thread creation site, so that thread-specific facts can be found.
[[nodiscard]] std::unique_ptr<Transform> instantiate();
[[nodiscard]] std::unique_ptr<Transform> merge_local();
/// For call-free programs: runs in which a thread goes around a loop without changing anything are
/// discarded, or those in which it does so more than once. Whether it has woken from a wait on a
/// condition, or has woken others, matters to who waits in a state: then turns in which it has, or
/// may have been, are kept. For liveness only turns without locks are discarded. In the last two
/// a hint (kSpinEnd, with a name for the point) stands before each assumption that something is
/// to be known of: "wait …" or "turn …".
/// With kNoneOfReads only turns are looked at that read, and leave no local behind that is read
/// again: an execution less such a turn is one under every model that more events cannot satisfy.
/// kOneOfReads: the same turns, of which one in each loop is kept, for questions about two accesses
/// of different threads. kTurningOfReads: the same turns, with the hints of kTurning.
enum class IdleTurns : std::uint8_t {
  kNone,
  kOne,
  kSignalled,
  kTurning,
  kNoneOfReads,
  kOneOfReads,
  kTurningOfReads,
};
[[nodiscard]] std::unique_ptr<Transform> skip_idle_turns(IdleTurns kept);

} // namespace heddle::transform
