// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/run/assigned_variables.h"

#include <algorithm>
#include <map>

namespace heddle::check {

namespace {

using execution::Step;
using program::LocalId;

class Evaluation {
public:
  Evaluation(const program::Interpreter& interpreter,
             const program::State& state,
             program::ThreadIndex thread)
      : program_(interpreter.program()), state_(state.threads[thread]), thread_(thread) {}

  void assign(const program::Assign& assign, SourceLoc loc, std::vector<Step::Assigned>& out) {
    const std::uint64_t value =
        program_.terms.evaluate(assign.value, [this](std::uint64_t number) -> std::uint64_t {
          if (number == program::kSelfVariable)
            return thread_;
          const auto found = changed_.find(number);
          return found != changed_.end()
                     ? found->second
                     : state_.local(0, LocalId{static_cast<std::size_t>(number)});
        });
    changed_[assign.dest.value] = value;
    const program::Local& local = program_.procedures[state_.procedure(0)].locals[assign.dest];
    if (local.name.empty())
      return;
    // Only the last value matters when one step assigns a variable several times.
    std::erase_if(out, [&](const Step::Assigned& other) { return other.name == local.name; });
    out.push_back({local.name, value, local.width, loc});
  }

private:
  const program::Program& program_;
  const program::ThreadState& state_;
  program::ThreadIndex thread_;
  std::map<std::uint64_t, std::uint64_t> changed_;
};

} // namespace

std::vector<Step::Assigned> assigned_by_local_run(const program::Interpreter& interpreter,
                                                  program::State state,
                                                  program::ThreadIndex thread,
                                                  unsigned limit) {
  std::vector<Step::Assigned> assigned;
  for (unsigned steps = 0; steps < limit; ++steps) {
    if (state.has_ended || !state.threads[thread].is_live())
      break;
    const program::Request request = interpreter.request(state, thread);
    if (request.kind != program::Request::Kind::kLocal || request.edge == nullptr)
      break;
    Evaluation evaluation(interpreter, state, thread);
    if (const auto* assign = std::get_if<program::Assign>(&request.edge->action)) {
      evaluation.assign(*assign, request.edge->loc, assigned);
    } else if (const auto* sequence = std::get_if<program::AssignSequence>(&request.edge->action)) {
      for (const program::Assign& part : sequence->assignments)
        evaluation.assign(part, request.edge->loc, assigned);
    }
    if (!interpreter.run_local(state, thread, 1).is_none())
      break;
  }
  return assigned;
}

} // namespace heddle::check
