// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/dot.h"
#include "report/page/svg.h"
#include "unit/report/sample_page.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using report_test::store_buffering;
using report_test::store_buffering_picture;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Dot, HasAClusterPerThreadAndColouredEdges) {
  const std::string text = dot(store_buffering_picture(store_buffering(0, 1)));
  EXPECT_TRUE(has(text, "subgraph cluster_0 {\n    label=\"P0\";"));
  EXPECT_TRUE(has(text, "    n2 [label=\"a: W[x]=1\"];\n"));
  EXPECT_TRUE(
      has(text, "n2 -> n3 [label=\"po\", color=\"black\", fontcolor=\"black\", weight=10];"));
  EXPECT_TRUE(has(text, "n2 -> n5 [label=\"rf\""));
  EXPECT_FALSE(has(text, "penwidth"));
  EXPECT_FALSE(has(text, "ppo")) << "hidden by default";
}

TEST(Dot, DrawsTheCycleBoldUnderItsAxiom) {
  const std::string text = dot(store_buffering_picture(store_buffering(0, 0)));
  EXPECT_TRUE(has(text, "label=\"sc: acyclic po | rf | co | fr\""));
  std::size_t bold = 0;
  for (std::size_t at = 0; (at = text.find("penwidth=3", at)) != std::string::npos; ++at)
    ++bold;
  EXPECT_EQ(bold, 4U);
}

TEST(Dot, EscapesQuotesAndBackslashes) {
  Picture picture;
  picture.title = "a\"b\\c\nd";
  EXPECT_TRUE(has(dot(picture), "label=\"a\\\"b\\\\c\\nd\""));
}

TEST(Svg, IsMadeByGraphviz) {
  const Result<std::string> drawn = svg(store_buffering_picture(store_buffering(0, 0)));
  if (!drawn && drawn.error().message.find("install the package graphviz") != std::string::npos)
    GTEST_SKIP() << drawn.error().message;
  ASSERT_TRUE(drawn.has_value()) << drawn.error().message;
  EXPECT_TRUE(has(*drawn, "<svg"));
  EXPECT_TRUE(has(*drawn, "a: W[x]=1"));
  EXPECT_TRUE(has(*drawn, "stroke-width=\"3\""));
}

TEST(Svg, NamesThePackageIfGraphvizIsNotThere) {
  const Result<std::string> drawn =
      svg(store_buffering_picture(store_buffering(0, 0)), "no-such-program-anywhere");
  ASSERT_FALSE(drawn.has_value());
  EXPECT_EQ(drawn.error().code, "OUT-003");
  EXPECT_TRUE(has(drawn.error().message, "install the package graphviz"));
}

TEST(Svg, SaysWhyTheProgramFailed) {
  const Result<std::string> drawn = svg(store_buffering_picture(store_buffering(0, 0)), "false");
  ASSERT_FALSE(drawn.has_value());
  EXPECT_TRUE(has(drawn.error().message, "false failed"));
}

} // namespace
} // namespace heddle::report
