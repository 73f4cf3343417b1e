// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Witnesses of small programs, whole, in both formats.
#include "report/witness/witness.h"
#include "report/witness/witness_text.h"
#include "unit/check/ready_program.h"
#include "unit/report/violated.h"
#include "unit/report/witness_task.h"
#include "verdict/settle.h"

#include <gtest/gtest.h>

namespace heddle::report {
namespace {

using check_test::ReadyProgram;
using report_test::subject_of;
using report_test::task_of;
using report_test::violated;
using spec::Property;

/// The C text of `kProgram`.
const std::string kText = "int x, y;\n"
                          "void *writer(void *unused) {\n"
                          "  x = __VERIFIER_nondet_uchar();\n"
                          "  y = 1;\n"
                          "  return unused;\n"
                          "}\n"
                          "int main(void) {\n"
                          "  pthread_t t;\n"
                          "  pthread_create(&t, 0, writer, 0);\n"
                          "  if (y == 1)\n"
                          "    if (x == 200) reach_error();\n"
                          "  return 0;\n"
                          "}\n";
const std::string kProgram = R"(module lp64
file 1 "a b.c"
global @x : 4 align 4 signed 32
global @y : 4 align 4 signed 32
func @writer(%0 : ptr) -> ptr {
  reg %1 : i8
  reg %2 : i32
block entry:
  %1 = nondet "__VERIFIER_nondet_uchar" !1:3:7
  %2 = zext %1 !1:3:7
  store i32 %2, @x !1:3:5
  store i32 1, @y !1:4:5
  ret ptr 0 !1:5:3
}
func @main() -> i32 {
  reg %0 : ptr
  reg %1 : i32
  reg %2 : i1
block entry:
  %0 = create(@writer, ptr 0) !1:9:3
  %1 = load @y !1:10:7
  %2 = eq %1, i32 1 !1:10:9
  branch %2, then, end !1:10:7
block then:
  %1 = load @x !1:11:9
  %2 = eq %1, i32 200 !1:11:11
  branch %2, error, end !1:11:9
block error:
  assert i1 0, "reach_error() is called" !1:11:19
  jump end
block end:
  ret i32 0 !1:12:3
}
)";

verdict::Verdict proved() {
  verdict::Verdict verdict;
  verdict.answer = verdict::Proved{verdict::StateSpaceExhausted{7}};
  return verdict;
}

TEST(Witness, AViolationAsYaml) {
  const ReadyProgram ready(kProgram, "sc");
  const spec::Task task = ready.task(Property::kReach);
  const auto result = witness(violated(task, verdict::FaultReached{}),
                              subject_of(task),
                              task_of("a b.c", kText),
                              WitnessFormat::kYaml);
  ASSERT_TRUE(result.has_value()) << result.error().to_string();
  EXPECT_EQ(result->note, "");
  EXPECT_EQ(result->text, R"yaml(- entry_type: violation_sequence
  metadata:
    format_version: "2.2"
    uuid: "8686049a-9aea-80c6-a0e4-96c4ab25ecbb"
    creation_time: "2023-11-14T22:13:20Z"
    producer:
      name: "Heddle"
      version: "1.2"
      configuration: "--model sc"
    task:
      input_files:
        - "a b.c"
      input_file_hashes:
        "a b.c": "be23178338b91b8fdfa3d137334fbe0c6ef007b36704fd95142037f4bf5c0887"
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: LP64
      language: C
  content:
    - segment:
        - waypoint:
            type: function_enter
            action: follow
            thread_id: 0
            location:
              file_name: "a b.c"
              line: 9
              function: "main"
    - segment:
        - waypoint:
            type: function_return
            action: follow
            thread_id: 1
            constraint:
              value: "\\result == 200"
              format: ext_c_expression
            location:
              file_name: "a b.c"
              line: 3
              function: "writer"
    - segment:
        - waypoint:
            type: assumption
            action: follow
            thread_id: 1
            constraint:
              value: "1"
              format: c_expression
            location:
              file_name: "a b.c"
              line: 4
              column: 3
              function: "writer"
    - segment:
        - waypoint:
            type: assumption
            action: follow
            thread_id: 0
            constraint:
              value: "1"
              format: c_expression
            location:
              file_name: "a b.c"
              line: 10
              column: 3
              function: "main"
    - segment:
        - waypoint:
            type: assumption
            action: follow
            thread_id: 0
            constraint:
              value: "1"
              format: c_expression
            location:
              file_name: "a b.c"
              line: 11
              column: 5
              function: "main"
    - segment:
        - waypoint:
            type: target
            action: follow
            thread_id: 0
            location:
              file_name: "a b.c"
              line: 11
              column: 19
              function: "main"
)yaml");
}

TEST(Witness, AViolationAsGraphml) {
  const ReadyProgram ready(kProgram, "sc");
  const spec::Task task = ready.task(Property::kReach);
  const auto result = witness(violated(task, verdict::FaultReached{}),
                              subject_of(task),
                              task_of("a b.c", kText),
                              WitnessFormat::kGraphml);
  ASSERT_TRUE(result.has_value()) << result.error().to_string();
  const std::size_t graph = result->text.find(" <graph ");
  ASSERT_NE(graph, std::string::npos);
  EXPECT_TRUE(result->text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                                       "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" "
                                       "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n"
                                       " <key id=\"witness-type\" attr.name=\"witness-type\" "
                                       "attr.type=\"string\" for=\"graph\"/>\n"));
  EXPECT_EQ(result->text.substr(graph), R"xml( <graph edgedefault="directed">
   <data key="witness-type">violation_witness</data>
   <data key="sourcecodelang">C</data>
   <data key="producer">Heddle 1.2</data>
   <data key="specification">CHECK( init(main()), LTL(G ! call(reach_error())) )</data>
   <data key="programfile">a b.c</data>
   <data key="programhash">be23178338b91b8fdfa3d137334fbe0c6ef007b36704fd95142037f4bf5c0887</data>
   <data key="architecture">64bit</data>
   <data key="creationtime">2023-11-14T22:13:20Z</data>
  <node id="N0">
   <data key="entry">true</data>
  </node>
  <node id="N1">
  </node>
  <edge source="N0" target="N1">
   <data key="threadId">0</data>
   <data key="createThread">0</data>
   <data key="enterFunction">main</data>
  </edge>
  <node id="N2">
  </node>
  <edge source="N1" target="N2">
   <data key="threadId">0</data>
   <data key="startline">9</data>
   <data key="createThread">1</data>
  </edge>
  <node id="N3">
  </node>
  <edge source="N2" target="N3">
   <data key="threadId">1</data>
   <data key="enterFunction">writer</data>
  </edge>
  <node id="N4">
  </node>
  <edge source="N3" target="N4">
   <data key="threadId">1</data>
   <data key="startline">3</data>
   <data key="assumption">\result == 200</data>
   <data key="assumption.scope">writer</data>
   <data key="assumption.resultfunction">__VERIFIER_nondet_uchar</data>
  </edge>
  <node id="N5">
  </node>
  <edge source="N4" target="N5">
   <data key="threadId">1</data>
   <data key="startline">4</data>
  </edge>
  <node id="N6">
  </node>
  <edge source="N5" target="N6">
   <data key="threadId">0</data>
   <data key="startline">10</data>
  </edge>
  <node id="N7">
  </node>
  <edge source="N6" target="N7">
   <data key="threadId">0</data>
   <data key="startline">11</data>
  </edge>
  <node id="N8">
   <data key="violation">true</data>
  </node>
  <edge source="N7" target="N8">
   <data key="threadId">0</data>
   <data key="startline">11</data>
  </edge>
 </graph>
</graphml>
)xml");
}

TEST(Witness, AProofHasNoInvariants) {
  const ReadyProgram ready(kProgram, "sc");
  const spec::Task task = ready.task(Property::kRace);
  const WitnessTask witness_task = task_of("a b.c", kText);
  const auto yaml = witness(proved(), subject_of(task), witness_task, WitnessFormat::kYaml);
  ASSERT_TRUE(yaml.has_value());
  EXPECT_TRUE(yaml->text.starts_with("- entry_type: invariant_set\n"
                                     "  metadata:\n"
                                     "    format_version: \"2.0\"\n"))
      << yaml->text;
  EXPECT_NE(yaml->text.find("specification: \"CHECK( init(main()), LTL(G ! data-race) )\""),
            std::string::npos);
  EXPECT_TRUE(yaml->text.ends_with("  content: []\n")) << yaml->text;
  const auto graphml = witness(proved(), subject_of(task), witness_task, WitnessFormat::kGraphml);
  ASSERT_TRUE(graphml.has_value());
  EXPECT_NE(graphml->text.find("<data key=\"witness-type\">correctness_witness</data>"),
            std::string::npos);
  EXPECT_TRUE(graphml->text.ends_with("  <node id=\"N0\">\n   <data key=\"entry\">true</data>\n"
                                      "  </node>\n </graph>\n</graphml>\n"))
      << graphml->text;
}

TEST(Witness, TheIdentifierFollowsFromTheContentAndNotFromTheTime) {
  const ReadyProgram ready(kProgram, "sc");
  const spec::Task task = ready.task(Property::kRace);
  const auto uuid = [&](const WitnessTask& witness_task) {
    const auto result = witness(proved(), subject_of(task), witness_task, WitnessFormat::kYaml);
    EXPECT_TRUE(result.has_value());
    const std::size_t at = result->text.find("uuid: \"");
    return result->text.substr(at + 7, 36);
  };
  const WitnessTask first = task_of("a.c", kText);
  WitnessTask later = first;
  later.creation_time = 0;
  EXPECT_EQ(uuid(first), uuid(later));
  EXPECT_NE(uuid(first), uuid(task_of("a.c", kText + "\n")));
  EXPECT_EQ(uuid(first)[14], '8');
  EXPECT_NE(std::string("89ab").find(uuid(first)[19]), std::string::npos);
}

TEST(Witness, NamesWithSignsOfTheFormats) {
  const ReadyProgram ready(kProgram, "sc");
  const spec::Task task = ready.task(Property::kRace);
  const WitnessTask witness_task = task_of("a<b>&\"c\"\\: #'\xff.c", kText);
  const auto yaml = witness(proved(), subject_of(task), witness_task, WitnessFormat::kYaml);
  ASSERT_TRUE(yaml.has_value());
  EXPECT_NE(yaml->text.find("- \"a<b>&\\\"c\\\"\\\\: #'\xef\xbf\xbd.c\"\n"), std::string::npos)
      << yaml->text;
  const auto graphml = witness(proved(), subject_of(task), witness_task, WitnessFormat::kGraphml);
  ASSERT_TRUE(graphml.has_value());
  EXPECT_NE(graphml->text.find(">a&lt;b&gt;&amp;&quot;c&quot;\\: #'\xef\xbf\xbd.c<"),
            std::string::npos)
      << graphml->text;
  EXPECT_EQ(escaped_xml(std::string_view("\0\x1f\t\n\r\xef\xbf\xbf", 8)),
            "\xef\xbf\xbd\xef\xbf\xbd\t\n&#13;\xef\xbf\xbd");
}

TEST(Witness, TasksThatHaveNone) {
  WitnessTask task = task_of("a.c", kText);
  EXPECT_EQ(witness_obstacle(Property::kReach, task, WitnessFormat::kYaml), std::nullopt);
  EXPECT_EQ(witness_obstacle(Property::kReach, task, WitnessFormat::kGraphml), std::nullopt);
  EXPECT_EQ(witness_obstacle(Property::kRobustness, task, WitnessFormat::kYaml),
            "there are no witnesses for the property robustness");
  task.inputs.push_back({"b.i", ""});
  EXPECT_EQ(witness_obstacle(Property::kReach, task, WitnessFormat::kYaml), std::nullopt);
  EXPECT_EQ(witness_obstacle(Property::kReach, task, WitnessFormat::kGraphml),
            "a GraphML witness is about one input file; choose a name that ends in .yml");
  EXPECT_EQ(witness_obstacle(Property::kReach, task_of("a.hir", ""), WitnessFormat::kYaml),
            "witnesses are about C programs, and a.hir is none");
}

TEST(Witness, TheNameChoosesTheFormat) {
  EXPECT_EQ(witness_format("w.graphml"), WitnessFormat::kGraphml);
  EXPECT_EQ(witness_format("w.yml"), WitnessFormat::kYaml);
  EXPECT_EQ(witness_format("/dev/stdout"), WitnessFormat::kYaml);
}

TEST(Witness, SpecificationsInTheLanguageOfTheCompetition) {
  WitnessTask task;
  task.entry = "start";
  task.error_functions = {"oops"};
  EXPECT_EQ(specification(Property::kReach, task, nullptr),
            "CHECK( init(start()), LTL(G ! call(oops())) )");
  EXPECT_EQ(specification(Property::kMemory, task, nullptr),
            "CHECK( init(start()), LTL(G valid-free) )\n"
            "CHECK( init(start()), LTL(G valid-deref) )\n"
            "CHECK( init(start()), LTL(G valid-memtrack) )");
  EXPECT_EQ(specification(Property::kDeadlock, task, nullptr),
            "CHECK( init(start()), LTL(G ! deadlock) )");
  EXPECT_EQ(specification(Property::kOverflow, task, nullptr),
            "CHECK( init(start()), LTL(G ! overflow) )");
  EXPECT_EQ(specification(Property::kCleanup, task, nullptr),
            "CHECK( init(start()), LTL(G valid-memcleanup) )");
  EXPECT_EQ(specification(Property::kRobustness, task, nullptr), std::nullopt);
  EXPECT_EQ(specification(Property::kLiveness, task, nullptr), std::nullopt);
  // A failed assert() is no call of an error function.
  verdict::Violation violation;
  violation.run = execution::Run{};
  violation.run->fault.kind = program::FaultKind::kAssertion;
  violation.run->fault.what = "x == 1";
  EXPECT_EQ(specification(Property::kReach, task, &violation),
            "CHECK( init(start()), LTL(G ! call(__assert_fail())) )");
}

TEST(Witness, VerdictsThatHaveNone) {
  EXPECT_FALSE(no_witness_reason(verdict::Proved{}).has_value());
  EXPECT_FALSE(no_witness_reason(verdict::Violated{}).has_value());
  EXPECT_TRUE(no_witness_reason(verdict::within_bounds({"a loop"})).has_value());
  EXPECT_TRUE(no_witness_reason(verdict::Unknown{}).has_value());
  EXPECT_TRUE(no_witness_reason(verdict::Outcomes{}).has_value());
}

} // namespace
} // namespace heddle::report
