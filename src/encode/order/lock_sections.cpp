// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/lock_sections.h"

#include "encode/order/guards.h"
#include "encode/order/lock_words.h"
#include "encode/order/skeleton.h"
#include "encode/places.h"
#include "solve/cadical.h"
#include "solve/terms.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace heddle::encode {

namespace {

using program::EventSet;
using program::StaticEvent;
using Kind = StaticEvent::Kind;

/// Locks inside locks become atomic one after the other.
constexpr int kMostRounds = 16;
/// Guards are gone through for each event of a section.
constexpr std::size_t kMostEvents = 4000;
/// What guards say is found soon, or is not worth the time.
constexpr std::uint64_t kMostConflicts = 200;
constexpr std::uint32_t kMostQuestions = 20'000;

/// The locks of a set of events, and what can be said of one of them.
class Locks {
public:
  Locks(EventSet& set, const IsAsked& is_asked)
      : set_(set), is_asked_(is_asked), skeleton_(make_skeleton(set, {})), places_(set),
        guards_(set.terms), words_(set, skeleton_, places_, guards_),
        solver_(set.terms, solve::make_cadical()) {
    events_.resize(skeleton_.nodes.size());
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if (skeleton_.node_of[e] != kNoNode)
        events_[skeleton_.node_of[e]].push_back(e);
  }

  /// The sections of the first lock that can be left out.
  std::vector<LockSection> make_one_atomic() {
    for (const LockWords::Word& word : words_.words()) {
      sections_.clear();
      taking_.clear();
      found_.clear();
      if (set_.terms.is_constant(word.is_kept) && is_one_step_each(word))
        return merge();
    }
    return {};
  }

private:
  struct Section {
    EventIndex take = 0;
    std::vector<EventIndex> gives;
    std::set<Node> nodes; // with those of the steps that take the lock and give it back
    std::vector<EventIndex> checks;
  };
  enum class Position : std::uint8_t { kInside, kOutside, kUnclear };

  [[nodiscard]] Node node_of(EventIndex event) const { return skeleton_.node_of[event]; }

  bool is_one_step_each(const LockWords::Word& word) {
    for (const LockWords::Section& section : word.sections)
      if (!find_inside(section))
        return false;
    for (const LockWords::Section& section : word.sections)
      for (const EventIndex give : section.gives)
        if (std::none_of(sections_.begin(), sections_.end(), [&](const Section& one) {
              return std::find(one.gives.begin(), one.gives.end(), give) != one.gives.end();
            }))
          return false;
    return are_all_reads_known(word.sections.front().take) &&
           std::all_of(sections_.begin(), sections_.end(), [&](Section& section) {
             return is_left(section) && commutes(section);
           });
  }

  [[nodiscard]] Term guard(EventIndex event) const { return set_.events[event].guard; }
  [[nodiscard]] bool is_of_word(EventIndex event, EventIndex take) {
    return set_.is_memory(event) && places_.must_meet(event, take);
  }
  /// Can the terms (Bool) not hold at once? False: not known.
  [[nodiscard]] bool exclude(std::span<const Term> terms) {
    if (++questions_ > kMostQuestions)
      return false;
    return solver_.check(terms, {.conflicts = kMostConflicts}) == solve::Answer::kUnsatisfiable;
  }
  /// One of the section's writes before the event that give the lock back happens.
  [[nodiscard]] Term was_given(const LockWords::Section& section, EventIndex before) {
    Term result = set_.terms.boolean(false);
    for (const EventIndex give : section.gives)
      if (give < before)
        result = set_.terms.or_(result, guard(give));
    return result;
  }

  [[nodiscard]] Position position(EventIndex event, const LockWords::Section& section) {
    const Term happens = guard(event);
    const Term taken = guard(section.take);
    const auto is_after = [&](EventIndex give) {
      return give < event && guards_.implies(happens, guard(give));
    };
    if (guards_.exclude_each_other(happens, taken) ||
        std::any_of(section.gives.begin(), section.gives.end(), is_after))
      return Position::kOutside;
    const Term given = was_given(section, event);
    const Term is_held = set_.terms.and_(taken, set_.terms.not_(given));
    if (guards_.implies(happens, is_held) || exclude(std::array{happens, set_.terms.not_(is_held)}))
      return Position::kInside;
    return exclude(std::array{happens, is_held}) ? Position::kOutside : Position::kUnclear;
  }

  /// The nodes of a section; and what its thread finds in the lock meanwhile is told to the solver.
  bool find_inside(const LockWords::Section& section) {
    Section result{section.take, section.gives, {node_of(section.take)}, {}};
    const program::StaticThread& thread = set_.threads[set_.events[section.take].thread];
    std::set<EventIndex> inside;
    for (EventIndex e = section.take + 1; e < thread.last; ++e) {
      const Kind kind = set_.events[e].kind;
      const Node node = node_of(e);
      if (node == kNoNode || node == node_of(section.take))
        continue;
      switch (position(e, section)) {
      case Position::kUnclear:
        return false;
      case Position::kOutside:
        continue;
      case Position::kInside:
        break;
      }
      if (kind == Kind::kFree || (kind == Kind::kEndpoint && set_.events[e].section == 0))
        return false;
      if (const std::optional<EventIndex> choice = choice_to_enter(e))
        bind(*choice, set_.terms.constant(1, 1));
      inside.insert(e);
      result.nodes.insert(node);
      if (kind == Kind::kRead && is_of_word(e, section.take))
        bind(e, set_.events[section.take].value);
    }
    // In the step that takes it or gives it back something else may come first or last. Every other
    // step is inside as a whole.
    for (const Node node : result.nodes)
      for (const EventIndex e : events_[node])
        if (!inside.contains(e) && node != node_of(section.take) &&
            std::none_of(section.gives.begin(), section.gives.end(), [&](EventIndex give) {
              return node_of(give) == node && give < e;
            }))
          return false;
    // The others give back what other sections took.
    std::erase_if(result.gives, [&](EventIndex give) { return !inside.contains(give); });
    sections_.push_back(std::move(result));
    return true;
  }

  /// A thread may stop before an atomic section, because it may have to wait inside. Where it need
  /// not, it may as well go on.
  [[nodiscard]] std::optional<EventIndex> choice_to_enter(EventIndex begin) const {
    const bool is_begin =
        std::any_of(set_.sections.begin(),
                    set_.sections.end(),
                    [&](const program::StaticSection& section) { return section.begin == begin; });
    if (!is_begin || begin == 0)
      return std::nullopt;
    const StaticEvent& choice = set_.events[begin - 1];
    if (choice.kind != Kind::kChoice || choice.width != 1 || !choice.edge ||
        choice.thread != set_.events[begin].thread || choice.edge != set_.events[begin].edge ||
        choice.procedure != set_.events[begin].procedure)
      return std::nullopt;
    return begin - 1;
  }

  void bind(EventIndex event, Term value) {
    if (found_.try_emplace(variable_of(event), value).second)
      solver_.require(set_.terms.equal(set_.events[event].value, value));
  }

  /// The same for the atomic section in which the lock is taken, if it waits for nothing else.
  void enter(const Section& section, Term free) {
    Term is_free = set_.terms.boolean(true);
    for (const EventIndex e : events_[node_of(section.take)])
      if (e < section.take && set_.events[e].kind == Kind::kRead && is_of_word(e, section.take))
        is_free = set_.terms.and_(is_free, set_.terms.equal(set_.events[e].value, free));
    for (const EventIndex e : events_[node_of(section.take)])
      if (const std::optional<EventIndex> choice = choice_to_enter(e);
          choice && e < section.take &&
          exclude(std::array{guard(e), is_free, set_.terms.not_(guard(section.take))}))
        found_.try_emplace(variable_of(*choice), set_.terms.constant(1, 1));
  }

  [[nodiscard]] std::uint64_t variable_of(EventIndex event) const {
    return set_.terms.node(set_.events[event].value).value;
  }

  /// The lock is read only by who holds it and by who takes it. Who finds it taken does nothing
  /// more, so that it is not seen that nobody finds it taken now.
  bool are_all_reads_known(EventIndex any_take) {
    for (EventIndex read = 0; read < set_.events.size(); ++read) {
      if (set_.events[read].kind != Kind::kRead || !is_of_word(read, any_take) ||
          found_.contains(variable_of(read)))
        continue;
      if (is_apart(read)) {
        taking_.push_back(read);
        continue;
      }
      const auto section =
          std::find_if(sections_.begin(), sections_.end(), [&](const Section& one) {
            return read < one.take && node_of(read) == node_of(one.take);
          });
      if (section == sections_.end() || !waits(read, section->take))
        return false;
      taking_.push_back(read);
    }
    const std::optional<Term> free = places_.initial_value(any_take);
    if (!free)
      return false;
    for (const EventIndex read : taking_)
      found_.try_emplace(variable_of(read), *free);
    for (const Section& section : sections_)
      enter(section, *free);
    return true;
  }

  /// Does it come before or after each section?
  [[nodiscard]] bool is_apart(EventIndex read) const {
    return std::all_of(sections_.begin(), sections_.end(), [&](const Section& section) {
      return skeleton_.must_precede(read, section.take) ||
             (skeleton_.must_precede(section.take, read) &&
              std::all_of(section.gives.begin(), section.gives.end(), [&](EventIndex give) {
                return skeleton_.must_precede(give, read);
              }));
    });
  }

  bool waits(EventIndex read, EventIndex take) {
    const program::StaticThread& thread = set_.threads[set_.events[read].thread];
    for (EventIndex e = read + 1; e < thread.last; ++e) {
      const Kind kind = set_.events[e].kind;
      const bool matters = node_of(e) != kNoNode || kind == Kind::kCheck || kind == Kind::kCut ||
                           kind == Kind::kTrap;
      if (matters && !guards_.implies(guard(e), guard(take)) &&
          !guards_.exclude_each_other(guard(e), guard(read)) &&
          !exclude(std::array{guard(e), guard(read), set_.terms.not_(guard(take))}))
        return false;
    }
    return true;
  }

  /// Who has taken the lock gives it back, or a check fails.
  bool is_left(Section& section) {
    if (section.gives.empty())
      return false;
    logic::TermStore& terms = set_.terms;
    Term left = terms.boolean(false);
    for (const EventIndex give : section.gives)
      left = terms.or_(left, guard(give));
    for (EventIndex e = section.take + 1; e < section.gives.back(); ++e)
      if (set_.events[e].kind == Kind::kCheck && is_asked_(set_.events[e])) {
        left = terms.or_(left, terms.and_(guard(e), terms.not_(set_.events[e].value)));
        section.checks.push_back(e);
      }
    return exclude(std::array{guard(section.take), terms.not_(left)});
  }

  /// There is at most one step on each way through the section that others can tell from the rest.
  bool commutes(const Section& section) {
    std::vector<EventIndex> told;
    for (const Node node : section.nodes)
      for (const EventIndex e : events_[node])
        if (set_.is_memory(e) && !is_of_word(e, section.take) && is_told(e))
          told.push_back(e);
    for (const EventIndex a : told)
      for (const EventIndex b : told)
        if (a < b && node_of(a) != node_of(b) && !guards_.exclude_each_other(guard(a), guard(b)) &&
            !exclude(std::array{guard(a), guard(b)}))
          return false;
    return true;
  }

  /// Can another thread be at the same place at the same time, and one of them writes?
  bool is_told(EventIndex event) {
    const bool writes = set_.events[event].kind == Kind::kWrite;
    for (EventIndex other = 0; other < set_.events.size(); ++other) {
      if (set_.events[other].thread == set_.events[event].thread || !set_.is_memory(other) ||
          (!writes && set_.events[other].kind != Kind::kWrite) || !places_.may_meet(event, other) ||
          skeleton_.must_precede(event, other) || skeleton_.must_precede(other, event))
        continue;
      if (std::none_of(sections_.begin(), sections_.end(), [&](const Section& section) {
            return section.nodes.contains(node_of(other));
          }))
        return true;
    }
    return false;
  }

  std::vector<LockSection> merge() {
    std::uint32_t number = 0;
    for (const StaticEvent& event : set_.events)
      number = std::max(number, event.section);
    std::vector<LockSection> merged;
    std::vector<EventIndex> of_lock;
    for (EventIndex e = 0; e < set_.events.size(); ++e)
      if (is_of_word(e, sections_.front().take))
        of_lock.push_back(e);
    for (const Section& section : sections_) {
      ++number;
      std::set<std::uint32_t> joined; // sections that are parts of this one now
      for (const Node node : section.nodes)
        for (const EventIndex e : events_[node]) {
          if (set_.events[e].section != 0)
            joined.insert(set_.events[e].section);
          set_.events[e].section = number;
        }
      for (StaticEvent& event : set_.events)
        if (joined.contains(event.section))
          event.section = number;
      for (program::StaticSection& part : set_.sections)
        if (joined.contains(part.number))
          part.number = number;
      merged.push_back({number, section.gives, section.checks});
    }
    for (const EventIndex e : of_lock)
      set_.events[e].kind = Kind::kBranch;
    replace_found();
    return merged;
  }

  /// What was read from the lock is known now.
  void replace_found() {
    const auto replacement = [&](std::uint64_t variable, logic::Sort sort) {
      const auto known = found_.find(variable);
      return known == found_.end() ? set_.terms.variable(variable, sort) : known->second;
    };
    std::map<Term, Term> replaced;
    const auto replace = [&](Term& term) {
      if (!term.is_valid())
        return;
      const auto [entry, is_new] = replaced.try_emplace(term);
      if (is_new)
        entry->second = set_.terms.substitute(term, replacement);
      term = entry->second;
    };
    for (StaticEvent& event : set_.events) {
      replace(event.guard);
      replace(event.address);
      if (event.kind == Kind::kWrite)
        replace(event.marks);
      if (event.kind != Kind::kRead && event.kind != Kind::kChoice)
        replace(event.value);
    }
    for (program::StaticJoin& join : set_.joins)
      replace(join.guard);
    for (program::StaticDefinition& definition : set_.definitions)
      replace(definition.value);
    for (program::StaticThread& thread : set_.threads)
      replace(thread.returns);
    for (EventSet::Block& block : set_.blocks)
      replace(block.length);
  }

  EventSet& set_;
  const IsAsked& is_asked_;
  Skeleton skeleton_;
  Places places_;
  Guards guards_;
  LockWords words_;
  /// Of guards. It knows nothing of memory: reads have any value but those that it was told.
  solve::TermSolver solver_;
  std::uint32_t questions_ = 0;
  std::vector<std::vector<EventIndex>> events_; // by node
  // Of the lock that is looked at:
  std::vector<Section> sections_;
  std::map<std::uint64_t, Term> found_; // by variable: what a read of the lock finds, or a choice
  std::vector<EventIndex> taking_;      // reads that find it free
};

} // namespace

std::vector<LockSection> make_lock_sections_atomic(EventSet& set, const IsAsked& is_asked) {
  std::vector<LockSection> result;
  if (set.events.size() > kMostEvents)
    return result;
  for (int round = 0; round < kMostRounds; ++round) {
    const std::vector<LockSection> more = Locks(set, is_asked).make_one_atomic();
    if (more.empty())
      break;
    result.insert(result.end(), more.begin(), more.end());
  }
  return result;
}

} // namespace heddle::encode
