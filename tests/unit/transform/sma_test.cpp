// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/sma.h"
#include "unit/transform/built.h"
#include "unit/transform/small_abstraction.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle::transform {
namespace {

constexpr const char* kProgram = R"(module lp64
global @x : 4 align 4 signed 32
func @main() -> i32 {
block entry:
  store i32 1, @x
  ret i32 0
}
)";

TEST(AddedAbstraction, OperationsAndObjectsAreThereUnderNewNumbers) {
  program::Program program = built(kProgram);
  const std::size_t procedures = program.procedures.size();
  const std::size_t objects = program.objects.size();
  const Abstraction abstraction = small_abstraction(program);
  const AddedAbstraction added(program, abstraction, {});
  EXPECT_EQ(program.procedures.size(), procedures + abstraction.program.procedures.size());
  EXPECT_EQ(program.objects.size(), objects + abstraction.program.objects.size());
  const program::ProcedureId read = added.operation("sma_read");
  EXPECT_GE(read.index(), procedures);
  EXPECT_EQ(program.procedures[read].name, "sma_read");
  EXPECT_EQ(program.objects[added.initial_values()].name, "sma_initial");
  EXPECT_FALSE(added.is_coarse());
  // Calls between operations have moved along, and nothing of it is to be observed.
  for (std::size_t i = procedures; i < program.procedures.size(); ++i)
    for (const program::Edge& edge : program.procedures[program::ProcedureId{i}].edges)
      if (const auto* call = std::get_if<program::Call>(&edge.action)) {
        for (const program::ProcedureId target : call->targets)
          EXPECT_GE(target.index(), procedures);
      }
  for (std::size_t i = objects; i < program.objects.size(); ++i)
    EXPECT_EQ(program.objects[program::ObjectId{i}].scalar_bits, 0);
}

TEST(AddedAbstraction, ItsObjectsLieBehindThoseOfTheProgram) {
  program::Program program = built(kProgram);
  const Abstraction abstraction = small_abstraction(program);
  std::uint64_t last = 0;
  for (const program::Object& object : program.objects)
    last = std::max(last, object.unit);
  for (const program::Object& object : abstraction.program.objects)
    EXPECT_GT(object.unit, last);
}

TEST(AddedAbstraction, ABoundThatIsExceededIsACutWithItsName) {
  program::Program program = built(kProgram);
  Abstraction abstraction = small_abstraction(program);
  abstraction.bounds = {{2, "--queue 3"}, {3, "--clock 4"}};
  const AddedAbstraction added(program, abstraction, {});
  std::vector<std::string> cuts;
  for (const program::Edge& edge : program.procedures[added.operation("sma_exceeded")].edges)
    if (const auto* cut = std::get_if<program::Cut>(&edge.action))
      cuts.push_back(cut->bound);
  std::ranges::sort(cuts);
  EXPECT_EQ(cuts,
            (std::vector<std::string>{"--clock 4", "--queue 3", "a bound of the abstraction"}));
}

TEST(AbstractionOperations, HaveShapes) {
  for (const std::string& name : abstraction_operations())
    EXPECT_EQ(shape_of_operation(name).name, name);
  for (const std::string& name : asynchronous_operations())
    EXPECT_EQ(shape_of_operation(name).name, name);
  EXPECT_EQ(shape_of_operation("sma_write").parameters, (std::vector<unsigned>{32, 64, 32}));
  EXPECT_EQ(shape_of_operation("sma_write").result, 0U);
  EXPECT_EQ(shape_of_operation("sma_read").result, 64U);
}

} // namespace
} // namespace heddle::transform
