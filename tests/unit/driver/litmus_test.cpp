// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One litmus test under one model: conditions, filters, values as people write them, the models
// there are, and axioms against machines.
#include "driver/options/models.h"
#include "driver/pipeline/litmus.h"
#include "driver/pipeline/litmus_files.h"
#include "frontend/litmus/parse_test.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <unistd.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::optional<frontend::litmus::Test> parse(const std::string& text) {
  auto parsed = frontend::litmus::parse(text, "test.litmus");
  if (const auto* wrong = std::get_if<frontend::litmus::Diagnostics>(&parsed)) {
    ADD_FAILURE() << wrong->errors.front().to_string() << "\n" << text;
    return std::nullopt;
  }
  return std::get<frontend::litmus::Test>(std::move(parsed));
}

std::optional<report::LitmusResult> answer_of(const frontend::litmus::Test& test,
                                              const memory::Model& model,
                                              const LitmusOptions& options = {}) {
  const Result<program::Program> program = litmus_program(test, options.unroll);
  if (!program) {
    ADD_FAILURE() << program.error().to_string();
    return std::nullopt;
  }
  Result<LitmusAnswer> answer = run_litmus(test, *program, model, options);
  if (!answer) {
    ADD_FAILURE() << answer.error().to_string();
    return std::nullopt;
  }
  return std::move(answer->result);
}

std::optional<report::LitmusResult> run_text(const std::string& text,
                                             const std::string& model_name,
                                             const LitmusOptions& options = {}) {
  const std::optional<frontend::litmus::Test> test = parse(text);
  if (!test)
    return std::nullopt;
  AxiomaticModels models({}, {});
  const auto model = models.find(model_name, *memory::find_vocabulary(test->vocabulary));
  if (const auto* errors = std::get_if<std::vector<Error>>(&model)) {
    ADD_FAILURE() << errors->front().to_string();
    return std::nullopt;
  }
  return answer_of(*test, std::get<memory::Model>(model), options);
}

/// "0:EAX=0; [x]=1;" for each state, with "*" where the condition holds.
std::vector<std::string> lines(const report::LitmusResult& result) {
  std::vector<std::string> all;
  for (const report::LitmusState& state : result.states) {
    std::string line = state.satisfies ? "*" : "";
    for (const auto& [name, value] : state.values)
      line += name + "=" + value + ";";
    all.push_back(line);
  }
  return all;
}

const std::string kBody = R"(
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
)";
std::string buffering(const std::string& rest, const std::string& before = "{ }") {
  return "X86 SB\n" + before + kBody + rest + "\n";
}

TEST(DriverLitmus, ConditionsSelectStates) {
  const auto count = [](const std::string& condition) {
    const auto result = run_text(buffering(condition), "x86tso");
    if (!result)
      return std::size_t{99};
    return static_cast<std::size_t>(
        std::count_if(result->states.begin(), result->states.end(), [](const auto& state) {
          return state.satisfies;
        }));
  };
  EXPECT_EQ(count("exists (0:EAX=0 /\\ 1:EAX=0)"), 1U);
  EXPECT_EQ(count("exists (0:EAX=0 \\/ 1:EAX=0)"), 3U);
  EXPECT_EQ(count("exists (0:EAX=1 => 1:EAX=0)"), 3U);
  EXPECT_EQ(count("exists not (0:EAX=0 /\\ 1:EAX=0)"), 3U);
  EXPECT_EQ(count("exists (0:EAX!=1:EAX)"), 2U);
  EXPECT_EQ(count("exists (0:EAX=1:EAX)"), 2U);
  EXPECT_EQ(count("~exists (0:EAX=0 /\\ 1:EAX=0)"), 1U);
  EXPECT_EQ(count("forall (0:EAX=0 \\/ 1:EAX=0)"), 3U);
  EXPECT_EQ(count("exists (false /\\ 0:EAX=0)"), 0U);
}

TEST(DriverLitmus, StatesArePrintedInOrder) {
  const auto result = run_text(buffering("exists (0:EAX=0 /\\ 1:EAX=0)"), "x86tso");
  ASSERT_TRUE(result);
  EXPECT_EQ(lines(*result),
            (std::vector<std::string>{
                "*0:EAX=0;1:EAX=0;", "0:EAX=0;1:EAX=1;", "0:EAX=1;1:EAX=0;", "0:EAX=1;1:EAX=1;"}));
  EXPECT_EQ(result->test, "SB");
  EXPECT_EQ(result->model, "x86tso");
  EXPECT_TRUE(result->complete);
}

TEST(DriverLitmus, FiltersDropStates) {
  const auto result = run_text(buffering("filter (0:EAX=0)\nexists (1:EAX=0)"), "x86tso");
  ASSERT_TRUE(result);
  EXPECT_EQ(lines(*result), (std::vector<std::string>{"*0:EAX=0;1:EAX=0;", "0:EAX=0;1:EAX=1;"}));
}

TEST(DriverLitmus, LocationsAreObservedToo) {
  const auto result =
      run_text(buffering("locations [x; y;]\nexists (0:EAX=0)", "{ x=5; y=-1; }"), "sc");
  ASSERT_TRUE(result);
  ASSERT_FALSE(result->states.empty());
  std::set<std::string> values;
  for (const report::LitmusState& state : result->states)
    for (const auto& [name, value] : state.values) {
      if (name == "[x]" || name == "[y]") {
        EXPECT_EQ(value, "1");
      }
      if (name == "0:EAX")
        values.insert(value);
    }
  EXPECT_EQ(values, (std::set<std::string>{"-1", "1"}));
}

TEST(DriverLitmus, AddressesAreNames) {
  const auto result = run_text(R"(AArch64 addresses
{ p=x; 0:X1=p; 1:X1=p; 1:X2=y; 1:X3=x; }
 P0 | P1 ;
 LDR X0,[X1] | STR X2,[X1] ;
exists (0:X0=y)
)",
                               "armv8");
  ASSERT_TRUE(result);
  EXPECT_EQ(lines(*result), (std::vector<std::string>{"0:X0=x;", "*0:X0=y;"}));
}

TEST(DriverLitmus, CountsOrStates) {
  LitmusOptions options;
  const std::string text = content(HEDDLE_SOURCE_DIR "/tests/litmus/x86/XADD3.litmus");
  const auto counted = run_text(text, "x86tso", options);
  options.counts = false;
  const auto states = run_text(text, "x86tso", options);
  options.jobs = 3;
  const auto parallel = run_text(text, "x86tso", options);
  ASSERT_TRUE(counted && states && parallel);
  EXPECT_EQ(lines(*counted), lines(*states));
  EXPECT_EQ(lines(*counted), lines(*parallel));
  for (const report::LitmusState& state : states->states)
    EXPECT_EQ(state.executions, 1U);
}

TEST(DriverLitmus, AnExhaustedBudgetIsNotAnAnswer) {
  LitmusOptions options;
  const std::atomic<bool> interrupted = true;
  options.budget = Budget(std::nullopt, ~std::uint64_t{0}, &interrupted);
  std::string text = "X86 many\n{ }\n P0 | P1 | P2 | P3 ;\n";
  for (int i = 1; i <= 4; ++i) {
    for (int t = 0; t < 4; ++t)
      text += (t == 0 ? " " : " | ") + ("MOV [x],$" + std::to_string(4 * i + t));
    text += " ;\n";
  }
  const auto result = run_text(text + "exists (x=4)\n", "x86tso", options);
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->complete);
}

/// The axioms of sc, tso and pso allow what their machines do.
TEST(DriverLitmus, AxiomsAgreeWithMachines) {
  std::size_t compared = 0;
  for (const char* folder : {"x86", "oracle"})
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(HEDDLE_SOURCE_DIR) / "tests" / "litmus" / folder)) {
      if (entry.path().extension() != ".litmus")
        continue;
      const std::optional<frontend::litmus::Test> test = parse(content(entry.path()));
      ASSERT_TRUE(test);
      for (const char* name : {"sc", "tso", "pso"}) {
        AxiomaticModels models({}, {});
        const auto axioms = models.find(name, *memory::find_vocabulary(test->vocabulary));
        ASSERT_TRUE(std::holds_alternative<memory::Model>(axioms));
        const Result<memory::Model> machine = memory::find_model(name);
        ASSERT_TRUE(machine);
        const auto by_axioms = answer_of(*test, std::get<memory::Model>(axioms));
        const auto by_machine = answer_of(*test, *machine);
        ASSERT_TRUE(by_axioms && by_machine) << entry.path();
        EXPECT_EQ(lines(*by_axioms), lines(*by_machine)) << entry.path() << " " << name;
        ++compared;
      }
    }
  EXPECT_GT(compared, 100U);
}

TEST(DriverLitmus, ModelsAreFoundByNameAndByPath) {
  AxiomaticModels models({}, {});
  const std::vector<std::string> names = model_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  for (const char* name : {"sc", "tso", "pso", "rmo", "x86tso", "armv8", "rc11", "lkmm"}) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
    EXPECT_FALSE(model_title(name).empty()) << name;
  }
  const auto by_name = models.find("x86tso", memory::Vocabulary::kX86);
  const auto by_path =
      models.find((models_folder() / "x86tso.cat").string(), memory::Vocabulary::kX86);
  ASSERT_TRUE(std::holds_alternative<memory::Model>(by_name));
  ASSERT_TRUE(std::holds_alternative<memory::Model>(by_path));
  EXPECT_EQ(std::get<memory::Model>(by_path).name, "x86tso");
  // Asked again it is the same core.
  EXPECT_EQ(std::get<memory::Model>(models.find("x86tso", memory::Vocabulary::kX86)).core,
            std::get<memory::Model>(by_name).core);
  const auto unknown = models.find("nosuch", memory::Vocabulary::kX86);
  ASSERT_TRUE(std::holds_alternative<std::vector<Error>>(unknown));
  const Error& error = std::get<std::vector<Error>>(unknown).front();
  EXPECT_EQ(error.kind, ErrorKind::kUsage);
  EXPECT_NE(error.message.find("x86tso"), std::string::npos);
}

TEST(DriverLitmus, NamesAreSplitAtCommas) {
  EXPECT_EQ(split_names("sc,tso"), (std::vector<std::string>{"sc", "tso"}));
  EXPECT_EQ(split_names("sc"), (std::vector<std::string>{"sc"}));
  // An empty name is one, which nothing has: it is refused and not overlooked.
  EXPECT_EQ(split_names(",sc,,tso"), (std::vector<std::string>{"", "sc", "", "tso"}));
  EXPECT_EQ(split_names(""), (std::vector<std::string>{""}));
}

TEST(DriverLitmus, FilesOfFoldersAndLists) {
  const fs::path folder =
      fs::path(::testing::TempDir()) / ("heddle_litmus_files_" + std::to_string(::getpid()));
  fs::create_directories(folder / "sub");
  for (const char* name : {"b.litmus", "a.litmus", "a.txt"})
    std::ofstream(folder / name) << "";
  std::ofstream(folder / "list") << "# comment\nb.litmus\n\nsub/c.litmus\n";
  const Result<std::vector<std::string>> found =
      litmus_files({folder.string(), "@" + (folder / "list").string(), "other"});
  ASSERT_TRUE(found);
  EXPECT_EQ(*found,
            (std::vector<std::string>{folder / "a.litmus",
                                      folder / "b.litmus",
                                      folder / "b.litmus",
                                      folder / "sub/c.litmus",
                                      "other"}));
  EXPECT_FALSE(litmus_files({"@" + (folder / "nothing").string()}));
  fs::remove_all(folder);
}

} // namespace
} // namespace heddle::driver
