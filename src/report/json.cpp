// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/json.h"

#include "report/explain_violation.h"
#include "report/headline.h"
#include "report/run_cells.h"
#include "report/text.h"
#include "spec/property.h"
#include "support/check.h"
#include "support/overloaded.h"

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;
using execution::Step;

std::string what_name(Step::What what) {
  switch (what) {
  case Step::What::kLocal:
    return "local";
  case Step::What::kNondet:
    return "nondet";
  case Step::What::kRead:
    return "read";
  case Step::What::kWrite:
    return "write";
  case Step::What::kReadModifyWrite:
    return "read_modify_write";
  case Step::What::kFailedCompareExchange:
    return "failed_compare_exchange";
  case Step::What::kFence:
    return "fence";
  case Step::What::kAllocate:
    return "allocate";
  case Step::What::kFree:
    return "free";
  case Step::What::kSynchronize:
    return "synchronize";
  case Step::What::kAtomicBegin:
    return "atomic_begin";
  case Step::What::kAtomicEnd:
    return "atomic_end";
  case Step::What::kWakeUp:
    return "wake_up";
  case Step::What::kReacquire:
    return "reacquire";
  case Step::What::kLeaveBarrier:
    return "leave_barrier";
  case Step::What::kThreadExit:
    return "thread_exit";
  case Step::What::kExit:
    return "exit";
  case Step::What::kFlush:
    return "flush";
  }
  HEDDLE_CHECK(false, "no such step");
  return "";
}

std::string approximation_name(Approximation::Kind kind) {
  switch (kind) {
  case Approximation::Kind::kUnder:
    return "under";
  case Approximation::Kind::kOver:
    return "over";
  case Approximation::Kind::kAssumed:
    return "assumed";
  }
  HEDDLE_CHECK(false, "no such approximation");
  return "";
}

void add_place(Json& json, const Subject& subject, SourceLoc loc) {
  if (!loc.is_known())
    return;
  json["file"] = subject.program->files[loc.file];
  json["line"] = loc.line;
  if (loc.column != 0)
    json["column"] = loc.column;
}

Json step_json(const verdict::Violation& violation, const Subject& subject, std::uint32_t index) {
  const Step& step = violation.run->steps[index];
  const verdict::StepText& text = violation.evidence.steps[index];
  Json json;
  json["step"] = index + 1;
  json["thread"] = step.transition.thread;
  json["thread_name"] = thread_name(violation, step.transition.thread);
  json["what"] = what_name(step.what);
  if (!text.operation.empty())
    json["operation"] = text.operation;
  add_place(json, subject, step.loc);
  if (!text.target.empty()) {
    json["target"] = text.target;
    json["size"] = step.size;
  }
  if (!text.value_read.empty())
    json["value_read"] = text.value_read;
  if (!text.value_written.empty())
    json["value_written"] = text.value_written;
  if (step.what == Step::What::kRead || step.what == Step::What::kReadModifyWrite ||
      step.what == Step::What::kFailedCompareExchange) {
    json["reads_from"] = step.reads_from ? Json(*step.reads_from + 1) : Json(nullptr);
    json["from_own_buffer"] = step.from_own_buffer;
  }
  if (step.flushes)
    json["flushes"] = *step.flushes + 1;
  if (!text.assigned.empty())
    json["assigned"] = text.assigned;
  if (!text.buffer.empty())
    json["buffer"] = text.buffer;
  if (step.created)
    json["created"] = *step.created;
  if (step.stack.size() > 1) {
    Json stack = Json::array();
    for (const execution::Frame& frame : step.stack) {
      Json entry;
      entry["function"] = subject.program->procedures[frame.procedure].name;
      add_place(entry, subject, frame.loc);
      stack.push_back(std::move(entry));
    }
    json["stack"] = std::move(stack);
  }
  json["text"] = effect(violation, index);
  return json;
}

std::string violation_kind(const verdict::Violation& violation) {
  return std::visit(Overloaded{
                        [&](const verdict::FaultReached&) {
                          return program::to_string(violation.run->fault.kind);
                        },
                        [](const verdict::Race&) { return std::string("data race"); },
                        [&](const verdict::Deadlock& deadlock) {
                          if (violation.property == spec::Property::kLiveness)
                            return std::string("no progress");
                          return std::string(deadlock.is_partial ? "partial deadlock" : "deadlock");
                        },
                        [](const verdict::NotRobust&) { return std::string("not robust"); },
                    },
                    violation.kind);
}

void add_kind(Json& json, const verdict::Violation& violation) {
  std::visit(Overloaded{
                 [](const verdict::FaultReached&) {},
                 [&](const verdict::Race& race) {
                   json["race"] = Json::array({race.first + 1, race.second + 1});
                 },
                 [&](const verdict::Deadlock&) {
                   Json waiting = Json::array();
                   for (const verdict::Waiting& wait : violation.evidence.waiting) {
                     Json entry;
                     entry["thread"] = wait.thread;
                     entry["thread_name"] = thread_name(violation, wait.thread);
                     entry["reason"] = wait.reason;
                     entry["object"] = wait.name;
                     entry["line"] = wait.loc.line;
                     entry["for"] = wait.for_threads;
                     waiting.push_back(std::move(entry));
                   }
                   json["waiting"] = std::move(waiting);
                 },
                 [&](const verdict::NotRobust&) {
                   Json cycle = Json::array();
                   for (const verdict::CycleEdge& edge : violation.evidence.cycle)
                     cycle.push_back({{"from", edge.from + 1},
                                      {"to", edge.to + 1},
                                      {"relation", edge.relation}});
                   json["cycle"] = std::move(cycle);
                 },
             },
             violation.kind);
}

Json pairs_json(const relation::BitMatrix& relation) {
  Json list = Json::array();
  for (const auto& [from, to] : relation.pairs())
    list.push_back(Json::array({from, to}));
  return list;
}

/// Events by their index; each but the initial writes belongs to a step.
Json execution_json(const verdict::Violation& violation, const Subject& subject) {
  using Kind = execution::Event::Kind;
  const execution::Execution& execution = *violation.execution;
  Json events = Json::array();
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    const execution::Event& event = execution.events[i];
    Json json;
    json["event"] = i;
    json["kind"] = event.kind == Kind::kInitialWrite ? "initial write"
                   : event.kind == Kind::kRead       ? "read"
                   : event.kind == Kind::kWrite      ? "write"
                                                     : "fence";
    if (event.kind != Kind::kInitialWrite)
      json["thread"] = event.thread;
    if (event.size != 0) {
      json["address"] = event.address;
      json["size"] = event.size;
      json["value"] = event.value;
    }
    json["tags"] = event.tags;
    add_place(json, subject, event.loc);
    events.push_back(std::move(json));
  }
  return {{"events", std::move(events)},
          {"rf", pairs_json(execution.rf)},
          {"co", pairs_json(execution.co)},
          {"rmw", pairs_json(execution.rmw)},
          {"addr", pairs_json(execution.addr)},
          {"data", pairs_json(execution.data)},
          {"ctrl", pairs_json(execution.ctrl)},
          {"choices", execution.choices}};
}

/// Nothing where it is not a list of pairs of events.
std::optional<relation::BitMatrix> pairs_from_json(const Json& json, std::size_t events) {
  if (!json.is_array())
    return std::nullopt;
  relation::BitMatrix relation(events);
  for (const Json& pair : json) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_number_unsigned() ||
        !pair[1].is_number_unsigned() || pair[0].get<std::size_t>() >= events ||
        pair[1].get<std::size_t>() >= events)
      return std::nullopt;
    relation.insert(pair[0].get<std::size_t>(), pair[1].get<std::size_t>());
  }
  return relation;
}

std::optional<execution::Event> event_from_json(const Json& json) {
  using Kind = execution::Event::Kind;
  const auto number = [&](const char* name) {
    return json.contains(name) && json[name].is_number_unsigned() ? json[name].get<std::uint64_t>()
                                                                  : std::uint64_t{0};
  };
  if (!json.is_object() || !json.contains("kind") || !json["kind"].is_string())
    return std::nullopt;
  const auto kind = json["kind"].get<std::string>();
  execution::Event event;
  if (kind == "initial write")
    event.kind = Kind::kInitialWrite;
  else if (kind == "read")
    event.kind = Kind::kRead;
  else if (kind == "write")
    event.kind = Kind::kWrite;
  else if (kind == "fence")
    event.kind = Kind::kFence;
  else
    return std::nullopt;
  if (number("thread") >= program::kMaxThreads || number("size") > 8)
    return std::nullopt;
  event.thread = static_cast<program::ThreadIndex>(number("thread"));
  event.address = number("address");
  event.size = static_cast<std::uint8_t>(number("size"));
  event.value = number("value");
  return event;
}

Json violation_json(const verdict::Violation& violation, const Subject& subject) {
  HEDDLE_CHECK(violation.run.has_value(), "a violation is shown that was not replayed");
  Json json;
  json["kind"] = violation_kind(violation);
  json["replayed"] = true;
  json["what"] = what_fails(violation, subject);
  add_place(json, subject, violation.run->fault.loc);
  json["threads"] = violation.evidence.threads;
  add_kind(json, violation);
  if (!violation.evidence.held.empty()) {
    Json held = Json::array();
    for (const verdict::HeldLock& lock : violation.evidence.held)
      held.push_back({{"thread", lock.thread}, {"kind", lock.how}, {"object", lock.name}});
    json["locks_held"] = std::move(held);
  }
  Json steps = Json::array();
  for (std::uint32_t i = 0; i < violation.run->steps.size(); ++i)
    steps.push_back(step_json(violation, subject, i));
  json["steps"] = std::move(steps);
  json["explanation"] = explanation(violation, subject);
  if (violation.execution)
    json["execution"] = execution_json(violation, subject);
  else
    json["schedule"] = to_json(violation.schedule);
  return json;
}

Json facts_json(const program::Facts& facts, const program::Program& program) {
  Json list = Json::array();
  const auto point = [&](const program::PointInProgram& at) {
    return program.procedures[at.procedure].name + ":" + std::to_string(at.location.value);
  };
  for (const program::Fact& fact : facts) {
    Json json = std::visit(
        Overloaded{
            [&](const program::RangeFact& range) -> Json {
              return {
                  {"fact", "range"},
                  {"at", point(range.point)},
                  {"variable", program.procedures[range.point.procedure].locals[range.local].name},
                  {"low", range.low},
                  {"high", range.high}};
            },
            [&](const program::UnreachableFact& unreachable) -> Json {
              return {{"fact", "unreachable"}, {"at", point(unreachable.point)}};
            },
            [&](const program::MustOrderFact& order) -> Json {
              return {{"fact", "must_order"},
                      {"first", point(order.first)},
                      {"second", point(order.second)}};
            },
            [&](const program::NoAliasFact& alias) -> Json {
              return {{"fact", "no_alias"},
                      {"first", point(alias.first)},
                      {"second", point(alias.second)}};
            },
            [&](const program::InvariantFact& invariant) -> Json {
              return {{"fact", "invariant"}, {"at", point(invariant.point)}};
            },
        },
        fact.content);
    json["origin"] = fact.origin;
    list.push_back(std::move(json));
  }
  return list;
}

void add_answer(Json& json, const verdict::Verdict& verdict, const Subject& subject) {
  std::visit(Overloaded{
                 [&](const verdict::Proved& proved) {
                   if (!proved.certification)
                     return;
                   Json certificate;
                   certificate["rechecked"] = proved.certification->is_rechecked;
                   certificate["why_none"] = proved.certification->why_none;
                   json["certificate"] = std::move(certificate);
                 },
                 [&](const verdict::HoldsWithinBounds& holds) { json["bounds"] = holds.bounds(); },
                 [&](const verdict::Violated& violated) {
                   json["violation"] = violation_json(violated.violation, subject);
                 },
                 [&](const verdict::Unknown& unknown) {
                   json["reason"] = unknown.why;
                   json["reason_kind"] = to_string(unknown.reason);
                   json["help"] = unknown.help;
                 },
                 [&](const verdict::Outcomes& outcomes) {
                   json["complete"] = outcomes.complete;
                   Json states = Json::array();
                   for (const verdict::Outcome& outcome : outcomes.states) {
                     Json state = Json::object();
                     for (const auto& [name, value] : outcome)
                       state[name] = outcome_value(*subject.program, name, value);
                     states.push_back(std::move(state));
                   }
                   json["outcomes"] = std::move(states);
                 },
             },
             verdict.answer);
}

} // namespace

std::string verdict_name(const verdict::Answer& answer) {
  return std::visit(
      Overloaded{
          [](const verdict::Proved&) { return std::string("proved"); },
          [](const verdict::HoldsWithinBounds&) { return std::string("holds_within_bounds"); },
          [](const verdict::Violated&) { return std::string("violated"); },
          [](const verdict::Unknown&) { return std::string("unknown"); },
          [](const verdict::Outcomes&) { return std::string("outcomes"); },
      },
      answer);
}

Json to_json(const execution::Schedule& schedule) {
  Json list = Json::array();
  for (const execution::Transition& transition : schedule)
    list.push_back(
        Json::array({transition.kind == execution::Transition::Kind::kFlush ? "flush" : "step",
                     transition.thread,
                     transition.choice}));
  return list;
}

Result<execution::Schedule> schedule_from_json(const Json& json) {
  const Error malformed{ErrorKind::kInput,
                        "JSON-001",
                        "expected a schedule: a list of [\"step\" or \"flush\", thread, choice]"};
  if (!json.is_array())
    return malformed;
  execution::Schedule schedule;
  for (const Json& entry : json) {
    if (!entry.is_array() || entry.size() != 3 || !entry[0].is_string() ||
        !entry[1].is_number_unsigned() || !entry[2].is_number_unsigned())
      return malformed;
    const auto kind = entry[0].get<std::string>();
    if ((kind != "step" && kind != "flush") ||
        entry[1].get<std::uint64_t>() >= program::kMaxThreads)
      return malformed;
    schedule.push_back(
        {kind == "flush" ? execution::Transition::Kind::kFlush : execution::Transition::Kind::kStep,
         entry[1].get<program::ThreadIndex>(),
         entry[2].get<std::uint64_t>()});
  }
  return schedule;
}

Result<execution::Execution> execution_from_json(const Json& json) {
  const Error malformed{ErrorKind::kInput,
                        "JSON-002",
                        "expected an execution: events, and rf, co and rmw as pairs of them"};
  if (!json.is_object() || !json.contains("events") || !json["events"].is_array())
    return malformed;
  execution::Execution execution;
  for (const Json& one : json["events"]) {
    std::optional<execution::Event> event = event_from_json(one);
    if (!event)
      return malformed;
    execution.events.push_back(std::move(*event));
  }
  const std::size_t count = execution.events.size();
  const auto pairs = [&](const char* name) {
    return pairs_from_json(json.contains(name) ? json[name] : Json(), count);
  };
  std::optional<relation::BitMatrix> rf = pairs("rf");
  std::optional<relation::BitMatrix> co = pairs("co");
  std::optional<relation::BitMatrix> rmw = pairs("rmw");
  if (!rf || !co || !rmw)
    return malformed;
  execution.rf = std::move(*rf);
  execution.co = std::move(*co);
  execution.rmw = std::move(*rmw);
  // The rest is what the checker works out.
  for (relation::BitMatrix* made : {&execution.po,
                                    &execution.synchronises,
                                    &execution.addr,
                                    &execution.data,
                                    &execution.ctrl,
                                    &execution.intra_data,
                                    &execution.intra_control})
    *made = relation::BitMatrix(count);
  if (!json.contains("choices"))
    return execution;
  for (const Json& thread : json["choices"]) {
    std::vector<std::uint64_t>& choices = execution.choices.emplace_back();
    for (const Json& choice : thread) {
      if (!choice.is_number_unsigned())
        return malformed;
      choices.push_back(choice.get<std::uint64_t>());
    }
  }
  return execution;
}

Json json(const verdict::Verdict& verdict, const Subject& subject, const JsonOptions& options) {
  Json json;
  json["heddle"] = options.version;
  json["verdict"] = verdict_name(verdict.answer);
  json["summary"] = headline(verdict, subject);
  json["exit_code"] = options.exit_code;
  json["model"] = subject.model.name;
  json["property"] = std::visit(
      Overloaded{
          [](const spec::Check& check) -> Json { return spec::to_string(check.property); },
          [](const spec::Enumerate&) -> Json { return nullptr; },
      },
      subject.question);
  json["engine"] = verdict.engine;
  Json approximations = Json::array();
  for (const Approximation& approximation : verdict.approximations) {
    Json entry;
    entry["kind"] = approximation_name(approximation.kind);
    entry["what"] = approximation.what;
    add_place(entry, subject, approximation.where);
    approximations.push_back(std::move(entry));
  }
  json["approximations"] = std::move(approximations);
  json["assumptions"] = assumptions(verdict);
  json["bounds"] = Json::array();
  add_answer(json, verdict, subject);
  if (verdict.never_reached) {
    Json assertions = Json::array();
    for (const SourceLoc loc : verdict.never_reached->assertions)
      assertions.push_back(subject.program->place(loc));
    json["never_reached"] = {{"assertions", std::move(assertions)},
                             {"threads", verdict.never_reached->threads},
                             {"no_run_completes", verdict.never_reached->no_run_completes},
                             {"no_assertion", verdict.never_reached->no_assertion},
                             {"no_thread", verdict.never_reached->no_thread}};
  }
  json["notes"] = notes(verdict, subject);
  json["facts"] = facts_json(verdict.facts, *subject.program);
  Json stats = Json::object();
  for (const auto& [name, value] : verdict.statistics.counters)
    stats[name] = value;
  json["stats"] = std::move(stats);
  return json;
}

std::string dump(const Json& json) {
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

} // namespace heddle::report
