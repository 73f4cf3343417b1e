// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Certificates that are sets of states: closed under every step of the plain machine, without any
// reduction or symmetry, so that nothing of the explicit engine has to be believed.
#pragma once

#include "check/proof/recheck.h"
#include "spec/task.h"
#include "support/budget.h"
#include "support/result.h"
#include "verdict/certificate.h"

namespace heddle::check {

/// All states the machine can come to, if they are few enough for the budget and none violates the
/// property.
[[nodiscard]] Result<verdict::ClosedStates> collect_states(const spec::Task& task,
                                                           const Budget& budget);

/// Is the initial state in the set, and does no step lead out of it or violate the property? Steps
/// are taken from states the machine has come to, so that no state of the certificate is trusted to
/// be one; a state that nothing leads to is an error, too.
[[nodiscard]] Result<Rechecked> recheck_states(const spec::Task& task,
                                               const verdict::ClosedStates& certificate,
                                               const Budget& budget);

} // namespace heddle::check
