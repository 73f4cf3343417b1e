// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The two formats of witnesses as text: no decisions, only how things are written. A witness
// without a path is one of correctness.
#pragma once

#include "report/witness/witness_path.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

/// What both formats say of the task and the producer.
struct WitnessHead {
  struct Input {
    std::string path;
    std::string sha256;
  };
  std::string uuid = {}; // YAML only
  std::string creation_time = {};
  std::string producer_version = {};
  std::string configuration = {};
  std::vector<Input> inputs = {};
  std::string specification = {};
  std::string entry = {};
  bool is_lp64 = true;
};

[[nodiscard]] std::string yaml_witness(const WitnessHead& head,
                                       const std::optional<ViolationPath>& path);
/// `head` has one input.
[[nodiscard]] std::string graphml_witness(const WitnessHead& head,
                                          const std::optional<ViolationPath>& path);

/// As the content of an XML element; what XML cannot hold becomes U+FFFD.
[[nodiscard]] std::string escaped_xml(std::string_view text);

} // namespace heddle::report
