// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/verify_fences.h"

#include "driver/pipeline/growing.h"
#include "support/budget_watch.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::driver {

namespace {

using transform::FenceKind;
using transform::FencePlace;

class Suggesting {
public:
  Suggesting(const ir::Module& module,
             const Asked& asked,
             const Options& options,
             const Budget& budget,
             const Listener& listener)
      : module_(module), asked_(asked), options_(options), budget_(budget), listener_(listener),
        places_(transform::fence_places(module)) {}

  Result<std::variant<VerifiedFences, Unconfirmed>> run() {
    using Found = std::variant<VerifiedFences, Unconfirmed>;
    const bool has_store_fences = *asked_.model.machine == memory::MachineKind::kPartialStoreOrder;
    Result<FenceAdvice> advice =
        search_fences(places_.size(),
                      has_store_fences,
                      [this](const std::vector<FenceKind>& kinds) { return attempt(kinds); });
    if (!advice)
      return advice.error();
    if (unconfirmed_)
      return Found(std::move(*unconfirmed_));
    return Found(VerifiedFences{{std::move(*advice), std::move(places_)}, how_});
  }

private:
  Result<FenceTrial> attempt(const std::vector<FenceKind>& kinds) {
    Result<Prepared> prepared = prepare(transform::with_fences(module_, places_, kinds, true),
                                        asked_,
                                        options_,
                                        budget_,
                                        listener_);
    if (!prepared && is_budget_used_up(prepared.error()))
      return FenceTrial{FencesUndecided{prepared.error().message}};
    if (!prepared)
      return prepared.error();
    auto answered = answer(asked_, options_, *prepared, budget_, listener_);
    if (!answered)
      return answered.error();
    if (auto* unconfirmed = std::get_if<Unconfirmed>(&*answered)) {
      unconfirmed_ = std::move(*unconfirmed);
      return FenceTrial{FencesUndecided{"a run was not confirmed"}};
    }
    const auto& verdict = std::get<verdict::Verdict>(*answered);
    if (const auto* violated = std::get_if<verdict::Violated>(&verdict.answer)) {
      if (!violated->violation.run)
        return FenceTrial{FencesUndecided{"the violation has no run that tells what it passed"}};
      return FenceTrial{FencesMissing{
          object::passed_places(*violated->violation.run, object::FirstThread::kCounts)}};
    }
    if (const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer))
      return FenceTrial{FencesUndecided{unknown->why}};
    how_ = std::holds_alternative<verdict::Proved>(verdict.answer) ? "is proved"
                                                                   : "holds within the bounds";
    return FenceTrial{FencesSuffice{}};
  }

  const ir::Module& module_;
  const Asked& asked_;
  const Options& options_;
  const Budget& budget_;
  const Listener& listener_;
  std::vector<FencePlace> places_;
  std::string how_ = "holds within the bounds";
  std::optional<Unconfirmed> unconfirmed_;
};

} // namespace

Status check_fences_asked(const Asked& asked, const Options& options) {
  const bool has_buffers =
      asked.model.machine && *asked.model.machine != memory::MachineKind::kSequential;
  if (!has_buffers)
    return Error{ErrorKind::kUsage,
                 "USE-038",
                 fmt::format("--suggest-fences is for models with store buffers, tso and pso, not "
                             "for '{}'",
                             asked.model.name)};
  if (has_bounds_to_choose(options) || options.via == "lazy" || options.via == "eager")
    return Error{ErrorKind::kUsage,
                 "USE-038",
                 "--suggest-fences is for programs with threads, not for --via lazy or eager"};
  return Done{};
}

Result<std::variant<VerifiedFences, Unconfirmed>>
suggest_fences_to_verify(const ir::Module& module,
                         const Asked& asked,
                         const Options& options,
                         const Budget& budget,
                         const Listener& listener) {
  return Suggesting(module, asked, options, budget, listener).run();
}

} // namespace heddle::driver
