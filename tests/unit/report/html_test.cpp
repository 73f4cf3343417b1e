// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The data of the page and what could break out of it; how it behaves in a browser is tested by
// tests/viewer, for which the samples are written where HEDDLE_VIEWER_SAMPLES says.
#include "check/judge_claim.h"
#include "report/page/html.h"
#include "report/write_file.h"
#include "unit/check/programs.h"
#include "unit/check/ready_program.h"
#include "unit/report/sample_page.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

namespace heddle::report {
namespace {

/// What stands between the two texts.
std::string between(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t start = text.find(from);
  HEDDLE_CHECK(start != std::string::npos, "no such text");
  const std::size_t end = text.find(to, start + from.size());
  return text.substr(start + from.size(), end - start - from.size());
}

nlohmann::ordered_json data_of(const std::string& page) {
  return nlohmann::ordered_json::parse(
      between(page, "<script type=\"application/json\" id=\"data\">", "</script>"));
}

/// The run of store buffering that sequential consistency does not allow.
std::string violation_page() {
  const check_test::ReadyProgram ready(check_test::store_buffering(), "tso");
  const spec::Task task = ready.task(spec::Property::kRobustness);
  const auto schedule = check_test::find_run(
      task,
      [&](const check::Ground& ground, const check::Replayer& replayer) {
        return check::judge(ground, replayer, spec::Property::kRobustness, verdict::NotRobust{})
            .has_value();
      },
      20);
  HEDDLE_CHECK(schedule.has_value(), "the program shows no violation");
  verdict::Violation violation;
  violation.property = spec::Property::kRobustness;
  violation.kind = verdict::NotRobust{};
  violation.schedule = *schedule;
  verdict::Verdict verdict;
  verdict.answer = verdict::Violated{check::minimise(task, std::move(violation), Budget{})};
  SourceLines sources;
  return html_of_run(verdict, {task.program, task.model, task.question}, sources);
}

TEST(Html, HoldsEveryExecution) {
  const nlohmann::ordered_json data = data_of(html(report_test::store_buffering_page()));
  EXPECT_EQ(data["condition"], "exists (0:EAX=0 /\\ 1:EAX=0)");
  ASSERT_EQ(data["executions"].size(), 4U);
  EXPECT_EQ(data["executions"][0]["status"], "allowed");
  EXPECT_EQ(data["executions"][3]["status"], "forbidden");
  EXPECT_EQ(data["executions"][3]["axioms"], nlohmann::ordered_json({"sc"}));
  EXPECT_EQ(data["executions"][3]["highlight"]["edges"].size(), 4U);
  EXPECT_EQ(data["executions"][0]["highlight"], nullptr);
  EXPECT_EQ(data["executions"][0]["nodes"][2]["what"], "W[x]=1");
  EXPECT_EQ(data["programs"].size(), 1U) << "the program is one for all executions";
  EXPECT_EQ(data["relations"][0]["name"], "po");
  EXPECT_EQ(data["executions"][1]["relations"]["1"].size(), 4U);
}

TEST(Html, NothingInATextEndsTheScriptOrTheTitle) {
  const std::string page = html(report_test::store_buffering_page());
  EXPECT_EQ(between(page, "<title>", "</title>"),
            "SB&lt;script&gt;alert(1)&lt;/script&gt; under sc");
  EXPECT_EQ(data_of(page)["programs"][0][0]["lines"][0]["text"],
            "MOV [x],$1 // <b>&amp;\"</script>");
  std::size_t ends = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at)
    ++ends;
  EXPECT_EQ(ends, 2U);
}

TEST(Html, SurvivesTextThatIsNotUtf8AndMarksInIt) {
  Page page;
  page.title = "\xff%%DATA%%";
  page.notes = {"\xc3\x28 %%SCRIPT%%"};
  const std::string text = html(page);
  EXPECT_EQ(data_of(text)["notes"][0], "\xef\xbf\xbd( %%SCRIPT%%");
  EXPECT_NE(text.find("<title>\xef\xbf\xbd%%DATA%%</title>"), std::string::npos);
}

TEST(Html, NamesNoOtherPlace) {
  std::string page = html(report_test::store_buffering_page());
  // The name space of SVG is a name, not a place.
  const std::string name = "http://www.w3.org/2000/svg";
  page.erase(page.find(name), name.size());
  for (const char* address :
       {"http:", "https:", "//cdn", "import(", "fetch(", "XMLHttpRequest", "src="})
    EXPECT_EQ(page.find(address), std::string::npos) << address;
}

TEST(Html, IsTheSameEveryTime) {
  EXPECT_EQ(html(report_test::large_page()), html(report_test::large_page()));
}

TEST(Html, ShowsTheRunOfAViolation) {
  const nlohmann::ordered_json data = data_of(violation_page());
  ASSERT_EQ(data["executions"].size(), 1U);
  const nlohmann::ordered_json& run = data["executions"][0];
  EXPECT_EQ(run["status"], "violation");
  EXPECT_EQ(run["highlight"]["title"], "sequential consistency");
  EXPECT_EQ(run["highlight"]["edges"].size(), 4U);
  std::vector<std::string> whats;
  for (const auto& node : run["nodes"])
    whats.push_back(node["what"]);
  for (const char* expected : {"W[x]=1", "R[y]=0", "W[y]=1", "R[x]=0", "create left"})
    EXPECT_NE(std::find(whats.begin(), whats.end(), expected), whats.end()) << expected;
  EXPECT_EQ(data["programs"][0][1]["name"], "left");
}

TEST(Html, WritesTheSamplesOfTheBrowserTest) {
  const char* folder = std::getenv("HEDDLE_VIEWER_SAMPLES");
  if (folder == nullptr)
    GTEST_SKIP() << "HEDDLE_VIEWER_SAMPLES is not set";
  const std::string where = folder;
  EXPECT_TRUE(
      write_file(where + "/sb.html", html(report_test::store_buffering_page())).has_value());
  EXPECT_TRUE(write_file(where + "/large.html", html(report_test::large_page())).has_value());
  EXPECT_TRUE(write_file(where + "/run.html", violation_page()).has_value());
  Page empty;
  empty.title = "nothing";
  EXPECT_TRUE(write_file(where + "/empty.html", html(empty)).has_value());
}

} // namespace
} // namespace heddle::report
