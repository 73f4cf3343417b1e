// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Certificates of proofs: made from what an engine claims, and checked against the program and the
// question, without the engine. docs/proofs.md says what each kind shows and what is believed.
#pragma once

#include "spec/task.h"
#include "support/approximation.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/certificate.h"

#include <cstdint>
#include <string>
#include <utility>

namespace heddle::check {

/// Errors, beside those of a budget that is used up (support/budget_watch.h):
inline constexpr const char* kMalformed = "CERT-001";      // not a certificate
inline constexpr const char* kNotCertifiable = "CERT-002"; // nothing is known to be wrong
inline constexpr const char* kContradicted =
    "CERT-003"; // a run, or a step of the proof, is against it
[[nodiscard]] inline Error not_certifiable(std::string why) {
  return Error{ErrorKind::kUnsupported, kNotCertifiable, std::move(why)};
}
[[nodiscard]] inline Error contradicted(std::string why) {
  return Error{ErrorKind::kInput, kContradicted, std::move(why)};
}

/// Evidence for the claim. It need not be found the way the engine found it. CERT-002 says why
/// there is none, CERT-003 that the claim is wrong.
[[nodiscard]] Result<verdict::Certificate>
certify(const spec::Task& task, const verdict::Proof& claim, const Budget& budget);

/// How much was looked at.
struct Rechecked {
  std::uint64_t states = 0;
  std::uint64_t steps = 0;     // of the machine, or of a proof of a solver
  Approximations assumed = {}; // by the formula
};
/// Does the certificate show that the property holds for the task's program, as it stands, under
/// the task's model?
[[nodiscard]] Result<Rechecked>
recheck(const spec::Task& task, const verdict::Certificate& certificate, const Budget& budget);

} // namespace heddle::check
