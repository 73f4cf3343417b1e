// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/certify.h"

#include "check/proof/recheck.h"
#include "driver/commands/saved_proof.h"
#include "report/write_file.h"
#include "support/budget_watch.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::driver {

namespace {

/// Why there is none, for the verdict line; nothing if that is our bug.
std::optional<std::string> why_none(const Error& error, const Budget& budget) {
  if (error.code == check::kNotCertifiable)
    return error.message;
  if (!is_budget_used_up(error))
    return std::nullopt;
  const std::optional<Exhausted> what = budget.exhausted(0);
  if (what == Exhausted::kTime)
    return "time is up";
  if (what == Exhausted::kInterrupted)
    return "interrupted";
  return error.message;
}

} // namespace

Result<std::optional<std::string>> certify_proof(verdict::Verdict& verdict,
                                                 const Options& options,
                                                 const Asked& asked,
                                                 const Prepared& prepared,
                                                 const Budget& budget) {
  const std::optional<std::string> no_bug;
  auto* proved = std::get_if<verdict::Proved>(&verdict.answer);
  if (proved == nullptr || (options.proof.empty() && !options.certify))
    return no_bug;
  verdict::Certification certification;
  const auto without = [&](const Error& error) -> Result<std::optional<std::string>> {
    const std::optional<std::string> why = why_none(error, budget);
    if (!why)
      return std::optional("the proof does not recheck: " + error.message);
    certification.why_none = *why;
    proved->certification = certification;
    return no_bug;
  };
  // Of the program as it was lowered: no further transform has to be believed.
  const spec::Task task = make_task(asked, options, prepared.ground());
  const Result<verdict::Certificate> certificate = check::certify(task, proved->proof, budget);
  if (!certificate)
    return without(certificate.error());
  const std::string text = to_text(*certificate, options, asked, prepared);
  if (!options.proof.empty())
    if (const Status written = report::write_file(options.proof, text); !written)
      return written.error();
  if (options.certify) {
    // What was written is what is checked.
    const Result<SavedProof> saved = read_saved_proof(text, options.proof, options.files);
    if (!saved)
      return saved.error();
    const Result<check::Rechecked> rechecked = check::recheck(task, saved->certificate, budget);
    if (!rechecked)
      return without(rechecked.error());
    certification.is_rechecked = true;
  }
  proved->certification = certification;
  return no_bug;
}

} // namespace heddle::driver
