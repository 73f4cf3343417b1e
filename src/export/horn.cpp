// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The whole system at once, which is exact; clauses for each thread with interference would lose
// who has seen what. Two things keep it small. Steps that nobody else can tell apart (is_local) are
// taken at once, first process first: they commute with all that others do. A cycle of nothing else
// would keep the others from going on, so one location of each such cycle is no such place. Small
// shared variables whose values are always known (which threads run, how much is pending, which
// cells were written) belong to the relation, not to its arguments. And a relation has no arguments
// that are not read again.
#include "export/horn.h"

#include "support/overloaded.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle::exports {

namespace {

/// Combinations of locations; more is beyond what solvers of clauses take.
constexpr std::size_t kMostRelations = 20000;

/// Wider variables hold what the program computes.
constexpr unsigned kWidestControl = 16;

/// A step as a function from states to states.
struct Effect {
  std::map<std::uint64_t, Term> values; // what is changed, by variable
  Term fails;
  Term stops; // fails included
};

class Clauses {
public:
  explicit Clauses(const System& system) : system_(system), terms_(system.terms) {
    names_.reserve(system.variables.size());
    for (const Variable& variable : system.variables) {
      names_.push_back("v_" + variable.name);
      widths_.push_back(variable.width);
    }
    for (const Array& array : system.arrays) {
      first_.push_back(names_.size());
      for (std::size_t i = 0; i < array.initial.size(); ++i) {
        names_.push_back(fmt::format("{}_{}", array.name, i));
        widths_.push_back(array.width);
        initial_.emplace(names_.size() - 1, array.initial[i]);
      }
    }
    first_choice_ = names_.size();
  }

  Result<std::string> run() {
    if (const Status status = check_terms(system_); !status)
      return status.error();
    for (std::uint32_t p = 0; p < system_.processes.size(); ++p)
      prepare(p);
    find_needed();
    find_control();
    while (const std::optional<std::uint64_t> unknown = explore())
      std::erase(control_, *unknown);
    if (seen_.size() > kMostRelations)
      return Error{ErrorKind::kUnsupported,
                   "EXP-040",
                   fmt::format("cannot be exported: the processes can be in more than {} "
                               "combinations of places",
                               kMostRelations)};
    std::string text;
    for (const std::string& note : system_.notes)
      text += fmt::format("; {}\n", note);
    text += "; sat: nothing can fail. unsat: an assertion can be violated, or behaviour is "
            "undefined, or a bound is exceeded.\n(set-logic HORN)\n";
    for (std::size_t i = 0; i < system_.cells.size(); ++i)
      text += fmt::format("; memory_{}: {}\n", i, system_.cells[i]);
    text += declarations_ + rules_ + "(check-sat)\n";
    return text;
  }

private:
  struct Control {
    std::vector<std::uint32_t> at;     // by process
    std::vector<std::uint64_t> values; // of control_
    auto operator<=>(const Control&) const = default;
  };

  struct Prepared {
    std::vector<std::vector<Effect>> effects;  // by location and step
    std::vector<std::vector<Term>> guards;     // by location and step
    std::vector<std::set<std::uint64_t>> live; // own variables, by location
    std::vector<bool> is_local;                // taken before anything else
  };

  static std::string constant(std::uint64_t value, unsigned width) {
    return fmt::format("(_ bv{} {})", value, width);
  }
  [[nodiscard]] Term variable(std::uint64_t number) {
    return terms_.variable(number, logic::Sort{static_cast<std::uint8_t>(widths_[number])});
  }

  // Steps as functions.

  Term now(const Effect& effect, std::uint64_t number) {
    const auto found = effect.values.find(number);
    return found == effect.values.end() ? variable(number) : found->second;
  }
  Term now(const Effect& effect, Term term) {
    return terms_.substitute(
        term, [&](std::uint64_t number, logic::Sort) { return now(effect, number); });
  }
  Term element(const Effect& effect, ArrayId array, Term index) {
    const std::size_t first = first_[array.index()];
    const std::size_t count = system_.arrays[array].initial.size();
    Term value = now(effect, first);
    for (std::size_t i = 1; i < count; ++i)
      value =
          terms_.ite(terms_.equal(index, terms_.constant(i, 32)), now(effect, first + i), value);
    return value;
  }
  std::uint64_t fresh(unsigned width) {
    names_.push_back(fmt::format("any_{}", names_.size()));
    widths_.push_back(static_cast<std::uint8_t>(width));
    return names_.size() - 1;
  }
  void run(const Statements& statements, Effect& effect) {
    for (const Statement& statement : statements)
      std::visit(Overloaded{
                     [&](const Set& set) {
                       const Term value = now(effect, set.value);
                       effect.values[set.dest.value] = value;
                     },
                     [&](const Get& get) {
                       effect.values[get.dest.value] =
                           element(effect, get.array, now(effect, get.index));
                     },
                     [&](const Put& put) {
                       const Term index = now(effect, put.index);
                       const Term value = now(effect, put.value);
                       const std::size_t first = first_[put.array.index()];
                       for (std::size_t i = 0; i < system_.arrays[put.array].initial.size(); ++i) {
                         const Term hits = terms_.equal(index, terms_.constant(i, 32));
                         const Term old = now(effect, first + i);
                         const Term changed = terms_.ite(hits, value, old);
                         if (changed != old)
                           effect.values[first + i] = changed;
                       }
                     },
                     [&](const Choose& choose) {
                       effect.values[choose.dest.value] =
                           variable(fresh(system_.variables[choose.dest].width));
                     },
                     [&](const If& branch) {
                       const Term condition = now(effect, branch.condition);
                       Effect yes = effect;
                       Effect no = effect;
                       run(branch.yes, yes);
                       run(branch.no, no);
                       std::set<std::uint64_t> changed;
                       for (const auto& [number, value] : yes.values)
                         changed.insert(number);
                       for (const auto& [number, value] : no.values)
                         changed.insert(number);
                       for (const std::uint64_t number : changed) {
                         const Term if_so = now(yes, number);
                         effect.values[number] = terms_.ite(condition, if_so, now(no, number));
                       }
                       effect.fails = terms_.ite(condition, yes.fails, no.fails);
                       effect.stops = terms_.ite(condition, yes.stops, no.stops);
                     },
                     [&](const Fail&) {
                       // What is past the end of the run does not matter any more.
                       effect.fails = terms_.or_(effect.fails, terms_.not_(effect.stops));
                       effect.stops = terms_.boolean(true);
                     },
                     [&](const Halt&) { effect.stops = terms_.boolean(true); },
                 },
                 statement.what);
  }

  void prepare(std::uint32_t index) {
    const Process& process = system_.processes[index];
    Prepared made;
    const auto count = process.locations.size();
    made.is_local.assign(count, false);
    for (std::size_t l = 0; l < count; ++l) {
      made.effects.emplace_back();
      made.guards.emplace_back();
      for (const Step& step : process.locations[l]) {
        Effect effect;
        effect.fails = terms_.boolean(false);
        effect.stops = terms_.boolean(false);
        effect.values.emplace(system_.halted.value, terms_.constant(0, 1));
        Effect look = effect;
        if (step.look)
          look.values[step.look->as.value] =
              element(effect, step.look->array, now(effect, step.look->index));
        made.guards.back().push_back(now(look, step.guard));
        run(step.effects, effect);
        effect.values.erase(system_.halted.value);
        made.effects.back().push_back(std::move(effect));
        made.is_local[l] = step.is_local;
      }
    }
    break_local_cycles(process, made);
    find_live(index, process, made);
    prepared_.push_back(std::move(made));
  }

  /// A depth-first search over local places; where it comes back to one it has not left yet, that
  /// one is made a place like others.
  static void break_local_cycles(const Process& process, Prepared& made) {
    enum class Mark : std::uint8_t { kNew, kOpen, kDone };
    std::vector<Mark> marks(process.locations.size(), Mark::kNew);
    for (std::uint32_t root = 0; root < process.locations.size(); ++root) {
      std::vector<std::pair<std::uint32_t, std::size_t>> path;
      if (marks[root] == Mark::kNew && made.is_local[root]) {
        marks[root] = Mark::kOpen;
        path.emplace_back(root, 0);
      }
      while (!path.empty()) {
        auto& [at, next] = path.back();
        if (next == process.locations[at].size()) {
          marks[at] = Mark::kDone;
          path.pop_back();
          continue;
        }
        const std::uint32_t to = process.locations[at][next++].to;
        if (!made.is_local[to])
          continue;
        if (marks[to] == Mark::kOpen)
          made.is_local[to] = false;
        else if (marks[to] == Mark::kNew) {
          marks[to] = Mark::kOpen;
          path.emplace_back(to, 0);
        }
      }
    }
  }

  [[nodiscard]] bool is_own(std::uint64_t number, std::uint32_t process) const {
    return number < system_.variables.size() &&
           system_.variables[VariableId{number}].process == process;
  }

  void find_live(std::uint32_t index, const Process& process, Prepared& made) {
    const std::size_t count = process.locations.size();
    made.live.resize(count);
    bool changes = true;
    while (changes) {
      changes = false;
      for (std::size_t l = count; l-- > 0;)
        for (std::size_t s = 0; s < process.locations[l].size(); ++s) {
          const Effect& effect = made.effects[l][s];
          const auto read = [&](Term term) {
            for (const std::uint64_t number : terms_.variables(term))
              if (is_own(number, index) && made.live[l].insert(number).second)
                changes = true;
          };
          read(made.guards[l][s]);
          read(effect.fails);
          read(effect.stops);
          for (const auto& [number, value] : effect.values)
            if (!is_own(number, index))
              read(value);
          for (const std::uint64_t number :
               std::set<std::uint64_t>(made.live[process.locations[l][s].to]))
            read(now(effect, number));
        }
    }
  }

  // The product.

  /// The variables that can decide whether something fails, or whether a step is possible.
  void find_needed() {
    std::vector<std::uint64_t> open;
    const auto read = [&](Term term) {
      for (const std::uint64_t number : terms_.variables(term))
        if (needed_.insert(number).second)
          open.push_back(number);
    };
    for (const Prepared& process : prepared_)
      for (std::size_t l = 0; l < process.effects.size(); ++l)
        for (std::size_t s = 0; s < process.effects[l].size(); ++s) {
          read(process.guards[l][s]);
          read(process.effects[l][s].fails);
          read(process.effects[l][s].stops);
        }
    while (!open.empty()) {
      const std::uint64_t number = open.back();
      open.pop_back();
      for (const Prepared& process : prepared_)
        for (const std::vector<Effect>& effects : process.effects)
          for (const Effect& effect : effects)
            read(now(effect, number));
    }
  }
  void find_control() {
    for (std::uint64_t number = 0; number < first_choice_; ++number) {
      const bool is_own = number < system_.variables.size() &&
                          system_.variables[VariableId{number}].process.has_value();
      if (!is_own && needed_.contains(number) && widths_[number] <= kWidestControl)
        control_.push_back(number);
    }
  }
  [[nodiscard]] std::uint64_t initial(std::uint64_t number) const {
    const auto found = initial_.find(number);
    return found == initial_.end() ? 0 : found->second;
  }

  /// All relations and clauses; or, if one cannot be had with these control variables, which is not
  /// known.
  std::optional<std::uint64_t> explore() {
    seen_.clear();
    open_.clear();
    declarations_.clear();
    rules_.clear();
    Control start;
    for (const Process& process : system_.processes)
      start.at.push_back(process.entry);
    for (const std::uint64_t number : control_)
      start.values.push_back(initial(number));
    enter(start);
    std::string arguments;
    for (const std::uint64_t number : live_at(start))
      arguments += " " + constant(initial(number), widths_[number]);
    rules_ += fmt::format("(assert {})\n", application(start, arguments));
    while (!open_.empty() && seen_.size() <= kMostRelations) {
      const Control at = open_.front();
      open_.pop_front();
      if (const std::optional<std::uint64_t> unknown = step_from(at))
        return unknown;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::set<std::uint64_t> live_at(const Control& control) const {
    std::set<std::uint64_t> live;
    for (const std::uint64_t number : needed_)
      if (number < first_choice_ && number != system_.halted.value &&
          (number >= system_.variables.size() || !system_.variables[VariableId{number}].process) &&
          std::ranges::find(control_, number) == control_.end())
        live.insert(number);
    for (std::size_t p = 0; p < control.at.size(); ++p)
      for (const std::uint64_t number : prepared_[p].live[control.at[p]])
        if (needed_.contains(number))
          live.insert(number);
    return live;
  }
  [[nodiscard]] std::string relation(const Control& control) const {
    return fmt::format("at_{}_{}", fmt::join(control.at, "_"), seen_.at(control));
  }
  [[nodiscard]] std::string application(const Control& at, const std::string& arguments) const {
    return arguments.empty() ? relation(at) : fmt::format("({}{})", relation(at), arguments);
  }
  void enter(const Control& at) {
    if (!seen_.emplace(at, seen_.size()).second)
      return;
    open_.push_back(at);
    std::string sorts;
    for (const std::uint64_t number : live_at(at))
      sorts += fmt::format("{}(_ BitVec {})", sorts.empty() ? "" : " ", widths_[number]);
    declarations_ += fmt::format("(declare-fun {} ({}) Bool)\n", relation(at), sorts);
  }

  std::optional<std::uint64_t> step_from(const Control& control) {
    for (std::uint32_t p = 0; p < control.at.size(); ++p)
      if (prepared_[p].is_local[control.at[p]])
        return steps_of(control, p);
    for (std::uint32_t p = 0; p < control.at.size(); ++p)
      if (const std::optional<std::uint64_t> unknown = steps_of(control, p))
        return unknown;
    return std::nullopt;
  }

  std::optional<std::uint64_t> steps_of(const Control& control, std::uint32_t process) {
    std::map<std::uint64_t, std::uint64_t> known;
    for (std::size_t i = 0; i < control_.size(); ++i)
      known.emplace(control_[i], control.values[i]);
    const auto here = [&](Term term) {
      return terms_.substitute(term, [&](std::uint64_t number, logic::Sort sort) {
        const auto found = known.find(number);
        return found == known.end() ? terms_.variable(number, sort)
                                    : terms_.constant(found->second, sort.width);
      });
    };
    const std::uint32_t location = control.at[process];
    for (std::size_t s = 0; s < prepared_[process].effects[location].size(); ++s) {
      const Effect& effect = prepared_[process].effects[location][s];
      const Term guard = here(prepared_[process].guards[location][s]);
      const Term fails = terms_.and_(guard, here(effect.fails));
      if (!is_false(fails))
        clause(control, fails, {}, "false");
      const Term goes_on = terms_.and_(guard, terms_.not_(here(effect.stops)));
      if (is_false(goes_on))
        continue;
      Control to = control;
      to.at[process] = system_.processes[process].locations[location][s].to;
      for (std::size_t i = 0; i < control_.size(); ++i) {
        const Term value = here(now(effect, control_[i]));
        if (!terms_.is_constant(value))
          return control_[i];
        to.values[i] = terms_.node(value).value;
      }
      enter(to);
      std::vector<Term> values;
      std::string arguments;
      for (const std::uint64_t number : live_at(to)) {
        values.push_back(here(now(effect, number)));
        arguments += " " + spelled(values.back());
      }
      clause(control, goes_on, values, application(to, arguments));
    }
    return std::nullopt;
  }
  [[nodiscard]] bool is_false(Term term) const {
    return terms_.is_constant(term) && terms_.node(term).value == 0;
  }
  [[nodiscard]] std::string spelled(Term term) const {
    return terms_.to_smtlib(term, [&](std::uint64_t number) { return names_[number]; });
  }
  void clause(const Control& control,
              Term condition,
              const std::vector<Term>& values,
              const std::string& head) {
    const std::set<std::uint64_t> live = live_at(control);
    std::set<std::uint64_t> bound = live;
    const auto add = [&](Term term) {
      const std::vector<std::uint64_t> found = terms_.variables(term);
      bound.insert(found.begin(), found.end());
    };
    add(condition);
    for (const Term value : values)
      add(value);
    std::string arguments;
    for (const std::uint64_t number : live)
      arguments += " " + names_[number];
    std::string variables;
    for (const std::uint64_t number : bound)
      variables += fmt::format("({} (_ BitVec {}))", names_[number], widths_[number]);
    std::string body = application(control, arguments);
    if (!terms_.is_constant(condition))
      body = fmt::format("(and {} {})", body, spelled(condition));
    const std::string implication = fmt::format("(=> {} {})", body, head);
    rules_ += variables.empty()
                  ? fmt::format("(assert {})\n", implication)
                  : fmt::format("(assert (forall ({}) {}))\n", variables, implication);
  }

  const System& system_;
  logic::TermStore terms_;
  // By number: the variables of the system, the elements of its arrays, choices.
  std::vector<std::string> names_;
  std::vector<std::uint8_t> widths_;
  std::vector<std::size_t> first_; // of each array
  std::map<std::uint64_t, std::uint64_t> initial_;
  std::vector<Prepared> prepared_;
  std::uint64_t first_choice_ = 0; // numbers from here on are choices
  std::set<std::uint64_t> needed_;
  std::vector<std::uint64_t> control_;
  std::map<Control, std::size_t> seen_;
  std::deque<Control> open_;
  std::string declarations_;
  std::string rules_;
};

} // namespace

Result<std::string> to_horn_clauses(const System& system) {
  return Clauses(system).run();
}

} // namespace heddle::exports
