// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "memory/cat/load_model.h"
#include "memory/vocabulary.h"
#include "report/page/model_view.h"
#include "unit/report/sample_page.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::report {
namespace {

memory::Core core_of(const std::string& text) {
  memory::cat::LoadOptions options;
  options.base_names = &memory::base_names(memory::Vocabulary::kX86);
  auto loaded = memory::cat::load_text(text, "test.cat", options);
  if (const auto* wrong = std::get_if<memory::cat::Diagnostics>(&loaded))
    HEDDLE_CHECK(false, wrong->errors.front().to_string());
  return std::get<memory::Core>(std::move(loaded));
}

std::string words(const Highlight& highlight) {
  std::string text;
  for (const Highlight::Edge& edge : highlight.edges)
    text += std::to_string(edge.from) + " " + edge.relation + " " + std::to_string(edge.to) + "; ";
  return text;
}

const execution::Execution kForbidden = report_test::store_buffering(0, 0);
const execution::Execution kAllowed = report_test::store_buffering(1, 0);

TEST(ModelView, TellsTheCycleInBasicRelations) {
  const memory::Core core = core_of("\"sc\"\nlet fr = rf^-1; co\nlet com = rf | co | fr\n"
                                    "let hb = po | com\nacyclic hb as sc\n");
  const ModelView seen = view(core, kForbidden);
  EXPECT_EQ(seen.axioms, (std::vector<std::string>{"sc"}));
  ASSERT_TRUE(seen.highlight.has_value());
  EXPECT_EQ(seen.highlight->title, "sc");
  EXPECT_EQ(seen.highlight->text, "acyclic hb");
  EXPECT_EQ(words(*seen.highlight), "2 po 3; 3 fr 4; 4 po 5; 5 fr 2; ");
  EXPECT_TRUE(view(core, kAllowed).axioms.empty());
  EXPECT_FALSE(view(core, kAllowed).highlight.has_value());
}

TEST(ModelView, WhereTheModelMakesNoSenseNothingIsAllowed) {
  // The branch that is taken where there are writes has a relation in place of a set; a parameter
  // could be either.
  const memory::Core core = core_of(
      "\"late\"\nacyclic (match W with || {} -> 0 || e ++ s -> (let g r = [r] in g po) end)\n");
  const ModelView seen = view(core, kAllowed);
  ASSERT_EQ(seen.axioms.size(), 1U);
  EXPECT_NE(seen.axioms.front().find("CAT-011"), std::string::npos) << seen.axioms.front();
  ASSERT_TRUE(seen.highlight.has_value());
  EXPECT_EQ(seen.highlight->title, "an error of the model");
  EXPECT_TRUE(seen.relations.empty() && seen.sets.empty() && seen.flags.empty());
}

TEST(ModelView, TakesCompositionsAndClosuresApart) {
  const memory::Core core =
      core_of("\"sc\"\nlet fr = rf^-1; co\nlet step = po; fr\nirreflexive step+ as twice\n");
  const ModelView seen = view(core, kForbidden);
  ASSERT_TRUE(seen.highlight.has_value());
  EXPECT_EQ(seen.highlight->text, "irreflexive step+");
  EXPECT_EQ(words(*seen.highlight), "2 po 3; 3 fr 4; 4 po 5; 5 fr 2; ");
}

TEST(ModelView, UnfoldsRecursiveDefinitions) {
  const memory::Core core =
      core_of("\"sc\"\nlet fr = rf^-1; co\n"
              "let rec reach = po | fr | reach; reach\nirreflexive reach as loop\n");
  const ModelView seen = view(core, kForbidden);
  EXPECT_EQ(seen.axioms, (std::vector<std::string>{"loop"}));
  ASSERT_TRUE(seen.highlight.has_value());
  ASSERT_FALSE(seen.highlight->edges.empty());
  // Whatever way it takes, the edges follow each other and come back.
  for (std::size_t i = 0; i < seen.highlight->edges.size(); ++i)
    EXPECT_EQ(seen.highlight->edges[i].to,
              seen.highlight->edges[(i + 1) % seen.highlight->edges.size()].from);
}

TEST(ModelView, GivesEveryDefinitionThatIsNotEmpty) {
  const memory::Core core = core_of("\"m\"\nlet wr = po & (W * R)\nlet ww = po & (W * W)\n"
                                    "let Writes = W\nacyclic po\n");
  const ModelView seen = view(core, kAllowed);
  const auto found = std::find_if(
      seen.relations.begin(), seen.relations.end(), [](const auto& r) { return r.name == "wr"; });
  ASSERT_NE(found, seen.relations.end());
  EXPECT_EQ(found->pairs.pairs(),
            (std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {4, 5}}));
  EXPECT_FALSE(found->shown);
  EXPECT_TRUE(std::none_of(
      seen.relations.begin(), seen.relations.end(), [](const auto& r) { return r.name == "ww"; }));
  EXPECT_TRUE(std::any_of(seen.sets.begin(), seen.sets.end(), [](const auto& set) {
    return set.name == "Writes" && set.members.size() == 4;
  }));
}

TEST(ModelView, NamesFlagsAndPairsThatShouldNotBe) {
  const memory::Core core = core_of("\"m\"\nflag ~empty rf as reads\nempty rf & ext as never\n");
  const ModelView seen = view(core, kAllowed);
  EXPECT_EQ(seen.flags, (std::vector<std::string>{"reads"}));
  EXPECT_EQ(seen.axioms, (std::vector<std::string>{"never"}));
  EXPECT_EQ(words(*seen.highlight), "0 rf 5; ");
}

TEST(ModelView, MakesAPageEntry) {
  const memory::Core core =
      core_of("\"sc\"\nlet fr = rf^-1; co\nacyclic po | rf | co | fr as sc\n");
  PictureInput input;
  input.execution = &kForbidden;
  const ShownExecution shown = shown_under(core, input);
  EXPECT_EQ(shown.status, ShownExecution::Status::kForbidden);
  EXPECT_EQ(shown.axioms, (std::vector<std::string>{"sc"}));
  EXPECT_TRUE(shown.picture.highlight.has_value());
}

} // namespace
} // namespace heddle::report
