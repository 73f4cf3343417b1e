// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "unit/engine/random_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>

namespace heddle::engine_test {
namespace {

/// One thread's body; registers: %0 argument, %1 last value read, %2 a condition, %3 a pointer, %4
/// a value.
class Writer {
public:
  std::string body(const std::vector<std::string>& operations) {
    for (const std::string& operation : operations)
      write(operation);
    while (!open_.empty())
      close();
    line("ret ptr 0");
    return text_;
  }

private:
  void line(const std::string& text) { text_ += "  " + text + "\n"; }
  void label(const std::string& name) { text_ += "block " + name + ":\n"; }
  std::string fresh() { return fmt::format("l{}", labels_++); }

  static std::string order(const std::string& name) {
    if (name.ends_with(".rel"))
      return ".atomic.release";
    if (name.ends_with(".acq"))
      return ".atomic.acquire";
    if (name.ends_with(".rlx"))
      return ".atomic.relaxed";
    return ".atomic.seq_cst";
  }
  static bool is_atomic(const std::string& name) { return name.size() > 1 && name[0] == 'a'; }
  static std::string global(const std::string& name) {
    std::string plain = is_atomic(name) ? name.substr(1) : name;
    return "@" + plain.substr(0, plain.find('.'));
  }

  void close() {
    const auto [kind, head, end] = open_.back();
    open_.pop_back();
    line("jump " + (kind == "while" ? head : end));
    label(end);
  }

  void write(const std::string& operation) {
    std::istringstream in(operation);
    std::string first;
    std::string second;
    std::string third;
    in >> first >> second >> third;
    if (first == "fence")
      line("fence.atomic.seq_cst");
    else if (first == "fence.rel")
      line("fence.atomic.release");
    else if (first == "fence.acq")
      line("fence.atomic.acquire");
    else if (first == "lock")
      line("mutex_lock(@" + second + ")");
    else if (first == "unlock")
      line("mutex_unlock(@" + second + ")");
    else if (first == "trylock")
      line("%1 = mutex_trylock(@" + second + ")");
    else if (first == "begin")
      line("atomic_begin");
    else if (first == "end")
      line("atomic_end");
    else if (first == "exit") {
      line("exit");
      label(fresh());
    } else if (first == "assert" || first == "assume") {
      line("%2 = ne %1, i32 0");
      line(first == "assert" ? "assert %2, \"not zero\"" : "assume %2");
    } else if (first == "if") {
      const std::string then = fresh();
      const std::string end = fresh();
      if (second == "?") {
        line("%2 = nondet \"choice\"");
      } else {
        line("%4 = load " + global(second));
        line("%2 = ne %4, i32 0");
      }
      line("branch %2, " + then + ", " + end);
      label(then);
      open_.push_back({"if", "", end});
    } else if (first == "while") {
      const std::string head = fresh();
      const std::string body = fresh();
      const std::string end = fresh();
      line("jump " + head);
      label(head);
      line("%4 = load.atomic.seq_cst " + global(second));
      line("%2 = ne %4, i32 0");
      line("branch %2, " + end + ", " + body);
      label(body);
      open_.push_back({"while", head, end});
    } else if (first == "endif" || first == "endwhile") {
      if (!open_.empty())
        close();
    } else if (first == "alloc") {
      line("%3 = alloc heap i64 4");
      line("store i32 7, %3");
      line("store.atomic.seq_cst ptr %3, @p");
    } else if (first == "free") {
      line("%3 = load.atomic.seq_cst @p");
      line("free %3");
    } else if (first == "use") {
      line("%3 = load.atomic.seq_cst @p");
      line("store i32 3, %3");
    } else if (first == "wait") {
      line("cond_wait(@" + second + ", @" + third + ")");
    } else if (first == "signal") {
      line("cond_signal(@" + second + ")");
    } else if (first == "barrier") {
      line("barrier_wait(@b)");
    } else if (first == "post") {
      line("sem_post(@" + second + ")");
    } else if (first == "take") {
      line("sem_wait(@" + second + ")");
    } else if (const auto plus = operation.find("+="); plus != std::string::npos) {
      line(fmt::format("%1 = rmw.atomic.seq_cst add @{}, i32 {}",
                       operation.substr(0, plus),
                       operation.substr(plus + 2)));
    } else if (const auto mark = operation.find('?'); mark != std::string::npos) {
      const auto equals = operation.find('=');
      line(fmt::format("%1, %2 = cmpxchg.atomic.seq_cst @{}, i32 {}, i32 {} failure seq_cst",
                       operation.substr(0, mark),
                       operation.substr(mark + 1, equals - mark - 1),
                       operation.substr(equals + 1)));
    } else {
      const auto equals = operation.find('=');
      const std::string left = operation.substr(0, equals);
      const std::string right = operation.substr(equals + 1);
      if (std::isdigit(static_cast<unsigned char>(right[0])) != 0) {
        line(fmt::format(
            "store{} i32 {}, {}", is_atomic(left) ? order(left) : "", right, global(left)));
      } else {
        line(fmt::format("%1 = load{} {}", is_atomic(right) ? order(right) : "", global(right)));
        line(fmt::format("store i32 %1, @{}", left));
      }
    }
  }

  struct Open {
    std::string kind;
    std::string head;
    std::string end;
  };
  std::string text_;
  std::vector<Open> open_;
  unsigned labels_ = 0;
};

} // namespace

namespace {

/// Fails if all globals have these values. The registers come after the handles of the threads.
std::string assert_other_than(const std::map<std::string, std::uint64_t>& values,
                              std::size_t registers) {
  std::string text;
  std::string differs = "i1 0";
  for (const auto& [name, value] : values) {
    const std::size_t loaded = registers++;
    const std::size_t is_other = registers++;
    const std::size_t any = registers++;
    text += fmt::format("  %{0} = load @{3}\n  %{1} = ne %{0}, i32 {4}\n  %{2} = or {5}, %{1}\n",
                        loaded,
                        is_other,
                        any,
                        name,
                        value,
                        differs);
    differs = fmt::format("%{}", any);
  }
  return text + fmt::format("  assert {}, \"final state\"\n", differs);
}

} // namespace

std::string ir_of(const std::vector<std::vector<std::string>>& threads,
                  Main main,
                  const std::map<std::string, std::uint64_t>& final_values) {
  std::string text = "module lp64\n";
  for (const char* name : {"x", "y", "z", "w", "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7"})
    text += fmt::format("global @{} : 4 align 4 signed 32\n", name);
  text += "global @p : 8 align 8\nglobal @m : 40 align 8\nglobal @n : 40 align 8\n"
          "global @c : 48 align 8\nglobal @b : 32 align 8\nglobal @s : 32 align 8\n";
  // Threads of the same code share a function.
  const auto function_of = [&](std::size_t thread) {
    return std::find(threads.begin(), threads.end(), threads[thread]) - threads.begin();
  };
  for (std::size_t t = 0; t < threads.size(); ++t) {
    if (function_of(t) != static_cast<std::ptrdiff_t>(t))
      continue;
    text += fmt::format("func @t{}(%0 : ptr) -> ptr {{\n  reg %1 : i32\n  reg %2 : i1\n"
                        "  reg %3 : ptr\n  reg %4 : i32\nblock entry:\n  %1 = copy i32 0\n{}}}\n",
                        t,
                        Writer().body(threads[t]));
  }
  text += "func @main() -> i32 {\n";
  for (std::size_t t = 0; t < threads.size(); ++t)
    text += fmt::format("  reg %{} : ptr\n", t);
  for (std::size_t i = 0, next = threads.size(); i < final_values.size(); ++i, next += 3)
    text +=
        fmt::format("  reg %{} : i32\n  reg %{} : i1\n  reg %{} : i1\n", next, next + 1, next + 2);
  text += main == Main::kStartForEver
              ? "block entry:\n  jump again\nblock again:\n"
              : fmt::format("block entry:\n  barrier_init(@b, i32 {})\n", threads.size());
  for (std::size_t t = 0; t < threads.size(); ++t)
    text += fmt::format("  %{} = create(@t{}, ptr 0)\n{}",
                        t,
                        function_of(t),
                        main == Main::kWriteAndJoin ? fmt::format("  store i32 {}, @y\n", t) : "");
  if (main == Main::kJoinAll || main == Main::kWriteAndJoin)
    for (std::size_t code = 0; code < threads.size(); ++code)
      for (std::size_t t = 0; t < threads.size(); ++t)
        if (function_of(t) == static_cast<std::ptrdiff_t>(code))
          text += fmt::format("  join(%{})\n", t);
  if (!final_values.empty())
    text += assert_other_than(final_values, threads.size());
  text += main == Main::kEndAlone       ? "  thread_exit void\n}\n"
          : main == Main::kStartForEver ? "  jump again\n}\n"
                                        : "  ret i32 0\n}\n";
  return text;
}

std::vector<std::vector<std::string>> random_threads(Rng& rng, const Mix& mix) {
  const auto pick = [&rng](const std::vector<std::string>& from) {
    return from[rng.below(from.size())];
  };
  std::vector<std::vector<std::string>> threads(2 + rng.below(mix.threads - 1));
  unsigned result = 0;
  for (std::vector<std::string>& thread : threads) {
    const std::uint64_t length = 1 + rng.below(mix.operations);
    std::string last;
    unsigned depth = 0;
    while (thread.size() < length) {
      const std::string variable = pick({"x", "y", "z"});
      switch (rng.below(16)) {
      case 0:
      case 1:
      case 2:
        thread.push_back(variable + "=" + pick({"1", "2"}));
        break;
      case 3:
      case 4:
      case 5:
        last = fmt::format("r{}", result++ % 8);
        thread.push_back(last + "=" + variable);
        break;
      case 6:
        thread.push_back(variable + "+=1");
        break;
      case 7:
        thread.push_back(variable + "?0=1");
        break;
      case 8:
        thread.push_back(mix.has_weak_atomics ? pick({"fence", "fence.rel", "fence.acq"})
                                              : "fence");
        break;
      case 9:
        if (mix.has_locks) {
          const std::string mutex = pick({"m", "n"});
          thread.push_back("lock " + mutex);
          thread.push_back(variable + "=" + pick({"1", "3"}));
          if (rng.chance(1, 3))
            thread.push_back("lock " + std::string(mutex == "m" ? "n" : "m"));
          if (rng.chance(4, 5))
            thread.push_back("unlock " + mutex);
        }
        break;
      case 10:
        if (mix.has_sections) {
          thread.push_back("begin");
          thread.push_back(variable + "=" + pick({"1", "2"}));
          thread.push_back(fmt::format("r{}=", result++ % 8) + pick({"x", "y"}));
          if (rng.chance(1, 4))
            thread.push_back("assume");
          thread.push_back("end");
        }
        break;
      case 11:
        thread.push_back("if " + variable);
        thread.push_back(pick({"x", "y", "z"}) + "=2");
        thread.push_back("endif");
        break;
      case 12:
        if (mix.has_loops && depth++ == 0) {
          thread.push_back("while " + variable);
          if (rng.chance(1, 2))
            thread.push_back("w=1");
          if (rng.chance(1, 2))
            thread.push_back("fence");
          thread.push_back("endwhile");
        }
        break;
      case 13:
        if (mix.has_asserts)
          thread.push_back(rng.chance(1, 3) ? "assume" : "assert");
        break;
      case 14:
        if (mix.has_heap)
          thread.push_back(pick({"alloc", "free", "use"}));
        else if (mix.has_weak_atomics)
          thread.push_back(pick({"ax.rel=1",
                                 "ax.rlx=1",
                                 "r0=ax.acq",
                                 "r1=ax.rlx",
                                 "ay.rel=1",
                                 "r2=ay.acq",
                                 "ay=2",
                                 "r3=ay"}));
        else
          thread.push_back(pick({"ax=1", "r6=ax", "ay=1", "r7=ay"}));
        break;
      case 15:
        if (mix.has_conditions)
          thread.push_back(
              pick({"lock m", "wait c m", "signal c", "barrier", "post s", "take s", "trylock m"}));
        else if (rng.chance(1, 8))
          thread.push_back("exit");
        break;
      default:
        break;
      }
      if (rng.chance(1, 12))
        break;
    }
  }
  return threads;
}

Main random_main(Rng& rng) {
  const std::uint64_t way = rng.below(6);
  if (way < 3)
    return Main::kJoinAll;
  return way == 3 ? Main::kReturnAtOnce : way == 4 ? Main::kEndAlone : Main::kWriteAndJoin;
}

std::string show(const std::vector<std::vector<std::string>>& threads) {
  std::string text;
  for (const std::vector<std::string>& thread : threads) {
    for (const std::string& operation : thread)
      text += operation + "; ";
    text += "\n";
  }
  return text;
}

} // namespace heddle::engine_test
