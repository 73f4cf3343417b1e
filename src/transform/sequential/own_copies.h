// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread that alone ever writes a place sees there what it has written last (foreign_writes.h),
// under every memory model. Its sequential program keeps that in a local and does not ask memory.
// Private to sequentialize_*.cpp.
#pragma once

#include "transform/sequential/fixed_values.h"
#include "transform/sequential/foreign_writes.h"
#include "transform/sequential/sequentialize_writer.h"

#include <map>

namespace heddle::transform {

class OwnCopies {
public:
  /// Of a thread that runs the procedure. A local of the writer for each place of its own that it
  /// reads.
  OwnCopies(SequentialWriter& writer,
            const program::Procedure& procedure,
            std::uint32_t thread,
            const ForeignWrites& foreign);

  /// Which edges read and change which locals.
  [[nodiscard]] const Copies& copies() const { return copies_; }
  /// What the places hold before anything happens.
  void begin(const program::Program& source) const;
  /// Writes the action, of that edge, if it reads a place of the thread's own.
  [[nodiscard]] bool read(std::uint32_t edge, const program::Action& action) const;
  /// After the action of that edge.
  void renew(std::uint32_t edge, const program::Action& action) const;

private:
  SequentialWriter* writer_;
  std::map<OwnPlace, program::LocalId> locals_;
  Copies copies_;
};

} // namespace heddle::transform
