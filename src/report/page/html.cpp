// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The pictures become JSON inside a script element of type application/json: every "<" in it is
// written as an escape, so nothing in a program's text can end the element.
#include "report/page/html.h"

#include "report/json.h"
#include "report/viewer/viewer.h"
#include "support/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace heddle::report {

namespace {

using Json = nlohmann::ordered_json;

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

/// JSON text that may stand in a script element. Outside its strings JSON has no "<".
std::string script_text(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string out;
  for (const char c : text)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

/// Text with anything that is not UTF-8 replaced.
std::string clean(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
      .get<std::string>();
}

std::string_view status_name(ShownExecution::Status status) {
  switch (status) {
  case ShownExecution::Status::kAllowed:
    return "allowed";
  case ShownExecution::Status::kForbidden:
    return "forbidden";
  case ShownExecution::Status::kViolation:
    return "violation";
  }
  HEDDLE_CHECK(false, "no such status");
  return "";
}

Json flat(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
  Json out = Json::array();
  for (const auto& [from, to] : pairs) {
    out.push_back(from);
    out.push_back(to);
  }
  return out;
}

/// Names that appear in any execution, with what the first one says about them.
struct Names {
  struct Entry {
    std::string name;
    bool shown = false;
    bool is_order = false;
  };
  std::vector<Entry> entries;

  std::size_t index_of(const std::string& name, bool shown, bool is_order) {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].name == name)
        return i;
    entries.push_back({name, shown, is_order});
    return entries.size() - 1;
  }
};

class DataWriter {
public:
  explicit DataWriter(const Page& page) : page_(page) {}

  Json write() {
    Json executions = Json::array();
    for (const ShownExecution& shown : page_.executions)
      executions.push_back(execution(shown));
    Json json;
    json["title"] = page_.title;
    json["model"] = page_.model;
    json["condition"] = page_.condition;
    json["notes"] = page_.notes;
    json["kinds"] = Json::array();
    for (const KindText& kind : kinds())
      json["kinds"].push_back({{"name", kind.name}, {"title", kind.title}, {"shown", kind.shown}});
    json["relations"] = Json::array();
    for (const Names::Entry& entry : relations_.entries)
      json["relations"].push_back(
          {{"name", entry.name}, {"shown", entry.shown}, {"order", entry.is_order}});
    json["sets"] = Json::array();
    for (const Names::Entry& entry : sets_.entries)
      json["sets"].push_back({{"name", entry.name}, {"shown", entry.shown}});
    json["programs"] = Json::array();
    for (const std::vector<ProgramThread>* threads : programs_)
      json["programs"].push_back(program(*threads));
    json["executions"] = std::move(executions);
    json["history"] = page_.history ? history(*page_.history) : Json(nullptr);
    return json;
  }

private:
  static Json history(const ShownHistory& shown) {
    Json json;
    json["scenario"] = shown.scenario;
    json["why"] = shown.why;
    json["bars"] = Json::array();
    for (const HistoryChart::Bar& bar : shown.chart.bars)
      json["bars"].push_back({{"thread", bar.thread},
                              {"line", bar.line},
                              {"label", bar.label},
                              {"from", bar.from},
                              {"to", bar.to},
                              {"pending", bar.is_pending},
                              {"unexplained", shown.unexplained == bar.operation}});
    Json rows = Json::array();
    for (const Row& row : shown.run.rows)
      rows.push_back({{"number", row.number}, {"column", row.column}, {"lines", row.lines}});
    json["run"] = {{"headings", shown.run.headings}, {"rows", std::move(rows)}};
    return json;
  }

  static Json program(const std::vector<ProgramThread>& threads) {
    Json out = Json::array();
    for (const ProgramThread& thread : threads) {
      Json lines = Json::array();
      for (const ProgramThread::Line& line : thread.lines)
        lines.push_back({{"text", line.text}, {"number", line.loc.line}});
      out.push_back({{"name", thread.name}, {"lines", std::move(lines)}});
    }
    return out;
  }

  std::size_t program_index(const std::vector<ProgramThread>& threads) {
    for (std::size_t i = 0; i < programs_.size(); ++i)
      if (*programs_[i] == threads)
        return i;
    programs_.push_back(&threads);
    return programs_.size() - 1;
  }

  static std::size_t kind_index(Picture::Kind kind) {
    for (std::size_t i = 0; i < kinds().size(); ++i)
      if (kinds()[i].kind == kind)
        return i;
    HEDDLE_CHECK(false, "no such kind of event");
    return 0;
  }

  static Json node(const Picture::Node& node) {
    Json json;
    json["name"] = node.name;
    json["what"] = node.what;
    json["kind"] = kind_index(node.kind);
    json["thread"] = node.thread ? Json(*node.thread) : Json(-1);
    json["line"] = node.line ? Json(*node.line) : Json(-1);
    json["place"] = node.place;
    return json;
  }

  Json execution(const ShownExecution& shown) {
    const Picture& picture = shown.picture;
    Json json;
    json["title"] = picture.title;
    json["status"] = status_name(shown.status);
    json["state"] = Json::array();
    for (const auto& [name, value] : shown.state)
      json["state"].push_back(Json::array({name, value}));
    json["axioms"] = shown.axioms;
    json["flags"] = shown.flags;
    json["satisfies"] = shown.satisfies;
    json["program"] = program_index(picture.threads);
    json["nodes"] = Json::array();
    for (const Picture::Node& each : picture.nodes)
      json["nodes"].push_back(node(each));
    json["relations"] = Json::object();
    for (const Picture::Relation& relation : picture.relations) {
      const std::size_t index =
          relations_.index_of(relation.name, relation.shown, relation.is_order);
      json["relations"][std::to_string(index)] = flat(relation.edges);
    }
    json["sets"] = Json::object();
    for (const Picture::Set& set : picture.sets)
      json["sets"][std::to_string(sets_.index_of(set.name, set.shown, false))] = set.members;
    json["above"] = flat(picture.above);
    json["highlight"] = nullptr;
    if (picture.highlight)
      json["highlight"] = highlight(*picture.highlight);
    return json;
  }

  static Json highlight(const Highlight& highlight) {
    Json json;
    json["title"] = highlight.title;
    json["text"] = highlight.text;
    json["explanation"] = highlight.explanation;
    json["edges"] = Json::array();
    for (const Highlight::Edge& edge : highlight.edges)
      json["edges"].push_back({{"from", edge.from}, {"to", edge.to}, {"relation", edge.relation}});
    return json;
  }

  const Page& page_;
  Names relations_;
  Names sets_;
  std::vector<const std::vector<ProgramThread>*> programs_;
};

} // namespace

std::string html(const Page& page) {
  struct Slot {
    std::string_view mark;
    std::string text;
  };
  const std::string heading = page.model.empty() ? page.title : page.title + " under " + page.model;
  const std::vector<Slot> slots = {{"%%TITLE%%", escaped_html(clean(heading))},
                                   {"%%STYLE%%", std::string(kViewer_style)},
                                   {"%%DATA%%", script_text(DataWriter(page).write())},
                                   {"%%SCRIPT%%", std::string(kViewer_script)}};
  // In one pass, so that a mark in a program's text is left alone.
  std::string out;
  std::string_view rest = kViewer_template;
  for (const Slot& slot : slots) {
    const std::size_t at = rest.find(slot.mark);
    HEDDLE_CHECK(at != std::string_view::npos, "the viewer's template lacks a mark");
    out += rest.substr(0, at);
    out += slot.text;
    rest.remove_prefix(at + slot.mark.size());
  }
  return out.append(rest);
}

} // namespace heddle::report
