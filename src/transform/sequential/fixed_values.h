// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the locals of a thread hold at a location, where that is one number whatever way was taken
// there: counters of loops that were unrolled, arguments of calls that were inlined. Or where it is
// what another local of the program that is written, the last value in a place that only the thread
// writes (foreign_writes.h), holds still. A thread that
// is run in slices, round after round, would otherwise choose at each label between what the rounds
// before have left in its locals, and no condition or address in a slice would be constant.
#pragma once

#include "program/model/program.h"
#include "transform/basic/rewrite.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace heddle::transform {

/// By edge: locals of the program that is written.
struct Copies {
  std::map<std::uint32_t, program::LocalId> taken = {}; // what the edge reads is the local's value
  std::map<std::uint32_t, program::LocalId> renewed = {}; // the edge changes it
};

class FixedValues {
public:
  /// For a procedure without loops, run by the thread with that index, whose locals have new names
  /// in the program that is written: `terms` are that program's. Source and terms outlive it.
  FixedValues(const program::Program& source,
              program::ProcedureId procedure,
              std::uint32_t thread,
              LocalMap locals,
              Copies copies,
              logic::TermStore& terms);

  /// Whether some run takes the edge, as far as these values tell.
  [[nodiscard]] bool may_happen(std::uint32_t edge) const;
  /// The edge's action for the program that is written.
  [[nodiscard]] program::Action action(std::uint32_t edge) const;

private:
  using Values = std::map<program::LocalId, program::Term>; // constants and copies

  static void meet(std::shared_ptr<const Values>& known, Values values);
  [[nodiscard]] Values after(std::uint32_t edge) const;
  void assign(const program::Assign& assign, Values& values) const;
  [[nodiscard]] program::Term renamed(program::Term term, const Values& values) const;

  const program::Procedure& procedure_;
  unsigned pointer_bits_;
  LocalMap locals_;
  Copies copies_;
  logic::TermStore& terms_;
  program::Term self_;
  std::vector<std::shared_ptr<const Values>> at_; // by location; none where nothing comes
};

} // namespace heddle::transform
