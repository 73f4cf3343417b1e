// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which objects may hold bytes that nobody has written. Copies of such bytes are unwritten, too
// (docs/semantics.md section 1), so that a copying read has to say which bytes it found so; for the
// many objects that hold none it need not.
#pragma once

#include "program/events/event_pieces.h"
#include "program/model/program.h"

namespace heddle::program {

class UnwrittenObjects {
public:
  UnwrittenObjects(const Program& program, const AccessPieces& pieces);

  /// May a read there find an unwritten byte?
  [[nodiscard]] bool may_be_found(const AccessPlace& place) const;

private:
  [[nodiscard]] bool may_mark(const Program& program,
                              const AccessPieces& pieces,
                              ProcedureId procedure,
                              const Store& store) const;

  IdVector<ObjectId, bool> may_be_unwritten_;
};

/// Byte by byte that of `marked` where the bit of `marks` is set, else that of `value`.
[[nodiscard]] Term with_marked_bytes(logic::TermStore& terms, Term value, Term marked, Term marks);

} // namespace heddle::program
