// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// heddle-cnf: the formula that asks for a violation of a program, as a DIMACS file. What follows
// the first two words is the command line of `heddle verify`: files, --model, --property,
// --unwind.
//
//   heddle-cnf pairs|slices OUT.cnf FILE.c --model tso --unwind 4
//
// The order of events is one of pairs, or the memory is sliced; there is no theory beside the
// clauses, so that every SAT solver can be asked.
#include "driver/pipeline/pipeline.h"
#include "encode/order/memory_formula.h"
#include "encode/order/pair_order.h"
#include "encode/program/unrolled.h"
#include "encode/slices/slices.h"
#include "solve/core/make_core.h"
#include "solve/recorder.h"
#include "spec/property.h"
#include "transform/basic/transform.h"

#include <fmt/core.h>

#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace {

using namespace heddle;
using Kind = program::StaticEvent::Kind;

constexpr spec::Property kProperty = spec::Property::kReach;

Result<program::EventSet> make_events(const program::Program& program) {
  program::EventSetOptions options;
  options.for_solver = true;
  return program::make_events(program, options);
}

/// One of the checks of the property fails.
void ask_for_violation(const program::EventSet& set,
                       encode::MemoryEncoding& formula,
                       logic::Gates& gates) {
  std::vector<logic::Literal> fails;
  for (program::EventIndex e = 0; e < set.events.size(); ++e)
    if (const program::StaticEvent& event = set.events[e];
        event.kind == Kind::kCheck && spec::violates(kProperty, event.fault)) {
      const logic::Literal reached = formula.executed(e);
      fails.push_back(gates.and_(reached, ~formula.literal(event.value)));
    }
  gates.require_any(fails);
}

Status
write(program::EventSet set, memory::MachineKind machine, bool sliced, const std::string& path) {
  const encode::Skeleton skeleton = encode::make_skeleton(set, encode::order_of(machine), false);
  if (sliced)
    if (const auto why = encode::why_not_sliced(set, skeleton))
      return Error{ErrorKind::kUnsupported, "CNF-001", "this is not sliced: " + *why};
  solve::Recorder recorder(solve::make_core());
  logic::Gates gates(recorder);
  encode::PairOrder order(skeleton, gates);
  std::unique_ptr<encode::MemoryEncoding> formula;
  if (sliced)
    formula = std::make_unique<encode::Slices>(set, skeleton, gates);
  else
    formula = std::make_unique<encode::MemoryFormula>(set, skeleton, gates, order);
  if (const Status encoded = formula->encode(); !encoded)
    return encoded;
  ask_for_violation(set, *formula, gates);
  for (const encode::MemoryEncoding::Misuse& misuse : formula->misuses())
    gates.require(~misuse.happens);
  if (!sliced)
    order.finish();
  std::ofstream out(path);
  recorder.write_dimacs(out);
  if (!out.flush())
    return Error{ErrorKind::kInput, "CNF-002", "cannot write " + path};
  return Done{};
}

Status run(bool sliced, const std::string& path, std::span<const std::string> verify) {
  const Result<driver::CommandLine> line = driver::parse_command_line(verify);
  if (!line)
    return line.error();
  const Result<driver::Asked> asked = driver::understand_question(line->options);
  if (!asked)
    return asked.error();
  if (!asked->model.machine || !asked->asks(kProperty))
    return Error{ErrorKind::kUsage, "CNF-003", "expected --model sc, tso or pso, --property reach"};
  const Result<driver::Prepared> prepared = driver::prepare(*asked, line->options, Budget{}, {});
  if (!prepared)
    return prepared.error();
  const spec::Task task = driver::make_task(*asked, line->options, prepared->ground());
  const auto skip_idle = transform::skip_idle_turns(transform::IdleTurns::kNone);
  const Result<encode::Unrolled> unrolled =
      encode::unroll(*task.program, task.bounds, Budget{}, skip_idle.get());
  if (!unrolled)
    return unrolled.error();
  Result<program::EventSet> set = make_events(unrolled->program());
  if (!set)
    return set.error();
  return write(std::move(*set), *asked->model.machine, sliced, path);
}

} // namespace

int main(int count, char** words) {
  const std::vector<std::string> arguments(words + 1, words + count);
  if (arguments.size() < 3 || (arguments[0] != "pairs" && arguments[0] != "slices")) {
    fmt::print(stderr, "usage: heddle-cnf pairs|slices OUT.cnf FILE [options of heddle verify]\n");
    return 2;
  }
  std::vector<std::string> verify{"verify"};
  verify.insert(verify.end(), arguments.begin() + 2, arguments.end());
  if (const Status done = run(arguments[0] == "slices", arguments[1], verify); !done) {
    fmt::print(stderr, "heddle-cnf: {}\n", done.error().to_string());
    return 1;
  }
  return 0;
}
