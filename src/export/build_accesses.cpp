// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory in an export. An access finds its cell by comparing its address with where the objects it
// may touch are; the comparison folds to a number where the address is one. With store buffers a
// store goes into the thread's entries, a load looks there first, newest first, and the memory
// process of the thread moves entries on (docs/semantics.md, section 2). Since every access is
// exactly one cell, two of them overlap if and only if their cells are the same.
#include "export/builder.h"
#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::exports {

using namespace program; // NOLINT: most of the family of actions is spelled out here
using logic::Op;

namespace {

/// Cells of one size at equal distances.
struct CellRun {
  std::uint64_t address = 0;
  std::uint64_t distance = 1;
  std::uint64_t count = 1;
  std::uint32_t first = 0;
  std::uint32_t step = 1;
};

constexpr std::uint64_t code(CellStatus status) {
  return static_cast<std::uint64_t>(status);
}

std::vector<CellRun> runs_of(const Layout& layout, const Block& block, std::uint64_t size) {
  std::vector<CellRun> runs;
  for (std::uint32_t c = block.first_cell; c < block.first_cell + block.cell_count; ++c) {
    if (layout.cells[c].size != size)
      continue;
    const std::uint64_t address = block.address + layout.cells[c].offset;
    if (!runs.empty()) {
      CellRun& last = runs.back();
      if (last.count == 1) {
        last.distance = address - last.address;
        last.step = c - last.first;
        last.count = 2;
        continue;
      }
      if (address == last.address + last.count * last.distance &&
          c == last.first + last.count * last.step) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({address, 1, 1, c, 1});
  }
  return runs;
}

} // namespace

Place Builder::place(Term address, std::uint64_t size, ObjectSetId may, bool writes) {
  Place found;
  const unsigned width = terms().sort(address).width;
  found.cell = number(kNoCell, 32);
  for (const Block& block : layout_.blocks) {
    if (writes && program_.objects[block.object].is_constant)
      continue;
    if (may.is_valid() && !std::ranges::binary_search(program_.object_sets[may], block.object))
      continue;
    for (const CellRun& run : runs_of(layout_, block, size)) {
      const Term offset = terms().binary(Op::kSub, address, number(run.address, width));
      Term hits = terms().equal(offset, number(0, width));
      Term cell = number(run.first, 32);
      if (run.count > 1) {
        // Within the run the offset has 32 bits.
        const Term near = fitted(offset, 32);
        const Term distance = number(run.distance, 32);
        hits =
            terms().and_(terms().binary(Op::kULt, offset, number(run.count * run.distance, width)),
                         terms().equal(terms().binary(Op::kURem, near, distance), number(0, 32)));
        const Term index = terms().binary(Op::kUDiv, near, distance);
        cell =
            terms().binary(Op::kAdd, cell, terms().binary(Op::kMul, index, number(run.step, 32)));
      }
      found.cell = terms().ite(hits, cell, found.cell);
      found.may_be_dynamic = found.may_be_dynamic || block.is_dynamic;
    }
  }
  if (terms().is_constant(found.cell)) {
    const std::uint64_t cell = terms().node(found.cell).value;
    found.may_be_nothing = cell == kNoCell;
    found.may_be_dynamic = !found.may_be_nothing && cell >= layout_.first_dynamic;
  }
  return found;
}

Place Builder::lock_place(const Synchronize& sync, std::size_t operand) {
  const ir::SyncObject object = objects_of(sync.op)[operand];
  return place(own(sync.operands[operand]),
               sync_layout::size_of(object, program_.data_model),
               sync.may,
               true);
}

Statements Builder::on_cell(
    const Place& place,
    bool reads,
    const std::function<Statements(Term cell, std::optional<VariableId> status)>& then) {
  Statements made;
  Term cell = place.cell;
  if (!terms().is_constant(cell)) {
    made.push_back(set(at_, cell));
    cell = value(at_);
  }
  const auto is_nothing = [&] { return terms().equal(cell, number(kNoCell, 32)); };
  if (place.may_be_nothing && terms().is_constant(cell)) {
    append(made, failing("an access outside of all objects", Fail::Kind::kUndefined));
    return made;
  }
  Statements inside;
  if (place.may_be_dynamic) {
    const Term first = number(layout_.first_dynamic, 32);
    Statements look;
    look.push_back({Get{state_, status_, terms().binary(Op::kSub, cell, first)}});
    If dynamic{terms().binary(Op::kULe, first, cell), std::move(look), {}};
    dynamic.no.push_back(set(state_, code(CellStatus::kWritten)));
    if (layout_.first_dynamic == 0 || terms().is_constant(cell))
      inside = std::move(dynamic.yes);
    else
      inside.push_back({std::move(dynamic)});
    If live{terms().or_(is(state_, code(CellStatus::kNone)), is(state_, code(CellStatus::kEnded))),
            failing("an access to memory that has ended", Fail::Kind::kUndefined),
            then(cell, state_)};
    inside.push_back({std::move(live)});
  } else {
    inside = then(cell, std::nullopt);
  }
  if (place.may_be_nothing)
    made.push_back(
        {If{is_nothing(),
            failing(reads ? "a read outside of all objects" : "a write outside of all objects",
                    Fail::Kind::kUndefined),
            std::move(inside)}});
  else
    append(made, std::move(inside));
  return made;
}

Statements
Builder::fetch(Term cell, std::optional<VariableId> status, bool is_buffered, Statements then) {
  Statements made;
  made.push_back({Get{word_, memory_, cell}});
  Term found = terms().boolean(false);
  if (is_buffered && has_buffers()) {
    const Buffer& buffer = threads_[thread_].buffer;
    const unsigned bits = system_.variables[buffer.length].width;
    Term newest = value(word_);
    for (std::uint32_t n = 0; n < options_.buffer; ++n) {
      const Term is_there =
          terms().and_(terms().binary(Op::kULt, number(n, bits), value(buffer.length)),
                       terms().equal(fitted(value(buffer.entries[n].cell), 32), cell));
      newest = terms().ite(is_there, value(buffer.entries[n].value), newest);
      found = terms().or_(found, is_there);
    }
    made.push_back(set(word_, newest));
  }
  if (!status) {
    append(made, std::move(then));
    return made;
  }
  const Term is_fresh =
      terms().and_(is(*status, code(CellStatus::kUnwritten)), terms().not_(found));
  If fresh{is_fresh, {}, {}};
  if (options_.chooses_unwritten) {
    fresh.yes.push_back({Choose{word_}});
    append(fresh.yes, put(cell, status, value(word_)));
    made.push_back({std::move(fresh)});
    append(made, std::move(then));
  } else {
    fresh.yes = failing("a read of memory that was never written", Fail::Kind::kNotModelled);
    fresh.no = std::move(then);
    made.push_back({std::move(fresh)});
  }
  return made;
}

Statements Builder::put(Term cell, std::optional<VariableId> status, Term value) {
  Statements made;
  made.push_back({Put{memory_, cell, fitted(value, word_bits_)}});
  if (status) {
    Statements mark;
    mark.push_back({Put{status_,
                        terms().binary(Op::kSub, cell, number(layout_.first_dynamic, 32)),
                        number(code(CellStatus::kWritten), 2)}});
    made.push_back({If{is(*status, code(CellStatus::kUnwritten)), std::move(mark), {}}});
  }
  return made;
}

Statements Builder::load(const Load& load) {
  const Place where = place(own(load.address), load.access.size, load.access.may, false);
  return on_cell(where, true, [&](Term cell, std::optional<VariableId> status) {
    Statements then;
    then.push_back(assign(load.dest, fitted(value(word_), 8U * load.access.size)));
    if (!load.marks)
      return fetch(cell, status, load.access.is_visible, std::move(then));
    // A copy: what was never written is read as 0, and said so.
    Statements made = fetch(cell, std::nullopt, load.access.is_visible, std::move(then));
    made.push_back(assign(*load.marks, number(0, 8)));
    if (status) {
      If fresh{is(*status, code(CellStatus::kUnwritten)), {}, {}};
      fresh.yes.push_back(assign(load.dest, number(0, 1)));
      fresh.yes.push_back(assign(*load.marks, number((1ULL << load.access.size) - 1, 8)));
      made.push_back({std::move(fresh)});
    }
    return made;
  });
}

Result<Statements> Builder::store(const Store& store) {
  if (store.marks && !(terms().is_constant(*store.marks) && terms().node(*store.marks).value == 0))
    return refusal("EXP-013", "a copy of memory that may never have been written");
  const Place where = place(own(store.address), store.access.size, store.access.may, true);
  const Term stored = fitted(fitted(own(store.value), 8U * store.access.size), word_bits_);
  return on_cell(where, false, [&](Term cell, std::optional<VariableId> status) {
    if (!is_delayed(store))
      return put(cell, status, stored);
    const Buffer& buffer = threads_[thread_].buffer;
    const unsigned bits = system_.variables[buffer.length].width;
    Statements append_entry;
    for (std::uint32_t n = 0; n < options_.buffer; ++n) {
      If here{is(buffer.length, n), {}, {}};
      here.yes.push_back(set(buffer.entries[n].cell, fitted(cell, 16)));
      here.yes.push_back(set(buffer.entries[n].value, stored));
      if (buffer.fence.is_valid())
        here.yes.push_back(set(buffer.entries[n].is_fenced, value(buffer.fence)));
      append_entry.push_back({std::move(here)});
    }
    append_entry.push_back(
        set(buffer.length, terms().binary(Op::kAdd, value(buffer.length), number(1, bits))));
    if (buffer.fence.is_valid())
      append_entry.push_back(set(buffer.fence, 0));
    Statements made;
    made.push_back({If{is(buffer.length, options_.buffer),
                       failing(fmt::format("more than {} pending stores", options_.buffer),
                               Fail::Kind::kExhausted),
                       std::move(append_entry)}});
    return made;
  });
}

Term Builder::rmw_result(RmwOp op, Term old, Term operand) {
  const auto pick = [&](Op compare) {
    return terms().ite(terms().binary(compare, old, operand), old, operand);
  };
  switch (op) {
  case RmwOp::kExchange:
    return operand;
  case RmwOp::kAdd:
    return terms().binary(Op::kAdd, old, operand);
  case RmwOp::kSub:
    return terms().binary(Op::kSub, old, operand);
  case RmwOp::kAnd:
    return terms().binary(Op::kBitAnd, old, operand);
  case RmwOp::kNand:
    return terms().bit_not(terms().binary(Op::kBitAnd, old, operand));
  case RmwOp::kOr:
    return terms().binary(Op::kBitOr, old, operand);
  case RmwOp::kXor:
    return terms().binary(Op::kBitXor, old, operand);
  case RmwOp::kMax:
    return terms().ite(terms().binary(Op::kSLt, old, operand), operand, old);
  case RmwOp::kMin:
    return pick(Op::kSLt);
  case RmwOp::kUMax:
    return terms().ite(terms().binary(Op::kULt, old, operand), operand, old);
  case RmwOp::kUMin:
    return pick(Op::kULt);
  }
  HEDDLE_CHECK(false, "no such update");
}

Statements Builder::update(const ReadModifyWrite& update) {
  const unsigned bits = 8U * update.access.size;
  const Place where = place(own(update.address), update.access.size, update.access.may, true);
  // The operand is read before the destination changes: they may be one local.
  const Term operand = own(update.value);
  return on_cell(where, true, [&](Term cell, std::optional<VariableId> status) {
    const Term old = fitted(value(word_), bits);
    Statements then = put(cell, status, rmw_result(update.op, old, fitted(operand, bits)));
    then.push_back(assign(update.dest, old));
    return fetch(cell, status, false, std::move(then));
  });
}

Statements Builder::exchange(const CompareExchange& exchange) {
  const unsigned bits = 8U * exchange.access.size;
  const Place where = place(own(exchange.address), exchange.access.size, exchange.access.may, true);
  const Term expected = fitted(own(exchange.expected), bits);
  const Term desired = fitted(own(exchange.desired), bits);
  return on_cell(where, true, [&](Term cell, std::optional<VariableId> status) {
    const Term old = fitted(value(word_), bits);
    Statements then;
    Term succeeds = terms().equal(old, expected);
    if (exchange.weak) { // may fail for no reason
      then.push_back({Choose{choice_}});
      succeeds = terms().and_(succeeds, is(choice_, 1));
    }
    then.push_back({If{succeeds, put(cell, status, desired), {}}});
    then.push_back(assign(exchange.success, succeeds));
    then.push_back(assign(exchange.dest, old));
    return fetch(cell, status, false, std::move(then));
  });
}

Result<Statements> Builder::allocate(const Allocate& allocate, std::uint32_t edge) {
  const std::vector<std::uint32_t>& pool = layout_.threads[thread_].blocks.at(edge);
  const auto take = [&](const Block& block) {
    Statements made;
    for (std::uint32_t c = block.first_cell; c < block.first_cell + block.cell_count; ++c) {
      if (allocate.zeroed)
        made.push_back({Put{memory_, number(c, 32), number(0, word_bits_)}});
      made.push_back(
          {Put{status_,
               number(c - layout_.first_dynamic, 32),
               number(code(allocate.zeroed ? CellStatus::kWritten : CellStatus::kUnwritten), 2)}});
    }
    made.push_back(assign(allocate.dest, number(block.address, program_.pointer_bits())));
    return made;
  };
  if (!layout_.blocks[pool.front()].is_pooled)
    return take(layout_.blocks[pool.front()]);
  const VariableId used = local(fmt::format("used_{}_{}", thread_, edge), 8);
  Statements made =
      failing(fmt::format("more than {} blocks", pool.size()), Fail::Kind::kExhausted);
  for (std::size_t n = pool.size(); n-- > 0;) {
    Statements here = take(layout_.blocks[pool[n]]);
    here.push_back(set(used, n + 1));
    Statements otherwise = std::move(made);
    made = {};
    made.push_back({If{is(used, n), std::move(here), std::move(otherwise)}});
  }
  return made;
}

Result<Statements> Builder::free(const Free& free) {
  if (options_.reuses_blocks)
    return refusal("EXP-014",
                   "malloc that may return a freed block; --no-reuse assumes it does not");
  const Term address = own(free.address);
  const unsigned width = terms().sort(address).width;
  Statements made = failing("free of what malloc did not return", Fail::Kind::kUndefined);
  for (const Block& block : layout_.blocks) {
    if (!block.is_dynamic || block.is_frame)
      continue;
    if (block.cell_count == 0)
      return refusal("EXP-015", "free where a block is never accessed");
    Statements ends;
    for (std::uint32_t c = block.first_cell; c < block.first_cell + block.cell_count; ++c) {
      ends.push_back({Put{
          status_, number(c - layout_.first_dynamic, 32), number(code(CellStatus::kEnded), 2)}});
      ends.push_back({Put{memory_, number(c, 32), number(0, word_bits_)}});
    }
    Statements here;
    here.push_back({Get{state_, status_, number(block.first_cell - layout_.first_dynamic, 32)}});
    here.push_back(
        {If{terms().or_(is(state_, code(CellStatus::kNone)), is(state_, code(CellStatus::kEnded))),
            failing("free of a block that is not allocated", Fail::Kind::kUndefined),
            std::move(ends)}});
    Statements otherwise = std::move(made);
    made = {};
    made.push_back({If{terms().equal(address, number(block.address, width)),
                       std::move(here),
                       std::move(otherwise)}});
  }
  Statements all;
  all.push_back({If{terms().equal(address, number(0, width)), {}, std::move(made)}});
  return all;
}

Term Builder::is_buffer_empty() {
  return is(threads_[thread_].buffer.length, 0);
}

void Builder::add_memory_process(std::uint32_t thread) {
  thread_ = thread;
  const Buffer& buffer = threads_[thread].buffer;
  const bool is_partial = buffer.fence.is_valid();
  const unsigned bits = system_.variables[buffer.length].width;
  Process process;
  process.name = fmt::format("memory_{}", thread);
  process.is_memory = true;
  process.locations.resize(1);
  const VariableId at = temporary(32, "at");
  const VariableId state = temporary(2, "state");
  for (std::uint32_t n = 0; n < (is_partial ? options_.buffer : 1); ++n) {
    Step flush{terms().and_(go(), terms().binary(Op::kULt, number(n, bits), value(buffer.length)))};
    for (std::uint32_t older = 0; older < n; ++older) {
      flush.guard = terms().and_(flush.guard, is(buffer.entries[older + 1].is_fenced, 0));
      flush.guard = terms().and_(flush.guard,
                                 terms().not_(terms().equal(value(buffer.entries[older].cell),
                                                            value(buffer.entries[n].cell))));
    }
    flush.note = "a pending store reaches memory";
    flush.effects.push_back(set(at, fitted(value(buffer.entries[n].cell), 32)));
    Statements write;
    write.push_back({Put{memory_, value(at), value(buffer.entries[n].value)}});
    if (status_.is_valid()) {
      // A store to a block that has ended has no effect.
      const Term index = terms().binary(Op::kSub, value(at), number(layout_.first_dynamic, 32));
      Statements land = write;
      land.push_back({Put{status_, index, number(code(CellStatus::kWritten), 2)}});
      Statements dynamic;
      dynamic.push_back({Get{state, status_, index}});
      dynamic.push_back({If{is(state, code(CellStatus::kEnded)), {}, std::move(land)}});
      flush.effects.push_back(
          {If{terms().binary(Op::kULe, number(layout_.first_dynamic, 32), value(at)),
              std::move(dynamic),
              std::move(write)}});
    } else {
      append(flush.effects, std::move(write));
    }
    // The younger entries move up; what is free is 0. The oldest entry has no fence before it.
    for (std::uint32_t to = n; to < options_.buffer; ++to) {
      const bool is_last = to + 1 == options_.buffer;
      const BufferEntry& here = buffer.entries[to];
      const BufferEntry* next = is_last ? nullptr : &buffer.entries[to + 1];
      flush.effects.push_back(next != nullptr ? set(here.cell, value(next->cell))
                                              : set(here.cell, 0));
      flush.effects.push_back(next != nullptr ? set(here.value, value(next->value))
                                              : set(here.value, 0));
      if (is_partial)
        flush.effects.push_back(next != nullptr && to != 0
                                    ? set(here.is_fenced, value(next->is_fenced))
                                    : set(here.is_fenced, 0));
    }
    flush.effects.push_back(
        set(buffer.length, terms().binary(Op::kSub, value(buffer.length), number(1, bits))));
    if (is_partial)
      flush.effects.push_back({If{is(buffer.length, 0), {set(buffer.fence, 0)}, {}}});
    process.locations[0].push_back(std::move(flush));
  }
  system_.processes.push_back(std::move(process));
}

} // namespace heddle::exports
