// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/unwritten_objects.h"

#include "program/events/event_prefix.h"

#include <algorithm>

namespace heddle::program {

UnwrittenObjects::UnwrittenObjects(const Program& program, const AccessPieces& pieces)
    : may_be_unwritten_(program.objects.size(), false) {
  for (const Procedure& procedure : program.procedures)
    for (const Edge& edge : procedure.edges)
      if (const auto* allocate = std::get_if<Allocate>(&edge.action))
        if (!allocate->zeroed && allocate->site.is_valid())
          may_be_unwritten_[allocate->site] = true;
  // Copies carry it on.
  bool has_changed = true;
  while (has_changed) {
    has_changed = false;
    for (std::size_t i = 0; i < program.procedures.size(); ++i)
      for (const Edge& edge : program.procedures[ProcedureId{i}].edges) {
        const auto* store = std::get_if<Store>(&edge.action);
        if (store == nullptr || !may_mark(program, pieces, ProcedureId{i}, *store))
          continue;
        const AccessPlace& to = pieces.place(ProcedureId{i}, store->address, 0, store->access.size);
        for (std::size_t object = 0; object < program.objects.size(); ++object) {
          const bool is_there =
              to.is_any || std::ranges::any_of(to.targets, [&](const auto& target) {
                return target.first == ObjectId{object};
              });
          if (is_there && !may_be_unwritten_[ObjectId{object}]) {
            may_be_unwritten_[ObjectId{object}] = true;
            has_changed = true;
          }
        }
      }
  }
}

/// The marks of a copy are those that the load before it has found.
bool UnwrittenObjects::may_mark(const Program& program,
                                const AccessPieces& pieces,
                                ProcedureId procedure,
                                const Store& store) const {
  if (!store.marks)
    return false;
  if (program.terms.is_constant(*store.marks))
    return program.terms.node(*store.marks).value != 0;
  for (const std::uint64_t variable : program.terms.variables(*store.marks)) {
    bool is_of_loads = false;
    for (const Edge& edge : program.procedures[procedure].edges) {
      const auto* load = std::get_if<Load>(&edge.action);
      if (load == nullptr || !load->marks || load->marks->value != variable)
        continue;
      is_of_loads = true;
      if (may_be_found(pieces.place(procedure, load->address, 0, load->access.size)))
        return true;
    }
    if (!is_of_loads)
      return true;
  }
  return false;
}

bool UnwrittenObjects::may_be_found(const AccessPlace& place) const {
  if (place.is_any)
    return std::ranges::find(may_be_unwritten_, true) != may_be_unwritten_.end();
  return std::ranges::any_of(place.targets,
                             [&](const auto& target) { return may_be_unwritten_[target.first]; });
}

/// Made when it is first needed: most memory is written before it is read.
Term PrefixBuilder::marks_of(std::uint32_t index) {
  if (!cells_[index].marks) {
    const Cell cell = cells_[index];
    if (initial_bytes_of(cell))
      return no_marks(cell.size);
    cells_[index].marks = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back({0, 0, terms_.constant(logic::mask_of(cell.size), unsigned{cell.size}), {}});
  }
  return cell_value(*cells_[index].marks);
}

void PrefixBuilder::set_marks(std::uint32_t index, Term marks) {
  if (marks == marks_of(index))
    return;
  if (!cells_[index].marks) {
    const unsigned size = cells_[index].size;
    cells_[index].marks = static_cast<std::uint32_t>(cells_.size());
    cells_.push_back({0, 0, no_marks(size), {}});
  }
  path_.cells = tables_.set(path_.cells, path_.owner, *cells_[index].marks, marks);
}

Term with_marked_bytes(logic::TermStore& terms, Term value, Term marked, Term marks) {
  if (terms.is_constant(marks) && terms.node(marks).value == 0)
    return value;
  Term result;
  for (unsigned i = 0; i < terms.sort(marks).width; ++i) {
    const Term byte = terms.ite(terms.to_bool(terms.extract(marks, i, 1)),
                                terms.extract(marked, 8 * i, 8),
                                terms.extract(value, 8 * i, 8));
    result = i == 0 ? byte : terms.concat(byte, result);
  }
  return result;
}

} // namespace heddle::program
