// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What others may know of a thread's words.
#include "program/run/state.h"

#include "program/run/interpreter_layout.h"
#include "support/check.h"

namespace heddle::program {

namespace {

/// The index of the word that describes a frame, counted from the innermost.
std::size_t frame_word(const ThreadState& thread, unsigned frame) {
  std::size_t index = thread.words.size() - 1;
  for (unsigned i = 0; i < frame; ++i)
    index -= layout::local_count(thread.words[index]) + 1;
  HEDDLE_CHECK(index >= layout::kFrames && index < thread.words.size(), "no such frame");
  return index;
}

} // namespace

ThreadStatus ThreadState::status() const {
  return layout::status(*this);
}

bool ThreadState::is_detached() const {
  return (words[layout::kHeader] & layout::kDetached) != 0;
}

unsigned ThreadState::frame_count() const {
  unsigned count = 0;
  for (std::size_t end = words.size(); end > layout::kFrames; ++count)
    end -= layout::local_count(words[end - 1]) + 1;
  return count;
}

std::vector<ThreadState::Frame> ThreadState::frames() const {
  std::vector<Frame> found;
  for (std::size_t end = words.size(); end > layout::kFrames;
       end -= layout::local_count(words[end - 1]) + 1)
    found.push_back({ProcedureId{layout::procedure(words[end - 1])},
                     LocationId{layout::location(words[end - 1])}});
  return found;
}

ProcedureId ThreadState::procedure(unsigned frame) const {
  return ProcedureId{layout::procedure(words[frame_word(*this, frame)])};
}

LocationId ThreadState::location(unsigned frame) const {
  return LocationId{layout::location(words[frame_word(*this, frame)])};
}

std::uint64_t ThreadState::local(unsigned frame, LocalId local) const {
  const std::size_t index = frame_word(*this, frame);
  const std::uint32_t count = layout::local_count(words[index]);
  HEDDLE_CHECK(local.index() < count, "no such local");
  return words[index - count + local.index()];
}

} // namespace heddle::program
