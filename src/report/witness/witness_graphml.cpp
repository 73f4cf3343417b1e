// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Witness automata in GraphML, format 1.0 (Beyer, Dangl, Dietsch, Heizmann, Lemberger, Tautschnig:
// Verification Witnesses, TOSEM 2022). A violation is a chain of nodes; a correctness witness
// without invariants is one node.
#include "report/witness/witness_text.h"
#include "support/check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace heddle::report {

namespace {

struct GraphmlKey {
  std::string_view name;
  std::string_view type;
  std::string_view owner;
  bool is_false_by_default = false;
};
constexpr std::array kKeys = {GraphmlKey{"witness-type", "string", "graph"},
                              GraphmlKey{"sourcecodelang", "string", "graph"},
                              GraphmlKey{"producer", "string", "graph"},
                              GraphmlKey{"specification", "string", "graph"},
                              GraphmlKey{"programfile", "string", "graph"},
                              GraphmlKey{"programhash", "string", "graph"},
                              GraphmlKey{"architecture", "string", "graph"},
                              GraphmlKey{"creationtime", "string", "graph"},
                              GraphmlKey{"entry", "boolean", "node", true},
                              GraphmlKey{"violation", "boolean", "node", true},
                              GraphmlKey{"threadId", "string", "edge"},
                              GraphmlKey{"createThread", "string", "edge"},
                              GraphmlKey{"enterFunction", "string", "edge"},
                              GraphmlKey{"startline", "int", "edge"},
                              GraphmlKey{"assumption", "string", "edge"},
                              GraphmlKey{"assumption.scope", "string", "edge"},
                              GraphmlKey{"assumption.resultfunction", "string", "edge"}};

class GraphmlWriter {
public:
  GraphmlWriter(const WitnessHead& head, const std::optional<ViolationPath>& path)
      : head_(head), path_(path) {}

  std::string run() {
    line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    line("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
         "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">");
    for (const GraphmlKey& key : kKeys)
      declare(key);
    line(" <graph edgedefault=\"directed\">");
    graph_data();
    line("  <node id=\"N0\">");
    data("entry", "true");
    line("  </node>");
    if (path_)
      violation();
    line(" </graph>");
    line("</graphml>");
    return std::move(out_);
  }

private:
  using Data = std::vector<std::pair<std::string_view, std::string>>;

  void line(std::string_view text) { out_.append(text) += '\n'; }

  void declare(const GraphmlKey& key) {
    const std::string start = fmt::format(R"( <key id="{}" attr.name="{}" attr.type="{}" for="{}")",
                                          key.name,
                                          key.name,
                                          key.type,
                                          key.owner);
    line(start + (key.is_false_by_default ? "><default>false</default></key>" : "/>"));
  }

  void data(std::string_view key, std::string_view value) {
    line(fmt::format(R"(   <data key="{}">{}</data>)", key, escaped_xml(value)));
  }

  void graph_data() {
    HEDDLE_CHECK(head_.inputs.size() == 1, "a GraphML witness is about one file");
    data("witness-type", path_ ? "violation_witness" : "correctness_witness");
    data("sourcecodelang", "C");
    data("producer", "Heddle " + head_.producer_version);
    data("specification", head_.specification);
    data("programfile", head_.inputs.front().path);
    data("programhash", head_.inputs.front().sha256);
    data("architecture", head_.is_lp64 ? "64bit" : "32bit");
    data("creationtime", head_.creation_time);
  }

  void violation() {
    Data start = {{"enterFunction", head_.entry}};
    if (path_->has_threads)
      start.insert(start.begin(), {{"threadId", "0"}, {"createThread", "0"}});
    edge(start, false);
    for (const PathItem& item : path_->items)
      edges(item);
    // The last of several targets leads to the violation.
    for (std::size_t i = 0; i < path_->targets.size(); ++i) {
      const PathTarget& target = path_->targets[i];
      edge(at(target.thread, target.place), i + 1 == path_->targets.size());
    }
  }

  void edges(const PathItem& item) {
    Data step = at(item.thread, item.place);
    switch (item.kind) {
    case PathItem::Kind::kStatement:
      edge(step, false);
      break;
    case PathItem::Kind::kCreate: {
      const std::string created = fmt::format("{}", item.created);
      step.emplace_back("createThread", created);
      edge(step, false);
      if (!item.function.empty())
        edge({{"threadId", created}, {"enterFunction", item.function}}, false);
      break;
    }
    case PathItem::Kind::kReturn:
      step.emplace_back("assumption", "\\result == " + item.value);
      step.emplace_back("assumption.scope", item.place.function);
      step.emplace_back("assumption.resultfunction", item.function);
      edge(step, false);
      break;
    }
  }

  [[nodiscard]] Data at(unsigned thread, const WitnessPlace& place) const {
    Data data;
    if (path_->has_threads)
      data.emplace_back("threadId", fmt::format("{}", thread));
    data.emplace_back("startline", fmt::format("{}", place.line));
    return data;
  }

  /// To a new node.
  void edge(const Data& content, bool is_violation) {
    const unsigned from = nodes_++;
    line(fmt::format(R"(  <node id="N{}">)", nodes_));
    if (is_violation)
      data("violation", "true");
    line("  </node>");
    line(fmt::format(R"(  <edge source="N{}" target="N{}">)", from, nodes_));
    for (const auto& [key, value] : content)
      data(key, value);
    line("  </edge>");
  }

  const WitnessHead& head_;
  const std::optional<ViolationPath>& path_;
  std::string out_;
  unsigned nodes_ = 0; // the last one's number
};

} // namespace

std::string graphml_witness(const WitnessHead& head, const std::optional<ViolationPath>& path) {
  return GraphmlWriter(head, path).run();
}

std::string escaped_xml(std::string_view text) {
  // The library replaces what is not UTF-8.
  using Json = nlohmann::json;
  const std::string utf8 =
      Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace))
          .get<std::string>();
  std::string out;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const char c = utf8[i];
    // U+FFFE and U+FFFF are no characters of XML, nor are most control characters.
    const std::string_view rest = std::string_view(utf8).substr(i, 3);
    if (rest == "\xef\xbf\xbe" || rest == "\xef\xbf\xbf") {
      out += "\xef\xbf\xbd";
      i += 2;
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') {
      out += c == '\r' ? "&#13;" : "\xef\xbf\xbd";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

} // namespace heddle::report
