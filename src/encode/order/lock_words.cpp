// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/lock_words.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace heddle::encode {

namespace {

using Kind = program::StaticEvent::Kind;
using program::StaticEvent;

/// There is a clause for each two sections of a word, and each event is looked at for each section
/// of its thread.
constexpr std::size_t kMostSections = 256;
constexpr std::size_t kMostLooks = 1U << 17U;

} // namespace

LockWords::LockWords(program::EventSet& set,
                     const Skeleton& skeleton,
                     Places& places,
                     Guards& guards)
    : set_(set), skeleton_(skeleton), places_(places), guards_(guards),
      insides_(set.events.size()) {
  delays_writes_ = std::any_of(skeleton.nodes.begin(), skeleton.nodes.end(), [](const NodeInfo& n) {
    return n.is_delayed_write;
  });
  std::map<std::pair<std::uint64_t, std::uint8_t>, std::vector<EventIndex>> places_at;
  std::vector<EventIndex> computed;
  for (EventIndex e = 0; e < set_.events.size(); ++e) {
    if (!set_.is_memory(e))
      continue;
    const StaticEvent& event = set_.events[e];
    if (set_.terms.is_constant(event.address))
      places_at[{set_.terms.node(event.address).value, event.size}].push_back(e);
    else
      computed.push_back(e);
  }
  for (const auto& [place, accesses] : places_at)
    if (std::none_of(computed.begin(), computed.end(), [&](EventIndex e) {
          return places_.may_meet(e, accesses.front());
        }))
      look_at(accesses);
  find_insides();
}

bool LockWords::implied(EventIndex a, EventIndex b) {
  return guards_.implies(set_.events[a].guard, set_.events[b].guard);
}

bool LockWords::exclude_each_other(EventIndex a, EventIndex b) {
  return guards_.exclude_each_other(set_.events[a].guard, set_.events[b].guard);
}

/// The accesses to one place, in which no other access lies.
void LockWords::look_at(const std::vector<EventIndex>& accesses) {
  const auto read = std::find_if(accesses.begin(), accesses.end(), [&](EventIndex e) {
    return set_.events[e].kind == Kind::kRead;
  });
  if (read == accesses.end())
    return;
  const std::optional<Term> free = places_.initial_value(*read);
  if (!free || !set_.terms.is_constant(*free))
    return;
  std::vector<EventIndex> taking;
  std::vector<EventIndex> giving;
  std::vector<Node> nodes;
  for (const EventIndex e : accesses) {
    if (set_.events[e].kind != Kind::kWrite)
      continue;
    if (set_.events[e].value == *free)
      giving.push_back(e);
    else if (takes(e, *free))
      taking.push_back(e);
    else
      return;
    nodes.push_back(skeleton_.node_of[e]);
  }
  std::sort(nodes.begin(), nodes.end());
  if (taking.size() < 2 || taking.size() > kMostSections ||
      std::adjacent_find(nodes.begin(), nodes.end()) != nodes.end())
    return;
  // Written before anybody takes it, the free value changes nothing.
  std::erase_if(giving, [&](EventIndex give) {
    return std::all_of(taking.begin(), taking.end(), [&](EventIndex take) {
      return skeleton_.must_precede(give, take);
    });
  });
  Word word;
  word.is_kept = set_.terms.boolean(true);
  for (const EventIndex give : giving)
    word.is_kept = set_.terms.and_(word.is_kept, gives_its_own(give, taking, giving));
  if (set_.terms.is_constant(word.is_kept) && set_.terms.node(word.is_kept).value == 0)
    return;
  for (const EventIndex take : taking)
    word.sections.push_back(section_of(take, taking, giving));
  words_.push_back(std::move(word));
}

/// Something else is written only where the free value was read in the same step.
bool LockWords::takes(EventIndex write, Term free) {
  const StaticEvent& event = set_.events[write];
  if (!set_.terms.is_constant(event.value))
    return false;
  for (EventIndex e = write; e > set_.threads[event.thread].first; --e) {
    const StaticEvent& read = set_.events[e - 1];
    if (skeleton_.node_of[e - 1] != skeleton_.node_of[write] || read.kind != Kind::kRead ||
        read.address != event.address || read.size != event.size)
      continue;
    // It must find memory, not a write of its thread that is still pending.
    if (delays_writes_ && !read.drains && read.section == 0)
      return false;
    return guards_.implies(event.guard, read.guard) &&
           guards_.implies(event.guard, set_.terms.equal(read.value, free));
  }
  return false;
}

/// The last of the thread's writes to the word before it is one that takes it.
Term LockWords::gives_its_own(EventIndex give,
                              const std::vector<EventIndex>& takes,
                              const std::vector<EventIndex>& gives) {
  logic::TermStore& terms = set_.terms;
  const auto taken = std::find_if(takes.rbegin(), takes.rend(), [&](EventIndex take) {
    return take < give && are_of_one_thread(take, give) && implied(give, take);
  });
  if (taken == takes.rend())
    return terms.boolean(false);
  Term result = terms.boolean(true);
  for (const EventIndex other : gives)
    if (other > *taken && other < give && !exclude_each_other(other, give))
      result = terms.and_(
          result, terms.not_(terms.and_(set_.events[other].guard, set_.events[give].guard)));
  return result;
}

LockWords::Section LockWords::section_of(EventIndex take,
                                         const std::vector<EventIndex>& takes,
                                         const std::vector<EventIndex>& gives) {
  Section section;
  section.take = take;
  for (const EventIndex give : gives) {
    if (give < take || !are_of_one_thread(take, give))
      continue;
    const auto comes_between = [&](EventIndex other) {
      return other > take && other < give && implied(give, other);
    };
    if (std::none_of(takes.begin(), takes.end(), comes_between) &&
        std::none_of(gives.begin(), gives.end(), comes_between))
      section.gives.push_back(give);
  }
  return section;
}

void LockWords::find_insides() {
  std::size_t looks = 0;
  for (std::size_t word = 0; word < words_.size(); ++word) {
    if (!set_.terms.is_constant(words_[word].is_kept))
      continue;
    for (const Section& section : words_[word].sections) {
      const program::StaticThread& thread = set_.threads[set_.events[section.take].thread];
      for (EventIndex e = section.take + 1; e < thread.last && ++looks < kMostLooks; ++e)
        if (set_.is_memory(e) && is_inside(e, section))
          insides_[e].push_back(inside(word, section, e));
    }
  }
}

LockWords::Inside LockWords::inside(std::size_t word, const Section& section, EventIndex event) {
  const bool is_repeated = was_written(event, section);
  const bool is_read = set_.events[event].kind == Kind::kRead;
  return {word, is_read ? is_repeated : is_overwritten(event, section), !is_read && is_repeated};
}

bool LockWords::is_inside(EventIndex event, const Section& section) {
  return implied(event, section.take) && is_not_after(section.take, event) &&
         std::all_of(section.gives.begin(), section.gives.end(), [&](EventIndex give) {
           return give < event ? exclude_each_other(give, event) : is_not_after(event, give);
         });
}

/// Whoever comes into another section later finds that the section was left, and so that the later
/// write has happened.
bool LockWords::is_overwritten(EventIndex write, const Section& section) {
  for (EventIndex later = write + 1; later < set_.events.size(); ++later) {
    if (!are_of_one_thread(write, later))
      return false;
    if (set_.events[later].kind == Kind::kWrite && places_.must_meet(write, later) &&
        std::all_of(section.gives.begin(), section.gives.end(), [&](EventIndex give) {
          return give < write ||
                 (later < give && implied(give, later) && is_not_after(later, give));
        }))
      return true;
  }
  return false;
}

bool LockWords::was_written(EventIndex event, const Section& section) {
  for (EventIndex write = section.take; write < event; ++write)
    if (set_.events[write].kind == Kind::kWrite && places_.must_meet(write, event) &&
        implied(event, write) && is_not_after(section.take, write))
      return true;
  return false;
}

bool LockWords::hides(EventIndex write, EventIndex read) const {
  if (are_of_one_thread(write, read))
    return false;
  return std::any_of(insides_[write].begin(), insides_[write].end(), [&](const Inside& of_write) {
    return std::any_of(insides_[read].begin(), insides_[read].end(), [&](const Inside& of_read) {
      return of_write.word == of_read.word && (of_write.is_settled || of_read.is_settled);
    });
  });
}

bool LockWords::is_in(std::size_t word, EventIndex event) const {
  return std::any_of(insides_[event].begin(), insides_[event].end(), [&](const Inside& inside) {
    return inside.word == word;
  });
}

bool LockWords::follows(std::optional<EventIndex> source, EventIndex read, EventIndex later) const {
  if (are_of_one_thread(read, later) || (source && are_of_one_thread(*source, later)))
    return false;
  return std::any_of(insides_[later].begin(), insides_[later].end(), [&](const Inside& inside) {
    return inside.is_repeated && is_in(inside.word, read) &&
           (!source || is_in(inside.word, *source));
  });
}

} // namespace heddle::encode
