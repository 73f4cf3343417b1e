// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// All names begin with "h_", so that none is one of SPIN's or of the verifier it makes. A failure
// sets the variable of its kind and asserts that it is not set, so that SPIN's message says what
// kind it was. Numbers have 32 bits (halves.h). Temporaries are reset at the end of their step, so
// that states are not told apart by them.
#include "export/promela.h"

#include "export/halves.h"
#include "export/infix.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace heddle::exports {

namespace {

/// Values a choice is made among.
constexpr unsigned kWidestChoice = 8;

std::string promela_type(unsigned width) {
  if (width == 1)
    return "bit";
  if (width <= 8)
    return "byte";
  return width <= 15 ? "short" : "int";
}

class PromelaPrinter {
public:
  explicit PromelaPrinter(const System& system) : system_(system) {}

  Result<std::string> run() {
    if (const Status status = check_terms(system_); !status)
      return status.error();
    for (const Process& process : system_.processes)
      for (const std::vector<Step>& steps : process.locations)
        for (const Step& step : steps)
          if (const std::optional<unsigned> width = widest_choice(step.effects);
              width && *width > kWidestChoice)
            return refuse(system_,
                          step,
                          "EXP-032",
                          fmt::format("a choice among 2^{} values; Promela lists them, and at most "
                                      "2^{} are",
                                      *width,
                                      kWidestChoice));
    head();
    for (std::size_t p = 0; p < system_.processes.size(); ++p)
      process(static_cast<std::uint32_t>(p));
    return std::move(out_);
  }

private:
  [[nodiscard]] std::string name(VariableId variable) const {
    return "h_" + system_.variables[variable].name;
  }
  [[nodiscard]] std::string term(Term term) const {
    return to_infix(system_.terms, term, Dialect::kPromela, [&](std::uint64_t number) {
      return name(VariableId{number});
    });
  }
  [[nodiscard]] std::string guard(const Step& step) const {
    return to_infix(system_.terms, step.guard, Dialect::kPromela, [&](std::uint64_t number) {
      const VariableId variable{number};
      if (step.look && step.look->as == variable)
        return element(step.look->array, step.look->index);
      return name(variable);
    });
  }
  [[nodiscard]] std::string element(ArrayId array, Term index) const {
    return fmt::format("h_{}[{}]", system_.arrays[array].name, term(index));
  }

  [[nodiscard]] std::optional<unsigned> widest_choice(const Statements& statements) const {
    std::optional<unsigned> widest;
    for (const Statement& statement : statements) {
      std::optional<unsigned> one;
      if (const auto* choose = std::get_if<Choose>(&statement.what))
        one = system_.variables[choose->dest].width;
      if (const auto* branch = std::get_if<If>(&statement.what))
        one = std::max(widest_choice(branch->yes), widest_choice(branch->no));
      widest = std::max(widest, one);
    }
    return widest;
  }

  void head() {
    for (const std::string& note : system_.notes)
      out_ += fmt::format("/* {} */\n", plain(note));
    out_ += "/* Check with: spin -a FILE; cc -O2 -fwrapv -DSAFETY -o pan pan.c; ./pan -E\n"
            "   -E: a run that waits for ever, or that an assumption ends, is none of ours. */\n\n";
    for (std::size_t i = 0; i < system_.cells.size(); ++i)
      out_ += fmt::format("/* h_memory[{}]: {} */\n", i, plain(system_.cells[i]));
    for (const Array& array : system_.arrays)
      out_ += fmt::format(
          "{} h_{}[{}];\n", promela_type(array.width), array.name, array.initial.size());
    for (const Fail::Kind kind : {Fail::Kind::kAssertion,
                                  Fail::Kind::kUndefined,
                                  Fail::Kind::kNotModelled,
                                  Fail::Kind::kExhausted})
      out_ += fmt::format("bit h_{};\n", name_of(kind));
    for (const Variable& variable : system_.variables)
      if (!variable.process)
        out_ += fmt::format("{} h_{};\n", promela_type(variable.width), variable.name);
  }

  void process(std::uint32_t index) {
    const Process& what = system_.processes[index];
    std::set<VariableId> temporaries;
    for (const std::vector<Step>& steps : what.locations)
      for (const Step& step : steps)
        for (const VariableId one : temporaries_of(system_, step.effects))
          temporaries.insert(one);
    out_ += fmt::format("\nactive proctype h_{}()\n{{\n", what.name);
    for (std::size_t v = 0; v < system_.variables.size(); ++v) {
      const Variable& variable = system_.variables[VariableId{v}];
      if (variable.process == index &&
          (!variable.is_temporary || temporaries.contains(VariableId{v})))
        out_ += fmt::format("  {} h_{};\n", promela_type(variable.width), variable.name);
    }
    if (index == 0)
      initial_values();
    out_ += fmt::format("  goto L{};\n", what.entry);
    for (std::size_t l = 0; l < what.locations.size(); ++l)
      location(what, l);
    // A memory process is always where it may end.
    out_ += "end_h: skip\n}\n";
  }

  /// By the initial thread, before anybody else has anything to do: SPIN takes no negative numbers
  /// in initialisers.
  void initial_values() {
    std::string all;
    for (const Array& array : system_.arrays)
      for (std::size_t i = 0; i < array.initial.size(); ++i)
        if (array.initial[i] != 0)
          all +=
              fmt::format("    h_{}[{}] = {};\n",
                          array.name,
                          i,
                          static_cast<std::int32_t>(static_cast<std::uint32_t>(array.initial[i])));
    if (!all.empty())
      out_ += "  d_step {\n" + all + "  };\n";
  }

  void location(const Process& process, std::size_t index) {
    const std::vector<Step>& steps = process.locations[index];
    if (steps.empty()) {
      out_ += fmt::format("L{}: goto end_h;\n", index);
      return;
    }
    // Always a choice, even of one: SPIN takes no jump to a d_step itself.
    out_ += fmt::format("L{}:\n  if\n", index);
    for (const Step& one : steps)
      step(one);
    out_ += "  fi;\n";
  }

  void step(const Step& step) {
    const unsigned depth = 2;
    const bool is_free =
        system_.terms.is_constant(step.guard) && system_.terms.node(step.guard).value == 1;
    out_ += fmt::format("{}/* {} */\n", indented(depth), plain(step.note));
    out_ += indented(depth) + ":: ";
    if (step.effects.empty()) {
      out_ += fmt::format("{}goto L{};\n", is_free ? std::string() : guard(step) + " -> ", step.to);
      return;
    }
    out_ += has_choice(step.effects) ? "atomic {" : "d_step {";
    if (!is_free)
      out_ += " " + guard(step) + " ->";
    out_ += "\n";
    statements(step.effects, depth + 1);
    for (const VariableId one : temporaries_of(system_, step.effects))
      out_ += fmt::format("{}{} = 0;\n", indented(depth + 1), name(one));
    out_ += fmt::format("{}}};\n{}goto L{};\n", indented(depth), indented(depth), step.to);
  }

  void statements(const Statements& all, unsigned depth) {
    const std::string start = indented(depth);
    if (all.empty())
      out_ += start + "skip;\n";
    for (const Statement& statement : all)
      std::visit(
          Overloaded{
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
              [&](const Choose& choose) { choice(choose.dest, start); },
              [&](const If& branch) {
                out_ += fmt::format("{}if\n{}:: {} ->\n", start, start, term(branch.condition));
                statements(branch.yes, depth + 1);
                out_ += fmt::format("{}:: else ->\n", start);
                statements(branch.no, depth + 1);
                out_ += fmt::format("{}fi;\n", start);
              },
              [&](const Fail& fail) {
                out_ += fmt::format("{0}printf(\"{1}\\n\");\n"
                                    "{0}h_{2} = 1; assert(!h_{2});\n"
                                    "{0}{3} = 1;\n",
                                    start,
                                    plain(fail.what),
                                    name_of(fail.kind),
                                    name(system_.halted));
              },
              [&](const Halt&) { out_ += fmt::format("{}{} = 1;\n", start, name(system_.halted)); },
          },
          statement.what);
  }

  void choice(VariableId dest, const std::string& start) {
    out_ += start + "if\n";
    const std::uint64_t most = logic::mask_of(system_.variables[dest].width);
    for (std::uint64_t one = 0; one <= most; ++one)
      out_ += fmt::format("{}:: {} = {}\n", start, name(dest), one);
    out_ += start + "fi;\n";
  }

  const System& system_;
  std::string out_;
};

} // namespace

Result<std::string> to_promela(const System& system) {
  const Result<System> narrow = in_halves(system);
  if (!narrow)
    return narrow.error();
  return PromelaPrinter(*narrow).run();
}

} // namespace heddle::exports
