// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Static bounds against executions: whatever an allowed execution has lies between what must be and
// what may be, for every definition of the model.
#include "driver/options/models.h"
#include "driver/pipeline/litmus.h"
#include "frontend/litmus/parse_test.h"
#include "frontend/litmus/shared/test.h"
#include "memory/bit_algebra.h"
#include "memory/cat/load_model.h"
#include "memory/event_bounds.h"
#include "memory/execution_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace heddle::memory {
namespace {

using execution::Event;
using execution::Execution;
using relation::BitMatrix;
using relation::BitSet;

/// The test, its events, the model and the bounds.
struct Case {
  frontend::litmus::Test test;
  program::Program program;
  std::optional<program::EventSet> set;
  Model model;
  EventBounds bounds;
};

bool is_c(const std::string& vocabulary) {
  return vocabulary == "c11" || vocabulary == "lkmm";
}

std::unique_ptr<Case> make_case(const std::string& text,
                                const std::string& model_name,
                                Narrowed narrowed = Narrowed::kByPlace) {
  auto made = std::make_unique<Case>();
  auto parsed = frontend::litmus::parse(text, "test.litmus");
  if (const auto* wrong = std::get_if<frontend::litmus::Diagnostics>(&parsed)) {
    ADD_FAILURE() << wrong->errors.front().to_string();
    return nullptr;
  }
  made->test = std::get<frontend::litmus::Test>(std::move(parsed));
  Result<program::Program> program = driver::litmus_program(made->test, 2);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return nullptr;
  }
  made->program = std::move(*program);
  driver::AxiomaticModels models({}, {});
  auto model = models.find(model_name, *find_vocabulary(made->test.vocabulary));
  if (const auto* errors = std::get_if<std::vector<Error>>(&model)) {
    ADD_FAILURE() << errors->front().to_string();
    return nullptr;
  }
  made->model = std::get<Model>(std::move(model));
  program::EventSetOptions options;
  options.groups_by_location = !is_c(made->test.vocabulary);
  options.control_ends_at_join = !options.groups_by_location;
  options.register_events = options.groups_by_location && made->model.core->computes_dependencies;
  Result<program::EventSet> set = program::make_events(made->program, options);
  if (!set) {
    ADD_FAILURE() << set.error().to_string();
    return nullptr;
  }
  made->set.emplace(std::move(*set));
  made->bounds = bounds(*made->model.core, *made->set, Accesses::kAnywhere, nullptr, narrowed);
  return made;
}

Event::Kind kind_of(program::StaticEvent::Kind kind) {
  using Kind = program::StaticEvent::Kind;
  return kind == Kind::kWrite           ? Event::Kind::kWrite
         : kind == Kind::kFence         ? Event::Kind::kFence
         : kind == Kind::kBranch        ? Event::Kind::kBranch
         : kind == Kind::kRegisterRead  ? Event::Kind::kRegisterRead
         : kind == Kind::kRegisterWrite ? Event::Kind::kRegisterWrite
                                        : Event::Kind::kRead;
}

/// By event of the execution, its element. An event is the next of its thread with its
/// instruction, kind, access and register; events of an execution are in the order of the set's.
std::vector<std::size_t> map_events(const Case& of, const Execution& execution) {
  std::vector<std::size_t> elements(execution.events.size(), EventBounds::kNone);
  std::map<unsigned, program::EventIndex> next; // by thread
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    const Event& event = execution.events[i];
    if (event.kind == Event::Kind::kInitialWrite)
      continue;
    const program::StaticThread& thread = of.set->threads[event.thread];
    auto at = next.try_emplace(event.thread, thread.first).first;
    while (at->second < thread.last) {
      const program::EventIndex candidate = at->second++;
      const program::StaticEvent& from = of.set->events[candidate];
      const std::optional<std::uint64_t> address =
          from.address.is_valid() && of.set->terms.is_constant(from.address)
              ? std::optional(of.set->terms.node(from.address).value)
              : std::nullopt;
      if (of.bounds.element_of[candidate] == EventBounds::kNone ||
          from.instruction != event.instruction || kind_of(from.kind) != event.kind ||
          from.piece_of != event.access || from.text != event.register_name ||
          (address && *address != event.address))
        continue;
      elements[i] = of.bounds.element_of[candidate];
      break;
    }
    EXPECT_NE(elements[i], EventBounds::kNone) << "an event that the set does not have";
  }
  // Initial writes: by a known address, or by the first access with that address.
  for (std::size_t i = 0; i < execution.events.size(); ++i) {
    if (execution.events[i].kind != Event::Kind::kInitialWrite)
      continue;
    const std::uint64_t address = execution.events[i].address;
    for (std::size_t e = 0; e < of.bounds.elements.size(); ++e) {
      const EventBounds::Element& element = of.bounds.elements[e];
      if (element.is_initial && element.address == address)
        elements[i] = e;
    }
    for (std::size_t j = 0; j < execution.events.size() && elements[i] == EventBounds::kNone; ++j) {
      if (execution.events[j].kind == Event::Kind::kInitialWrite ||
          execution.events[j].address != address || elements[j] == EventBounds::kNone)
        continue;
      for (std::size_t e = 0; e < of.bounds.elements.size(); ++e)
        if (of.bounds.elements[e].is_initial && !of.bounds.elements[e].address &&
            of.bounds.elements[e].event == of.bounds.elements[elements[j]].event)
          elements[i] = e;
    }
    EXPECT_NE(elements[i], EventBounds::kNone) << "an initial write that the bounds do not have";
  }
  return elements;
}

struct Tally {
  std::size_t executions = 0;
  std::size_t must = 0;   // pairs that are surely there
  std::size_t absent = 0; // pairs that are surely not
};

/// All allowed executions of the test lie within the bounds.
Tally check(const std::string& text,
            const std::string& model_name,
            Narrowed narrowed = Narrowed::kByPlace) {
  Tally tally;
  const std::unique_ptr<Case> made = make_case(text, model_name, narrowed);
  if (made == nullptr)
    return tally;
  driver::LitmusOptions options;
  options.kept_executions = 60;
  const Result<driver::LitmusAnswer> answer =
      driver::run_litmus(made->test, made->program, made->model, options);
  if (!answer) {
    ADD_FAILURE() << answer.error().to_string();
    return tally;
  }
  const Core& core = *made->model.core;
  const std::size_t count = made->bounds.elements.size();
  for (const auto& [name, node] : core.definitions)
    if (!core.nodes[node].is_set) {
      tally.must += made->bounds.relation(node).must.size();
      tally.absent += count * count - made->bounds.relation(node).may.size();
    }
  for (const verdict::Outcomes::Kept& kept :
       std::get<verdict::Outcomes>(answer->verdict.answer).kept) {
    ++tally.executions;
    const std::vector<std::size_t> elements = map_events(*made, kept.execution);
    if (std::find(elements.begin(), elements.end(), EventBounds::kNone) != elements.end())
      return tally;
    BitAlgebra algebra(kept.execution.events.size());
    for (std::size_t i = 0; i < core.nodes.size(); ++i) {
      const Node& node = core.nodes[NodeId{i}];
      if (node.op == NodeOp::kBaseSet)
        algebra.give(core.base_names[node.index],
                     base_set(kept.execution, core.base_names[node.index]));
      if (node.op == NodeOp::kBaseRelation)
        algebra.give(core.base_names[node.index],
                     base_relation(kept.execution, core.base_names[node.index]));
      if (node.op == NodeOp::kGenerated &&
          std::holds_alternative<Generator::Coherence>(core.generators[node.index].how))
        algebra.choose(node.index, std::make_shared<const BitMatrix>(kept.execution.co));
    }
    Fold<BitAlgebra> fold(core, algebra);
    for (const auto& [name, node] : core.definitions) {
      if (core.nodes[node].is_set) {
        BitSet value(count);
        for (const std::size_t event : fold.set(node).elements())
          value.insert(elements[event]);
        EXPECT_TRUE(made->bounds.set(node).must.is_subset_of(value))
            << made->test.name << " " << name << " must";
        EXPECT_TRUE(value.is_subset_of(made->bounds.set(node).may))
            << made->test.name << " " << name << " may";
        continue;
      }
      BitMatrix value(count);
      for (const auto& [from, to] : fold.relation(node).pairs())
        value.insert(elements[from], elements[to]);
      EXPECT_TRUE(made->bounds.relation(node).must.is_subset_of(value))
          << made->test.name << " " << name << " must";
      EXPECT_TRUE(value.is_subset_of(made->bounds.relation(node).may))
          << made->test.name << " " << name << " may";
    }
  }
  return tally;
}

std::string contents(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// By folder of litmus tests.
const std::map<std::string, std::string>& models_of_folders() {
  static const std::map<std::string, std::string> models = {{"x86", "x86tso"},
                                                            {"aarch64", "armv8"},
                                                            {"ppc", "power"},
                                                            {"riscv", "riscv"},
                                                            {"arm", "arm"},
                                                            {"mips", "mips"},
                                                            {"c11", "rc11"},
                                                            {"lkmm", "lkmm"}};
  return models;
}

TEST(EventBounds, HoldForAllowedExecutions) {
  for (const auto& [folder, model] : models_of_folders()) {
    Tally all;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests" / "litmus" / folder)) {
      if (entry.path().extension() != ".litmus")
        continue;
      const Tally one = check(contents(entry.path().string()), model);
      EXPECT_GT(one.executions, 0U) << entry.path();
      all.executions += one.executions;
      all.must += one.must;
      all.absent += one.absent;
    }
    EXPECT_GT(all.executions, 20U) << folder;
    EXPECT_GT(all.must, 100U) << folder;
    EXPECT_GT(all.absent, 100U) << folder;
  }
}

/// What the axioms exclude is in no execution that they allow.
TEST(EventBounds, AxiomsNarrowThem) {
  for (const auto& [folder, model] : models_of_folders()) {
    Tally by_place;
    Tally by_axioms;
    for (const auto& entry : std::filesystem::directory_iterator(
             std::filesystem::path(HEDDLE_SOURCE_DIR) / "tests" / "litmus" / folder)) {
      if (entry.path().extension() != ".litmus")
        continue;
      const std::string text = contents(entry.path().string());
      const std::unique_ptr<Case> plain = make_case(text, model);
      ASSERT_NE(plain, nullptr);
      const Tally one = check(text, model, Narrowed::kByAxioms);
      EXPECT_GT(one.executions, 0U) << entry.path();
      by_axioms.absent += one.absent;
      const std::size_t count = plain->bounds.elements.size();
      for (const auto& [name, node] : plain->model.core->definitions)
        if (!plain->model.core->nodes[node].is_set)
          by_place.absent += count * count - plain->bounds.relation(node).may.size();
    }
    EXPECT_GE(by_axioms.absent, by_place.absent) << folder;
  }
}

BoundAlgebra::Relation relation_of(const Case& made, const std::string& name) {
  for (const auto& [known, node] : made.model.core->definitions)
    if (known == name)
      return made.bounds.relation(node);
  ADD_FAILURE() << "no definition " << name;
  return {};
}

std::unique_ptr<Case> with_text(const std::string& test, const std::string& model_text) {
  std::unique_ptr<Case> made = make_case(test, "sc");
  if (made == nullptr)
    return nullptr;
  cat::LoadOptions options;
  options.base_names = &base_names(*find_vocabulary(made->test.vocabulary));
  auto loaded = cat::load_text(model_text, "test.cat", options);
  if (const auto* wrong = std::get_if<cat::Diagnostics>(&loaded)) {
    ADD_FAILURE() << wrong->errors.front().to_string();
    return nullptr;
  }
  made->model.core = std::make_shared<Core>(std::get<Core>(std::move(loaded)));
  made->bounds = bounds(*made->model.core, *made->set);
  return made;
}

constexpr const char* kMessage = R"(AArch64 message
{ 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }
 P0 | P1 ;
 MOV W0,#1 | LDR W4,[X3] ;
 STR W0,[X1] | CBZ W4,L0 ;
 STR W0,[X3] | LDR W5,[X1] ;
 | L0: ;
exists (1:X4=1 /\ 1:X5=0)
)";
constexpr const char* kNames = "let p = po\nlet s = rf\nlet c = co\nlet l = loc\nlet k = ctrl\n"
                               "let e = ext\nlet n = rf^-1; co\n";

TEST(EventBounds, KnownAddressesAreExact) {
  const std::unique_ptr<Case> made = with_text(kMessage, kNames);
  ASSERT_TRUE(made);
  // Two initial writes, two writes, a read, a branch and a read that may not happen.
  ASSERT_EQ(made->bounds.elements.size(), 7U);
  const BoundAlgebra::Relation loc = relation_of(*made, "l");
  // x: initial, write, read. y: initial, write, read.
  EXPECT_EQ(loc.may.size(), 18U);
  EXPECT_EQ(loc.must.size(), 9U + 4U); // the read of x may not happen
  const BoundAlgebra::Relation po = relation_of(*made, "p");
  EXPECT_EQ(po.may.pairs(),
            (std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {4, 5}, {4, 6}, {5, 6}}));
  EXPECT_EQ(po.must.pairs(), (std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {4, 5}}));
  const BoundAlgebra::Relation co = relation_of(*made, "c");
  EXPECT_EQ(co.may, co.must);
  EXPECT_EQ(co.may.size(), 2U);
  const BoundAlgebra::Relation rf = relation_of(*made, "s");
  EXPECT_EQ(rf.may.size(), 4U);
  EXPECT_TRUE(rf.must.empty());
  const BoundAlgebra::Relation ctrl = relation_of(*made, "k");
  EXPECT_EQ(ctrl.may.pairs(), (std::vector<std::pair<std::size_t, std::size_t>>{{4, 6}}));
  EXPECT_TRUE(ctrl.must.empty());
}

TEST(EventBounds, CoherenceNarrowsThem) {
  // The thread reads what it wrote or what comes after.
  const char* const test = R"(AArch64 own
{ 0:X1=x; 1:X1=x; }
 P0 | P1 ;
 MOV W0,#1 | MOV W0,#3 ;
 STR W0,[X1] | STR W0,[X1] ;
 LDR W4,[X1] | ;
 MOV W2,#2 | ;
 STR W2,[X1] | ;
exists (0:X4=1)
)";
  const std::unique_ptr<Case> free = with_text(test, kNames);
  const std::unique_ptr<Case> coherent = with_text(
      test, std::string(kNames) + "let fr = rf^-1; co\nacyclic po & loc | rf | co | fr\n");
  ASSERT_TRUE(free && coherent);
  EXPECT_EQ(relation_of(*free, "s").may.size(), 4U);
  EXPECT_EQ(relation_of(*coherent, "s").may.size(), 2U);
  EXPECT_EQ(relation_of(*free, "c").must.size(), 3U); // the initial write is before all
  EXPECT_EQ(relation_of(*coherent, "c").must.size(), 4U);
  EXPECT_EQ(relation_of(*free, "c").may.size(), 3U + 6U);
  EXPECT_EQ(relation_of(*coherent, "c").may.size(), 3U + 5U);
}

TEST(EventBounds, UnknownAddressesMayBeAnything) {
  const char* const test = R"(AArch64 pointer
{ p=x; 0:X1=p; 0:X3=y; 1:X1=p; 1:X3=y; 1:X5=x; }
 P0 | P1 ;
 LDR X0,[X1] | STR X3,[X1] ;
 LDR W2,[X0] | MOV W7,#1 ;
 | STR W7,[X5] ;
 | STR W7,[X3] ;
exists (0:X2=1)
)";
  const std::unique_ptr<Case> made = with_text(test, kNames);
  ASSERT_TRUE(made);
  const BoundAlgebra::Relation rf = relation_of(*made, "s");
  std::size_t from_unknown = 0;
  for (std::size_t i = 0; i < made->bounds.elements.size(); ++i) {
    const EventBounds::Element& element = made->bounds.elements[i];
    if (!element.is_initial && !element.address && made->set->is_memory(element.event))
      from_unknown = rf.may.inverse().row(i).size();
  }
  // Initial writes and writes of x and y, and the initial write of an address that is none of
  // these. Nothing points to p.
  EXPECT_EQ(from_unknown, 5U);
}

// Where threads end before accesses to where nothing is, the places an access can be to are listed.
TEST(EventBounds, PlacesInRegionsAreListed) {
  const char* const test = R"(AArch64 pointer
{ p=x; 0:X1=p; 1:X1=p; 1:X3=y; }
 P0 | P1 ;
 LDR X0,[X1] | STR X3,[X1] ;
 LDR W2,[X0] | ;
exists (0:X2=1)
)";
  const std::unique_ptr<Case> made = with_text(test, kNames);
  ASSERT_TRUE(made);
  const auto count = [](const EventBounds& of, bool is_known) {
    return std::count_if(
        of.elements.begin(), of.elements.end(), [&](const EventBounds::Element& one) {
          return one.is_initial && one.address.has_value() == is_known;
        });
  };
  EXPECT_EQ(count(made->bounds, false), 1);
  const EventBounds listed = bounds(*made->model.core, *made->set, Accesses::kInRegions);
  EXPECT_EQ(count(listed, false), 0);
  EXPECT_GT(count(listed, true), count(made->bounds, true));
}

TEST(EventBounds, WhatCannotHappenNeedsNoInitialWrite) {
  const char* const test = R"(AArch64 pointer
{ p=x; 0:X1=p; }
 P0 ;
 LDR X0,[X1] ;
 LDR W2,[X0] ;
exists (0:X2=1)
)";
  const std::unique_ptr<Case> made = with_text(test, kNames);
  ASSERT_TRUE(made);
  const auto beyond = [](const EventBounds& bounds) {
    return std::count_if(
        bounds.elements.begin(), bounds.elements.end(), [](const EventBounds::Element& one) {
          return one.is_initial && !one.address;
        });
  };
  EXPECT_EQ(beyond(made->bounds), 1);
  program::EventIndex second = 0; // the load through X0
  for (program::EventIndex i = 0; i < made->set->events.size(); ++i)
    if (made->set->is_memory(i) && !made->set->terms.is_constant(made->set->events[i].address))
      second = i;
  made->set->events[second].guard = made->set->terms.boolean(false);
  const EventBounds without = bounds(*made->model.core, *made->set);
  EXPECT_EQ(without.element_of[second], EventBounds::kNone);
  EXPECT_EQ(beyond(without), 0);
}

} // namespace
} // namespace heddle::memory
