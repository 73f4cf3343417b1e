// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Random programs: every abstraction against the reference, with sizes that are large enough and
// with sizes that may not be.
#include "checker.h"

#include <algorithm>
#include <cstdio>
#include <random>

namespace heddle::sma {
namespace {

class Generator {
public:
  explicit Generator(unsigned seed) : engine_(seed) {}

  unsigned below(unsigned limit) { return static_cast<unsigned>(engine_() % limit); }

  // Two or three threads of at most three operations (a pair of brackets does not count), at most
  // `writes_left` writes.
  std::string program() {
    writes_left_ = 3 + below(3);
    registers_ = 0;
    const unsigned threads = 2 + (below(3) == 0 ? 1 : 0);
    std::string text;
    for (unsigned t = 0; t < threads; ++t)
      text += (t == 0 ? "" : " || ") + thread(threads == 2 ? 3 : 2);
    return text;
  }

private:
  std::string next_register() { return std::string(1, static_cast<char>('a' + registers_++)); }
  std::string cell() { return below(2) == 0 ? "x" : "y"; }

  std::string thread(unsigned most) {
    const unsigned count = 1 + below(most);
    const bool has_lock = below(8) == 0 && take(2);
    const bool has_section = !has_lock && below(6) == 0;
    std::string text = has_lock ? "lock m;" : has_section ? "[;" : "";
    for (unsigned i = 0; i < count; ++i)
      text += operation() + ";";
    if (has_lock)
      text += "unlock m;";
    if (has_section)
      text += "];" + (below(2) == 0 ? operation() : std::string());
    return text;
  }

  bool take(unsigned writes) {
    if (writes_left_ < writes)
      return false;
    writes_left_ -= writes;
    return true;
  }

  std::string operation() {
    const unsigned kind = below(20);
    if (kind < 8 && take(1))
      return (kind == 0 ? "*" : "") + cell() + "=" + std::to_string(1 + below(2));
    if (kind == 8 && take(1))
      return next_register() + "=add(" + cell() + ",1)";
    if (kind == 9 && take(1))
      return next_register() + "=cas(" + cell() + "," + std::to_string(below(2)) + "," +
             std::to_string(1 + below(2)) + ")";
    if (kind == 10)
      return "F";
    if (kind == 11)
      return "S";
    if (kind == 12 && registers_ > 0 && take(1))
      return cell() + "=" + std::string(1, static_cast<char>('a' + below(registers_))) + "+1";
    const std::string target = next_register();
    return target + "=" + (kind == 13 ? "*" : "") + cell();
  }

  std::mt19937 engine_;
  unsigned writes_left_ = 0;
  unsigned registers_ = 0;
};

// A write of a register of another thread would make no sense.
bool reads_own_registers_only(const Program& program) {
  for (const auto& thread : program.threads)
    for (const Operation& operation : thread)
      if (operation.source != kNoRegister &&
          std::none_of(thread.begin(), thread.end(), [&](const Operation& other) {
            return other.target == operation.source;
          }))
        return false;
  return true;
}

Sizes smaller(Generator& generator, const Sizes& sizes, bool timed) {
  const auto shrink = [&](unsigned size, unsigned least) {
    return size <= least ? size : least + generator.below(size - least + 1);
  };
  return {.writes = shrink(sizes.writes, 1),
          .queue = shrink(sizes.queue, timed ? 2 : 1),
          .clock = shrink(std::min(sizes.clock, 4u), 1)};
}

void check_one(Checker& checker,
               Generator& generator,
               const Program& program,
               Model model,
               const std::string& name) {
  const Abstraction& abstraction = checker.abstraction(name);
  Sizes sizes = enough(abstraction, program);
  std::vector<unsigned> order;
  if (abstraction.is_asynchronous) {
    const auto all = orders(program);
    order = all[generator.below(static_cast<unsigned>(all.size()))];
  } else {
    sizes.clock = std::min(sizes.clock, 4u);
  }
  const std::string what = program.text + " by " + name;
  for (const bool complete : {true, false}) {
    const Outcomes& expected = checker.expected(program, model, complete);
    const Answer answer = explore(
        abstraction, {.program = program, .sizes = sizes, .complete = complete, .order = order});
    const bool may_be_cut = !abstraction.is_asynchronous && sizes.clock == 4;
    const bool is_subset = std::includes(
        expected.begin(), expected.end(), answer.outcomes.begin(), answer.outcomes.end());
    checker.expect(is_subset && (answer.outcomes == expected ||
                                 (may_be_cut && answer.bounds.contains(kBoundClock))),
                   what + (complete ? ": outcomes" : ": states"));
    checker.expect(may_be_cut || answer.bounds.empty(), what + ": a bound was exceeded");
  }
  // Whatever the sizes: nothing is wrong, and nothing is missing without saying so.
  const Outcomes& expected = checker.expected(program, model, false);
  const Sizes small = smaller(generator, sizes, name.starts_with("e"));
  const Answer answer =
      explore(abstraction, {.program = program, .sizes = small, .complete = false, .order = order});
  const std::string sized = what + " with sizes " + std::to_string(small.writes) + " " +
                            std::to_string(small.queue) + " " + std::to_string(small.clock);
  checker.expect(
      std::includes(
          expected.begin(), expected.end(), answer.outcomes.begin(), answer.outcomes.end()),
      sized + ": no other states");
  checker.expect(answer.outcomes == expected || !answer.bounds.empty(),
                 sized + ": the bound is named");
}

void check_clusters(Checker& checker,
                    Generator& generator,
                    const Program& program,
                    Model model) {
  const Outcomes& expected = checker.expected(program, model, false);
  const std::string name = coarse_of(model);
  const auto all = orders(program);
  const auto order = all[generator.below(static_cast<unsigned>(all.size()))];
  const unsigned clusters =
      1 +
      generator.below(
          program.values <= 3 && program.threads.size() <= 3 && program.cells.size() <= 2 ? 3 : 2);
  const Answer answer = explore(
      checker.abstraction(name),
      {.program = program, .sizes = {.writes = clusters}, .complete = false, .order = order});
  const std::string what =
      program.text + " by " + name + " in " + std::to_string(clusters) + " clusters";
  checker.expect(
      std::includes(
          expected.begin(), expected.end(), answer.outcomes.begin(), answer.outcomes.end()),
      what + ": no other states");
  checker.expect(answer.outcomes == expected || !answer.bounds.empty(),
                 what + ": the bound is named");
}

} // namespace

void check_random(Checker& checker, unsigned count, unsigned seed) {
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0 && i % 100 == 0) {
      std::printf("%u programs, %u failures\n", i, checker.failed());
      std::fflush(stdout);
    }
    Generator generator(seed * 1000003 + i);
    const Program program = parse(generator.program());
    if (!reads_own_registers_only(program))
      continue;
    for (const Model model : kModels)
      for (const std::string& name : abstractions_of(model))
        if (checker.tries(name))
          check_one(checker, generator, program, model, name);
    for (const Model model : kModels)
      if (checker.tries(coarse_of(model)))
        check_clusters(checker, generator, program, model);
  }
}

} // namespace heddle::sma
