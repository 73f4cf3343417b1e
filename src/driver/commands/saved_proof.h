// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What --proof writes and `heddle recheck` reads: the question, how the program was read, and the
// certificate. docs/proofs.md describes the file.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/pipeline.h"
#include "support/result.h"
#include "verdict/certificate.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::driver {

struct SavedProof {
  Options options; // those that matter for what the program is
  Asked asked;
  std::string program; // SHA-256 of the module's text
  verdict::Certificate certificate;
};

[[nodiscard]] std::string to_text(const verdict::Certificate& certificate,
                                  const Options& options,
                                  const Asked& asked,
                                  const Prepared& prepared);
/// The error (RECHECK-002) says what is missing. `files` are the program; `path` is for messages.
[[nodiscard]] Result<SavedProof> read_saved_proof(std::string_view text,
                                                  const std::string& path,
                                                  const std::vector<std::string>& files);

/// Of the module's text, which parses back to the module; folders of source files are left out.
[[nodiscard]] std::string digest_of(const ir::Module& module);

} // namespace heddle::driver
