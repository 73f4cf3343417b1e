// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/task_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace heddle::frontend {
namespace {

class TaskTest : public testing::Test {
protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::path(testing::TempDir()) / (std::string("heddle_task_") + info->name());
    std::filesystem::create_directories(folder_);
    write("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    write("memory.prp",
          "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
          "CHECK( init(main()), LTL(G valid-memtrack) )\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::filesystem::path folder_;
};

TEST_F(TaskTest, ReadsFormatOne) {
  const auto task = read_task(write("t.yml",
                                    "format_version: '1.0'\ninput_files: 'a.i'\nproperties:\n"
                                    "  - property_file: reach.prp\n    expected_verdict: false\n"));
  ASSERT_TRUE(task) << task.error().to_string();
  EXPECT_EQ(task->input_files, std::vector<std::string>{(folder_ / "a.i").string()});
  EXPECT_EQ(task->data_model, ir::DataModel::kILP32);
  ASSERT_EQ(task->questions.size(), 1U);
  EXPECT_EQ(task->questions[0].property->property, TaskProperty::kUnreachCall);
  EXPECT_EQ(task->questions[0].property->error_function, "reach_error");
  EXPECT_EQ(task->questions[0].expected_verdict, false);
}

TEST_F(TaskTest, ReadsFormatTwo) {
  const auto task = read_task(write(
      "t.yml",
      "format_version: '2.0'\ninput_files: [a.c, b.c]\nproperties:\n"
      "  - property_file: reach.prp\n    expected_verdict: true\n"
      "  - property_file: memory.prp\n    expected_verdict: false\n    subproperty: valid-deref\n"
      "options:\n  language: C\n  data_model: LP64\n"));
  ASSERT_TRUE(task) << task.error().to_string();
  EXPECT_EQ(task->input_files.size(), 2U);
  EXPECT_EQ(task->data_model, ir::DataModel::kLP64);
  ASSERT_EQ(task->questions.size(), 2U);
  EXPECT_EQ(task->questions[1].property->property, TaskProperty::kValidMemsafety);
  EXPECT_EQ(task->questions[1].property->parts.size(), 3U);
  EXPECT_EQ(task->questions[1].subproperty, "valid-deref");
}

TEST_F(TaskTest, MalformedTasksAreRefusedWithTheirPlace) {
  const auto no_inputs = read_task(write("a.yml", "format_version: '2.0'\nproperties: []\n"));
  ASSERT_FALSE(no_inputs);
  EXPECT_EQ(no_inputs.error().code, "TASK-001");
  const auto bad_model = read_task(
      write("b.yml", "format_version: '2.0'\ninput_files: a.c\noptions:\n  data_model: LP128\n"));
  ASSERT_FALSE(bad_model);
  EXPECT_EQ(bad_model.error().line, 4U);
  const auto broken = read_task(write("c.yml", "format_version: '2.0'\ninput_files: [a.c\n"));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, "TASK-003");
  const auto version = read_task(write("d.yml", "format_version: '9'\ninput_files: a.c\n"));
  ASSERT_FALSE(version);
  EXPECT_EQ(version.error().line, 1U);
  const auto verdict =
      read_task(write("e.yml",
                      "format_version: '2.0'\ninput_files: a.c\nproperties:\n"
                      "  - property_file: reach.prp\n    expected_verdict: perhaps\n"));
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().line, 5U);
  const auto property = read_task(
      write("f.yml",
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - property_file: none.prp\n"));
  ASSERT_TRUE(property) << "whoever names a property needs no file";
  ASSERT_EQ(property->questions.size(), 1U);
  ASSERT_FALSE(property->questions[0].property);
  EXPECT_EQ(property->questions[0].property.error().code, "PRP-002");
  EXPECT_EQ(read_task((folder_ / "missing.yml").string()).error().code, "TASK-002");
  EXPECT_FALSE(read_task(write("g.yml", "")));
  EXPECT_FALSE(read_task(write("h.yml", "- 1\n- 2\n")));
}

TEST(Properties, AllKinds) {
  const auto property = [](const std::string& formula) {
    return parse_property("CHECK( init(main()), LTL(" + formula + ") )", "p.prp");
  };
  EXPECT_EQ(property("G ! call(__VERIFIER_error())")->error_function, "__VERIFIER_error");
  EXPECT_EQ(property("G ! data-race")->property, TaskProperty::kNoDataRace);
  EXPECT_EQ(property("G ! overflow")->property, TaskProperty::kNoOverflow);
  EXPECT_EQ(property("G valid-memcleanup")->property, TaskProperty::kValidMemcleanup);
  EXPECT_EQ(property("F end")->property, TaskProperty::kTermination);
  EXPECT_EQ(property("G ! deadlock")->property, TaskProperty::kNoDeadlock);
  EXPECT_EQ(parse_property("CHECK(init(start()),LTL(G!call(f())))", "p")->entry, "start");
}

TEST(Properties, MalformedOnesAreRefusedWithTheirPlace) {
  const auto unknown = parse_property("CHECK( init(main()),\n LTL(G ! nonsense) )", "p.prp");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().line, 2U);
  EXPECT_EQ(unknown.error().file, "p.prp");
  for (const char* text : {"",
                           "CHECK",
                           "CHECK( init(), LTL(F end) )",
                           "CHECK( init(main()), LTL(F end)",
                           "CHECK( init(main()), LTL(G ! call()) )",
                           "hello",
                           "CHECK( init(main()), LTL(F end) ) CHECK( init(main()), LTL(F end) )"}) {
    EXPECT_FALSE(parse_property(text, "p.prp")) << text;
  }
}

} // namespace
} // namespace heddle::frontend
