// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Actions and programs for people: dumps, reports, messages. Not a language that can be read back.
#pragma once

#include "program/model/program.h"

#include <string>

namespace heddle::program {

/// "x := load [&a + 4]", "store [&y] := 1 (release)", "assume x < 3".
[[nodiscard]] std::string
to_text(const Program& program, const Procedure& procedure, const Action& action);

/// A term over the procedure's locals; addresses of globals are shown as such ("&x + 4").
[[nodiscard]] std::string to_text(const Program& program, const Procedure& procedure, Term term);

/// Like to_text, but without anything that changes when code elsewhere changes: temporaries have no
/// numbers, objects no addresses. For Location::key.
[[nodiscard]] std::string
to_key_text(const Program& program, const Procedure& procedure, const Action& action);

/// Everything: objects, procedures with their locations and edges, thread templates.
[[nodiscard]] std::string to_text(const Program& program);

} // namespace heddle::program
