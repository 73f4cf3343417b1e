// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/linearizable_fences.h"

#include "support/check.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::object {

namespace {

using transform::FenceKind;
using transform::FencePlace;
using Where = FencePlace::Where;

class Suggesting {
public:
  Suggesting(LinearizableQuestion& question,
             const driver::Options& options,
             const Budget& budget,
             const driver::Listener& listener)
      : question_(question), options_(options), budget_(budget), listener_(listener),
        module_(question.module), places_(transform::fence_places(module_)) {}

  Result<std::variant<SuggestedFences, driver::Unconfirmed>> run() {
    const bool has_store_fences =
        question_.asked.model.machine == memory::MachineKind::kPartialStoreOrder;
    Result<driver::FenceAdvice> advice = driver::search_fences(
        places_.size(), has_store_fences, [this](const std::vector<FenceKind>& kinds) {
          return attempt(kinds);
        });
    question_.module = std::move(module_);
    question_.marked.reset();
    question_.first.clear();
    if (!advice)
      return advice.error();
    if (unconfirmed_)
      return std::variant<SuggestedFences, driver::Unconfirmed>(std::move(*unconfirmed_));
    return std::variant<SuggestedFences, driver::Unconfirmed>(
        SuggestedFences{std::move(*advice), std::move(places_)});
  }

private:
  Result<driver::FenceTrial> attempt(const std::vector<FenceKind>& kinds) {
    question_.module = transform::with_fences(module_, places_, kinds, false);
    question_.marked = transform::with_fences(module_, places_, kinds, true);
    Result<std::variant<LinearizableSummary, driver::Unconfirmed>> checked =
        check_scenarios(question_, options_, budget_, listener_);
    if (!checked)
      return checked.error();
    if (auto* unconfirmed = std::get_if<driver::Unconfirmed>(&*checked)) {
      unconfirmed_ = std::move(*unconfirmed);
      return driver::FenceTrial{driver::FencesUndecided{"a run was not confirmed"}};
    }
    auto& summary = std::get<LinearizableSummary>(*checked);
    if (summary.found) {
      // What went wrong before goes wrong again most easily.
      question_.first.insert(question_.first.begin(), summary.found->planned);
      const auto& violated = std::get<verdict::Violated>(summary.found->verdict.answer);
      return driver::FenceTrial{driver::FencesMissing{passed_places(*violated.violation.run)}};
    }
    if (summary.exhausted)
      return driver::FenceTrial{driver::FencesUndecided{"the search ran out of time or memory"}};
    if (!summary.gaps.empty())
      return driver::FenceTrial{driver::FencesUndecided{summary.gaps.front()}};
    return driver::FenceTrial{driver::FencesSuffice{}};
  }

  LinearizableQuestion& question_;
  const driver::Options& options_;
  const Budget& budget_;
  const driver::Listener& listener_;
  ir::Module module_; // without fences
  std::vector<FencePlace> places_;
  std::optional<driver::Unconfirmed> unconfirmed_;
};

std::string place_text(const FencePlace& place, const ir::Module& module) {
  const std::string& function = module.functions[place.function].name;
  if (place.where == Where::kStart || !place.loc.is_known())
    return fmt::format("at the start of {}", function);
  const std::string line =
      fmt::format("{}:{} in {}", module.files[place.loc.file], place.loc.line, function);
  switch (place.where) {
  case Where::kBeforeStore:
    return "before the store of " + line;
  case Where::kAfterStore:
    return "after the store of " + line;
  case Where::kMeeting:
    return "before " + line;
  case Where::kAfterCall:
    return "after the call of " + line;
  case Where::kAtPrivate:
    return "at " + line;
  case Where::kStart:
    break;
  }
  HEDDLE_CHECK(false, "no such place");
  return {};
}

const char* fence_text(FenceKind kind) {
  return kind == FenceKind::kFull ? "atomic_thread_fence(memory_order_seq_cst)"
                                  : "atomic_thread_fence(memory_order_release)";
}

} // namespace

std::set<std::size_t> passed_places(const execution::Run& run, FirstThread first) {
  std::set<std::size_t> passed;
  for (const execution::Step& step : run.steps) {
    if (first == FirstThread::kIsLeftOut && step.transition.thread == 0)
      continue;
    if (step.edge == nullptr || step.buffer.empty())
      continue;
    const auto* fence = std::get_if<program::Fence>(&step.edge->action);
    if (fence == nullptr)
      continue;
    if (const std::optional<std::size_t> place = transform::marked_place(fence->access.tags))
      passed.insert(*place);
  }
  return passed;
}

Result<std::variant<SuggestedFences, driver::Unconfirmed>>
suggest_fences(LinearizableQuestion& question,
               const driver::Options& options,
               const Budget& budget,
               const driver::Listener& listener) {
  return Suggesting(question, options, budget, listener).run();
}

std::string text_of(const SuggestedFences& suggested,
                    const ir::Module& module,
                    const std::string& model,
                    const std::string& how) {
  const driver::FenceAdvice& advice = suggested.advice;
  switch (advice.outcome) {
  case driver::FenceAdvice::Outcome::kNone:
    return "no fences help: there is a run without delayed stores\n";
  case driver::FenceAdvice::Outcome::kUndecided:
    return fmt::format("fences: not known: {}\n", advice.why);
  case driver::FenceAdvice::Outcome::kFound:
    break;
  }
  std::string lines;
  std::size_t count = 0;
  for (std::size_t i = 0; i < suggested.places.size(); ++i)
    if (advice.kinds[i] != FenceKind::kNone) {
      ++count;
      lines += fmt::format(
          "  {}: {}\n", place_text(suggested.places[i], module), fence_text(advice.kinds[i]));
    }
  return fmt::format("fences: with {} it {} under {}, and no smaller set is enough "
                     "({} sets tried):\n{}",
                     count == 1 ? "this one" : fmt::format("these {}", count),
                     how,
                     model,
                     advice.tried,
                     lines);
}

nlohmann::ordered_json json_of(const SuggestedFences& suggested, const ir::Module& module) {
  const driver::FenceAdvice& advice = suggested.advice;
  nlohmann::ordered_json json;
  json["found"] = advice.outcome == driver::FenceAdvice::Outcome::kFound;
  if (advice.outcome == driver::FenceAdvice::Outcome::kNone)
    json["why_not"] = "there is a run without delayed stores";
  else if (advice.outcome == driver::FenceAdvice::Outcome::kUndecided)
    json["why_not"] = advice.why;
  json["tried"] = advice.tried;
  json["fences"] = nlohmann::ordered_json::array();
  if (advice.outcome != driver::FenceAdvice::Outcome::kFound)
    return json;
  for (std::size_t i = 0; i < suggested.places.size(); ++i) {
    if (advice.kinds[i] == FenceKind::kNone)
      continue;
    const FencePlace& place = suggested.places[i];
    nlohmann::ordered_json one;
    one["function"] = module.functions[place.function].name;
    if (place.loc.is_known()) {
      one["file"] = module.files[place.loc.file];
      one["line"] = place.loc.line;
    }
    one["where"] = place_text(place, module);
    one["fence"] = fence_text(advice.kinds[i]);
    json["fences"].push_back(std::move(one));
  }
  return json;
}

} // namespace heddle::object
