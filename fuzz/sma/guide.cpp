// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "sma/guide.h"

#include <algorithm>

namespace heddle::sma {

Guide::Guide(const Program& program, Guesses guesses, const Limits& limits)
    : guesses_(guesses), limits_(limits), cells_(static_cast<unsigned>(program.cells.size())) {
  for (unsigned cell = 0; cell < cells_; ++cell)
    writers_.push_back(writers_of(program, cell));
  for (unsigned t = 0; t < program.threads.size(); ++t) {
    writes_.emplace_back();
    has_sections_.push_back(false);
    for (const Operation& operation : program.threads[t]) {
      if (operation.kind == Kind::SectionBegin)
        has_sections_.back() = true;
      if (!writes(operation))
        continue;
      Write write{.cell = operation.cell,
                  .value = {},
                  .adds = operation.kind == Kind::Add,
                  .needs = {},
                  .is_optional = may_not_write(operation)};
      if (operation.kind == Kind::Lock)
        write.value = t + 1, write.needs = 0;
      else if (operation.kind == Kind::Unlock)
        write.value = 0, write.needs = t + 1;
      else if (operation.source == kNoRegister)
        write.value = operation.value;
      if (operation.kind == Kind::Exchange)
        write.needs = operation.expected;
      writes_.back().push_back(write);
    }
  }
  // When a bound can stop threads, there are as many entries as fit.
  const unsigned fitting =
      guesses == Guesses::Sequence ? count_writes(program) : most_writes_of_a_cell(program);
  all_fits_ = fitting < limits.writes && count_writes(program) < limits.clock;
  restart();
}

void Guide::restart() {
  next_ = cells_ == 0 && guesses_ != Guesses::Sequence ? Next::Nothing : Next::Last;
  cell_ = 0;
  stamp_ = 0;
  used_stamps_.assign(limits_.clock + 1, false);
  done_.assign(writes_.size(), 0);
  held_.assign(cells_, 0);
  if (guesses_ != Guesses::Clusters)
    return;
  left_ = limits_.writes - 1; // what the first begins with is known
  next_ = left_ == 0 || cells_ == 0 ? Next::Nothing : Next::Start;
  unused_.assign(cells_, {});
  for (const auto& thread : writes_)
    for (const Write& write : thread) {
      Unused& unused = unused_[write.cell];
      if (!write.value || write.adds)
        ++unused.unknown;
      else
        unused.values.push_back(*write.value);
    }
}

bool Guide::concerns(const Write& write) const {
  return guesses_ == Guesses::Sequence || write.cell == cell_;
}

// What it held before, or what one of its writes writes; each write changes it once.
std::optional<std::vector<unsigned>> Guide::what_cell_can_hold() const {
  const Unused& unused = unused_[cell_];
  if (unused.unknown != 0)
    return std::nullopt;
  std::vector<unsigned> result{held_[cell_]};
  for (const unsigned value : unused.values)
    if (std::find(result.begin(), result.end(), value) == result.end())
      result.push_back(value);
  return result;
}

void Guide::cell_holds(unsigned value) {
  Unused& unused = unused_[cell_];
  if (value != held_[cell_]) {
    const auto found = std::find(unused.values.begin(), unused.values.end(), value);
    if (found != unused.values.end())
      unused.values.erase(found);
    else if (unused.unknown != 0) // otherwise the guide was left
      --unused.unknown;
  }
  held_[cell_] = value;
}

// The writes of the writer that can be its next one: up to the first that is certain.
std::vector<std::size_t> Guide::candidates() const {
  std::vector<std::size_t> result;
  if (writer_ >= writes_.size())
    return result;
  for (std::size_t i = done_[writer_]; i < writes_[writer_].size(); ++i) {
    const Write& write = writes_[writer_][i];
    if (!concerns(write))
      continue;
    if (!write.needs || *write.needs == held_[write.cell])
      result.push_back(i);
    if (!write.is_optional)
      break;
  }
  return result;
}

std::optional<std::vector<unsigned>> Guide::options() const {
  std::vector<unsigned> result;
  switch (next_) {
  case Next::Last: {
    unsigned total = 0;
    unsigned certain = 0;
    for (const auto& thread : writes_)
      for (const Write& write : thread)
        if (concerns(write)) {
          ++total;
          certain += write.is_optional ? 0 : 1;
        }
    const unsigned least = limits_.complete && all_fits_ ? certain : 0;
    for (unsigned n = least; n <= total && n < limits_.writes; ++n)
      result.push_back(n);
    break;
  }
  case Next::Writer: {
    Guide probe = *this;
    for (unsigned answer = 0;
         answer < (guesses_ == Guesses::Lists ? writers_[cell_].size() : writes_.size());
         ++answer) {
      probe.writer_ = writer_meant(answer);
      if (!probe.candidates().empty())
        result.push_back(answer);
    }
    break;
  }
  case Next::Cell:
    if (candidates().empty())
      return std::nullopt; // the guide was left before
    for (const std::size_t i : candidates())
      if (std::find(result.begin(), result.end(), writes_[writer_][i].cell) == result.end())
        result.push_back(writes_[writer_][i].cell);
    break;
  case Next::Stamp: {
    const bool may_be_equal =
        !limits_.distinct_stamps || (writer_ < has_sections_.size() && has_sections_[writer_]);
    for (unsigned stamp = std::max(stamp_, 1u); stamp < limits_.clock; ++stamp)
      if (may_be_equal || !used_stamps_[stamp])
        result.push_back(stamp);
    break;
  }
  case Next::Written:
    for (const std::size_t i : candidates()) {
      const Write& write = writes_[writer_][i];
      if (write.cell != written_)
        continue;
      if (!write.value)
        return std::nullopt;
      const unsigned value = *write.value + (write.adds ? held_[written_] : 0);
      if (std::find(result.begin(), result.end(), value) == result.end())
        result.push_back(value);
    }
    if (result.empty())
      return std::nullopt; // the guide was left before
    break;
  case Next::Inside:
    result.push_back(0);
    if (writer_ < has_sections_.size() && has_sections_[writer_])
      result.push_back(1);
    break;
  case Next::Start:
    return what_cell_can_hold();
  case Next::Nothing:
    return std::nullopt;
  }
  return result;
}

// Lists choose among the writers of their cell.
unsigned Guide::writer_meant(unsigned answer) const {
  return guesses_ == Guesses::Lists ? writers_[cell_][answer] : answer;
}

void Guide::next_entry() {
  if (left_ > 0) {
    --left_;
    next_ = Next::Writer;
    return;
  }
  if (guesses_ == Guesses::Lists && cell_ + 1 < cells_) {
    ++cell_;
    stamp_ = 0;
    done_.assign(writes_.size(), 0);
    next_ = Next::Last;
    return;
  }
  next_ = Next::Nothing;
}

void Guide::answered(unsigned value) {
  switch (next_) {
  case Next::Last:
    left_ = value;
    next_entry();
    break;
  case Next::Start:
    cell_holds(value);
    if (++cell_ == cells_) {
      cell_ = 0;
      next_ = --left_ == 0 ? Next::Nothing : Next::Start;
    }
    break;
  case Next::Writer:
    writer_ = writer_meant(value);
    written_ = cell_;
    next_ = guesses_ == Guesses::Sequence ? Next::Cell : Next::Stamp;
    break;
  case Next::Cell:
    written_ = value;
    next_ = Next::Written;
    break;
  case Next::Stamp:
    stamp_ = value;
    if (value < used_stamps_.size())
      used_stamps_[value] = true;
    next_ = Next::Written;
    break;
  case Next::Written: {
    // The earliest write that fits leaves most possibilities.
    for (const std::size_t i : candidates()) {
      const Write& write = writes_[writer_][i];
      if (write.cell != written_ ||
          (write.value && *write.value + (write.adds ? held_[written_] : 0) != value))
        continue;
      done_[writer_] = i + 1;
      break;
    }
    held_[written_] = value;
    if (guesses_ == Guesses::Sequence && left_ > 0)
      next_ = Next::Inside;
    else
      next_entry();
    break;
  }
  case Next::Inside:
    next_entry();
    break;
  case Next::Nothing:
    break;
  }
}

} // namespace heddle::sma
