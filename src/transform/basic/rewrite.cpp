// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/rewrite.h"

#include "support/overloaded.h"

#include <optional>
#include <vector>

namespace heddle::transform {

using namespace program; // NOLINT: the family of actions is spelled out below

namespace {

/// Is `path` the file that is meant by `name`, which may leave out folders in front?
bool is_file(std::string_view path, std::string_view name) {
  return path.ends_with(name) &&
         (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
}

} // namespace

bool is_at(const program::Program& program, SourceLoc loc, const spec::LoopBound& bound) {
  return loc.is_known() && loc.line == bound.line && loc.file < program.files.size() &&
         is_file(program.files[loc.file], bound.file);
}

Lift same_schedule() {
  return
      [](const execution::Schedule& schedule) -> Result<execution::Schedule> { return schedule; };
}

logic::Term
rename_locals(logic::Term term, const LocalMap& map, logic::TermStore& terms, logic::Term self) {
  return terms.substitute(term, [&](std::uint64_t number, logic::Sort sort) {
    if (number == kSelfVariable)
      return self;
    return terms.variable(map[LocalId{static_cast<std::size_t>(number)}].value, sort);
  });
}

namespace {

/// Renames in place, action by action.
class Renaming {
public:
  Renaming(const LocalMap& map, logic::TermStore& terms, logic::Term self)
      : map_(map), terms_(terms), self_(self) {}

  void operator()(Skip&) const {}
  void operator()(Assign& a) const {
    local(a.dest);
    term(a.value);
    for (LocalId& source : a.also_from)
      local(source);
  }
  void operator()(AssignSequence& a) const {
    for (Assign& one : a.assignments)
      (*this)(one);
  }
  void operator()(Nondet& a) const { local(a.dest); }
  void operator()(Assume& a) const { term(a.condition); }
  void operator()(Check& a) const { term(a.condition); }
  void operator()(CheckNeighbourhood& a) const {
    term(a.base);
    term(a.result);
  }
  void operator()(Load& a) const {
    local(a.dest);
    term(a.address);
    if (a.marks)
      local(*a.marks);
  }
  void operator()(Store& a) const {
    term(a.address);
    term(a.value);
    if (a.marks)
      term(*a.marks);
  }
  void operator()(LoadExclusive& a) const {
    local(a.dest);
    term(a.address);
  }
  void operator()(StoreExclusive& a) const {
    local(a.success);
    term(a.address);
    term(a.value);
  }
  void operator()(ReadModifyWrite& a) const {
    local(a.dest);
    term(a.address);
    term(a.value);
  }
  void operator()(CompareExchange& a) const {
    local(a.dest);
    local(a.success);
    term(a.address);
    term(a.expected);
    term(a.desired);
  }
  void operator()(Fence&) const {}
  void operator()(Allocate& a) const {
    local(a.dest);
    term(a.size);
  }
  void operator()(Free& a) const { term(a.address); }
  void operator()(BlockSize& a) const {
    local(a.dest);
    term(a.address);
  }
  void operator()(Call& a) const {
    local(a.dest);
    term(a.function);
    all(a.arguments);
  }
  void operator()(Return& a) const { term(a.value); }
  void operator()(Synchronize& a) const {
    local(a.dest);
    all(a.operands);
  }
  void operator()(AtomicBegin&) const {}
  void operator()(AtomicEnd&) const {}
  void operator()(Hint& a) const { all(a.operands); }
  void operator()(ThreadExit& a) const { term(a.value); }
  void operator()(Exit&) const {}
  void operator()(Cut&) const {}
  void operator()(Trap&) const {}

private:
  void local(LocalId& id) const { id = map_[id]; }
  void local(std::optional<LocalId>& id) const {
    if (id)
      local(*id);
  }
  void term(Term& value) const { value = rename_locals(value, map_, terms_, self_); }
  void term(std::optional<Term>& value) const {
    if (value)
      term(*value);
  }
  void all(std::vector<Term>& values) const {
    for (Term& value : values)
      term(value);
  }

  const LocalMap& map_;
  logic::TermStore& terms_;
  logic::Term self_;
};

/// Every term of an action.
class TermVisit {
public:
  explicit TermVisit(const std::function<void(logic::Term&)>& visit) : visit_(visit) {}

  void operator()(Skip&) const {}
  void operator()(Assign& a) const { visit_(a.value); }
  void operator()(AssignSequence& a) const {
    for (Assign& one : a.assignments)
      visit_(one.value);
  }
  void operator()(Nondet&) const {}
  void operator()(Assume& a) const { visit_(a.condition); }
  void operator()(Check& a) const { visit_(a.condition); }
  void operator()(CheckNeighbourhood& a) const {
    visit_(a.base);
    visit_(a.result);
  }
  void operator()(Load& a) const { visit_(a.address); }
  void operator()(Store& a) const {
    visit_(a.address);
    visit_(a.value);
    maybe(a.marks);
  }
  void operator()(LoadExclusive& a) const { visit_(a.address); }
  void operator()(StoreExclusive& a) const {
    visit_(a.address);
    visit_(a.value);
  }
  void operator()(ReadModifyWrite& a) const {
    visit_(a.address);
    visit_(a.value);
  }
  void operator()(CompareExchange& a) const {
    visit_(a.address);
    visit_(a.expected);
    visit_(a.desired);
  }
  void operator()(Fence&) const {}
  void operator()(Allocate& a) const { visit_(a.size); }
  void operator()(Free& a) const { visit_(a.address); }
  void operator()(BlockSize& a) const { visit_(a.address); }
  void operator()(Call& a) const {
    maybe(a.function);
    all(a.arguments);
  }
  void operator()(Return& a) const { maybe(a.value); }
  void operator()(Synchronize& a) const { all(a.operands); }
  void operator()(AtomicBegin&) const {}
  void operator()(AtomicEnd&) const {}
  void operator()(Hint& a) const { all(a.operands); }
  void operator()(ThreadExit& a) const { maybe(a.value); }
  void operator()(Exit&) const {}
  void operator()(Cut&) const {}
  void operator()(Trap&) const {}

private:
  void maybe(std::optional<Term>& term) const {
    if (term)
      visit_(*term);
  }
  void all(std::vector<Term>& terms) const {
    for (Term& term : terms)
      visit_(term);
  }
  const std::function<void(logic::Term&)>& visit_;
};

} // namespace

Action rename_locals(const Action& action,
                     const LocalMap& map,
                     logic::TermStore& terms,
                     logic::Term self) {
  Action renamed = action;
  std::visit(Renaming(map, terms, self), renamed);
  return renamed;
}

void for_each_term(Action& action, const std::function<void(logic::Term&)>& visit) {
  std::visit(TermVisit(visit), action);
}

} // namespace heddle::transform
