// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/order/unwritten.h"

#include <vector>

namespace heddle::encode {

Literal Unwritten::bit(Term marks, unsigned byte) {
  return formula_.literal(set_.terms.to_bool(set_.terms.extract(marks, byte, 1)));
}

void Unwritten::encode() {
  std::vector<Read> copies;
  std::vector<Read> readers;
  for (const std::vector<Read>* some : {&formula_.reads(), &formula_.initial_reads()})
    for (const Read& read : *some)
      (set_.events[read.event].marks.is_valid() ? copies : readers).push_back(read);
  for (const Read& copy : copies) {
    std::vector<Literal> is_fixed;
    for (const Read& reader : readers)
      if (const Literal is_before = is_read_before(reader, copy); !gates_.is_false(is_before))
        is_fixed.push_back(is_before);
    const Literal is_open = ~gates_.or_(is_fixed);
    const program::StaticEvent& event = set_.events[copy.event];
    for (unsigned byte = 0; byte < event.size; ++byte) {
      const Literal is_unwritten = gates_.and_(is_left_unwritten(copy, byte), is_open);
      const Literal mark = bit(event.marks, byte);
      gates_.require_any(std::vector{~mark, is_unwritten});
      gates_.require_any(std::vector{mark, ~is_unwritten});
    }
  }
}

Literal Unwritten::is_left_unwritten(const Read& copy, unsigned byte) {
  std::vector<Literal> some;
  for (const MemoryFormula::Source& source : copy.sources) {
    Literal is_so = gates_.constant(false);
    if (!source.write)
      is_so = formula_.literal(formula_.places().is_arbitrary_at_first(copy.event, byte));
    else if (const Term marks = set_.events[*source.write].marks; marks.is_valid())
      is_so = bit(marks, byte);
    some.push_back(gates_.and_(source.is_taken, is_so));
  }
  return gates_.or_(some);
}

/// The read finds what the copy finds, and earlier.
Literal Unwritten::is_read_before(const Read& read, const Read& copy) {
  Places& places = formula_.places();
  if (!places.may_meet(read.event, copy.event))
    return gates_.constant(false);
  std::vector<Literal> same;
  for (const MemoryFormula::Source& one : read.sources)
    for (const MemoryFormula::Source& other : copy.sources)
      if (one.write == other.write)
        same.push_back(gates_.and_(one.is_taken, other.is_taken));
  const bool is_of_thread = set_.events[read.event].thread == set_.events[copy.event].thread;
  const Literal is_before =
      is_of_thread ? gates_.constant(read.event < copy.event)
                   : order_.before(skeleton_.node_of[read.event], skeleton_.node_of[copy.event]);
  return gates_.and_(std::vector{gates_.or_(same),
                                 formula_.executed(read.event),
                                 formula_.literal(places.same(read.event, copy.event)),
                                 is_before});
}

} // namespace heddle::encode
