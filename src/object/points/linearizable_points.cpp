// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/points/linearizable_points.h"

#include "object/points/point_search.h"
#include "object/scenarios/harness_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::object {

namespace {

using How = EffectPlace::How;
using What = execution::Step::What;

/// Where the function has its lines.
std::string file_of(const EffectPlace& place, const ir::Module& module) {
  if (const auto id = module.find_function(place.function))
    for (const ir::Block& block : module.functions[*id].blocks)
      for (const ir::Instruction& instruction : block.instructions)
        if (instruction.loc.is_known() && instruction.loc.line == place.line)
          return module.files[instruction.loc.file];
  return {};
}

/// What an operation that finds nothing, or does not succeed, returns.
std::int64_t value_of_nothing(const LinearizableQuestion& question,
                              const driver::Options& options) {
  const bool tells_truth = question.object_name == "set" || question.object_name == "multiset" ||
                           question.object_name == "lock";
  return tells_truth ? 0 : std::stoll(options.empty);
}

/// Updates are preferred, then stores, then reads: that is where objects change.
unsigned preference(How how) {
  return how == How::kUpdate ? 0 : how == How::kFlush ? 1 : 2;
}

/// All accesses of the module that could be points.
std::vector<EffectPlace> places_of(const ir::Module& module, bool has_flushes) {
  std::vector<EffectPlace> places;
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.instructions) {
        const std::optional<How> how = effect_of(instruction.operation);
        if (!how || !instruction.loc.is_known() || (*how == How::kFlush && !has_flushes))
          continue;
        EffectPlace place{function.name, instruction.loc.line, *how, {}};
        if (std::ranges::find(places, place) == places.end())
          places.push_back(std::move(place));
      }
  std::ranges::sort(places, {}, [](const EffectPlace& place) {
    return std::tuple(preference(place.how), place.function, place.line);
  });
  return places;
}

/// The functions that a call of `root` may run, itself included. A callee that is not known is left
/// out.
std::set<std::string> called_by(const std::string& root, const ir::Module& module) {
  std::set<std::string> names = {root};
  std::vector<std::string> todo = {root};
  while (!todo.empty()) {
    const auto id = module.find_function(todo.back());
    todo.pop_back();
    if (!id)
      continue;
    for (const ir::Block& block : module.functions[*id].blocks)
      for (const ir::Instruction& instruction : block.instructions)
        if (const auto* call = std::get_if<ir::Call>(&instruction.operation))
          if (const auto* callee = std::get_if<ir::FunctionAddress>(&call->callee))
            if (const std::string& name = module.functions[callee->function].name;
                names.insert(name).second)
              todo.push_back(name);
  }
  return names;
}

class Inferring {
public:
  Inferring(LinearizableQuestion& question,
            const driver::Options& options,
            const Budget& budget,
            const driver::Listener& listener)
      : question_(question), options_(options), budget_(budget), listener_(listener),
        places_(places_of(question.module,
                          question.asked.model.machine != memory::MachineKind::kPartialStoreOrder)),
        nothing_(value_of_nothing(question, options)) {}

  Result<std::variant<InferredPoints, driver::Unconfirmed>> run() {
    // What depends on results doubles the points, so it comes second.
    for (const bool by_result : {false, true}) {
      by_result_ = by_result;
      if (const Status searched = search(); !searched)
        return searched.error();
      if (unconfirmed_)
        return std::variant<InferredPoints, driver::Unconfirmed>(std::move(*unconfirmed_));
      if (!inferred_.points.empty() || is_undecided_)
        break;
    }
    if (inferred_.points.empty())
      restore();
    question_.first.clear();
    return std::variant<InferredPoints, driver::Unconfirmed>(std::move(inferred_));
  }

private:
  void use(const std::vector<EffectPlace>& points) {
    question_.effects = points;
    question_.by_clock = needs_clock(points, question_.asked.model);
    question_.timing = question_.by_clock ? history::Timing::kFixed : history::Timing::kInterval;
    question_.responses = question_.by_clock ? Responses::kAtReturn : Responses::kAtEffect;
  }
  void restore() {
    question_.effects.clear();
    question_.by_clock = false;
    question_.timing = history::Timing::kInterval;
    question_.responses = Responses::kAtReturn;
  }

  /// Numbers of points: places, or with results two for each.
  [[nodiscard]] EffectPlace point(std::size_t number) const {
    if (!by_result_)
      return places_[number];
    EffectPlace place = places_[number / 2];
    place.returns = EffectPlace::Returns{nothing_, number % 2 == 1};
    return place;
  }
  [[nodiscard]] std::size_t number_of(std::size_t place, const history::Operation& call) const {
    if (!by_result_)
      return place;
    return 2 * place + (call.result.value_or(0) == nothing_ ? 0 : 1);
  }
  [[nodiscard]] std::vector<EffectPlace> points_of(const PointSet& numbers) const {
    std::vector<EffectPlace> points;
    for (const std::size_t number : numbers) {
      // Both results: it does not matter which.
      if (by_result_ && numbers.contains(number ^ 1U)) {
        if (number % 2 == 0)
          points.push_back(places_[number / 2]);
        continue;
      }
      points.push_back(point(number));
    }
    return points;
  }

  Status search() {
    PointSearch search(*question_.object);
    for (const Seen& seen : seen_)
      search.add(passes_of(seen.found, seen.tried));
    while (const std::optional<PointSet> numbers = search.next()) {
      const std::vector<EffectPlace> points = points_of(*numbers);
      const bool depends = std::ranges::any_of(
          points, [](const EffectPlace& place) { return place.returns.has_value(); });
      if (depends && needs_clock(points, question_.asked.model)) {
        search.exclude(*numbers); // the clock does not know results
        continue;
      }
      if (listener_.tell)
        listener_.tell(fmt::format("trying {} linearization points", points.size()));
      use(points);
      Result<std::variant<LinearizableSummary, driver::Unconfirmed>> checked =
          check_scenarios(question_, options_, budget_, listener_);
      if (!checked)
        return checked.error();
      ++inferred_.tried;
      if (auto* unconfirmed = std::get_if<driver::Unconfirmed>(&*checked)) {
        unconfirmed_ = std::move(*unconfirmed);
        return Done{};
      }
      auto& summary = std::get<LinearizableSummary>(*checked);
      if (summary.found) {
        // What went wrong before goes wrong again most easily.
        question_.first.insert(question_.first.begin(), summary.found->planned);
        PassingRun run = passes_of(*summary.found, points);
        if (explains(*numbers, run, *question_.object))
          search.exclude(*numbers);
        search.add(std::move(run));
        seen_.push_back({std::move(*summary.found), points});
        continue;
      }
      if (summary.exhausted || !summary.gaps.empty()) {
        inferred_.why_none =
            "not known: " +
            (summary.exhausted ? "the search ran out of time or memory" : summary.gaps.front());
        is_undecided_ = true;
        return Done{};
      }
      inferred_.points = points;
      inferred_.warnings = warnings_of_late_points(question_, points);
      inferred_.why_none.clear();
      inferred_.summary = std::move(summary);
      return Done{};
    }
    inferred_.why_none = search.why_none();
    return Done{};
  }

  [[nodiscard]] std::optional<std::size_t> place_of(const execution::Step& step,
                                                    const program::Program& program) const {
    if (step.stack.empty() || !step.loc.is_known())
      return std::nullopt;
    const std::string& function = program.procedures[step.stack.front().procedure].name;
    const auto find = [&](How how) -> std::optional<std::size_t> {
      const auto found = std::ranges::find(places_, EffectPlace{function, step.loc.line, how, {}});
      if (found == places_.end())
        return std::nullopt;
      return static_cast<std::size_t>(found - places_.begin());
    };
    switch (step.what) {
    case What::kRead:
      return find(How::kRead);
    case What::kWrite:
      return find(How::kFlush);
    case What::kReadModifyWrite:
    case What::kFailedCompareExchange: {
      const std::optional<std::size_t> update = find(How::kUpdate);
      return update ? update : find(How::kFlush); // a store that is made as an exchange
    }
    default:
      return std::nullopt;
    }
  }

  /// Where the operations of a run could have taken effect. `tried` are the points it was found
  /// with.
  [[nodiscard]] PassingRun passes_of(const UnexplainedHistory& seen,
                                     const std::vector<EffectPlace>& tried) const {
    const program::Program& program = seen.prepared->ground();
    const execution::Run& run = *std::get<verdict::Violated>(seen.verdict.answer).violation.run;
    PassingRun passing;
    passing.scenario = to_string(seen.planned);
    for (const history::Operation& operation : seen.history.operations)
      passing.calls.push_back({operation, {}});
    std::map<std::uint32_t, std::size_t> flushed; // when a write reached memory
    for (std::uint32_t i = 0; i < run.steps.size(); ++i)
      if (run.steps[i].what == What::kFlush && run.steps[i].flushes)
        flushed[*run.steps[i].flushes] = i;
    std::map<std::uint32_t, std::uint32_t> under_way; // by thread
    for (std::uint32_t i = 0; i < run.steps.size(); ++i) {
      const execution::Step& step = run.steps[i];
      if (const auto moment = seen.moments.find(i); moment != seen.moments.end()) {
        if (moment->second.kind == history::Event::Kind::kInvocation)
          under_way[step.transition.thread] = moment->second.operation;
        else
          under_way.erase(step.transition.thread);
        continue;
      }
      const auto call = under_way.find(step.transition.thread);
      if (call == under_way.end())
        continue;
      const std::optional<std::size_t> place = place_of(step, program);
      if (!place)
        continue;
      const auto flush = flushed.find(i);
      PassingRun::Call& own = passing.calls[call->second];
      own.passes.push_back(
          {number_of(*place, own.operation), flush == flushed.end() ? i : flush->second});
    }
    for (const auto& [step, event] : seen.moments)
      if (event.kind == history::Event::Kind::kInvocation)
        if (PassingRun::Call& call = passing.calls[event.operation]; call.passes.empty())
          guess_passes(call, step, tried);
    return passing;
  }

  /// If nobody writes what an operation reads, its run does not show the accesses: it could have
  /// made any that it has, but those it was found without.
  void guess_passes(PassingRun::Call& call,
                    std::size_t when,
                    const std::vector<EffectPlace>& tried) const {
    const std::set<std::string> functions =
        called_by(question_.space.functions.at(call.operation.method), question_.module);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const bool was_tried = std::ranges::any_of(tried, [&](const EffectPlace& place) {
        return place.function == places_[i].function && place.line == places_[i].line &&
               place.how == places_[i].how;
      });
      if (functions.contains(places_[i].function) && !was_tried)
        call.passes.push_back({number_of(i, call.operation), when});
    }
  }

  LinearizableQuestion& question_;
  const driver::Options& options_;
  const Budget& budget_;
  const driver::Listener& listener_;
  std::vector<EffectPlace> places_;
  std::int64_t nothing_;
  bool by_result_ = false;
  bool is_undecided_ = false;
  struct Seen {
    UnexplainedHistory found;
    std::vector<EffectPlace> tried;
  };
  std::vector<Seen> seen_;
  InferredPoints inferred_;
  std::optional<driver::Unconfirmed> unconfirmed_;
};

} // namespace

Result<std::variant<InferredPoints, driver::Unconfirmed>>
infer_points(LinearizableQuestion& question,
             const driver::Options& options,
             const Budget& budget,
             const driver::Listener& listener) {
  return Inferring(question, options, budget, listener).run();
}

std::string text_of(const InferredPoints& inferred, const ir::Module& module) {
  if (inferred.points.empty())
    return fmt::format("linearization points: none found ({} sets tried): {}\n",
                       inferred.tried,
                       inferred.why_none);
  std::string text = fmt::format(
      "linearization points: the order in which these are passed explains every run ({} sets "
      "tried):\n",
      inferred.tried);
  for (const EffectPlace& place : inferred.points)
    text += fmt::format("  {}:{} in {}: {}{}: --linearization-point {}\n",
                        file_of(place, module),
                        place.line,
                        place.function,
                        place.how == How::kRead     ? "the load"
                        : place.how == How::kUpdate ? "the atomic update"
                                                    : "when the store reaches memory",
                        !place.returns ? ""
                        : place.returns->is_other
                            ? fmt::format(", of calls that do not return {}", place.returns->value)
                            : fmt::format(", of calls that return {}", place.returns->value),
                        to_string(place));
  for (const std::string& warning : inferred.warnings)
    text += "note: " + warning + "\n";
  return text;
}

nlohmann::ordered_json json_of(const InferredPoints& inferred, const ir::Module& module) {
  nlohmann::ordered_json json;
  json["found"] = !inferred.points.empty();
  if (inferred.points.empty())
    json["why_not"] = inferred.why_none;
  json["tried"] = inferred.tried;
  json["points"] = nlohmann::ordered_json::array();
  for (const EffectPlace& place : inferred.points) {
    nlohmann::ordered_json one;
    one["function"] = place.function;
    one["file"] = file_of(place, module);
    one["line"] = place.line;
    one["how"] = place.how == How::kRead ? "read" : place.how == How::kUpdate ? "cas" : "flush";
    one["option"] = to_string(place);
    json["points"].push_back(std::move(one));
  }
  json["warnings"] = inferred.warnings;
  return json;
}

} // namespace heddle::object
