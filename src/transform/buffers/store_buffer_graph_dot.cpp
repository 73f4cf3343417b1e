// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The drawing of a store-buffer graph. A node is labelled with its location and what is pending, an
// edge with what it does; the colours are those of the literature (Weak2SC, section 4.3).
#include "program/model/print_program.h"
#include "transform/buffers/store_buffer_graph.h"

#include <fmt/format.h>

#include <string_view>
#include <variant>

namespace heddle::transform {

namespace {

using Kind = GraphEdge::Kind;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
  }
  return out + "\"";
}

std::string_view colour_of(Kind kind) {
  switch (kind) {
  case Kind::kLocal:
  case Kind::kCut:
    return "gray50";
  case Kind::kLoad:
  case Kind::kEarlyRead:
  case Kind::kComposedLoad:
    return "green4";
  case Kind::kStore:
    return "red";
  case Kind::kFlush:
    return "brown";
  case Kind::kFence:
    return "blue";
  case Kind::kAllocate:
    return "gold3";
  }
  return "black";
}

class Drawing {
public:
  Drawing(const program::Program& program,
          const program::Procedure& procedure,
          const StoreBufferGraph& graph,
          DotForm form)
      : program_(program), procedure_(procedure), graph_(graph), form_(form) {}

  std::string text() {
    std::string out = form_ == DotForm::kGraph
                          ? fmt::format("digraph {} {{\n", quoted(procedure_.name))
                          : fmt::format("subgraph {} {{\n", quoted("cluster_" + procedure_.name));
    out += fmt::format(
        "  graph [label={}, labelloc=t, fontname=\"Helvetica\"];\n"
        "  node [shape=box, style=rounded, fontname=\"Helvetica\"];\n"
        "  edge [fontname=\"Helvetica\"];\n",
        quoted(fmt::format(
            "{}: {} nodes, {} edges", procedure_.name, graph_.nodes.size(), graph_.edges.size())));
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      const GraphNode& node = graph_.nodes[GraphNodeId{i}];
      const bool is_end = i == 0 || node.out.empty();
      out += fmt::format(
          "  {} [label={}{}];\n", name(i), quoted(label(node)), is_end ? ", color=blue" : "");
    }
    for (const GraphEdge& edge : graph_.edges)
      out += fmt::format("  {} -> {} [label={}, color={}, fontcolor={}{}];\n",
                         name(edge.from.index()),
                         name(edge.to.index()),
                         quoted(label(edge)),
                         colour_of(edge.kind),
                         colour_of(edge.kind),
                         edge.is_guarded ? ", style=dashed" : "");
    return out + "}\n";
  }

private:
  [[nodiscard]] std::string name(std::size_t node) const {
    return form_ == DotForm::kGraph ? fmt::format("n{}", node)
                                    : quoted(fmt::format("{} {}", procedure_.name, node));
  }
  [[nodiscard]] std::string text(program::Term term) const {
    return program::to_text(program_, procedure_, term);
  }
  [[nodiscard]] std::string pending(const SymbolicEntry& entry) const {
    const EntryOperands& operands = graph_.operands[entry.store][entry.instance];
    return fmt::format("{} = {}", text(operands.address), text(operands.value));
  }
  [[nodiscard]] std::string label(const GraphNode& node) const {
    std::string out = node.location.is_valid() ? fmt::format("{}", node.location.value) : "end";
    for (const SymbolicEntry& entry : node.buffer.entries)
      out += fmt::format("\n{}{}",
                         pending(entry),
                         entry.epoch == 0 ? "" : fmt::format(" (fence {})", entry.epoch));
    return out;
  }
  [[nodiscard]] std::string label(const GraphEdge& edge) const {
    const program::Edge& origin = procedure_.edges[edge.origin];
    const SymbolicBuffer& buffer = graph_.nodes[edge.from].buffer;
    const std::string line =
        origin.loc.is_known() ? fmt::format("\nline {}", origin.loc.line) : std::string();
    switch (edge.kind) {
    case Kind::kFlush:
      return "flush " + pending(buffer.entries[edge.entry]) + line;
    case Kind::kEarlyRead: {
      const SymbolicEntry& entry = buffer.entries[edge.entry];
      return program::to_text(program_, procedure_, origin.action) +
             "\nearly: " + text(graph_.operands[entry.store][entry.instance].value) + line;
    }
    case Kind::kComposedLoad:
      return program::to_text(program_, procedure_, origin.action) +
             "\nbytes of the buffer and of memory" + line;
    case Kind::kCut:
      return "too many pending stores" + line;
    case Kind::kLocal:
    case Kind::kLoad:
    case Kind::kStore:
    case Kind::kFence:
    case Kind::kAllocate:
      return program::to_text(program_, procedure_, origin.action) + line;
    }
    return {};
  }

  const program::Program& program_;
  const program::Procedure& procedure_;
  const StoreBufferGraph& graph_;
  DotForm form_;
};

} // namespace

std::string to_dot(const program::Program& program,
                   const program::Procedure& procedure,
                   const StoreBufferGraph& graph,
                   DotForm form) {
  return Drawing(program, procedure, graph, form).text();
}

std::vector<LegendEntry> legend() {
  return {{"gray", "local step"},
          {"green", "load, from memory or early from the buffer"},
          {"red", "store, into the buffer"},
          {"brown", "flush"},
          {"blue", "waits for an empty buffer"},
          {"goldenrod", "allocation"}};
}

} // namespace heddle::transform
