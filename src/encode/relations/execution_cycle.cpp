// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A set of steps each of which has one after it in the set: in a finite execution that is a cycle.
#include "encode/relations/execution_cycle.h"

#include <map>
#include <utility>
#include <vector>

namespace heddle::encode {

namespace {

class CycleOfSteps {
public:
  CycleOfSteps(const program::EventSet& set, ExecutionFormula& executions, logic::Gates& gates)
      : set_(set), executions_(executions), gates_(gates) {}

  Literal encode() {
    find_steps();
    for (Element write = 0; write < executions_.count(); ++write)
      if (executions_.is_write(write))
        add_arcs_of(write);
    std::vector<Literal> some;
    for (Step& step : steps_) {
      step.next.push_back(~step.is_in);
      step.next.push_back(step.is_later_in);
      gates_.require_any(step.next);
      std::vector<Literal> happens{~step.is_in};
      for (const Element element : step.elements)
        happens.push_back(executions_.happens(element));
      gates_.require_any(happens);
      some.push_back(step.is_in);
    }
    return gates_.or_(some);
  }

private:
  struct Step {
    std::vector<Element> elements = {};
    Literal is_in;
    Literal is_later_in; // one of its thread that comes after it
    std::vector<Literal> next = {};
  };

  /// Events that stand later in the set are later in every run in which they happen.
  void find_steps() {
    for (const program::StaticThread& thread : set_.threads) {
      const std::size_t first = steps_.size();
      for (EventIndex e = thread.first; e < thread.last; ++e) {
        const Element element = executions_.bounds().element_of[e];
        if (!set_.is_memory(e) || element == memory::EventBounds::kNone)
          continue;
        const std::uint32_t instruction = set_.events[e].instruction;
        if (steps_.size() == first || instruction != last_instruction_)
          steps_.push_back({{}, gates_.fresh(), {}});
        last_instruction_ = instruction;
        steps_.back().elements.push_back(element);
        step_of_[element] = steps_.size() - 1;
      }
      Literal later = gates_.constant(false);
      for (std::size_t i = steps_.size(); i-- > first;) {
        steps_[i].is_later_in = later;
        later = gates_.or_(later, steps_[i].is_in);
      }
    }
  }

  /// Nothing comes before an initial write.
  void arc(Element from, Element to, Literal when) {
    const auto source = step_of_.find(from);
    const auto target = step_of_.find(to);
    if (source == step_of_.end() || target == step_of_.end() || source->second == target->second ||
        gates_.is_false(when))
      return;
    steps_[source->second].next.push_back(gates_.and_(when, steps_[target->second].is_in));
  }

  void add_arcs_of(Element write) {
    for (Element read = 0; read < executions_.count(); ++read) {
      const Literal reads = executions_.rf(write, read);
      if (gates_.is_false(reads))
        continue;
      arc(write, read, reads);
      for (Element later = 0; later < executions_.count(); ++later)
        if (const Literal co = executions_.co(write, later); !gates_.is_false(co))
          arc(read, later, gates_.and_(reads, co));
    }
    for (Element later = 0; later < executions_.count(); ++later)
      arc(write, later, executions_.co(write, later));
  }

  const program::EventSet& set_;
  ExecutionFormula& executions_;
  logic::Gates& gates_;
  std::vector<Step> steps_;
  std::map<Element, std::size_t> step_of_;
  std::uint32_t last_instruction_ = 0;
};

} // namespace

Literal has_cycle(const program::EventSet& set, ExecutionFormula& executions, logic::Gates& gates) {
  return CycleOfSteps(set, executions, gates).encode();
}

} // namespace heddle::encode
