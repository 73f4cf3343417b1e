// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The whole system at once, which is exact; clauses for each thread with interference would lose
// who has seen what. Two things keep it small. Steps that nobody else can tell apart (is_local) are
// taken at once, first process first: they commute with all that others do. A cycle of nothing else
// would keep the others from going on, so one location of each such cycle is no such place.
// Variables that only ever hold constants of the program (which threads run, their handles, flags,
// what is 0 or 1), or what others of that kind hold, belong to the relation where they are known,
// not to its arguments: there are only so many values, and a step that sets one to this or that is
// two clauses. So do variables that are computed from such variables and take a few values only.
// All else that the program computes stays an argument. And a relation has no arguments that are
// not read again.
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
constexpr unsigned kWidestBookkeeping = 16;
/// A variable that takes more values is left to the solver.
constexpr std::size_t kMostValues = 4;

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
    while (const std::optional<std::uint64_t> counter = explore()) {
      std::erase(control_, *counter);
      drop_what_is_computed(true);
    }
    if (seen_.size() > kMostRelations) {
      // Data of the program is left to the solver then.
      std::erase_if(control_, [&](std::uint64_t number) { return !is_bookkeeping(number); });
      drop_what_is_computed(true);
      explore();
    }
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
    std::vector<std::uint32_t> at;                    // by process
    std::vector<std::optional<std::uint64_t>> values; // of control_; none: it is an argument
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
    for (const std::uint64_t number : needed_)
      if (number < first_choice_ && number != system_.halted.value)
        control_.push_back(number);
    drop_what_is_computed(true);
    const std::vector<std::uint64_t> all = control_;
    drop_what_is_computed(false);
    for (const std::uint64_t number : all)
      if (std::ranges::find(control_, number) == control_.end())
        values_of_.emplace(number, std::set<std::uint64_t>());
    control_ = all;
  }
  /// Narrow variables that are shared say how far processes are, not what the program holds.
  [[nodiscard]] bool is_bookkeeping(std::uint64_t number) const {
    const bool is_own = number < system_.variables.size() &&
                        system_.variables[VariableId{number}].process.has_value();
    return !is_own && widths_[number] <= kWidestBookkeeping;
  }
  /// Control variables are set to constants, to control variables or to anything; with
  /// `may_compute`, and if they say how far processes are, also to what is computed from control
  /// variables.
  void drop_what_is_computed(bool may_compute) {
    const auto is_computed = [&](std::uint64_t number) {
      return std::ranges::any_of(prepared_, [&](const Prepared& process) {
        return std::ranges::any_of(process.effects, [&](const std::vector<Effect>& effects) {
          return std::ranges::any_of(effects, [&](const Effect& effect) {
            const auto found = effect.values.find(number);
            return found != effect.values.end() &&
                   !is_constant_or_control(found->second, may_compute || is_bookkeeping(number));
          });
        });
      });
    };
    while (std::erase_if(control_, is_computed) != 0) {
    }
  }
  [[nodiscard]] bool is_constant_or_control(Term term, bool may_be_computed) const {
    const auto is_control = [&](std::uint64_t number) {
      return number >= first_choice_ || std::ranges::find(control_, number) != control_.end();
    };
    std::set<Term> met;
    std::vector<Term> open{term};
    while (!open.empty()) {
      const Term at = open.back();
      open.pop_back();
      const logic::Node& node = terms_.node(at);
      if (!met.insert(at).second || node.op == logic::Op::kConstant)
        continue;
      if (node.op == logic::Op::kIte) {
        open.push_back(terms_.arguments(at)[1]);
        open.push_back(terms_.arguments(at)[2]);
      } else if ((node.op != logic::Op::kVariable && !may_be_computed) ||
                 !std::ranges::all_of(terms_.variables(at), is_control)) {
        return false;
      }
    }
    return true;
  }
  [[nodiscard]] std::uint64_t initial(std::uint64_t number) const {
    const auto found = initial_.find(number);
    return found == initial_.end() ? 0 : found->second;
  }

  /// All relations and clauses; or a control variable that takes too many values.
  std::optional<std::uint64_t> explore() {
    for (auto& [number, values] : values_of_)
      values.clear();
    seen_.clear();
    open_.clear();
    declarations_.clear();
    rules_.clear();
    Control start;
    for (const Process& process : system_.processes)
      start.at.push_back(process.entry);
    for (const std::uint64_t number : control_)
      start.values.push_back(initial(number));
    forget_dead(start);
    enter(start);
    std::string arguments;
    for (const std::uint64_t number : live_at(start))
      arguments += " " + constant(initial(number), widths_[number]);
    rules_ += fmt::format("(assert {})\n", application(start, arguments));
    while (!open_.empty() && seen_.size() <= kMostRelations) {
      const Control at = open_.front();
      open_.pop_front();
      step_from(at);
      for (const auto& [number, values] : values_of_)
        if (values.size() > kMostValues && std::ranges::find(control_, number) != control_.end())
          return number;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::set<std::uint64_t> live_at(const Control& control) const {
    const auto is_known = [&](std::uint64_t number) {
      const auto found = std::ranges::find(control_, number);
      return found != control_.end() &&
             control.values[static_cast<std::size_t>(found - control_.begin())].has_value();
    };
    std::set<std::uint64_t> live;
    for (const std::uint64_t number : needed_)
      if (number < first_choice_ && number != system_.halted.value &&
          (number >= system_.variables.size() || !system_.variables[VariableId{number}].process) &&
          !is_known(number))
        live.insert(number);
    for (std::size_t p = 0; p < control.at.size(); ++p)
      for (const std::uint64_t number : prepared_[p].live[control.at[p]])
        if (needed_.contains(number) && !is_known(number))
          live.insert(number);
    return live;
  }
  /// What a process will not read again does not tell two places apart.
  void forget_dead(Control& control) const {
    for (std::size_t i = 0; i < control_.size(); ++i) {
      if (control_[i] >= system_.variables.size())
        continue;
      const std::optional<std::uint32_t> owner = system_.variables[VariableId{control_[i]}].process;
      if (owner && !prepared_[*owner].live[control.at[*owner]].contains(control_[i]))
        control.values[i] = 0;
    }
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

  void step_from(const Control& control) {
    for (std::uint32_t p = 0; p < control.at.size(); ++p)
      if (prepared_[p].is_local[control.at[p]]) {
        steps_of(control, p);
        return;
      }
    for (std::uint32_t p = 0; p < control.at.size(); ++p)
      steps_of(control, p);
  }

  void steps_of(const Control& control, std::uint32_t process) {
    std::map<std::uint64_t, std::uint64_t> known;
    for (std::size_t i = 0; i < control_.size(); ++i)
      if (control.values[i])
        known.emplace(control_[i], *control.values[i]);
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
      Control to = control;
      to.at[process] = system_.processes[process].locations[location][s].to;
      std::vector<Term> values; // of control_
      for (const std::uint64_t number : control_)
        values.push_back(here(now(effect, number)));
      go(control, to, effect, here, goes_on, std::move(values));
    }
  }

  /// A clause for each combination of control values that the step can lead to.
  template <class Here>
  void go(const Control& control,
          Control to,
          const Effect& effect,
          const Here& here,
          Term goes_on,
          std::vector<Term> values) {
    if (is_false(goes_on))
      return;
    const auto open = std::ranges::find_if(
        values, [&](Term value) { return terms_.node(value).op == logic::Op::kIte; });
    if (open != values.end()) {
      const Term condition = terms_.arguments(*open)[0];
      for (const bool arm : {true, false}) {
        std::vector<Term> chosen = values;
        for (Term& value : chosen)
          while (terms_.node(value).op == logic::Op::kIte &&
                 terms_.arguments(value)[0] == condition)
            value = terms_.arguments(value)[arm ? 1 : 2];
        go(control,
           to,
           effect,
           here,
           terms_.and_(goes_on, arm ? condition : terms_.not_(condition)),
           std::move(chosen));
      }
      return;
    }
    for (std::size_t i = 0; i < control_.size(); ++i)
      to.values[i] = terms_.is_constant(values[i]) ? std::optional(terms_.node(values[i]).value)
                                                   : std::nullopt;
    for (std::size_t i = 0; i < control_.size(); ++i)
      if (const auto counted = values_of_.find(control_[i]);
          counted != values_of_.end() && to.values[i])
        counted->second.insert(*to.values[i]);
    forget_dead(to);
    enter(to);
    std::vector<Term> left;
    std::string arguments;
    for (const std::uint64_t number : live_at(to)) {
      left.push_back(here(now(effect, number)));
      arguments += " " + spelled(left.back());
    }
    clause(control, goes_on, left, application(to, arguments));
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
  std::map<std::uint64_t, std::set<std::uint64_t>>
      values_of_; // by control variable that is computed
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
