// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/pipeline.h"

#include "check/confirm.h"
#include "check/proof/validate_graph.h"
#include "driver/pipeline/abstraction.h"
#include "driver/pipeline/counted_loops.h"
#include "driver/pipeline/engines.h"
#include "driver/pipeline/final_states.h"
#include "driver/pipeline/litmus.h"
#include "driver/pipeline/litmus_files.h"
#include "driver/pipeline/usage.h"
#include "frontend/litmus/shared/condition_check.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "object/scenarios/harness.h"
#include "program/analyse/analyse.h"
#include "program/analyse/control_reach.h"
#include "program/build/build.h"
#include "program/model/control_flow.h"
#include "program/model/print_program.h"
#include "support/budget_watch.h"
#include "support/overloaded.h"
#include "support/within_memory.h"
#include "transform/basic/inline.h"
#include "transform/basic/pairs.h"
#include "transform/basic/unroll.h"
#include "transform/buffers/boundary.h"
#include "transform/buffers/pending_at_start.h"
#include "transform/buffers/store_buffer_graph.h"
#include "transform/sequential/sequentialize.h"
#include "verdict/settle.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>

namespace heddle::driver {

namespace {

using program::Program;
using verdict::Verdict;

constexpr const char* kStageNames[] = {"load",
                                       "build",
                                       "lower",
                                       "annotate",
                                       "boundary",
                                       "thread-registers",
                                       "direct-calls",
                                       "inline",
                                       "unroll",
                                       "store-buffer-graph",
                                       "lazy",
                                       "eager",
                                       "merge-local"};

void tell_size(const Listener& listener, const std::string& stage, const Program& program) {
  if (!listener.tell)
    return;
  std::size_t locations = 0;
  std::size_t edges = 0;
  for (const program::Procedure& procedure : program.procedures) {
    locations += procedure.locations.size();
    edges += procedure.edges.size();
  }
  listener.tell(fmt::format("{}: {} procedures, {} locations, {} edges, {} objects",
                            stage,
                            program.procedures.size(),
                            locations,
                            edges,
                            program.objects.size()));
}

class Preparation {
public:
  Preparation(const Asked& asked,
              const Options& options,
              const Budget& budget,
              const Listener& listener)
      : asked_(asked), options_(options), budget_(budget), listener_(listener) {}

  Result<Prepared> load_and_run() {
    if (!options_.dump_after.empty() &&
        std::ranges::find(kStageNames, options_.dump_after) == std::end(kStageNames))
      return usage("USE-008",
                   fmt::format("--dump-after expects load, build, lower, annotate, boundary, "
                               "thread-registers, direct-calls, inline, unroll, "
                               "store-buffer-graph, lazy, eager or merge-local, got '{}'",
                               options_.dump_after));
    if (is_test())
      return load_test();
    Result<frontend::Loaded> loaded = frontend::load(asked_.files, asked_.load, budget_);
    if (!loaded)
      return loaded.error();
    for (const std::string& warning : loaded->warnings)
      if (listener_.warn)
        listener_.warn(warning);
    return run(std::move(loaded->module));
  }

  Result<Prepared> run(ir::Module module) {
    if (listener_.loaded)
      listener_.loaded();
    Prepared prepared;
    prepared.module = std::move(module);
    if (const Status verified = ir::verify(prepared.module); !verified)
      return verified.error();
    if (listener_.dump && options_.dump_after == "load")
      listener_.dump("load", ir::print(prepared.module));

    if (budget_.exhausted(0))
      return budget_used_up("the program is read");
    program::BuildOptions build;
    build.entry = asked_.load.entry;
    build.check_overflow = asked_.asks(spec::Property::kOverflow);
    build.keep_registers = !asked_.model.machine; // axioms may ask what was computed from what
    Result<Program> built = program::build(prepared.module, build);
    if (!built)
      return built.error();
    built->vocabulary = asked_.vocabulary;
    if (!asked_.model.machine) {
      if (!is_test())
        program::mark_compiled(*built);
      program::mark_control(*built);
    }
    if (has_pairs_)
      transform::offer_all_orders_of_pairs(*built);
    if (const Status status = start_with_stores(*built, prepared); !status)
      return status.error();
    note("build", *built);

    Result<transform::Transformed> lowered = lower(*built);
    if (!lowered)
      return lowered.error();
    note("lower", lowered->program);
    program::annotate(lowered->program,
                      options_.alias == "none" ? program::AliasAnalysis::kNone
                                               : program::AliasAnalysis::kPointsTo);
    if (budget_.exhausted(0))
      return budget_used_up("the program is analysed");
    object::drop_notes_of_private_stores(lowered->program);
    if (!asked_.model.machine)
      show_accesses(lowered->program, is_test());
    note("annotate", lowered->program);
    prepared.stages.push_back(std::make_unique<transform::Transformed>(std::move(*lowered)));
    prepared.stage_names.emplace_back("lower");
    prepared.stage_models.push_back(asked_.model);
    // What the front end assumed travels with the module or with the program: either way it counts.
    add(prepared.approximations, prepared.module.approximations);
    add(prepared.approximations, prepared.ground().approximations);
    add(prepared.approximations, prepared.stages.front()->approximations);

    if (!asked_.model.machine) { // executions are of the program as it is
      if (!options_.via.empty())
        return usage("USE-013",
                     fmt::format("--via store-buffer-graph is for tso and pso, not for '{}'",
                                 asked_.model.name));
      if (options_.boundary != "exit")
        return usage("USE-031",
                     fmt::format("--boundary is about store buffers, which '{}' has not",
                                 asked_.model.name));
      assume_options(prepared);
      return prepared;
    }
    if (options_.boundary != "exit" && *asked_.model.machine != memory::MachineKind::kSequential) {
      const auto boundary = options_.boundary == "calls" ? transform::Boundary::kCalls
                                                         : transform::Boundary::kReturns;
      const auto fences =
          transform::empty_at_boundaries(boundary, *asked_.model.machine, replay_options());
      if (const Status status = apply(prepared, *fences, "boundary", true); !status)
        return status.error();
    }
    // Outcomes are of variables in memory.
    if (std::holds_alternative<spec::Check>(asked_.question) &&
        std::ranges::any_of(prepared.stages.back()->program.objects,
                            [](const program::Object& object) {
                              return object.kind == program::Object::Kind::kThreadLocal;
                            }))
      if (const Status status =
              apply(prepared, *transform::thread_registers(), "thread-registers", false);
          !status)
        return status.error();
    // What a loop depends on may be an argument.
    if (options_.inline_calls || !options_.via.empty() || options_.unwind != 0) {
      // What is sequentialized has no loops any more: every slot is made once.
      const bool is_sequentialized = options_.via == "lazy" || options_.via == "eager";
      const auto slots = is_sequentialized       ? transform::InlineSlots::kInPlace
                         : !options_.via.empty() ? transform::InlineSlots::kPrivate
                                                 : transform::InlineSlots::kNone;
      if (const Status status = apply(prepared, *transform::direct_calls(), "direct-calls", true);
          !status)
        return status.error();
      if (const Status status =
              apply(prepared, *transform::inline_calls(slots, &budget_), "inline", true);
          !status)
        return status.error();
    }
    if (options_.unwind != 0 || !options_.unwind_loops.empty())
      if (const Status status = apply(prepared, *unroll_loops(), "unroll", true); !status)
        return status.error();
    if (options_.validate && options_.via.empty())
      return usage("USE-030", "--validate is about store-buffer graphs: expected --via");
    if (uses_abstraction(options_)) {
      if (const Status status = sequentialize_over_abstraction(prepared); !status)
        return status.error();
    } else if (!options_.via.empty()) {
      if (const Status status = reduce(prepared); !status)
        return status.error();
      if (options_.via == "lazy")
        if (const Status status = sequentialize(prepared); !status)
          return status.error();
    }
    if (!options_.no_merge)
      if (const Status status = apply(prepared, *transform::merge_local(), "merge-local", false);
          !status)
        return status.error();
    assume_options(prepared);
    return prepared;
  }

private:
  [[nodiscard]] bool is_test() const {
    return asked_.files.size() == 1 &&
           std::filesystem::path(asked_.files.front()).extension() == ".litmus";
  }

  /// Its condition is what reach is about.
  Result<Prepared> load_test() {
    LitmusInput read = read_litmus(asked_.files.front(), options_);
    if (!read.test)
      return read.errors.front();
    if (asked_.asks(spec::Property::kReach))
      if (Status status = frontend::litmus::check_condition(*read.test); !status) {
        Error error = status.error();
        error.file = asked_.files.front();
        return error;
      }
    has_pairs_ = asked_.model.machine && transform::has_pairs(read.test->vocabulary);
    return run(std::move(read.test->module));
  }

  /// --pending-at-start.
  Status start_with_stores(Program& built, Prepared& prepared) const {
    if (options_.pending_at_start.empty())
      return Done{};
    if (!asked_.model.machine || *asked_.model.machine == memory::MachineKind::kSequential)
      return usage("USE-031",
                   fmt::format("--pending-at-start is about store buffers, which '{}' has not",
                               asked_.model.name));
    for (auto text = options_.pending_at_start.rbegin(); text != options_.pending_at_start.rend();
         ++text) {
      const Result<transform::StartingStore> store = transform::parse_starting_store(*text);
      if (!store)
        return store.error();
      if (const Status status = transform::add_starting_store(built, *store); !status)
        return status;
    }
    for (const std::string& text : options_.pending_at_start)
      prepared.approximations.push_back(
          {Approximation::Kind::kAssumed, fmt::format("{} is pending at the start", text), {}});
    return Done{};
  }

  /// A model of C needs no lowering.
  [[nodiscard]] Result<transform::Transformed> lower(const Program& built) const {
    if (!asked_.model.machine && asked_.model.vocabulary == memory::Vocabulary::kC11)
      return transform::Transformed{
          built,
          [](const execution::Schedule& one) -> Result<execution::Schedule> { return one; },
          {}};
    return transform::lower(asked_.model)->apply(built, bounds());
  }

  static void add(Approximations& all, const Approximations& more) {
    all.insert(all.end(), more.begin(), more.end());
  }
  [[nodiscard]] spec::Bounds bounds() const {
    spec::Bounds bounds;
    bounds.unwind = static_cast<std::uint32_t>(options_.unwind);
    bounds.loops = options_.unwind_loops;
    bounds.max_states = options_.max_states;
    bounds.nondet_bits = static_cast<std::uint32_t>(options_.nondet_bits);
    return bounds;
  }
  [[nodiscard]] std::unique_ptr<transform::Transform> unroll_loops() const {
    return transform::unroll(transform::NamedLoops::kMustExist, transform::kMostRunOut, &budget_);
  }
  void note(const std::string& stage, const Program& program) const {
    tell_size(listener_, stage, program);
    if (listener_.dump && options_.dump_after == stage)
      listener_.dump(stage, program::to_text(program));
  }

  /// A transform the user asked for must keep the property; one that only helps is left out if it
  /// does not.
  Status apply(Prepared& prepared,
               const transform::Transform& transform,
               const std::string& stage,
               bool is_asked_for,
               const std::optional<spec::Bounds>& within = {}) const {
    const auto* check = std::get_if<spec::Check>(&asked_.question);
    if (check != nullptr && !transform.preserves(check->property)) {
      if (!is_asked_for)
        return Done{};
      return usage("USE-009",
                   fmt::format("{} does not preserve the property {}",
                               transform.name(),
                               spec::to_string(check->property)));
    }
    Result<transform::Transformed> result =
        transform.apply(prepared.stages.back()->program, within ? *within : bounds());
    if (!result)
      return result.error();
    if (budget_.exhausted(0))
      return budget_used_up("the program is rewritten (" + stage + ")");
    note(stage, result->program);
    add(prepared.approximations, result->approximations);
    prepared.stages.push_back(std::make_unique<transform::Transformed>(std::move(*result)));
    prepared.stage_names.push_back(stage);
    prepared.stage_models.push_back(prepared.stage_models.back());
    return Done{};
  }

  /// As the checker replays (make_task).
  [[nodiscard]] program::InterpreterOptions replay_options() const {
    program::InterpreterOptions replay;
    replay.malloc_may_fail = options_.malloc_may_fail;
    replay.reuse_freed_blocks = !options_.no_reuse;
    return replay;
  }

  /// To a program for SC. What has no store-buffer graph is left to the machine.
  Status reduce(Prepared& prepared) const {
    if (*asked_.model.machine == memory::MachineKind::kSequential)
      return Done{};
    transform::StoreBufferOptions how;
    how.machine = *asked_.model.machine;
    how.pending = static_cast<std::uint32_t>(options_.pending);
    how.defers_flushes = options_.flushes == "deferred";
    how.replay = replay_options();
    if (options_.validate)
      how.inspect = [&](const Program& program,
                        program::ProcedureId id,
                        const transform::StoreBufferGraph& graph) -> Status {
        const Status status = check::validate_graph(program, id, graph, how);
        if (status && listener_.tell)
          listener_.tell(
              fmt::format("the store-buffer graph of {} is one of the machine: {} nodes, "
                          "{} edges validated",
                          program.procedures[id].name,
                          graph.nodes.size(),
                          graph.edges.size()));
        return status;
      };
    const std::unique_ptr<transform::Transform> reduction = transform::store_buffer_graph(how);
    const Status status = apply(prepared, *reduction, "store-buffer-graph", true);
    if (status) {
      prepared.stage_models.back() = *memory::find_model("sc");
      return status;
    }
    if (status.error().kind != ErrorKind::kUnsupported || is_budget_used_up(status.error()) ||
        options_.via == "lazy")
      return status;
    if (listener_.warn)
      listener_.warn(fmt::format(
          "{}; the machine of {} takes over", status.error().to_string(), asked_.model.name));
    return Done{};
  }

  /// To a program without threads; it is for SC.
  Status sequentialize(Prepared& prepared) const {
    transform::LazyOptions lazy;
    if (options_.rounds != 0)
      lazy.rounds = static_cast<std::uint32_t>(options_.rounds);
    lazy.replay = replay_options();
    lazy.checks_memory = asked_.asks(spec::Property::kMemory);
    return apply(prepared, *transform::sequentialize_lazily(lazy), "lazy", true);
  }

  /// The same with a shared-memory abstraction, whose operations are then put where they are
  /// called.
  Status sequentialize_over_abstraction(Prepared& prepared) const {
    const Result<std::string> name = choose_abstraction(options_, asked_.model);
    if (!name)
      return name.error();
    const Program& program = prepared.stages.back()->program;
    const Result<transform::AbstractionSizes> sizes = transform::measure_for_abstraction(program);
    if (!sizes)
      return sizes.error();
    const Options sized = with_abstraction_bounds(options_, *name);
    const Result<std::shared_ptr<const transform::Abstraction>> abstraction =
        make_abstraction(*name, sized, *sizes, program.data_model);
    if (!abstraction)
      return abstraction.error();
    if (listener_.tell)
      listener_.tell(fmt::format("shared-memory abstraction {}: {} threads, {} cells",
                                 *name,
                                 sizes->threads,
                                 cells_of(sized, *sizes)));
    const bool observes = std::holds_alternative<spec::Enumerate>(asked_.question);
    std::unique_ptr<transform::Transform> how;
    if (options_.via == "eager") {
      how = transform::sequentialize_eagerly(
          {*abstraction, *asked_.model.machine, observes, replay_options()});
    } else {
      transform::LazyOptions lazy;
      if (options_.rounds != 0)
        lazy.rounds = static_cast<std::uint32_t>(options_.rounds);
      lazy.abstraction = *abstraction;
      lazy.machine = *asked_.model.machine;
      lazy.observes = observes;
      lazy.guesses = options_.engine == "auto" || options_.engine == "bounded";
      lazy.replay = replay_options();
      how = transform::sequentialize_lazily(lazy);
    }
    if (const Status status = apply(prepared, *how, options_.via, true); !status)
      return status;
    prepared.stage_models.back() = *memory::find_model("sc");
    if (is_users_abstraction(*name))
      prepared.approximations.push_back(
          {Approximation::Kind::kAssumed, fmt::format("memory is as {} says", *name), {}});
    if (const Status status =
            apply(prepared,
                  *transform::inline_calls(transform::InlineSlots::kNone, &budget_),
                  "inline",
                  true);
        !status)
      return status;
    // Loops of an abstraction end after as many turns as a size says; of all buffers the longest.
    spec::Bounds turns = bounds();
    turns.loops = counted_loops(prepared.stages.back()->program);
    turns.unwind = static_cast<std::uint32_t>(2 + std::max({std::uint64_t{sizes->threads},
                                                            std::uint64_t{cells_of(sized, *sizes)},
                                                            sizes->threads * sized.queue,
                                                            sized.writes,
                                                            sized.clock}));
    return apply(prepared, *unroll_loops(), "unroll", true, turns);
  }

  /// What the options believe about the library is part of the answer, if the program uses it.
  void assume_options(Prepared& prepared) const {
    bool allocates = false;
    bool frees = false;
    for (const program::Procedure& procedure : prepared.ground().procedures)
      for (const program::Edge& edge : procedure.edges) {
        const auto* allocation = std::get_if<program::Allocate>(&edge.action);
        allocates =
            allocates || (allocation != nullptr && allocation->where == ir::Allocate::Where::kHeap);
        frees = frees || std::holds_alternative<program::Free>(edge.action);
      }
    if (allocates && !options_.malloc_may_fail)
      prepared.approximations.push_back({Approximation::Kind::kAssumed, "malloc succeeds", {}});
    if (allocates && frees && options_.no_reuse)
      prepared.approximations.push_back(
          {Approximation::Kind::kAssumed, "freed memory is not reused", {}});
  }

  const Asked& asked_;
  const Options& options_;
  const Budget& budget_;
  const Listener& listener_;
  bool has_pairs_ = false; // a test with them, for a machine
};

Result<const engine::Engine*> choose_engine(const engine::Registry& registry,
                                            const Options& options,
                                            const spec::Task& task,
                                            std::string& refusals) {
  if (options.engine != "auto") {
    const engine::Engine* found = registry.find(options.engine);
    if (found == nullptr) {
      std::string names = "auto";
      for (const auto& engine : registry.engines())
        names += ", " + std::string(engine->name());
      return usage("USE-010",
                   fmt::format("unknown engine '{}'; expected one of {}", options.engine, names));
    }
    if (const std::optional<std::string> why = found->supports(task)) {
      refusals = fmt::format("engine {}: {}", found->name(), *why);
      return nullptr;
    }
    return found;
  }
  for (const auto& engine : registry.engines()) {
    const std::optional<std::string> why = engine->supports(task);
    if (!why)
      return engine.get();
    refusals += fmt::format("{}{}: {}", refusals.empty() ? "" : "; ", engine->name(), *why);
  }
  return nullptr;
}

/// Carries a violation back to the ground program, confirming it on every stage.
std::variant<verdict::Violation, Unconfirmed> confirm_back(const Asked& asked,
                                                           const Options& options,
                                                           const Prepared& prepared,
                                                           verdict::Violation violation) {
  for (std::size_t stage = prepared.stages.size(); stage-- > 0;) {
    spec::Task task = make_task(asked, options, prepared.stages[stage]->program);
    task.model = prepared.stage_models[stage];
    const execution::Schedule schedule = violation.schedule;
    Result<verdict::Violation> confirmed = check::confirm(task, std::move(violation));
    if (!confirmed)
      return Unconfirmed{fmt::format("the violation is not confirmed on the program after {}: {}",
                                     prepared.stage_names[stage],
                                     confirmed.error().to_string()),
                         schedule,
                         confirmed.error().code == check::kLacksRoom};
    violation = std::move(*confirmed);
    if (stage == 0)
      break;
    Result<execution::Schedule> lifted = prepared.stages[stage]->lift(violation.schedule);
    if (!lifted)
      return Unconfirmed{fmt::format("the violation cannot be carried back through {}: {}",
                                     prepared.stage_names[stage],
                                     lifted.error().to_string()),
                         violation.schedule,
                         lifted.error().code == transform::kLiftLacksRoom};
    violation.schedule = std::move(*lifted);
  }
  return violation;
}

} // namespace

Result<Prepared> prepare(const Asked& asked,
                         const Options& options,
                         const Budget& budget,
                         const Listener& listener) {
  return Preparation(asked, options, budget, listener).load_and_run();
}

Result<Prepared> prepare(ir::Module module,
                         const Asked& asked,
                         const Options& options,
                         const Budget& budget,
                         const Listener& listener) {
  return Preparation(asked, options, budget, listener).run(std::move(module));
}

spec::Task make_task(const Asked& asked, const Options& options, const Program& program) {
  spec::Task task;
  task.program = &program;
  task.model = asked.model;
  task.question = asked.question;
  task.bounds.unwind = static_cast<std::uint32_t>(options.unwind);
  task.bounds.loops = options.unwind_loops;
  task.bounds.max_states = options.max_states;
  task.bounds.nondet_bits = static_cast<std::uint32_t>(options.nondet_bits);
  task.malloc_may_fail = options.malloc_may_fail;
  task.reuse_freed_blocks = !options.no_reuse;
  return task;
}

Result<std::variant<Verdict, Unconfirmed>> answer(const Asked& asked,
                                                  const Options& options,
                                                  const Prepared& prepared,
                                                  const Budget& budget,
                                                  const Listener& listener) {
  using Answer = std::variant<Verdict, Unconfirmed>;
  spec::Task task = make_task(asked, options, prepared.stages.back()->program);
  task.model = prepared.stage_models.back();
  const engine::Registry registry = all_engines(options);
  std::string refusals;
  // What an abstraction guesses is too much to be listed value by value.
  const bool asks_for_states = std::holds_alternative<spec::Enumerate>(task.question) &&
                               uses_abstraction(options) && options.engine != "explicit";
  spec::Task choice = task;
  Options wanted = options;
  if (asks_for_states)
    choice.question = spec::Check{spec::Property::kReach};
  if (uses_abstraction(options) && options.engine == "auto")
    wanted.engine = "bounded";
  Result<const engine::Engine*> chosen = choose_engine(registry, wanted, choice, refusals);
  if (!chosen)
    return chosen.error();

  // In a program made of graphs assertions that hold are mostly left out: that the others were not
  // come to says nothing.
  const bool is_of_graphs =
      std::ranges::find(prepared.stage_names, "store-buffer-graph") != prepared.stage_names.end();
  const auto settled = [&](Verdict made) {
    if (made.never_reached && is_of_graphs)
      made.never_reached->forget_assertions();
    return verdict::settle(std::move(made), prepared.approximations);
  };
  Verdict verdict;
  if (*chosen == nullptr) {
    verdict.answer = verdict::Unknown{verdict::Unknown::Reason::kNoEngine,
                                      "no engine takes this task (" + refusals + ")",
                                      "another property or model"};
  } else {
    engine::Context context;
    context.budget = budget;
    context.registry = &registry;
    context.has_deadline = options.time > 0 && options.command == kVerify &&
                           !options.suggest_fences; // which asks many times
    if (listener.progress)
      context.progress = [&listener](const engine::Progress& progress) {
        listener.progress(progress.what);
      };
    if (listener.established && !asks_for_states)
      context.established = [&](const Verdict& so_far) {
        listener.established(settled(so_far), prepared.ground());
      };
    verdict = within_memory(
        [&] {
          return asks_for_states ? list_final_states(task, **chosen, context)
                                 : (*chosen)->run(task, context);
        },
        [] {
          Verdict out;
          out.answer = verdict::Unknown{verdict::Unknown::Reason::kMemory,
                                        "out of memory",
                                        "a higher --memory, or a smaller program"};
          return out;
        });
    if (verdict.engine.empty())
      verdict.engine = std::string((*chosen)->name());
  }
  if (auto* violated = std::get_if<verdict::Violated>(&verdict.answer)) {
    std::variant<verdict::Violation, Unconfirmed> confirmed =
        confirm_back(asked, options, prepared, std::move(violated->violation));
    if (auto* unconfirmed = std::get_if<Unconfirmed>(&confirmed)) {
      if (!unconfirmed->lacks_room)
        return Answer{std::move(*unconfirmed)};
      verdict.answer = verdict::Unknown{
          verdict::Unknown::Reason::kUnsupported, unconfirmed->message, "fewer threads at a time"};
    } else {
      violated->violation = std::move(std::get<verdict::Violation>(confirmed));
      if (listener.found)
        listener.found(verdict, prepared.ground());
      const spec::Task ground = make_task(asked, options, prepared.ground());
      violated->violation = check::minimise(ground, std::move(violated->violation), budget);
    }
  }
  return Answer{settled(std::move(verdict))};
}

} // namespace heddle::driver
