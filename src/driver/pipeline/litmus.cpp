// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/litmus.h"

#include "engine/axiomatic/axiomatic.h"
#include "engine/enumerate/enumerate.h"
#include "engine/explicit/explicit.h"
#include "program/analyse/analyse.h"
#include "program/analyse/control_reach.h"
#include "program/build/build.h"
#include "support/overloaded.h"
#include "transform/basic/pairs.h"
#include "transform/basic/transform.h"
#include "transform/basic/unroll.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

namespace heddle::driver {

namespace {

using frontend::litmus::Observed;
using frontend::litmus::Proposition;
using frontend::litmus::Quantifier;
using frontend::litmus::Test;
using program::Program;

const program::Object* find_object(const Program& program, const std::string& name) {
  for (const program::Object& object : program.objects)
    if (object.kind == program::Object::Kind::kGlobal && object.name == name)
      return &object;
  return nullptr;
}

class Condition {
public:
  Condition(const Test& test, const Program& program, const verdict::Outcome& state)
      : test_(test), program_(program), state_(state) {}

  [[nodiscard]] bool holds(const Proposition& proposition) const {
    switch (proposition.kind) {
    case Proposition::Kind::kTrue:
      return true;
    case Proposition::Kind::kFalse:
      return false;
    case Proposition::Kind::kEquals:
      return is_equal(proposition);
    case Proposition::Kind::kNotEquals:
      return !is_equal(proposition);
    case Proposition::Kind::kNot:
      return !holds(proposition.operands[0]);
    case Proposition::Kind::kAnd:
      return std::all_of(proposition.operands.begin(),
                         proposition.operands.end(),
                         [this](const Proposition& one) { return holds(one); });
    case Proposition::Kind::kOr:
      return std::any_of(proposition.operands.begin(),
                         proposition.operands.end(),
                         [this](const Proposition& one) { return holds(one); });
    case Proposition::Kind::kImplies:
      return !holds(proposition.operands[0]) || holds(proposition.operands[1]);
    }
    return false;
  }

private:
  [[nodiscard]] std::uint64_t value(std::size_t observed) const {
    const Observed& what = test_.observed[observed];
    return state_.at(what.name) & logic::mask_of(what.bits);
  }
  [[nodiscard]] bool is_equal(const Proposition& proposition) const {
    const Observed& what = test_.observed[proposition.observed];
    const std::uint64_t left = value(proposition.observed);
    const std::uint64_t mask = logic::mask_of(what.bits);
    if (const auto* other = std::get_if<std::size_t>(&proposition.value))
      return left == (value(*other) & mask);
    const auto& literal = std::get<frontend::litmus::Literal>(proposition.value);
    if (const auto* number = std::get_if<std::uint64_t>(&literal)) {
      const std::vector<std::uint64_t> same = frontend::litmus::contents_equal_to(what, *number);
      return std::find(same.begin(), same.end(), left) != same.end();
    }
    const auto& address = std::get<ir::GlobalAddress>(literal);
    const program::Object* object =
        find_object(program_, test_.module.globals[address.global].name);
    // A location that the program never uses has no place: nothing equals its address.
    return object != nullptr && left == ((program_.space().base_of(object->unit) +
                                          static_cast<std::uint64_t>(address.offset)) &
                                         mask);
  }

  const Test& test_;
  const Program& program_;
  const verdict::Outcome& state_;
};

report::LitmusResult::Quantifier quantifier_of(Quantifier quantifier) {
  using Reported = report::LitmusResult::Quantifier;
  switch (quantifier) {
  case Quantifier::kNone:
    return Reported::kNone;
  case Quantifier::kExists:
    return Reported::kExists;
  case Quantifier::kNotExists:
    return Reported::kNotExists;
  case Quantifier::kForall:
    return Reported::kForall;
  }
  return Reported::kNone;
}

bool has_loops(const Program& program) {
  return std::any_of(
      program.procedures.begin(), program.procedures.end(), [](const program::Procedure& one) {
        return std::any_of(one.locations.begin(),
                           one.locations.end(),
                           [](const program::Location& at) { return at.is_loop_head; });
      });
}

/// What a thread's registers hold at the end is written to globals that nobody else touches: no
/// other thread sees that happen.
void hide_registers(const Test& test, Program& program) {
  std::vector<std::uint64_t> places;
  for (const Observed& observed : test.observed)
    if (!observed.name.starts_with('['))
      if (const program::Object* object =
              find_object(program, test.module.globals[observed.global].name))
        places.push_back(program.space().base_of(object->unit));
  for (program::Procedure& procedure : program.procedures)
    for (program::Edge& edge : procedure.edges)
      if (auto* store = std::get_if<program::Store>(&edge.action);
          store != nullptr && program.terms.is_constant(store->address) &&
          std::find(places.begin(), places.end(), program.terms.node(store->address).value) !=
              places.end())
        store->access.is_visible = false;
}

} // namespace

std::string
print_value(const Program& program, std::uint64_t value, unsigned bits, bool is_signed) {
  if (bits == program.pointer_bits())
    for (const program::Object& object : program.objects) {
      const std::uint64_t base = program.space().base_of(object.unit);
      if (object.kind != program::Object::Kind::kGlobal || value < base ||
          value > base + object.size)
        continue;
      return value == base ? object.name : fmt::format("{}+{}", object.name, value - base);
    }
  value &= logic::mask_of(bits);
  return is_signed ? std::to_string(logic::sign_extended(value, bits)) : std::to_string(value);
}

namespace {

/// As its type has it.
std::string print_observed(const Program& program, const Observed& observed, std::uint64_t value) {
  // In the width of its type, unless that would print another value as the same.
  const unsigned narrow = std::min(observed.type_bits, observed.bits);
  const std::vector<std::uint64_t> same =
      frontend::litmus::contents_equal_to(observed, value & logic::mask_of(narrow));
  const bool fits =
      std::find(same.begin(), same.end(), value & logic::mask_of(observed.bits)) != same.end();
  return print_value(program, value, fits ? narrow : observed.bits, observed.is_signed);
}

} // namespace

std::vector<std::pair<std::string, std::string>>
print_state(const Program& program, const Test& test, const verdict::Outcome& state) {
  std::vector<std::pair<std::string, std::string>> values;
  values.reserve(test.observed.size());
  for (std::size_t i = 0; i < test.observed.size(); ++i) {
    const Observed& observed = test.observed[i];
    const std::string value = print_observed(program, observed, state.at(observed.name));
    if (observed.array.empty())
      values.emplace_back(observed.name, value);
    else if (i == 0 || test.observed[i - 1].array != observed.array)
      values.emplace_back(observed.array, "{" + value + "}");
    else
      values.back().second.replace(values.back().second.size() - 1, 1, "," + value + "}");
  }
  return values;
}

void show_accesses(Program& program, bool plain_too) {
  const auto for_each_access = [&program](const auto& visit) {
    for (program::Procedure& procedure : program.procedures)
      for (program::Edge& edge : procedure.edges)
        std::visit(Overloaded{
                       [&](program::Load& a) { visit(a.access); },
                       [&](program::Store& a) { visit(a.access); },
                       [&](program::LoadExclusive& a) { visit(a.access); },
                       [&](program::StoreExclusive& a) { visit(a.access); },
                       [&](program::ReadModifyWrite& a) { visit(a.access); },
                       [&](program::CompareExchange& a) { visit(a.access); },
                       [](auto&) {},
                   },
                   edge.action);
  };
  // What is an event is one for all that touch it: memory is either followed or shown.
  std::vector<bool> is_shown(program.objects.size(), false);
  const auto touches = [&](const program::Access& access, const auto& visit) {
    if (!access.may.is_valid())
      for (std::size_t i = 0; i < is_shown.size(); ++i)
        visit(i);
    else
      for (const program::ObjectId object : program.object_sets[access.may])
        visit(object.index());
  };
  const auto is_to_show = [&](const program::Access& access) {
    bool is_it = plain_too || access.kind == program::AccessKind::kAtomic;
    touches(access, [&](std::size_t object) { is_it = is_it || is_shown[object]; });
    return is_it;
  };
  for (bool changes = true; changes;) {
    changes = false;
    for_each_access([&](program::Access& access) {
      if (access.is_visible || !is_to_show(access))
        return;
      access.is_visible = true;
      changes = true;
      touches(access, [&](std::size_t object) { is_shown[object] = true; });
    });
  }
}

namespace {

bool has_constant_addresses(const Program& program) {
  const auto is_constant = [&](const auto& access) {
    return program.terms.is_constant(access.address);
  };
  for (const program::Procedure& procedure : program.procedures)
    for (const program::Edge& edge : procedure.edges)
      if (!std::visit(Overloaded{
                          [&](const program::Load& a) { return is_constant(a); },
                          [&](const program::Store& a) { return is_constant(a); },
                          [&](const program::LoadExclusive& a) { return is_constant(a); },
                          [&](const program::StoreExclusive& a) { return is_constant(a); },
                          [&](const program::ReadModifyWrite& a) { return is_constant(a); },
                          [&](const program::CompareExchange& a) { return is_constant(a); },
                          [](const program::Free&) { return false; },
                          [](const program::Call&) { return false; },
                          [](const auto&) { return true; },
                      },
                      edge.action))
        return false;
  return true;
}

} // namespace

Result<Program> litmus_program(const Test& test, std::uint32_t unroll, const Budget* budget) {
  program::BuildOptions build;
  build.keep_registers = true;
  Result<Program> built = program::build(test.module, build);
  if (!built)
    return built.error();
  built->vocabulary = test.vocabulary;
  // Every access of a test is an event; an analysis finds out which places it can touch, where the
  // address does not say so itself.
  if (has_constant_addresses(*built)) {
    program::annotate(*built, program::AliasAnalysis::kNone);
  } else {
    program::annotate(*built, program::AliasAnalysis::kPointsTo);
    show_accesses(*built, true);
  }
  hide_registers(test, *built);
  if (!has_loops(*built))
    return built;
  program::mark_control(*built);
  spec::Bounds bounds;
  bounds.unwind = unroll;
  Result<transform::Transformed> unrolled =
      transform::unroll(transform::NamedLoops::kMustExist, transform::kMostRunOut, budget)
          ->apply(*built, bounds);
  if (!unrolled)
    return unrolled.error();
  return std::move(unrolled->program);
}

Result<LitmusAnswer> run_litmus(const Test& test,
                                const Program& program,
                                const memory::Model& model,
                                const LitmusOptions& options) {
  spec::Enumerate question;
  for (const Observed& observed : test.observed)
    question.parts.push_back({observed.name,
                              test.module.globals[observed.global].name,
                              observed.offset,
                              static_cast<std::uint8_t>((observed.bits + 7U) / 8U)});
  question.what =
      options.counts ? spec::Enumerate::What::kExecutions : spec::Enumerate::What::kFinalStates;
  question.kept_executions = options.kept_executions;
  spec::Task task;
  task.program = &program;
  task.model = model;
  task.question = question;
  task.bounds.unwind = options.unroll;
  task.bounds.nondet_bits = options.nondet_bits;
  engine::Context context;
  context.budget = options.budget;
  context.jobs = options.jobs;

  LitmusAnswer answer;
  std::optional<Program> lowered;
  if (model.core == nullptr || memory::to_string(model.vocabulary) != program.vocabulary) {
    Program source = program;
    if (model.core == nullptr) {
      if (transform::has_pairs(source.vocabulary))
        transform::offer_all_orders_of_pairs(source);
      source.vocabulary = "c11"; // machines take assembly for what it says in terms of C
    }
    Result<transform::Transformed> made = transform::lower(model)->apply(source, task.bounds);
    if (!made)
      return made.error();
    lowered = std::move(made->program);
    task.program = &*lowered;
  }
  if (model.core != nullptr) {
    std::function<bool(const verdict::Outcome&)> admits;
    if (test.filter)
      admits = [&](const verdict::Outcome& state) {
        return Condition(test, program, state).holds(*test.filter);
      };
    engine::AxiomaticOptions by_solver;
    by_solver.admits = admits;
    answer.verdict = options.by_solver ? engine::make_axiomatic(by_solver)->run(task, context)
                                       : engine::make_enumerate({admits})->run(task, context);
  } else {
    program::annotate(*lowered, program::AliasAnalysis::kPointsTo);
    answer.verdict = engine::make_explicit({})->run(task, context);
  }
  if (const auto* unknown = std::get_if<verdict::Unknown>(&answer.verdict.answer)) {
    if (!options.budget.exhausted(0))
      return Error{ErrorKind::kUnsupported, "LIT-900", unknown->why};
    answer.verdict.answer = verdict::Outcomes{}; // none were found in time
  }
  const auto& outcomes = std::get<verdict::Outcomes>(answer.verdict.answer);
  report::LitmusResult& result = answer.result;
  result.test = test.name;
  result.model = model.name;
  result.quantifier = quantifier_of(test.quantifier);
  result.condition = test.condition_text;
  result.flags = outcomes.flags;
  result.complete = outcomes.complete;
  if (const auto failing = answer.verdict.statistics.counters.find("failed assertions");
      failing != answer.verdict.statistics.counters.end())
    result.failing = static_cast<std::uint64_t>(failing->second);
  for (std::size_t i = 0; i < outcomes.states.size(); ++i) {
    const Condition condition(test, program, outcomes.states[i]);
    if (test.filter && !condition.holds(*test.filter))
      continue;
    report::LitmusState state;
    state.values = print_state(program, test, outcomes.states[i]);
    state.executions = outcomes.executions.empty() ? 1 : outcomes.executions[i];
    state.satisfies = condition.holds(test.condition);
    result.states.push_back(std::move(state));
  }
  report::sort_states(result.states);
  return answer;
}

} // namespace heddle::driver
