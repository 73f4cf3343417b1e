// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/commands/draw_graphs.h"

#include "report/page/svg.h"
#include "transform/basic/inline.h"
#include "transform/buffers/store_buffer_graph.h"

#include <fmt/format.h>

#include <set>
#include <utility>
#include <vector>

namespace heddle::driver {

namespace {

struct Drawn {
  std::string name;
  std::string dot;     // a graph of its own
  std::string cluster; // a part of one
};

std::string together(const std::vector<Drawn>& all) {
  std::string text = "digraph threads {\n";
  for (const Drawn& one : all)
    text += one.cluster;
  return text + "}\n";
}

/// Graphviz writes a whole document, of which a page needs the element.
std::string element_of(const std::string& svg) {
  const std::size_t start = svg.find("<svg");
  return start == std::string::npos ? svg : svg.substr(start);
}

Result<std::string> page(const std::vector<Drawn>& all, const std::string& model) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Store-buffer "
      "graphs ({})</title>\n<style>body {{ font-family: sans-serif }} .legend span {{ "
      "margin-right: 1.5em }} section {{ overflow: auto }}</style>\n</head>\n<body>\n<p "
      "class=\"legend\">",
      model);
  for (const transform::LegendEntry& entry : transform::legend())
    text += fmt::format(
        "<span style=\"color: {}\">&#9632; {}</span>", entry.html_colour, entry.meaning);
  text += "</p>\n";
  for (const Drawn& one : all) {
    const Result<std::string> svg = report::svg_of_dot(one.dot);
    if (!svg)
      return svg.error();
    text += fmt::format("<section id=\"{}\">\n{}</section>\n", one.name, element_of(*svg));
  }
  return text + "</body>\n</html>\n";
}

} // namespace

Result<program::Program> program_for_graphs(const Asked& asked,
                                            const Options& options,
                                            const std::string& what,
                                            const Budget& budget) {
  if (options.via.empty() || !asked.model.machine)
    return Error{
        ErrorKind::kUsage,
        "USE-014",
        fmt::format("{}: expected --via store-buffer-graph and --model sc, tso or pso", what)};
  Options before = options;
  before.via.clear();
  before.inline_calls = true;
  before.no_merge = true;
  const Result<Prepared> prepared = prepare(asked, before, budget, {});
  if (!prepared)
    return prepared.error();
  // What is left are calls of functions with locals in memory.
  Result<transform::Transformed> inlined =
      transform::inline_calls(transform::InlineSlots::kPrivate, &budget)
          ->apply(prepared->stages.back()->program, {});
  if (!inlined)
    return inlined.error();
  return std::move(inlined->program);
}

Result<std::string> draw_graphs(const Asked& asked, const Options& options, const Budget& budget) {
  Result<program::Program> program = program_for_graphs(
      asked, options, fmt::format("--to {} draws store-buffer graphs", options.to), budget);
  if (!program)
    return program.error();
  std::vector<Drawn> all;
  std::set<program::ProcedureId> drawn;
  for (const program::ThreadTemplate& thread : std::vector(program->templates)) {
    if (!drawn.insert(thread.entry).second)
      continue;
    const Result<transform::StoreBufferGraph> graph =
        transform::build_graph(*program,
                               thread.entry,
                               {*asked.model.machine, static_cast<std::uint32_t>(options.pending)});
    if (!graph)
      return graph.error();
    const program::Procedure& procedure = program->procedures[thread.entry];
    all.push_back({procedure.name,
                   transform::to_dot(*program, procedure, *graph),
                   transform::to_dot(*program, procedure, *graph, transform::DotForm::kCluster)});
  }
  if (options.to == "svg")
    return report::svg_of_dot(together(all));
  if (options.to == "html")
    return page(all, asked.model.name);
  std::string text;
  for (const Drawn& one : all)
    text += one.dot;
  return text;
}

} // namespace heddle::driver
