// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// translate: the program in another language: our own ir, the store-buffer graphs of its threads as
// drawings or specifications, or the whole program for SPIN, C verifiers and solvers of Horn
// clauses. With --json also what it consists of, and the traps a run could meet as far as
// control flow alone can tell.
#include "driver/commands/commands.h"
#include "driver/commands/draw_graphs.h"
#include "driver/output/limits.h"
#include "driver/output/reporting.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/question.h"
#include "export/build_system.h"
#include "export/c.h"
#include "export/horn.h"
#include "export/kiv.h"
#include "export/promela.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "program/build/build.h"
#include "report/json.h"
#include "report/write_file.h"
#include "support/budget_watch.h"
#include "transform/buffers/store_buffer_graph.h"

#include <fmt/format.h>

#include <deque>
#include <set>
#include <utility>

namespace heddle::driver {

namespace {

using Json = nlohmann::ordered_json;

Json trap_json(const std::vector<std::string>& files,
               const std::string& function,
               SourceLoc loc,
               const std::string& what,
               const std::string& help) {
  Json json;
  json["function"] = function;
  json["file"] = loc.file < files.size() ? files[loc.file] : "";
  json["line"] = loc.line;
  json["what"] = what;
  json["help"] = help;
  return json;
}

Json all_traps(const ir::Module& module) {
  Json traps = Json::array();
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& instruction : block.instructions)
        if (const auto* trap = std::get_if<ir::Trap>(&instruction.operation))
          traps.push_back(
              trap_json(module.files, function.name, instruction.loc, trap->what, trap->help));
  return traps;
}

/// Follows edges, calls and thread creation from the entry; edges whose condition is plainly false
/// are not taken.
Json reachable_traps(const program::Program& program) {
  Json traps = Json::array();
  std::set<program::ProcedureId> seen;
  std::deque<program::ProcedureId> queue;
  const auto enter = [&](program::ProcedureId procedure) {
    if (seen.insert(procedure).second)
      queue.push_back(procedure);
  };
  enter(program.templates.front().entry);
  while (!queue.empty()) {
    const program::Procedure& procedure = program.procedures[queue.front()];
    queue.pop_front();
    std::set<program::LocationId> reached{procedure.entry};
    std::deque<program::LocationId> locations{procedure.entry};
    while (!locations.empty()) {
      const program::LocationId location = locations.front();
      locations.pop_front();
      for (const std::uint32_t index : procedure.locations[location].out) {
        const program::Edge& edge = procedure.edges[index];
        if (const auto* trap = std::get_if<program::Trap>(&edge.action)) {
          traps.push_back(
              trap_json(program.files, procedure.name, edge.loc, trap->what, trap->help));
          continue;
        }
        if (const auto* assume = std::get_if<program::Assume>(&edge.action);
            assume != nullptr && program.terms.is_constant(assume->condition) &&
            program.terms.node(assume->condition).value == 0)
          continue;
        if (const auto* call = std::get_if<program::Call>(&edge.action))
          for (const program::ProcedureId target : call->targets)
            enter(target);
        if (const auto* create = std::get_if<program::Synchronize>(&edge.action))
          for (const program::ProcedureId target : create->targets)
            enter(target);
        if (reached.insert(edge.to).second)
          locations.push_back(edge.to);
      }
    }
  }
  return traps;
}

Json counts(const ir::Module& module, const std::string& entry) {
  std::uint64_t instructions = 0;
  std::uint64_t defined = 0;
  for (const ir::Function& function : module.functions) {
    defined += function.is_declaration() ? 0U : 1U;
    for (const ir::Block& block : function.blocks)
      instructions += block.instructions.size();
  }
  Json json;
  json["heddle"] = version();
  json["functions"] = defined;
  json["globals"] = module.globals.size();
  json["instructions"] = instructions;
  json["traps"] = all_traps(module);
  program::BuildOptions build;
  build.entry = entry;
  const Result<program::Program> program = program::build(module, build);
  if (program)
    json["traps_reachable"] = reachable_traps(*program);
  else
    json["error"] = program.error().to_string();
  return json;
}

/// The graphs of the functions that threads run, one by one; main, where it only starts threads, is
/// left out.
Result<std::string>
specify_graphs(const Asked& asked, const Options& options, const Budget& budget) {
  Result<program::Program> made =
      program_for_graphs(asked, options, "--to kiv specifies store-buffer graphs", budget);
  if (!made)
    return made.error();
  program::Program& program = *made;
  std::deque<transform::StoreBufferGraph> graphs;
  std::vector<exports::KivFunction> functions;
  std::set<program::ProcedureId> seen;
  for (const program::ThreadTemplate& thread : std::vector(program.templates)) {
    if (!seen.insert(thread.entry).second ||
        exports::handles_threads(program.procedures[thread.entry]))
      continue;
    Result<transform::StoreBufferGraph> graph = transform::build_graph(
        program, thread.entry, {*asked.model.machine, static_cast<std::uint32_t>(options.pending)});
    if (!graph)
      return graph.error();
    graphs.push_back(std::move(*graph));
    functions.push_back({thread.entry, &graphs.back()});
  }
  exports::KivOptions wanted;
  if (options.kiv_state == "global")
    wanted.state = exports::KivOptions::State::kGlobal;
  if (options.kiv_numbers == "nat")
    wanted.numbers = exports::KivOptions::Numbers::kNat;
  return exports::to_kiv(program, functions, wanted);
}

/// Buffers of this size hold what is pending in programs small enough for other tools.
constexpr std::uint32_t kUsualBuffer = 4;

/// The program, reduced if asked so and possible, as processes over plain variables.
Result<exports::System> export_system(const Asked& asked,
                                      const Options& options,
                                      const Console& console,
                                      const Budget& budget) {
  if (!asked.model.machine)
    return Error{ErrorKind::kUsage,
                 "USE-015",
                 fmt::format("--to {} is for the models sc, tso and pso", options.to)};
  Options before = options;
  before.inline_calls = true;
  before.engine = "explicit"; // who runs an export should not have to guess what threads read
  Listener listener;
  listener.warn = [&](const std::string& line) { console.say("heddle: warning: " + line); };
  const Result<Prepared> prepared = prepare(asked, before, budget, listener);
  if (!prepared)
    return prepared.error();
  exports::SystemOptions wanted;
  wanted.machine = *prepared->stage_models.back().machine;
  if (options.pending != 0)
    wanted.buffer = static_cast<std::uint32_t>(options.pending);
  else
    wanted.buffer = kUsualBuffer;
  wanted.pool = static_cast<std::uint32_t>(options.pool);
  wanted.chooses_unwritten = options.to != "promela";
  wanted.reuses_blocks = !options.no_reuse;
  Result<exports::System> system = exports::build_system(prepared->stages.back()->program, wanted);
  if (!system)
    return system;
  const bool is_reduced = wanted.machine != *asked.model.machine;
  std::vector<std::string> notes{fmt::format("Made by heddle translate --to {} --model {}{}",
                                             options.to,
                                             asked.model.name,
                                             is_reduced ? " --via store-buffer-graph" : "")};
  for (const Approximation& one : prepared->approximations)
    notes.push_back(
        fmt::format("{}: {}",
                    one.kind == Approximation::Kind::kAssumed ? "Assumed" : "Approximated",
                    one.what));
  system->notes.insert(system->notes.begin(), notes.begin(), notes.end());
  return system;
}

Result<std::string> export_text(const Asked& asked,
                                const Options& options,
                                const Console& console,
                                const Budget& budget) {
  if (options.to == "kiv")
    return specify_graphs(asked, options, budget);
  const Result<exports::System> system = export_system(asked, options, console, budget);
  if (!system)
    return system.error();
  if (options.to == "promela")
    return exports::to_promela(*system);
  if (options.to == "c")
    return exports::to_c(*system);
  return exports::to_horn_clauses(*system);
}

Result<std::string>
translated(const Options& options, const Console& console, const Budget& budget) {
  Options plain = options;
  if (plain.property.empty())
    plain.property = "reach"; // a task may ask for several; here it does not matter which
  Result<Asked> asked = understand_question(plain);
  if (!asked)
    return asked.error();
  Result<frontend::Loaded> loaded = frontend::load(asked->files, asked->load, budget);
  if (!loaded)
    return loaded.error();
  for (const std::string& warning : loaded->warnings)
    console.say("heddle: warning: " + warning);
  if (const Status verified = ir::verify(loaded->module); !verified)
    return verified.error();
  if (!options.json.empty()) {
    const Json json = counts(loaded->module, asked->load.entry);
    if (const Status written = report::write_file(options.json, report::dump(json)); !written)
      return written.error();
  }
  if (options.to == "dot" || options.to == "svg" || options.to == "html")
    return draw_graphs(*asked, options, budget);
  if (options.to == "promela" || options.to == "c" || options.to == "chc" || options.to == "kiv")
    return export_text(*asked, options, console, budget);
  return ir::print(loaded->module);
}

} // namespace

Result<ExitCode> run_translate(const Options& options, const Console& console) {
  Watchdog watchdog({time_limit(options), memory_limit(options)});
  const Result<std::string> text = translated(options, console, watchdog.budget());
  if (!text && !is_budget_used_up(text.error()))
    return text.error();
  const LastWords words = words_for_nothing(watchdog.what_ran_out());
  watchdog.stand_down();
  if (const Status printed = print_output(text ? *text : words.text, console); !printed)
    return printed.error();
  return text ? ExitCode::kProved : static_cast<ExitCode>(words.code);
}

} // namespace heddle::driver
