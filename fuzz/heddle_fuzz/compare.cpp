// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/compare.h"

#include "check/confirm.h"
#include "engine/axiomatic/axiomatic.h"
#include "engine/enumerate/enumerate.h"
#include "engine/explicit/explicit.h"
#include "frontend/c/load.h"
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "heddle_fuzz/print.h"
#include "heddle_fuzz/to_ir.h"
#include "ir/verify.h"
#include "memory/cat/load_model.h"
#include "memory/model.h"
#include "program/build/build.h"
#include "support/check.h"
#include "support/overloaded.h"
#include "transform/basic/transform.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <utility>

namespace heddle::fuzz {

namespace {

std::string text(const FinalState& state) {
  std::string result;
  for (const std::uint32_t value : state)
    result += fmt::format("{:x} ", value);
  return result;
}

/// What no thread can reach is not part of the program, and keeps its initial value.
std::uint32_t value_of(const verdict::Outcome& outcome, const std::string& name) {
  const auto value = outcome.find(name);
  return value == outcome.end() ? 0U : static_cast<std::uint32_t>(value->second);
}

/// More than any loop of a generated program needs.
constexpr std::uint32_t kRounds = 8;

/// Not lowered: the models know C's orders. Finite and free of calls.
Result<program::Program> prepare_events(program::Program current, const Variant& variant) {
  spec::Bounds bounds;
  bounds.unwind = kRounds;
  program::annotate(current, variant.alias);
  for (const auto& transform : {transform::inline_calls(), transform::unroll()}) {
    Result<transform::Transformed> next = transform->apply(current, bounds);
    if (!next)
      return next.error();
    current = std::move(next->program);
  }
  program::annotate(current, variant.alias);
  return current;
}

memory::Model load_axioms(const std::string& name, memory::Vocabulary vocabulary) {
  memory::cat::LoadOptions options;
  options.search_path = {HEDDLE_MODELS_DIR};
  options.base_names = &memory::base_names(vocabulary);
  std::variant<memory::Core, memory::cat::Diagnostics> loaded =
      memory::cat::load(fmt::format("{}/{}.cat", HEDDLE_MODELS_DIR, name), options);
  HEDDLE_CHECK(std::holds_alternative<memory::Core>(loaded), "a model of ours does not load");
  memory::Model known;
  known.name = name + ".cat";
  known.vocabulary = vocabulary;
  known.core = std::make_shared<memory::Core>(std::move(std::get<memory::Core>(loaded)));
  return known;
}

/// The axioms of sc, tso or pso, loaded once.
const memory::Model& axioms_of(Model model) {
  static const std::vector<memory::Model> kModels = [] {
    std::vector<memory::Model> models;
    for (const Model one : {Model::kSC, Model::kTSO, Model::kPSO})
      models.push_back(load_axioms(std::string(name_of(one)), memory::Vocabulary::kC11));
    return models;
  }();
  return kModels[static_cast<std::size_t>(model)];
}

/// Models that the reference does not know: rc11 and armv8 take turns.
const memory::Model& weak_model(std::uint64_t turn) {
  static const std::vector<memory::Model> kModels = {
      load_axioms("rc11", memory::Vocabulary::kC11),
      load_axioms("armv8", memory::Vocabulary::kAArch64)};
  return kModels[turn % kModels.size()];
}

/// Lowered and analysed, ready for an engine.
Result<program::Program>
prepare(const ir::Module& module, const memory::Model& model, const Variant& variant) {
  Result<program::Program> built = program::build(module, {});
  if (!built)
    return built.error();
  if (variant.by_axioms)
    return prepare_events(std::move(*built), variant);
  Result<transform::Transformed> lowered = transform::lower(model)->apply(*built, {});
  if (!lowered)
    return lowered.error();
  program::Program current = std::move(lowered->program);
  program::annotate(current, variant.alias);
  std::vector<std::unique_ptr<transform::Transform>> chain;
  if (variant.inline_calls)
    chain.push_back(transform::inline_calls());
  if (variant.merge_local)
    chain.push_back(transform::merge_local());
  for (const std::unique_ptr<transform::Transform>& step : chain) {
    Result<transform::Transformed> next = step->apply(current, {});
    if (!next)
      return next.error();
    current = std::move(next->program);
  }
  return current;
}

/// That memory is not used after its end, or that freed memory is not used again.
bool is_assuming(const verdict::Verdict& verdict) {
  return std::any_of(
      verdict.approximations.begin(), verdict.approximations.end(), [](const Approximation& one) {
        return one.kind == Approximation::Kind::kAssumed;
      });
}

class Comparer {
public:
  Comparer(const Program& program,
           const std::vector<ReferenceResult>& expected,
           const CompareOptions& options)
      : program_(program), expected_(expected), options_(options) {}

  Comparison run() {
    const ir::Module direct = to_ir(program_, std::nullopt);
    if (const Status status = ir::verify(direct); !status)
      disagree("ir", Model::kSC, status.error().to_string());
    for (const Variant& variant : variants())
      if (is_wanted(variant) && (!variant.turn || *variant.turn == options_.turn % kTurns))
        all_models(variant, direct, "");
    if (is_wanted(Comparing::kProperties))
      for (const spec::Property property : {spec::Property::kRace, spec::Property::kRobustness})
        for (const Model model : {Model::kSC, Model::kTSO, Model::kPSO})
          if (!result_.disagreement)
            without_reference(direct, model, property);
    if (options_.through_c && is_wanted(Comparing::kC) && !result_.disagreement)
      if (const std::optional<ir::Module> through_c = by_way_of_c())
        all_models(variants().front(), *through_c, " (C)");
    if (is_wanted(Comparing::kLitmus) && !result_.disagreement)
      by_way_of_litmus();
    if (is_wanted(Comparing::kWeak) && !result_.disagreement)
      under_weak_model();
    return std::move(result_);
  }

private:
  [[nodiscard]] bool is_wanted(Comparing what) const {
    return options_.only.empty() || options_.only.contains(what);
  }
  [[nodiscard]] bool is_wanted(const Variant& variant) const {
    if (variant.by_axioms)
      return is_wanted(variant.checks_by_axioms ? Comparing::kAxioms : Comparing::kEnumerate);
    if (variant.only_checks)
      return is_wanted(Comparing::kAxiomatic);
    return is_wanted(&variant == &variants().front() ? Comparing::kExplicit : Comparing::kSwitches);
  }

  /// While it lives, this thread's time counts for the variant.
  class Timing {
  public:
    explicit Timing(double& seconds) : seconds_(seconds), start_(now()) {}
    Timing(const Timing&) = delete;
    Timing& operator=(const Timing&) = delete;
    ~Timing() { seconds_ += now() - start_; }

  private:
    static double now() {
      timespec time{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
    double& seconds_;
    double start_;
  };

  void disagree(std::string variant, Model model, std::string what) {
    if (!result_.disagreement)
      result_.disagreement = Disagreement{std::move(variant), model, std::move(what)};
  }

  std::optional<ir::Module> by_way_of_c() {
    const std::string path = options_.directory + "/program.c";
    {
      std::ofstream file(path);
      file << to_c(program_);
    }
    const std::vector<std::string> files = {path};
    Result<frontend::Loaded> loaded = frontend::load(files, {});
    if (!loaded) {
      disagree("front end", Model::kSC, loaded.error().to_string());
      return std::nullopt;
    }
    return std::move(loaded->module);
  }

  /// Only final states: a litmus test has no assertions, and its threads never wait.
  void by_way_of_litmus() {
    const std::optional<std::string> litmus = to_litmus(program_, "fuzz");
    if (!litmus)
      return;
    const auto parsed = frontend::litmus::parse(*litmus, "fuzz.litmus");
    const auto* test = std::get_if<frontend::litmus::Test>(&parsed);
    if (test == nullptr)
      return disagree("litmus front end",
                      Model::kSC,
                      std::get<frontend::litmus::Diagnostics>(parsed).errors.front().to_string());
    spec::Enumerate question;
    for (const frontend::litmus::Observed& observed : test->observed)
      question.parts.push_back({observed.name,
                                test->module.globals[observed.global].name,
                                observed.offset,
                                static_cast<std::uint8_t>(observed.bits / 8U)});
    const auto packed = [&](const verdict::Outcome& outcome) {
      FinalState state;
      for (int object = 0; object < program_.objects; ++object)
        state.push_back(value_of(outcome, fmt::format("[x{}]", object)));
      for (std::size_t thread = 0; thread < program_.threads.size(); ++thread) {
        std::uint32_t registers = 0;
        for (unsigned reg = 0; reg < kRegisters; ++reg)
          registers |= (value_of(outcome, fmt::format("{}:r{}", thread, reg)) & 0xffU)
                       << (8U * reg);
        state.push_back(registers);
      }
      return state;
    };
    for (const Variant& variant : variants()) {
      // One machine and the axioms: the front end is in question here, not the engines.
      if (&variant != &variants().front() && !variant.by_axioms)
        continue;
      for (const Model model : {Model::kSC, Model::kTSO, Model::kPSO}) {
        const memory::Model known = model_for(variant, model);
        const Result<program::Program> prepared = prepare(test->module, known, variant);
        if (!prepared)
          return disagree(variant.name + " (litmus)", model, prepared.error().to_string());
        enumerate(variant, " (litmus)", *prepared, known, model, question, packed);
      }
    }
  }

  static memory::Model model_for(const Variant& variant, Model model) {
    return variant.by_axioms ? axioms_of(model) : *memory::find_model(name_of(model));
  }

  void all_models(const Variant& variant, const ir::Module& module, const std::string& suffix) {
    const std::vector<std::string> names = observed_names(program_);
    const auto in_order = [&names](const verdict::Outcome& outcome) {
      FinalState state;
      for (const std::string& name : names)
        state.push_back(value_of(outcome, name));
      return state;
    };
    for (const Model model : {Model::kSC, Model::kTSO, Model::kPSO}) {
      if (result_.disagreement)
        return;
      const ReferenceResult& expected = expected_[static_cast<std::size_t>(model)];
      const Timing timing(result_.seconds[variant.name + suffix]);
      const memory::Model known = model_for(variant, model);
      const Result<program::Program> prepared = prepare(module, known, variant);
      if (!prepared)
        return disagree(variant.name + suffix, model, prepared.error().to_string());
      if (!variant.only_checks)
        enumerate(variant, suffix, *prepared, known, model, spec::Enumerate{names}, in_order);
      if (variant.by_axioms && !variant.checks_by_axioms)
        continue; // it checks no property
      const std::uint64_t skipped = result_.skipped[variant.name + suffix];
      check_property(variant,
                     suffix,
                     *prepared,
                     known,
                     model,
                     spec::Property::kReach,
                     expected.assertion_fails);
      // A program that is not for the engine is skipped once, not for each of its final states.
      if (result_.skipped[variant.name + suffix] != skipped)
        continue;
      if (!variant.by_axioms || variant.checks_by_axioms)
        check_property(variant,
                       suffix + (variant.only_checks || variant.by_axioms ? " (deadlock)" : ""),
                       *prepared,
                       known,
                       model,
                       spec::Property::kDeadlock,
                       expected.can_deadlock);
      if (program_.has_nodes && is_wanted(Comparing::kProperties))
        check_property(variant,
                       suffix + " (memory)",
                       *prepared,
                       known,
                       model,
                       spec::Property::kMemory,
                       expected.memory_fails);
      if ((options_.by_checking || variant.only_checks) && suffix.empty())
        by_checking(variant, known, model, expected);
    }
  }

  std::optional<verdict::Verdict>
  run_engine(const Variant& variant, const std::string& suffix, const spec::Task& task) {
    if (const auto reason = variant.engine->supports(task)) {
      ++result_.skipped[variant.name + suffix];
      return std::nullopt;
    }
    verdict::Verdict verdict = variant.engine->run(task, engine::Context{});
    // Some only find out on the way that a program is not for them.
    if (const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
        unknown != nullptr && (unknown->reason == verdict::Unknown::Reason::kUnsupported ||
                               unknown->reason == verdict::Unknown::Reason::kRefused)) {
      ++result_.skipped[variant.name + suffix];
      return std::nullopt;
    }
    ++result_.runs[variant.name + suffix];
    return verdict;
  }

  void enumerate(const Variant& variant,
                 const std::string& suffix,
                 const program::Program& prepared,
                 const memory::Model& known,
                 Model model,
                 const spec::Enumerate& question,
                 const std::function<FinalState(const verdict::Outcome&)>& state_of) {
    const ReferenceResult& expected = expected_[static_cast<std::size_t>(model)];
    spec::Task task{.program = &prepared, .model = known, .question = question, .bounds = {}};
    const auto verdict = run_engine(variant, suffix, task);
    if (!verdict)
      return;
    const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict->answer);
    // From axioms it is assumed that nothing is used after its end, and other runs may follow.
    if (variant.by_axioms && expected.has_fault)
      return;
    // What memory holds at first is taken as 0, and said to be a bound; here it is 0.
    if (outcomes == nullptr ||
        (outcomes->complete == expected.has_fault && !(variant.by_axioms && program_.has_nodes)))
      return disagree(variant.name + suffix,
                      model,
                      expected.has_fault ? "no final state is said to be missing, and runs fault"
                                         : "the set of final states is not complete");
    std::set<FinalState> found;
    for (const verdict::Outcome& outcome : outcomes->states)
      found.insert(state_of(outcome));
    for (const FinalState& state : expected.final_states)
      if (!found.contains(state))
        return disagree(variant.name + suffix, model, "missing final state " + text(state));
    for (const FinalState& state : found)
      if (!expected.final_states.contains(state))
        return disagree(variant.name + suffix, model, "impossible final state " + text(state));
  }

  /// By the axioms of pso a store is judged when it reaches memory, which may be after a free; the
  /// machine, and with it the reference, judges it when it is issued (docs/semantics.md).
  [[nodiscard]] bool counts_late_stores(const Variant& variant, Model model) const {
    return variant.by_axioms && model == Model::kPSO && program_.has_nodes;
  }
  static bool is_of_late_store(const verdict::Verdict& verdict, spec::Property property) {
    const auto* unknown = std::get_if<verdict::Unknown>(&verdict.answer);
    return property == spec::Property::kMemory
               ? std::holds_alternative<verdict::Violated>(verdict.answer)
               : unknown != nullptr &&
                     unknown->reason == verdict::Unknown::Reason::kUndefinedBehaviour;
  }

  void check_property(const Variant& variant,
                      const std::string& suffix,
                      const program::Program& prepared,
                      const memory::Model& known,
                      Model model,
                      spec::Property property,
                      bool is_violated) {
    spec::Task task{
        .program = &prepared, .model = known, .question = spec::Check{property}, .bounds = {}};
    const auto verdict = run_engine(variant, suffix, task);
    if (!verdict)
      return;
    if (!is_violated && counts_late_stores(variant, model) &&
        is_of_late_store(*verdict, property)) {
      ++result_.skipped[variant.name + suffix];
      return;
    }
    const bool has_fault = expected_[static_cast<std::size_t>(model)].has_fault;
    const std::string what = spec::to_string(property);
    if (const auto* violated = std::get_if<verdict::Violated>(&verdict->answer)) {
      if (!is_violated)
        return disagree(variant.name + suffix, model, what + " is said to be violated, and is not");
      if (const auto confirmed = check::confirm(task, violated->violation); !confirmed)
        return disagree(variant.name + suffix,
                        model,
                        what + ": does not replay: " + confirmed.error().to_string());
    } else if (std::holds_alternative<verdict::Proved>(verdict->answer)) {
      if (is_violated)
        return disagree(
            variant.name + suffix, model, what + " is said to be proved, and is violated");
      if (has_fault && property != spec::Property::kMemory && !is_assuming(*verdict))
        return disagree(
            variant.name + suffix, model, what + " is said to be proved, and runs fault");
    } else if (variant.by_axioms && program_.has_nodes && !is_violated &&
               std::holds_alternative<verdict::HoldsWithinBounds>(verdict->answer)) {
      return; // as above
    } else if (is_violated || !has_fault) {
      return disagree(variant.name + suffix, model, what + ": neither proved nor violated");
    }
  }

  /// The reference knows nothing of the property: the engines that decide it must agree.
  void without_reference(const ir::Module& module, Model model, spec::Property property) {
    const std::string suffix = fmt::format(" ({})", spec::to_string(property));
    std::optional<bool> is_violated;
    for (const Variant& variant : variants()) {
      if ((variant.by_axioms && (!variant.checks_by_axioms || property == spec::Property::kRace)) ||
          (is_violated && !variant.only_checks && !variant.by_axioms) ||
          (variant.turn && *variant.turn != options_.turn % kTurns))
        continue; // of the explicit engine's, one is enough
      const Timing timing(result_.seconds[variant.name + suffix]);
      const memory::Model known = model_for(variant, model);
      const Result<program::Program> prepared = prepare(module, known, variant);
      if (!prepared)
        return disagree(variant.name + suffix, model, prepared.error().to_string());
      spec::Task task{
          .program = &*prepared, .model = known, .question = spec::Check{property}, .bounds = {}};
      const auto verdict = run_engine(variant, suffix, task);
      if (!verdict)
        continue;
      const auto* violated = std::get_if<verdict::Violated>(&verdict->answer);
      if (violated == nullptr && !std::holds_alternative<verdict::Proved>(verdict->answer)) {
        --result_.runs[variant.name + suffix];
        ++result_.skipped[variant.name + suffix];
        continue;
      }
      if (violated != nullptr)
        if (const auto confirmed = check::confirm(task, violated->violation); !confirmed)
          return disagree(
              variant.name + suffix, model, "does not replay: " + confirmed.error().to_string());
      if (is_violated && *is_violated != (violated != nullptr))
        return disagree(variant.name + suffix,
                        model,
                        violated != nullptr ? "is said to be violated, and is not"
                                            : "is said to be proved, and is violated");
      is_violated = violated != nullptr;
    }
  }

  /// Where there is no reference, enumeration is it: the same final states, each of them reached by
  /// an execution that is confirmed, and no other.
  void under_weak_model() {
    const memory::Model& known = weak_model(options_.turn);
    const std::string name = "axiomatic, " + known.name;
    const Timing timing(result_.seconds[name]);
    engine::Context limited;
    limited.budget = Budget(std::chrono::seconds(10), ~std::uint64_t{0});
    const auto prepared_for = [&](const ir::Module& module) -> Result<program::Program> {
      Result<program::Program> built = program::build(module, {.keep_registers = true});
      if (!built)
        return built.error();
      program::Program current = std::move(*built);
      if (known.vocabulary != memory::Vocabulary::kC11) {
        Result<transform::Transformed> lowered = transform::lower(known)->apply(current, {});
        if (!lowered)
          return lowered.error();
        current = std::move(lowered->program);
      }
      return prepare_events(std::move(current), variants().front());
    };
    const std::vector<std::string> names = observed_names(program_);
    const auto skip = [&] { ++result_.skipped[name]; };
    const auto states_by =
        [&](const engine::Engine& engine,
            const program::Program& program) -> std::optional<std::set<FinalState>> {
      const spec::Task task{
          .program = &program, .model = known, .question = spec::Enumerate{names}, .bounds = {}};
      if (engine.supports(task))
        return std::nullopt;
      const verdict::Verdict verdict = engine.run(task, limited);
      const auto* outcomes = std::get_if<verdict::Outcomes>(&verdict.answer);
      if (outcomes == nullptr || !outcomes->complete)
        return std::nullopt;
      std::set<FinalState> states;
      for (const verdict::Outcome& outcome : outcomes->states) {
        FinalState state;
        for (const std::string& global : names)
          state.push_back(value_of(outcome, global));
        states.insert(std::move(state));
      }
      return states;
    };
    const auto axiomatic = engine::make_axiomatic({});
    const Result<program::Program> plain = prepared_for(to_ir(program_, std::nullopt));
    if (!plain)
      return disagree(name, Model::kSC, plain.error().to_string());
    const auto expected = states_by(*engine::make_enumerate(), *plain);
    const auto found = states_by(*axiomatic, *plain);
    if (!expected || !found)
      return skip();
    ++result_.runs[name];
    if (*expected != *found)
      return disagree(name, Model::kSC, "other final states than by enumeration");
    // Nothing where the engine does not say.
    const auto is_violated = [&](const FinalAssertion* assertion) -> std::optional<bool> {
      const Result<program::Program> program = prepared_for(
          to_ir(program_, assertion == nullptr ? std::nullopt : std::optional(*assertion)));
      if (!program)
        return std::nullopt;
      const spec::Task task{.program = &*program,
                            .model = known,
                            .question = spec::Check{spec::Property::kReach},
                            .bounds = {}};
      if (axiomatic->supports(task))
        return std::nullopt;
      const verdict::Verdict verdict = axiomatic->run(task, limited);
      if (const auto* violated = std::get_if<verdict::Violated>(&verdict.answer)) {
        if (const auto confirmed = check::confirm(task, violated->violation); !confirmed)
          disagree(
              name, Model::kSC, "an execution is not confirmed: " + confirmed.error().to_string());
        ++result_.runs[name + " (assertions)"];
        return true;
      }
      if (!std::holds_alternative<verdict::Proved>(verdict.answer))
        return std::nullopt;
      ++result_.runs[name + " (assertions)"];
      return false;
    };
    // A failing assertion elsewhere would mask both.
    if (is_violated(nullptr) != false)
      return;
    constexpr std::size_t kMostAsked = 3;
    std::size_t asked = 0;
    for (const FinalState& state : *expected) {
      if (++asked > kMostAsked)
        break;
      const FinalAssertion one{{state}, false};
      if (is_violated(&one) == false)
        return disagree(name, Model::kSC, "does not reach the final state " + text(state));
    }
    const FinalAssertion others{*expected, true};
    if (is_violated(&others) == true)
      return disagree(name, Model::kSC, "reaches a final state that enumeration has not");
  }

  /// An engine that only checks is compared exactly: each reference outcome must be reachable, the
  /// negation of all of them must not be. A failing assertion elsewhere would mask both.
  void by_checking(const Variant& variant,
                   const memory::Model& known,
                   Model model,
                   const ReferenceResult& expected) {
    if (expected.assertion_fails)
      return;
    for (const FinalState& state : expected.final_states)
      ask(variant, known, model, {{state}, false}, true);
    ask(variant, known, model, {expected.final_states, true}, false);
  }
  void ask(const Variant& variant,
           const memory::Model& known,
           Model model,
           const FinalAssertion& assertion,
           bool is_violated) {
    const Result<program::Program> prepared = prepare(to_ir(program_, assertion), known, variant);
    if (!prepared)
      return disagree(variant.name, model, prepared.error().to_string());
    check_property(variant,
                   " (final assertion)",
                   *prepared,
                   known,
                   model,
                   spec::Property::kReach,
                   is_violated);
  }

  const Program& program_;
  const std::vector<ReferenceResult>& expected_;
  const CompareOptions& options_;
  Comparison result_;
};

} // namespace

const std::vector<Variant>& variants() {
  using engine::ExplicitOptions;
  using program::AliasAnalysis;
  const auto explicit_with = [](ExplicitOptions options) {
    options.check_analyses = true;
    return std::shared_ptr<const engine::Engine>(engine::make_explicit(options));
  };
  using engine::AxiomaticOptions;
  const auto axiomatic =
      [](const char* name, AxiomaticOptions::Ordering ordering, std::uint64_t turn) {
        Variant variant{name,
                        std::shared_ptr<const engine::Engine>(engine::make_axiomatic({ordering}))};
        variant.only_checks = true;
        variant.turn = turn;
        return variant;
      };
  static const std::vector<Variant> kVariants = {
      {"explicit", explicit_with({})},
      {"explicit, no reduction, no symmetry",
       explicit_with({.reduction = false, .symmetry = false})},
      {"explicit, depth first, inlined",
       explicit_with({.search = ExplicitOptions::Search::kDepthFirst}),
       AliasAnalysis::kPointsTo,
       true,
       true},
      {"explicit, no alias analysis, not merged", explicit_with({}), AliasAnalysis::kNone, false},
      {"enumerate, by axioms",
       std::shared_ptr<const engine::Engine>(engine::make_enumerate()),
       AliasAnalysis::kPointsTo,
       false,
       true,
       true},
      {"axiomatic, by axioms",
       std::shared_ptr<const engine::Engine>(engine::make_axiomatic({})),
       AliasAnalysis::kPointsTo,
       false,
       true,
       true,
       false,
       true},
      axiomatic("axiomatic, pairs", AxiomaticOptions::Ordering::kPairs, 0),
      axiomatic("axiomatic, online", AxiomaticOptions::Ordering::kOnline, 1),
      axiomatic("axiomatic, slices", AxiomaticOptions::Ordering::kSlices, 2),
  };
  return kVariants;
}

const std::map<std::string, Comparing>& comparisons() {
  static const std::map<std::string, Comparing> kComparisons = {
      {"explicit", Comparing::kExplicit},
      {"switches", Comparing::kSwitches},
      {"enumerate", Comparing::kEnumerate},
      {"axioms", Comparing::kAxioms},
      {"axiomatic", Comparing::kAxiomatic},
      {"properties", Comparing::kProperties},
      {"weak", Comparing::kWeak},
      {"c", Comparing::kC},
      {"litmus", Comparing::kLitmus},
  };
  return kComparisons;
}

Comparison compare(const Program& program,
                   const std::vector<ReferenceResult>& expected,
                   const CompareOptions& options) {
  return Comparer(program, expected, options).run();
}

} // namespace heddle::fuzz
