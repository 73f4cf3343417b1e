// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A sequential object whose operations are C functions (--spec): they are run, one at a time, by
// the interpreter that all engines use. The content of the object is what is in memory between two
// calls.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/question.h"
#include "frontend/c/load.h"
#include "history/object.h"
#include "support/result.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle::object {

struct CSpecification {
  /// With the number of parameters that the functions have; arguments are unique.
  std::vector<history::Method> methods;
  std::unique_ptr<history::SequentialObject> object;
  std::vector<std::string> warnings;
};

/// HAR-005 for one of the functions that takes or returns something that is neither a number nor a
/// pointer: what is made of that in the module is not what C programs mean by it.
[[nodiscard]] Status expect_numbers(const frontend::Loaded& loaded,
                                    const std::vector<std::string>& functions);

/// `asked` says how C is read. A function that is not there or has several parameters is an error.
[[nodiscard]] Result<CSpecification> load_specification(const std::string& file,
                                                        const std::vector<std::string>& functions,
                                                        const driver::Asked& asked,
                                                        const driver::Options& options,
                                                        const history::ResultCodes& codes);

} // namespace heddle::object
