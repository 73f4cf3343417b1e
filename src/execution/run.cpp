// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "execution/run.h"

namespace heddle::execution {

Schedule Run::schedule() const {
  Schedule result;
  result.reserve(steps.size());
  for (const Step& step : steps)
    result.push_back(step.transition);
  return result;
}

} // namespace heddle::execution
