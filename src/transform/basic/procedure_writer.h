// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// For transforms that write a procedure anew, edge by edge.
#pragma once

#include "logic/term.h"
#include "program/model/control_flow.h"
#include "program/model/program.h"

#include <cstdint>
#include <utility>

namespace heddle::transform {

class ProcedureWriter {
protected:
  explicit ProcedureWriter(logic::TermStore& terms) : terms_(terms) {}

  program::LocationId fresh(SourceLoc loc) {
    return made_.locations.push_back(program::Location{{}, loc, {}, false});
  }
  void
  edge(program::LocationId from, program::LocationId to, program::Action action, SourceLoc loc) {
    program::add_edge(made_, program::Edge{from, to, std::move(action), loc});
  }
  program::LocationId then(program::LocationId from, program::Action action, SourceLoc loc) {
    const program::LocationId to = fresh(loc);
    edge(from, to, std::move(action), loc);
    return to;
  }
  program::Term value(program::LocalId local) {
    return terms_.variable(local.value, logic::Sort{made_.locals[local].width});
  }
  program::Term number(std::uint64_t number, program::LocalId local) {
    return terms_.constant(number, made_.locals[local].width);
  }
  program::Term is(program::LocalId local, std::uint64_t number_) {
    return terms_.equal(value(local), number(number_, local));
  }

  logic::TermStore& terms_;
  program::Procedure made_;
};

} // namespace heddle::transform
