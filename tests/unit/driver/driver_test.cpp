// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The command line from the outside: what is printed and which exit code comes, with .hir files so
// that no compiler is needed.
#include "check/confirm.h"
#include "driver/commands/run_command.h"
#include "driver/options/options.h"
#include "unit/check/programs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>

namespace heddle::driver {
namespace {

namespace fs = std::filesystem;

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

Ran heddle(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const Console console{out, err, false, false, 0};
  const int code = run(arguments, console);
  return {code, out.str(), err.str()};
}

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Driver : public ::testing::Test {
protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("heddle_driver_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
    buffering_ = file("sb.hir", check_test::store_buffering());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name, const std::string& text) {
    const fs::path path = folder_ / name;
    std::ofstream(path) << text;
    return path;
  }
  fs::path folder_;
  std::string buffering_;
};

/// One line on stderr with the diagnostic's code, nothing on stdout.
void expect_refusal(const Ran& ran, int code, const std::string& diagnostic) {
  EXPECT_EQ(ran.code, code) << ran.out << ran.err;
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(ran.err.starts_with("heddle: ")) << ran.err;
  EXPECT_NE(ran.err.find(diagnostic), std::string::npos) << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
}

TEST_F(Driver, HelpVersionAndLists) {
  EXPECT_EQ(heddle({"--version"}).out, "heddle " + version() + "\n");
  EXPECT_EQ(heddle({"--help"}).code, 0);
  EXPECT_NE(heddle({"--help"}).out.find("verify"), std::string::npos);
  EXPECT_NE(heddle({"verify", "--help"}).out.find("--model"), std::string::npos);
  EXPECT_NE(heddle({"models"}).out.find("tso"), std::string::npos);
  EXPECT_NE(heddle({"models"}).out.find("aarch64 armv8"), std::string::npos);
  EXPECT_NE(heddle({"verify", buffering_, "--model", "aarch64"}).out.find(" under armv8"),
            std::string::npos);
  EXPECT_NE(heddle({"engines"}).out.find("explicit"), std::string::npos);
}

TEST_F(Driver, WrongUsage) {
  expect_refusal(heddle({}), 2, "USE-002");
  expect_refusal(heddle({"verify"}), 2, "USE-005");
  expect_refusal(heddle({"frobnicate", "f.c"}), 2, "USE-001");
  expect_refusal(heddle({"verify", "f.c", "--frobnicate"}), 2, "USE-001");
  expect_refusal(heddle({"verify", buffering_, "--model", "arm9"}),
                 2,
                 "rc11, riscv, rmo, sc, tso, x86tso; or give the path of a .cat file");
  expect_refusal(heddle({"verify", buffering_, "--property", "beauty"}), 2, "SPEC-001");
  expect_refusal(heddle({"verify", buffering_, "--unwind", "-1"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--unwind=-1"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--max-states", "many"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--time", "-2"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--memory", "1.5"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--unwind", "sb.hir=1"}), 2, "USE-010");
  expect_refusal(heddle({"verify", buffering_, "--unwind", "sb.hir:0=1"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--unwind", "sb.hir:1=many"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--unwind", "sb.hir:1=1"}), 2, "TRF-005");
  expect_refusal(heddle({"verify", buffering_, "--nondet-bits", "99"}), 2, "USE-003");
  expect_refusal(heddle({"verify", buffering_, "--search", "random"}), 2, "USE-004");
  expect_refusal(heddle({"verify", buffering_, "--data-model", "LP128"}), 2, "USE-004");
  expect_refusal(heddle({"verify", buffering_, "--engine", "steam"}), 2, "USE-010");
  expect_refusal(heddle({"verify", buffering_, "--dump-after", "lunch"}), 2, "USE-008");
  expect_refusal(heddle({"verify", "a.yml", "b.c"}), 2, "USE-006");
  expect_refusal(heddle({"replay"}), 2, "USE-011");
}

TEST_F(Driver, BadInput) {
  EXPECT_EQ(heddle({"verify", (folder_ / "missing.c").string()}).code, 3);
  EXPECT_EQ(heddle({"verify", (folder_ / "missing.hir").string()}).code, 3);
  EXPECT_EQ(heddle({"verify", (folder_ / "missing.yml").string()}).code, 3);
  const Ran malformed = heddle({"verify", file("bad.hir", "module lp64\nfunc @main( {\n")});
  EXPECT_EQ(malformed.code, 3);
  EXPECT_NE(malformed.err.find("bad.hir:2:"), std::string::npos) << malformed.err;
  EXPECT_EQ(heddle({"verify", file("bad.yml", "input_files: [\n")}).code, 3);
  EXPECT_EQ(heddle({"verify", buffering_, "--entry", "nowhere"}).code, 3);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", (folder_ / "missing.prp").string()}).code,
            3);
  expect_refusal(heddle({"verify", buffering_, "--json", "/dev/full"}), 3, "OUT-001");
  expect_refusal(heddle({"replay", (folder_ / "missing.json").string()}), 3, "REPLAY-002");
  expect_refusal(heddle({"replay", file("bad.json", "{")}), 3, "REPLAY-001");
  expect_refusal(heddle({"replay", file("empty.json", "{}")}), 3, "REPLAY-001");
}

TEST_F(Driver, AFileThatDoesNotCompileIsOneMessageWithItsPlace) {
  const Ran ran = heddle({"verify", file("bad.c", "int main(void) {\n  return x;\n}\n")});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, "");
#if HEDDLE_HAS_LLVM
  EXPECT_NE(ran.err.find("bad.c:2:"), std::string::npos) << ran.err;
#else
  EXPECT_NE(ran.err.find("LLVM-004"), std::string::npos) << ran.err;
#endif
}

TEST_F(Driver, VerdictsAndExitCodes) {
  const Ran weak = heddle({"verify", buffering_, "--model", "tso"});
  EXPECT_EQ(weak.code, 10);
  EXPECT_TRUE(weak.out.starts_with("VIOLATED (assertion) under tso: ")) << weak.out;
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "race"}).code, 11);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "deadlock"}).code, 0);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "robustness", "--model", "tso"}).code, 17);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "robustness", "--model", "sc"}).code, 0);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "liveness"}).code, 0);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "race", "--max-states", "1"}).code, 1);
  EXPECT_EQ(
      heddle({"verify", buffering_, "--property", "memory", "--time", "100", "--memory", "2000"})
          .code,
      0);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "cleanup"}).code, 0);
  EXPECT_EQ(heddle({"verify", buffering_, "--property", "overflow"}).code, 0);
}

TEST_F(Driver, SwitchesDoNotChangeTheVerdict) {
  const std::vector<std::vector<std::string>> switches = {{"--no-reduction"},
                                                          {"--no-symmetry"},
                                                          {"--no-merge"},
                                                          {"--inline"},
                                                          {"--unwind", "3"},
                                                          {"--search", "dfs"},
                                                          {"--alias", "none"},
                                                          {"--no-reuse"},
                                                          {"--malloc-may-fail"},
                                                          {"--engine", "explicit"},
                                                          {"--nondet-bits", "4"},
                                                          {"--data-model", "LP64"},
                                                          {"--width", "60"},
                                                          {"--havoc", "nobody"},
                                                          {"--verbose"}};
  for (const std::vector<std::string>& extra : switches) {
    std::vector<std::string> words = {"verify", buffering_, "--model", "tso"};
    words.insert(words.end(), extra.begin(), extra.end());
    const Ran ran = heddle(words);
    EXPECT_EQ(ran.code, 10) << extra.front() << ran.out << ran.err;
  }
}

TEST_F(Driver, TheSameRunGivesTheSameBytes) {
  const std::string json = folder_ / "one.json";
  const std::string again = folder_ / "two.json";
  const Ran first = heddle({"verify", buffering_, "--model", "tso", "--json", json});
  const Ran second = heddle({"verify", buffering_, "--model", "tso", "--json", again});
  EXPECT_EQ(first.out, second.out);
  nlohmann::ordered_json a = nlohmann::ordered_json::parse(content(json));
  nlohmann::ordered_json b = nlohmann::ordered_json::parse(content(again));
  EXPECT_EQ(a["exit_code"], 10);
  a.erase("stats");
  b.erase("stats");
  EXPECT_EQ(a.dump(), b.dump());
}

TEST_F(Driver, ASavedViolationIsReplayed) {
  const std::string json = folder_ / "saved.json";
  const Ran found = heddle({"verify", buffering_, "--model", "tso", "--json", json});
  ASSERT_EQ(found.code, 10);
  const Ran replayed = heddle({"replay", json});
  EXPECT_EQ(replayed.code, 10) << replayed.err;
  EXPECT_EQ(replayed.out, found.out);
  EXPECT_EQ(replayed.err, "");

  // In a program where the threads do nothing the violation does not happen.
  file("sb.hir", check_test::two_threads("", ""));
  const Ran changed = heddle({"replay", json});
  EXPECT_EQ(changed.code, 3);
  EXPECT_NE(changed.err.find("not the one the violation was found in"), std::string::npos);
  EXPECT_NE(changed.err.find("REPLAY-003"), std::string::npos);
}

TEST_F(Driver, OutcomesAreListed) {
  const std::string text =
      check_test::two_threads("  store.volatile i32 1, @x\n", "  store.volatile i32 2, @x\n");
  const Ran ran = heddle({"outcomes", file("two.hir", text), "--global", "x"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "2 final states under sc\n  x = 1\n  x = 2\n");
}

TEST_F(Driver, TranslateToIrCanBeReadAgain) {
  const std::string json = folder_ / "counts.json";
  const Ran ran = heddle({"translate", buffering_, "--to", "ir", "--json", json});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Ran again = heddle({"translate", file("again.hir", ran.out), "--to", "ir"});
  EXPECT_EQ(again.out, ran.out);
  const nlohmann::json counts = nlohmann::json::parse(content(json));
  EXPECT_EQ(counts["functions"], 3);
  EXPECT_EQ(counts["traps"].size(), 0U);
  EXPECT_EQ(counts["traps_reachable"].size(), 0U);
}

TEST_F(Driver, TrapsAreCountedAndOnlyReachableOnesMakeAVerdictUnknown) {
  const std::string dead =
      "module lp64\nfile 1 \"t.c\"\nfunc @main() -> i32 {\n  reg %0 : i1\nblock entry:\n"
      "  %0 = copy i1 CONDITION\n  branch %0, bad, good\nblock bad:\n"
      "  trap \"a vector type\" help \"nothing\" !1:7:3\n  ret i32 0\nblock good:\n  ret i32 "
      "0\n}\n";
  const auto with = [&](const std::string& condition) {
    std::string text = dead;
    return text.replace(text.find("CONDITION"), 9, condition);
  };
  EXPECT_EQ(heddle({"verify", file("dead.hir", with("0"))}).code, 0);
  const std::string live = file("live.hir", with("1"));
  const Ran met = heddle({"verify", live});
  EXPECT_EQ(met.code, 30);
  EXPECT_NE(met.out.find("a vector type at t.c:7"), std::string::npos) << met.out;
  const std::string json = folder_ / "traps.json";
  ASSERT_EQ(heddle({"translate", live, "--json", json}).code, 0);
  const nlohmann::json counts = nlohmann::json::parse(content(json));
  ASSERT_EQ(counts["traps"].size(), 1U);
  EXPECT_EQ(counts["traps"][0]["line"], 7);
}

TEST_F(Driver, DumpAfterPrintsTheProgram) {
  for (const char* stage : {"load", "build", "lower", "annotate", "merge-local"}) {
    const Ran ran = heddle({"verify", buffering_, "--dump-after", stage});
    EXPECT_NE(ran.err.find(std::string("; after ") + stage), std::string::npos) << stage;
  }
}

TEST(Options, TheDocumentationIsTheTable) {
  EXPECT_EQ(content(fs::path(HEDDLE_SOURCE_DIR) / "docs" / "options.md"), option_table_markdown())
      << "run: heddle options > docs/options.md";
}

} // namespace
} // namespace heddle::driver
