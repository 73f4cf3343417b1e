// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Waiting is an assumption to a verifier: a run in which a thread asks too early does not count,
// and the one in which it asks later does. To a program that is run it is a loop that lets others
// go on.
#include "export/c.h"

#include "export/infix.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <set>

namespace heddle::exports {

namespace {

constexpr const char* kPrelude = R"(#include <pthread.h>
#include <stdlib.h>

#ifdef HEDDLE_RUN
/* To be run: one lock for all atomic sections, choices at random (the seed is the first argument). */
#include <sched.h>
#include <stdio.h>
static pthread_mutex_t h_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long long h_seed = 88172645463325252ull;
static unsigned long long h_any(void)
{
  static _Thread_local unsigned long long random;
  if (random == 0)
    random = ((h_seed ^ (unsigned long long)(size_t)&random) * 0x9e3779b97f4a7c15ull) | 1;
  random ^= random << 13;
  random ^= random >> 7;
  random ^= random << 17;
  return random;
}
static void h_begin(void)
{
  while (h_any() % 4 == 0)
    sched_yield();
  pthread_mutex_lock(&h_lock);
}
static void h_end(void) { pthread_mutex_unlock(&h_lock); }
#define h_fail(what) (puts(what), fflush(stdout), _Exit(1))
#define h_choose_bool() ((unsigned int)(h_any() >> 63))
#define h_choose_uchar() ((unsigned int)(h_any() >> 56))
#define h_choose_ushort() ((unsigned int)(h_any() >> 48))
#define h_choose_uint() ((unsigned int)(h_any() >> 32))
#define h_choose_ulonglong() (h_any())
#define H_WAIT(condition) \
  while (!(condition)) { \
    h_end(); \
    sched_yield(); \
    h_begin(); \
  }
#define H_HALT() _Exit(0)
#else
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void reach_error(void);
#define h_begin() __VERIFIER_atomic_begin()
#define h_end() __VERIFIER_atomic_end()
#define h_fail(what) reach_error()
#define h_choose_bool() ((unsigned int)__VERIFIER_nondet_bool())
#define h_choose_uchar() ((unsigned int)__VERIFIER_nondet_uchar())
#define h_choose_ushort() ((unsigned int)__VERIFIER_nondet_ushort())
#define h_choose_uint() (__VERIFIER_nondet_uint())
#define h_choose_ulonglong() (__VERIFIER_nondet_ulonglong())
#define H_WAIT(condition) __VERIFIER_assume(condition)
#define H_HALT() exit(0)
#endif

)";

const char* type_of(unsigned width) {
  return width <= 32 ? "unsigned int" : "unsigned long long";
}

class CPrinter {
public:
  explicit CPrinter(const System& system) : system_(system), terms_(system.terms) {}

  Result<std::string> run() {
    if (const Status status = check_terms(system_); !status)
      return status.error();
    head();
    for (std::uint32_t p = 1; p < system_.processes.size(); ++p)
      out_ += fmt::format("static void *p_{}(void *);\n", system_.processes[p].name);
    for (std::uint32_t p = 1; p < system_.processes.size(); ++p)
      process(p);
    process(0);
    return std::move(out_);
  }

private:
  [[nodiscard]] std::string name(VariableId variable) const {
    return "v_" + system_.variables[variable].name;
  }
  [[nodiscard]] std::string term(Term term) const {
    return to_infix(system_.terms, term, Dialect::kC, [&](std::uint64_t number) {
      return name(VariableId{number});
    });
  }
  [[nodiscard]] std::string element(ArrayId array, Term index) const {
    return fmt::format("v_{}[{}]", system_.arrays[array].name, term(index));
  }
  /// Without whether the run has ended: in C the program has, too. Empty if nothing is left.
  [[nodiscard]] std::string guard(const Step& step) {
    const Term condition =
        terms_.substitute(step.guard, [&](std::uint64_t number, logic::Sort sort) {
          return VariableId{number} == system_.halted ? terms_.constant(0, sort.width)
                                                      : terms_.variable(number, sort);
        });
    if (terms_.is_constant(condition) && terms_.node(condition).value == 1)
      return "";
    return in_brackets(to_infix(terms_, condition, Dialect::kC, [&](std::uint64_t number) {
      const VariableId variable{number};
      if (step.look && step.look->as == variable)
        return element(step.look->array, step.look->index);
      return name(variable);
    }));
  }

  void head() {
    const std::set<std::uint64_t> used = used_variables(system_);
    for (const std::string& note : system_.notes)
      out_ += fmt::format("/* {} */\n", plain(note));
    out_ += kPrelude;
    for (std::size_t i = 0; i < system_.cells.size(); ++i)
      out_ += fmt::format("/* v_memory[{}]: {} */\n", i, plain(system_.cells[i]));
    for (const Array& array : system_.arrays) {
      out_ += fmt::format(
          "static {} v_{}[{}] = {{", type_of(array.width), array.name, array.initial.size());
      for (std::size_t i = 0; i < array.initial.size(); ++i)
        out_ += fmt::format(
            "{}{}{}", i == 0 ? "" : ", ", array.initial[i], array.width > 32 ? "ull" : "u");
      out_ += "};\n";
    }
    for (std::size_t v = 0; v < system_.variables.size(); ++v)
      if (const Variable& variable = system_.variables[VariableId{v}];
          !variable.process && used.contains(v))
        out_ += fmt::format("static {} v_{};\n", type_of(variable.width), variable.name);
    out_ += "\n";
  }

  void process(std::uint32_t index) {
    const Process& what = system_.processes[index];
    std::set<VariableId> temporaries;
    std::set<std::uint32_t> targets;
    for (const std::vector<Step>& steps : what.locations)
      for (const Step& step : steps) {
        targets.insert(step.to);
        for (const VariableId one : temporaries_of(system_, step.effects))
          temporaries.insert(one);
      }
    targets.insert(what.entry);
    if (index == 0)
      out_ += "\nint main(int argc, char **argv)\n{\n";
    else
      out_ += fmt::format("\nstatic void *p_{}(void *unused)\n{{\n", what.name);
    std::string used;
    for (std::size_t v = 0; v < system_.variables.size(); ++v) {
      const Variable& variable = system_.variables[VariableId{v}];
      if (variable.process != index ||
          (variable.is_temporary && !temporaries.contains(VariableId{v})))
        continue;
      out_ += fmt::format("  {} v_{} = 0;\n", type_of(variable.width), variable.name);
      used += fmt::format("  (void)v_{};\n", variable.name);
    }
    out_ += used;
    if (index == 0)
      start_others();
    else
      out_ += "  (void)unused;\n";
    out_ += fmt::format("  goto L{};\n", what.entry);
    for (std::uint32_t l = 0; l < what.locations.size(); ++l)
      if (targets.contains(l))
        location(what, l);
    if (what.is_memory)
      out_ += "  return 0;\n"; // never met, but functions look so
    out_ += "}\n";
  }

  /// The threads of the system wait until they are started; those of C are there from the
  /// beginning.
  void start_others() {
    out_ += "#ifdef HEDDLE_RUN\n"
            "  if (argc > 1)\n"
            "    h_seed ^= strtoull(argv[1], 0, 10) * 0x9e3779b97f4a7c15ull;\n"
            "#endif\n"
            "  (void)argc;\n"
            "  (void)argv;\n";
    for (std::uint32_t p = 1; p < system_.processes.size(); ++p)
      out_ += fmt::format("  pthread_t t_{0};\n  pthread_create(&t_{0}, 0, p_{0}, 0);\n",
                          system_.processes[p].name);
  }

  void location(const Process& process, std::uint32_t index) {
    const std::vector<Step>& steps = process.locations[index];
    out_ += fmt::format("L{}:;\n", index);
    if (steps.empty()) {
      // The end of a thread; main's must not end the program, which only halting does.
      if (&process == &system_.processes.front())
        out_ += "  pthread_exit(0);\n";
      else
        out_ += "  return 0;\n";
      return;
    }
    const bool is_branch = steps.front().is_local && steps.size() > 1;
    if (is_branch) {
      // Exactly one of the guards holds.
      for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
        const std::string condition = guard(steps[i]);
        out_ += fmt::format("  /* {} */\n", plain(steps[i].note));
        if (condition.empty()) { // the others never
          out_ += fmt::format("  goto L{};\n", steps[i].to);
          return;
        }
        out_ += fmt::format("  if {}\n    goto L{};\n", condition, steps[i].to);
      }
      out_ += fmt::format("  goto L{};\n", steps.back().to);
      return;
    }
    if (steps.size() == 1) {
      step(steps.front(), 1);
      return;
    }
    // A choice among steps that may all be possible: which one, then whether it is.
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool is_last = i + 1 == steps.size();
      out_ += is_last ? "  {\n" : fmt::format("  if ({}) {{\n", choose(1));
      step_or_retry(steps[i], index);
      out_ += "  }\n";
    }
  }

  void step(const Step& step, unsigned depth) {
    const std::string start = indented(depth);
    out_ += fmt::format("{}/* {} */\n", start, plain(step.note));
    if (!step.is_local) {
      out_ += start + "h_begin();\n";
      if (const std::string condition = guard(step); !condition.empty())
        out_ += fmt::format("{}H_WAIT{};\n", start, condition);
    }
    statements(step.effects, depth);
    if (!step.is_local)
      out_ += start + "h_end();\n";
    out_ += fmt::format("{}goto L{};\n", start, step.to);
  }
  /// One of several: when it is run, the thread chooses again if this one is not possible.
  void step_or_retry(const Step& step, std::uint32_t index) {
    out_ += fmt::format("    /* {} */\n    h_begin();\n", plain(step.note));
    if (const std::string condition = guard(step); !condition.empty())
      out_ += fmt::format("#ifdef HEDDLE_RUN\n"
                          "    if (!{0}) {{\n"
                          "      h_end();\n"
                          "      goto L{1};\n"
                          "    }}\n"
                          "#else\n"
                          "    H_WAIT{0};\n"
                          "#endif\n",
                          condition,
                          index);
    statements(step.effects, 2);
    out_ += fmt::format("    h_end();\n    goto L{};\n", step.to);
  }

  [[nodiscard]] static std::string choose(unsigned width) {
    if (width == 1)
      return "h_choose_bool()";
    if (width <= 4) { // few values: a choice for each bit, so that no value comes twice
      std::string bits;
      for (unsigned bit = 0; bit < width; ++bit)
        bits += fmt::format("{}(h_choose_bool() << {})", bit == 0 ? "" : " | ", bit);
      return "(" + bits + ")";
    }
    const char* kind = width <= 8    ? "uchar"
                       : width <= 16 ? "ushort"
                       : width <= 32 ? "uint"
                                     : "ulonglong";
    if (width == 8 || width == 16 || width == 32 || width == 64)
      return fmt::format("h_choose_{}()", kind);
    return fmt::format(
        "(h_choose_{}() & {}{})", kind, logic::mask_of(width), width > 32 ? "ull" : "u");
  }

  void statements(const Statements& all, unsigned depth) {
    const std::string start = indented(depth);
    for (const Statement& statement : all)
      std::visit(Overloaded{
                     [&](const Set& set) {
                       out_ += fmt::format("{}{} = {};\n", start, name(set.dest), term(set.value));
                     },
                     [&](const Get& get) {
                       out_ += fmt::format(
                           "{}{} = {};\n", start, name(get.dest), element(get.array, get.index));
                     },
                     [&](const Put& put) {
                       out_ += fmt::format(
                           "{}{} = {};\n", start, element(put.array, put.index), term(put.value));
                     },
                     [&](const Choose& one) {
                       out_ += fmt::format("{}{} = {};\n",
                                           start,
                                           name(one.dest),
                                           choose(system_.variables[one.dest].width));
                     },
                     [&](const If& branch) {
                       out_ +=
                           fmt::format("{}if {} {{\n", start, in_brackets(term(branch.condition)));
                       statements(branch.yes, depth + 1);
                       if (!branch.no.empty()) {
                         out_ += start + "} else {\n";
                         statements(branch.no, depth + 1);
                       }
                       out_ += start + "}\n";
                     },
                     [&](const Fail& fail) {
                       out_ += fmt::format(
                           "{}h_fail(\"{}: {}\");\n", start, name_of(fail.kind), plain(fail.what));
                       out_ += start + "H_HALT();\n";
                     },
                     [&](const Halt&) { out_ += start + "H_HALT();\n"; },
                 },
                 statement.what);
  }

  const System& system_;
  logic::TermStore terms_;
  std::string out_;
};

} // namespace

Result<std::string> to_c(const System& system) {
  return CPrinter(system).run();
}

} // namespace heddle::exports
