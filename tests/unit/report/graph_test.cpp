// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/graph.h"
#include "unit/report/sample_page.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::report {
namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

const Picture::Relation& relation(const Picture& picture, const std::string& name) {
  const auto found = std::find_if(picture.relations.begin(),
                                  picture.relations.end(),
                                  [&](const auto& each) { return each.name == name; });
  HEDDLE_CHECK(found != picture.relations.end(), "no such relation");
  return *found;
}

TEST(Picture, LabelsEventsAndFindsTheirLines) {
  const Picture picture = report_test::store_buffering_picture(report_test::store_buffering(0, 1));
  ASSERT_EQ(picture.nodes.size(), 6U);
  EXPECT_EQ(picture.nodes[0].label(), "i0: W[x]=0");
  EXPECT_FALSE(picture.nodes[0].thread.has_value());
  EXPECT_EQ(picture.nodes[2].label(), "a: W[x]=1");
  EXPECT_EQ(picture.nodes[3].label(), "b: R[y]=0");
  EXPECT_EQ(picture.nodes[3].thread, 0U);
  EXPECT_EQ(picture.nodes[3].line, 1U);
  EXPECT_EQ(picture.nodes[3].place, "SB.litmus:4");
  EXPECT_EQ(picture.nodes[5].thread, 1U);
  EXPECT_EQ(picture.nodes[5].line, 1U);
}

TEST(Picture, HasTheRelationsOfTheExecutionAndThoseGiven) {
  const Picture picture = report_test::store_buffering_picture(report_test::store_buffering(0, 1));
  EXPECT_EQ(relation(picture, "po").edges, (Edges{{2, 3}, {4, 5}}));
  EXPECT_EQ(relation(picture, "rf").edges, (Edges{{1, 3}, {2, 5}}));
  EXPECT_EQ(relation(picture, "co").edges, (Edges{{0, 2}, {1, 4}}));
  EXPECT_EQ(relation(picture, "fr").edges, (Edges{{3, 4}}));
  EXPECT_FALSE(relation(picture, "ppo").shown);
  EXPECT_FALSE(picture.highlight.has_value());
  // "W" is a kind of events, which viewers offer anyway.
  ASSERT_EQ(picture.sets.size(), 2U);
  EXPECT_EQ(picture.sets[1].members, (std::vector<std::size_t>{2, 4}));
}

TEST(Picture, AnnotatesOrdersTagsAndUpdates) {
  const Page page = report_test::large_page();
  const Picture& picture = page.executions.front().picture;
  std::vector<std::string> labels;
  for (const Picture::Node& node : picture.nodes)
    labels.push_back(node.label());
  for (const std::string expected :
       {"b: F DMB.SY", "c: W[y]=1 rel", "e: R[y]=1 acq", "f: branch", "g: R*[x]=1", "h: W*[x]=2"})
    EXPECT_NE(std::find(labels.begin(), labels.end(), expected), labels.end()) << expected;
}

TEST(Picture, AGivenRelationReplacesOneOfTheExecution) {
  const execution::Execution execution = report_test::store_buffering(1, 1);
  PictureInput input;
  input.execution = &execution;
  relation::BitMatrix own(6);
  own.insert(2, 5);
  input.relations = {{"rf", own, false}};
  const Picture made = picture(input);
  EXPECT_EQ(relation(made, "rf").edges, (Edges{{2, 5}}));
  EXPECT_EQ(std::count_if(made.relations.begin(),
                          made.relations.end(),
                          [](const auto& each) { return each.name == "rf"; }),
            1);
  // Threads that were not given have columns of their own.
  ASSERT_EQ(made.threads.size(), 2U);
  EXPECT_EQ(made.threads[1].name, "thread 1");
}

TEST(Picture, OrdersGoOnThroughHiddenEvents) {
  Picture::Relation order{"po", true, true, {{0, 1}, {1, 2}, {2, 3}}};
  EXPECT_EQ(visible_edges(order, {true, false, true, true}), (Edges{{0, 2}, {2, 3}}));
  order.is_order = false;
  EXPECT_EQ(visible_edges(order, {true, false, true, true}), (Edges{{2, 3}}));
}

TEST(Picture, ReducesOrdersOnly) {
  relation::BitMatrix order(3);
  order.insert(0, 1);
  order.insert(1, 2);
  order.insert(0, 2);
  EXPECT_EQ(reduced(order).pairs(), (Edges{{0, 1}, {1, 2}}));
  order.insert(2, 0);
  EXPECT_EQ(reduced(order), order);
}

TEST(Picture, HidesBranchesUnlessTheHighlightTouchesThem) {
  Page page = report_test::large_page();
  Picture& picture = page.executions.front().picture;
  std::size_t branch = 0;
  for (std::size_t i = 0; i < picture.nodes.size(); ++i)
    if (picture.nodes[i].kind == Picture::Kind::kBranch)
      branch = i;
  ASSERT_NE(branch, 0U);
  EXPECT_FALSE(visible_nodes(picture)[branch]);
  picture.highlight = Highlight{"axiom", "", "", {{branch, 0, "r"}}};
  EXPECT_TRUE(visible_nodes(picture)[branch]);
}

TEST(Picture, HidesWhatOnlyTellsARegister) {
  const execution::Execution execution = report_test::store_buffering(1, 1);
  PictureInput input;
  input.execution = &execution;
  input.is_register = [](const execution::Event& event) { return event.address == 0x200; };
  const Picture made = picture(input);
  const std::vector<bool> visible = visible_nodes(made);
  EXPECT_EQ(visible, (std::vector<bool>{true, false, true, false, false, true}));
  EXPECT_EQ(made.nodes[2].name, "a");
  EXPECT_EQ(made.nodes[5].name, "b");
  EXPECT_EQ(made.nodes[1].name, "r0");
}

TEST(Picture, NamesEventsBeyondTheAlphabet) {
  execution::Execution execution;
  execution.events.resize(28);
  PictureInput input;
  input.execution = &execution;
  const Picture made = picture(input);
  EXPECT_EQ(made.nodes[25].name, "z");
  EXPECT_EQ(made.nodes[26].name, "aa");
  EXPECT_EQ(made.nodes[27].name, "ab");
}

} // namespace
} // namespace heddle::report
