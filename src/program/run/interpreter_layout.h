// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The layout of ThreadState's words; only the interpreter's files include this.
//
//   word 0            status (8 bits) | flags (8) | depth of atomic sections (16)
//   word 1            waiting on a condition: its address; at a barrier: the generation it arrived
//   in; ended: the exit
//                     value; otherwise 0
//   then the frames, outermost first, each: its locals, one word each, then a word
//                     procedure (18) | location (20) | locals (16) | units of frame blocks (10)
//
// So the last word describes the innermost frame. A caller's location stays at its call edge until
// the call returns. A thread that has ended has words 0 and 1 only.
#pragma once

#include "program/run/state.h"

#include <cstdint>

namespace heddle::program::layout {

inline constexpr std::size_t kHeader = 0;
inline constexpr std::size_t kExtra = 1;
inline constexpr std::size_t kFrames = 2;

inline constexpr std::uint64_t kDetached = 1ULL << 8U;
/// A timed wait that is reacquiring its mutex because its time was up.
inline constexpr std::uint64_t kTimedOut = 1ULL << 9U;
inline constexpr unsigned kDepthShift = 16;
inline constexpr std::uint64_t kDepthOne = 1ULL << kDepthShift;
inline constexpr std::uint64_t kDepthMask = 0xffffULL << kDepthShift;
/// How many mutexes the thread has taken and not given back itself. They name it as their owner, so
/// that while there are some nobody else gets its index.
inline constexpr unsigned kHeldShift = 32;
inline constexpr std::uint64_t kHeldOne = 1ULL << kHeldShift;
inline constexpr std::uint64_t kHeldMask = 0xffffffffULL << kHeldShift;

inline constexpr unsigned kProcedureBits = 18;
inline constexpr unsigned kLocationBits = 20;
inline constexpr unsigned kLocalsBits = 16;
inline constexpr unsigned kLocationShift = kProcedureBits;
inline constexpr unsigned kLocalsShift = kLocationShift + kLocationBits;
inline constexpr unsigned kUnitsShift = kLocalsShift + kLocalsBits;

[[nodiscard]] constexpr std::uint64_t bits(std::uint64_t word, unsigned shift, unsigned count) {
  return (word >> shift) & ((1ULL << count) - 1);
}
[[nodiscard]] constexpr std::uint32_t procedure(std::uint64_t frame) {
  return static_cast<std::uint32_t>(bits(frame, 0, kProcedureBits));
}
[[nodiscard]] constexpr std::uint32_t location(std::uint64_t frame) {
  return static_cast<std::uint32_t>(bits(frame, kLocationShift, kLocationBits));
}
[[nodiscard]] constexpr std::uint32_t local_count(std::uint64_t frame) {
  return static_cast<std::uint32_t>(bits(frame, kLocalsShift, kLocalsBits));
}
[[nodiscard]] constexpr std::uint32_t frame_units(std::uint64_t frame) {
  return static_cast<std::uint32_t>(frame >> kUnitsShift);
}
[[nodiscard]] constexpr std::uint64_t
frame(std::uint32_t procedure, std::uint32_t location, std::uint32_t locals, std::uint32_t units) {
  return procedure | static_cast<std::uint64_t>(location) << kLocationShift |
         static_cast<std::uint64_t>(locals) << kLocalsShift |
         static_cast<std::uint64_t>(units) << kUnitsShift;
}
inline void set_location(std::uint64_t& frame, std::uint32_t location) {
  constexpr std::uint64_t kMask = ((1ULL << kLocationBits) - 1) << kLocationShift;
  frame = (frame & ~kMask) | static_cast<std::uint64_t>(location) << kLocationShift;
}

[[nodiscard]] inline ThreadStatus status(const ThreadState& thread) {
  return static_cast<ThreadStatus>(thread.words[kHeader] & 0xffU);
}
inline void set_status(ThreadState& thread, ThreadStatus status) {
  thread.words[kHeader] = (thread.words[kHeader] & ~0xffULL) | static_cast<std::uint64_t>(status);
}
[[nodiscard]] inline std::uint64_t innermost(const ThreadState& thread) {
  return thread.words.back();
}
[[nodiscard]] inline std::uint64_t* locals(ThreadState& thread) {
  return thread.words.data() + thread.words.size() - 1 - local_count(thread.words.back());
}
[[nodiscard]] inline const std::uint64_t* locals(const ThreadState& thread) {
  return thread.words.data() + thread.words.size() - 1 - local_count(thread.words.back());
}
[[nodiscard]] inline bool is_outermost(const ThreadState& thread) {
  return thread.words.size() == kFrames + local_count(thread.words.back()) + 1;
}

} // namespace heddle::program::layout
