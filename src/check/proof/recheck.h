// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Certificates of proofs: made and checked against the program and the
// question, without the engine. docs/proofs.md says what each kind shows and what is believed.
#pragma once

#include "spec/task.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/certificate.h"

#include <cstdint>

namespace heddle::check {

/// Errors, beside those of a budget that is used up (support/budget_watch.h):
inline constexpr const char* kMalformed = "CERT-001";      // not a certificate
inline constexpr const char* kNotCertifiable = "CERT-002"; // nothing is known to be wrong
inline constexpr const char* kContradicted =
    "CERT-003"; // a run, or a step of the proof, is against it

/// Evidence that the property holds, whichever way an engine has found that. CERT-002 says why
/// there is none, CERT-003 that it does not hold.
[[nodiscard]] Result<verdict::Certificate> certify(const spec::Task& task, const Budget& budget);

/// How much was looked at.
struct Rechecked {
  std::uint64_t states = 0;
  std::uint64_t steps = 0; // of the machine
};
/// Does the certificate show that the property holds for the task's program, as it stands, under
/// the task's model?
[[nodiscard]] Result<Rechecked>
recheck(const spec::Task& task, const verdict::Certificate& certificate, const Budget& budget);

} // namespace heddle::check
