// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The picture of one execution, free of any output format: labelled events in columns, edges by
// relation, sets of events, and what is to be drawn bold. dot.h and html.h write it.
#pragma once

#include "execution/execution.h"
#include "program/model/program.h"
#include "relation/bit_matrix.h"
#include "relation/bit_set.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace heddle::report {

/// The text of a thread, for people.
struct ProgramThread {
  struct Line {
    std::string text;
    SourceLoc loc = {};
    bool operator==(const Line&) const = default;
  };
  execution::ThreadIndex thread = 0; // as the events have it
  std::string name;                  // "P0"
  std::vector<Line> lines = {};
  bool operator==(const ProgramThread&) const = default;
};

struct NamedRelation {
  std::string name;
  relation::BitMatrix pairs;
  bool shown = false;
};
struct NamedSet {
  std::string name;
  relation::BitSet members;
  bool shown = false;
};

/// Some edges drawn bold with a heading: the cycle that breaks an axiom, the two accesses of a
/// race.
struct Highlight {
  struct Edge {
    std::size_t from = 0; // indices of events
    std::size_t to = 0;
    std::string relation = {}; // "fr"
  };
  std::string title;            // the axiom's name, "data race"
  std::string text = {};        // the axiom in the model's own words: "acyclic po | rf | fr | co"
  std::string explanation = {}; // a sentence
  std::vector<Edge> edges = {};
};

struct Picture {
  enum class Kind : std::uint8_t { kInitialWrite, kRead, kWrite, kFence, kBranch, kRegister };
  struct Node {
    std::string name; // "a"; "i0" for initial writes
    std::string what; // "W[x]=1"
    Kind kind = Kind::kRead;
    std::optional<std::size_t> thread = {}; // index into `threads`
    std::optional<std::size_t> line = {};   // index into the thread's lines
    std::string place = {};                 // "f.c:12"
    [[nodiscard]] std::string label() const { return name + ": " + what; }
  };
  struct Relation {
    std::string name;
    bool shown = false;
    /// A partial order, given by its transitive reduction; between events some of which are hidden,
    /// edges go on through those.
    bool is_order = false;
    std::vector<std::pair<std::size_t, std::size_t>> edges = {}; // lexicographic
  };
  struct Set {
    std::string name;
    bool shown = false;
    std::vector<std::size_t> members = {};
  };
  std::string title = {};
  std::vector<ProgramThread> threads = {};
  std::vector<Node> nodes = {}; // as the events of the execution
  std::vector<Relation> relations = {};
  std::vector<Set> sets = {};
  /// What is drawn above what: program order, the parts of one instruction, creation and joining.
  std::vector<std::pair<std::size_t, std::size_t>> above = {};
  std::optional<Highlight> highlight = {};
};

/// The kinds of events, in the order in which viewers offer to hide them.
struct KindText {
  Picture::Kind kind;
  std::string name;  // "W"
  std::string title; // "writes"
  bool shown = true;
};
[[nodiscard]] const std::vector<KindText>& kinds();

struct PictureInput {
  std::string title = {};
  const execution::Execution* execution = nullptr; // outlives the call
  std::vector<ProgramThread> threads = {}; // columns in this order; a thread without one gets one
  /// The location an event touches ("x", "a[1]") and its value ("1", "x"); without them, numbers.
  std::function<std::string(const execution::Event&)> location = {};
  std::function<std::string(const execution::Event&)> value = {};
  /// Events that only tell what a register holds at the end: drawn as register events, hidden at
  /// first.
  std::function<bool(const execution::Event&)> is_register = {};
  bool shows_orders = true; // C's memory orders; assembly has tags
  /// Event by event, what to print instead of "W[x]=1"; may be shorter than the events.
  std::vector<std::string> texts = {};
  /// Beside po, rf, co, fr and the other relations of the execution; one of these names replaces
  /// it.
  std::vector<NamedRelation> relations = {};
  /// Beside the kinds of events (kinds()).
  std::vector<NamedSet> sets = {};
  std::vector<std::string> files = {}; // names for SourceLoc::file
  std::optional<Highlight> highlight = {};
};

[[nodiscard]] Picture picture(const PictureInput& input);

/// Names by the globals of a program, with the address of a global as its name.
[[nodiscard]] std::function<std::string(const execution::Event&)>
location_names(const program::Program& program);
[[nodiscard]] std::function<std::string(const execution::Event&)>
value_names(const program::Program& program);

/// The least relation with the same transitive closure, if it is acyclic; otherwise itself.
[[nodiscard]] relation::BitMatrix reduced(const relation::BitMatrix& relation);
/// The edges of a relation between events that are visible (one entry per node): through the hidden
/// ones if it is an order.
[[nodiscard]] std::vector<std::pair<std::size_t, std::size_t>>
visible_edges(const Picture::Relation& relation, const std::vector<bool>& is_visible);
/// Which events are drawn at first: by kind, and whatever the highlight touches.
[[nodiscard]] std::vector<bool> visible_nodes(const Picture& picture);

} // namespace heddle::report
