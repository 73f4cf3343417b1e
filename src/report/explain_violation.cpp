// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/explain_violation.h"

#include "report/run_cells.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace heddle::report {

namespace {

using execution::Step;
using verdict::Violation;

const Step& step_of(const Violation& violation, std::uint32_t index) {
  return violation.run->steps[index];
}
std::string stepper(const Violation& violation, std::uint32_t index) {
  return thread_name(violation, step_of(violation, index).transition.thread);
}
std::string place_of(const Violation& violation, const Subject& subject, std::uint32_t index) {
  return subject.program->place(step_of(violation, index).loc);
}
bool reads(const Step& step) {
  return step.what == Step::What::kRead || step.what == Step::What::kReadModifyWrite ||
         step.what == Step::What::kFailedCompareExchange;
}
bool writes(const Step& step) {
  return step.what == Step::What::kWrite || step.what == Step::What::kReadModifyWrite;
}
std::string kind_of(const Step& step) {
  const std::string atomic = step.is_atomic ? "atomic " : "";
  if (step.what == Step::What::kReadModifyWrite)
    return atomic + "read-modify-write";
  return atomic + (writes(step) ? "write" : "read");
}

/// A read that missed a store because that was still pending in another thread's buffer.
struct Missed {
  std::uint32_t read = 0;
  std::uint32_t write = 0;
};

std::vector<Missed> missed_writes(const Violation& violation) {
  const std::vector<Step>& steps = violation.run->steps;
  std::vector<Missed> missed;
  std::vector<std::uint32_t> pending;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.flushes)
      std::erase(pending, *step.flushes);
    if (reads(step))
      for (const std::uint32_t write : pending)
        if (steps[write].transition.thread != step.transition.thread &&
            steps[write].address < step.address + step.size &&
            step.address < steps[write].address + steps[write].size)
          missed.push_back({i, write});
    if (writes(step) && !step.buffer.empty() && step.buffer.back() == i)
      pending.push_back(i);
  }
  return missed;
}

std::string say(const Violation& violation, const Subject& subject, const Missed& missed) {
  const verdict::StepText& text = violation.evidence.steps[missed.read];
  return fmt::format(
      "{} read {} = {} at {} while the write of {} at {} was still in {}'s store buffer",
      stepper(violation, missed.read),
      text.target,
      text.value_read,
      place_of(violation, subject, missed.read),
      violation.evidence.steps[missed.write].target,
      place_of(violation, subject, missed.write),
      stepper(violation, missed.write));
}

/// Pending stores that overtook each other or an earlier store: PSO's way to fail.
std::string reordered_flush(const Violation& violation, const Subject& subject) {
  const std::vector<Step>& steps = violation.run->steps;
  for (std::uint32_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].flushes || steps[i].buffer.empty() || steps[i].buffer.front() > *steps[i].flushes)
      continue;
    return fmt::format("the write of {} at {} reached memory before {}'s earlier write of {} at {}",
                       violation.evidence.steps[i].target,
                       place_of(violation, subject, *steps[i].flushes),
                       stepper(violation, i),
                       violation.evidence.steps[steps[i].buffer.front()].target,
                       place_of(violation, subject, steps[i].buffer.front()));
  }
  return "";
}

/// The last value the failing thread got from another thread, or the last one it read.
std::string last_read(const Violation& violation, const Subject& subject) {
  const std::vector<Step>& steps = violation.run->steps;
  if (steps.empty())
    return "";
  const program::ThreadIndex thread = steps.back().transition.thread;
  for (auto i = static_cast<std::uint32_t>(steps.size()); i-- > 0;) {
    const Step& step = steps[i];
    if (step.transition.thread != thread || !reads(step))
      continue;
    const verdict::StepText& text = violation.evidence.steps[i];
    if (!step.reads_from)
      return fmt::format("{} read the initial value {} of {} at {}",
                         stepper(violation, i),
                         text.value_read,
                         text.target,
                         place_of(violation, subject, i));
    return fmt::format("{} read {} = {} at {}, written by {} at {}",
                       stepper(violation, i),
                       text.target,
                       text.value_read,
                       place_of(violation, subject, i),
                       stepper(violation, *step.reads_from),
                       place_of(violation, subject, *step.reads_from));
  }
  return "";
}

/// Under a model with axioms only: reads that did not see a write which comes later in the order of
/// its place, one for each thread.
std::string stale_reads(const Violation& violation, const Subject& subject) {
  using Kind = execution::Event::Kind;
  const execution::Execution& execution = *violation.execution;
  std::string why;
  std::vector<program::ThreadIndex> told;
  for (const auto& [source, read] : execution.rf.pairs()) {
    const program::ThreadIndex reader = execution.events[read].thread;
    const std::uint32_t at = execution.events[read].step;
    if (at >= violation.run->steps.size() || !reads(step_of(violation, at)) ||
        std::find(told.begin(), told.end(), reader) != told.end())
      continue;
    for (const std::size_t later : execution.co.row(source).elements()) {
      const execution::Event& write = execution.events[later];
      if (write.kind != Kind::kWrite || write.thread == reader ||
          write.step >= violation.run->steps.size())
        continue;
      told.push_back(reader);
      const verdict::StepText& text = violation.evidence.steps[at];
      why += fmt::format("{}{} read {} = {} at {}, not what {} wrote at {}",
                         why.empty() ? "" : ", and ",
                         stepper(violation, at),
                         text.target,
                         text.value_read,
                         place_of(violation, subject, at),
                         stepper(violation, write.step),
                         place_of(violation, subject, write.step));
      break;
    }
    if (told.size() == 2)
      break;
  }
  return why.empty() ? "" : why + fmt::format(", which {} allows", subject.model.name);
}

std::string why_of_fault(const Violation& violation, const Subject& subject) {
  std::string why;
  if (violation.execution)
    why = stale_reads(violation, subject);
  if (!why.empty())
    return why;
  if (const std::string reordered = reordered_flush(violation, subject); !reordered.empty())
    why = reordered;
  const std::vector<Missed> missed = missed_writes(violation);
  constexpr std::size_t kMost = 2;
  for (std::size_t i = 0; i < std::min(missed.size(), kMost); ++i)
    why += (why.empty() ? "" : ", and ") + say(violation, subject, missed[i]);
  if (why.empty())
    why = last_read(violation, subject);
  return why;
}

/// Who took the last step. Only misuse of memory that is found in the order of an execution has its
/// access or free anywhere: it may well be made before the other.
std::string failing_thread(const Violation& violation) {
  using program::FaultKind;
  const std::vector<Step>& steps = violation.run->steps;
  const FaultKind kind = violation.run->fault.kind;
  const bool is_misuse = kind == FaultKind::kUseAfterFree || kind == FaultKind::kDoubleFree ||
                         kind == FaultKind::kInvalidFree;
  if (violation.execution && is_misuse) {
    const auto at_fault = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& step) {
      return step.loc == violation.run->fault.loc;
    });
    if (at_fault != steps.rend())
      return thread_name(violation, at_fault->transition.thread);
  }
  return steps.empty() ? thread_name(violation, 0)
                       : thread_name(violation, steps.back().transition.thread);
}

std::string what_faults(const Violation& violation, const Subject& subject) {
  const program::Fault& fault = violation.run->fault;
  const std::string place = subject.program->place(fault.loc);
  using program::FaultKind;
  if (fault.kind == FaultKind::kAssertion)
    return fmt::format(
        "assertion `{}` fails at {} in {}", fault.what, place, failing_thread(violation));
  if (fault.kind == FaultKind::kErrorCall)
    return fmt::format("{} is called at {} in {}",
                       fault.what.empty() ? "the error function" : fault.what,
                       place,
                       failing_thread(violation));
  if (fault.kind == FaultKind::kLeak)
    return fmt::format("{} is never freed", fault.what.empty() ? "a block" : fault.what);
  return fmt::format("{}{} at {} in {}",
                     program::to_string(fault.kind),
                     fault.what.empty() ? "" : " (" + fault.what + ")",
                     place,
                     failing_thread(violation));
}

std::string access_text(const Violation& violation, const Subject& subject, std::uint32_t index) {
  return fmt::format("{} of {} at {} in {}",
                     kind_of(step_of(violation, index)),
                     violation.evidence.steps[index].target,
                     place_of(violation, subject, index),
                     stepper(violation, index));
}

std::string held_by(const Violation& violation, program::ThreadIndex thread) {
  std::vector<std::string> names;
  for (const verdict::HeldLock& held : violation.evidence.held)
    if (held.thread == thread)
      names.push_back(held.how + " " + held.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string
wait_text(const Violation& violation, const Subject& subject, const verdict::Waiting& waiting) {
  std::string text = thread_name(violation, waiting.thread) + " waits ";
  if (waiting.reason == "join")
    text += waiting.name.empty() ? "to join a thread" : "for " + waiting.name + " to end";
  else if (waiting.reason == "atomic section")
    text += "for the end of an atomic section";
  else if (waiting.reason == "in a loop")
    text += "in a loop" + (waiting.name.empty() ? "" : " for " + waiting.name);
  else
    text += fmt::format(
        "{} {} {}",
        waiting.reason == "condition variable" || waiting.reason == "barrier" ? "at" : "for",
        waiting.reason,
        waiting.name);
  text += " at " + subject.program->place(waiting.loc);
  std::vector<std::string> holders;
  for (const program::ThreadIndex thread : waiting.for_threads)
    holders.push_back(thread_name(violation, thread));
  if (waiting.reason == "mutex" || waiting.reason == "read-write lock") {
    const bool is_own = waiting.for_threads.empty();
    text += is_own ? ", which nobody else will release"
                   : fmt::format(", held by {}", fmt::join(holders, " and "));
  } else if (waiting.reason == "in a loop") {
    text += ", and no thread that is left will write it";
  } else if (holders.empty() && waiting.reason != "join") {
    text += ", and nobody is left who could wake it";
  }
  return text;
}

std::vector<std::string>
race_particulars(const Violation& violation, const Subject& subject, const verdict::Race& race) {
  std::vector<std::string> lines;
  for (const std::uint32_t index : {race.first, race.second}) {
    const Step& step = step_of(violation, index);
    lines.push_back(fmt::format("#{}: {}", index + 1, access_text(violation, subject, index)));
    for (std::size_t i = 1; i < step.stack.size(); ++i)
      lines.push_back(fmt::format("    {}, called at {} in {}",
                                  subject.program->procedures[step.stack[i - 1].procedure].name,
                                  subject.program->place(step.stack[i].loc),
                                  subject.program->procedures[step.stack[i].procedure].name));
    const std::string held = held_by(violation, step.transition.thread);
    lines.push_back("    locks held: " + (held.empty() ? "none" : held));
  }
  return lines;
}

std::vector<std::string> cycle_particulars(const Violation& violation, const Subject& subject) {
  std::vector<std::string> lines;
  for (const verdict::CycleEdge& edge : violation.evidence.cycle)
    lines.push_back(fmt::format("#{} {} --{}--> #{} {}",
                                edge.from + 1,
                                effect(violation, edge.from),
                                edge.relation,
                                edge.to + 1,
                                effect(violation, edge.to)));
  lines.emplace_back(
      "po: program order, rf: reads from, co: order in memory, fr: reads before, sync: "
      "synchronisation");
  static_cast<void>(subject);
  return lines;
}

} // namespace

std::string what_fails(const Violation& violation, const Subject& subject) {
  HEDDLE_CHECK(violation.run.has_value(), "a violation is shown that was not replayed");
  return std::visit(
      Overloaded{
          [&](const verdict::FaultReached&) { return what_faults(violation, subject); },
          [&](const verdict::Race& race) {
            return access_text(violation, subject, race.first) + " and " +
                   access_text(violation, subject, race.second) + " are not ordered";
          },
          [&](const verdict::Deadlock& deadlock) {
            std::vector<std::string> names;
            for (const verdict::Waiting& waiting : violation.evidence.waiting)
              names.push_back(thread_name(violation, waiting.thread));
            return fmt::format("{} {} on{}",
                               fmt::join(names, ", "),
                               "can never go",
                               deadlock.is_partial ? " (others can)" : "");
          },
          [&](const verdict::NotRobust&) {
            return std::string("a run that sequential consistency does not allow");
          },
      },
      violation.kind);
}

std::string explanation(const Violation& violation, const Subject& subject) {
  HEDDLE_CHECK(violation.run.has_value(), "a violation is shown that was not replayed");
  return std::visit(
      Overloaded{
          [&](const verdict::FaultReached&) {
            const std::string why = why_of_fault(violation, subject);
            return what_faults(violation, subject) + (why.empty() ? "" : ": " + why) + ".";
          },
          [&](const verdict::Race& race) {
            return fmt::format("Nothing orders the {} and the {}: no chain of program order, "
                               "locks, thread creation or joining, "
                               "or release/acquire leads from #{} to #{}.",
                               access_text(violation, subject, race.first),
                               access_text(violation, subject, race.second),
                               race.first + 1,
                               race.second + 1);
          },
          [&](const verdict::Deadlock&) {
            std::string text;
            for (const verdict::Waiting& waiting : violation.evidence.waiting)
              text += (text.empty() ? "" : "; ") + wait_text(violation, subject, waiting);
            return text + ".";
          },
          [&](const verdict::NotRobust&) {
            const std::string why = why_of_fault(violation, subject);
            return "The events form a cycle, so no interleaving explains the run" +
                   (why.empty() ? "" : ": " + why) + ".";
          },
      },
      violation.kind);
}

std::vector<std::string> particulars(const Violation& violation, const Subject& subject) {
  return std::visit(
      Overloaded{
          [](const verdict::FaultReached&) { return std::vector<std::string>{}; },
          [&](const verdict::Race& race) { return race_particulars(violation, subject, race); },
          [&](const verdict::Deadlock&) {
            std::vector<std::string> lines;
            for (const verdict::Waiting& waiting : violation.evidence.waiting) {
              const std::string held = held_by(violation, waiting.thread);
              if (!held.empty())
                lines.push_back(thread_name(violation, waiting.thread) + " holds " + held);
            }
            return lines;
          },
          [&](const verdict::NotRobust&) { return cycle_particulars(violation, subject); },
      },
      violation.kind);
}

} // namespace heddle::report
