// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/dot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace heddle::report {

namespace {

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

/// Fixed for the relations everyone knows, so that pictures of different tests can be compared.
std::string_view colour_of(std::string_view relation, std::size_t index) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kKnown = {{
      {"po", "black"},
      {"rf", "#c00000"},
      {"co", "#1f5fbf"},
      {"fr", "#b35900"},
      {"rmw", "#6b4fa0"},
      {"addr", "#00756b"},
      {"data", "#00756b"},
      {"ctrl", "#00756b"},
      {"sync", "#2e7d32"},
      {"race", "#c00000"},
  }};
  for (const auto& [name, colour] : kKnown)
    if (name == relation)
      return colour;
  constexpr std::array<std::string_view, 6> kOthers = {
      "#8e24aa", "#5d4037", "#00695c", "#ad1457", "#455a64", "#827717"};
  return kOthers[index % kOthers.size()];
}

class DotWriter {
public:
  explicit DotWriter(const Picture& picture)
      : picture_(picture), visible_(visible_nodes(picture)) {}

  std::string write() {
    std::string title = picture_.title;
    if (picture_.highlight)
      title += fmt::format("{}{}", title.empty() ? "" : "\n", heading(*picture_.highlight));
    line("digraph G {{");
    line("  graph [label={}, labelloc=t, fontname=\"Helvetica\", nodesep=0.6, ranksep=0.5, "
         "splines=true];",
         quoted(title));
    line("  node [shape=none, fontname=\"Courier\", margin=\"0.06,0.03\", height=0.3];");
    line("  edge [fontname=\"Helvetica\", fontsize=11, arrowsize=0.8];");
    nodes();
    relations();
    line("}}");
    return std::move(out_);
  }

private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    out_ += fmt::format(format, std::forward<Arguments>(arguments)...) + "\n";
  }

  static std::string heading(const Highlight& highlight) {
    std::string text = highlight.title;
    if (!highlight.text.empty())
      text += fmt::format(": {}", highlight.text);
    return text;
  }

  void node(std::size_t index, std::string_view indent) {
    line("{}n{} [label={}];", indent, index, quoted(picture_.nodes[index].label()));
  }

  void nodes() {
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i)
      if (visible_[i] && !picture_.nodes[i].thread)
        node(i, "  ");
    for (std::size_t thread = 0; thread < picture_.threads.size(); ++thread) {
      line("  subgraph cluster_{} {{", thread);
      line("    label={}; color=\"#bbbbbb\"; style=rounded;",
           quoted(picture_.threads[thread].name));
      for (std::size_t i = 0; i < picture_.nodes.size(); ++i)
        if (visible_[i] && picture_.nodes[i].thread == thread)
          node(i, "    ");
      line("  }}");
    }
    // Initial writes above everything: unseen edges to the first event of each thread.
    for (std::size_t i = 0; i < picture_.nodes.size(); ++i)
      if (visible_[i] && !picture_.nodes[i].thread)
        for (std::size_t thread = 0; thread < picture_.threads.size(); ++thread)
          for (std::size_t j = 0; j < picture_.nodes.size(); ++j)
            if (visible_[j] && picture_.nodes[j].thread == thread) {
              line("  n{} -> n{} [style=invis];", i, j);
              break;
            }
  }

  bool is_highlighted(std::size_t from, std::size_t to, const std::string& name) const {
    if (!picture_.highlight)
      return false;
    const auto& edges = picture_.highlight->edges;
    return std::any_of(edges.begin(), edges.end(), [&](const Highlight::Edge& edge) {
      return edge.from == from && edge.to == to && edge.relation == name;
    });
  }

  void edge(std::size_t from,
            std::size_t to,
            const std::string& name,
            std::string_view colour,
            bool is_bold) {
    line("  n{} -> n{} [label={}, color=\"{}\", fontcolor=\"{}\"{}{}];",
         from,
         to,
         quoted(name),
         colour,
         colour,
         name == "po" ? ", weight=10" : ", constraint=false",
         is_bold ? ", penwidth=3, fontname=\"Helvetica-Bold\"" : "");
  }

  void relations() {
    std::vector<std::tuple<std::size_t, std::size_t, std::string>> drawn;
    for (std::size_t i = 0; i < picture_.relations.size(); ++i) {
      const Picture::Relation& relation = picture_.relations[i];
      if (!relation.shown)
        continue;
      for (const auto& [from, to] : visible_edges(relation, visible_)) {
        edge(from,
             to,
             relation.name,
             colour_of(relation.name, i),
             is_highlighted(from, to, relation.name));
        drawn.emplace_back(from, to, relation.name);
      }
    }
    if (!picture_.highlight)
      return;
    for (const Highlight::Edge& bold : picture_.highlight->edges)
      if (std::find(drawn.begin(), drawn.end(), std::tuple(bold.from, bold.to, bold.relation)) ==
          drawn.end())
        edge(bold.from, bold.to, bold.relation, colour_of(bold.relation, 0), true);
  }

  const Picture& picture_;
  std::vector<bool> visible_;
  std::string out_;
};

} // namespace

std::string dot(const Picture& picture) {
  return DotWriter(picture).write();
}

} // namespace heddle::report
