// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/sequentialize_memory.h"

#include "program/events/event_builder.h"
#include "support/overloaded.h"
#include "transform/sequential/cell_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace heddle::transform {

using logic::Op;
using program::LocalId;
using program::ProcedureId;
using program::Term;

namespace {

constexpr const char* kUndefinedAccess =
    "an access of memory that is none of the program's, or is accessed there in other pieces";

std::string cells_bound(std::uint32_t cells) {
  return fmt::format("--cells {}", cells);
}

/// Places that are cells of one size one after the other.
struct Row {
  CellPlace first;
  std::uint64_t count = 1;
  std::uint64_t stride = 0;
};

constexpr std::size_t kFewPlaces = 16;

std::vector<Row> each_of(const std::vector<CellPlace>& places) {
  std::vector<Row> rows;
  for (const CellPlace& place : places)
    rows.push_back({place});
  return rows;
}

/// Rows of at least three, where an index is a shift of the distance.
std::vector<Row> rows_of(const std::vector<CellPlace>& places, std::uint64_t size) {
  std::vector<Row> rows;
  for (const CellPlace& place : places) {
    if (!rows.empty() && std::has_single_bit(size)) {
      Row& row = rows.back();
      if (place.address == row.first.address + row.count * size &&
          place.cell == row.first.cell + row.count) {
        ++row.count;
        row.stride = size;
        continue;
      }
    }
    rows.push_back({place});
  }
  return rows;
}

} // namespace

SequentialMemory::SequentialMemory(SequentialWriter& writer,
                                   const program::Program& source,
                                   const std::vector<SequentialThread>& threads,
                                   const SharedCells& cells,
                                   const Abstraction& abstraction)
    : writer_(writer), cells_(cells),
      added_(writer.program(),
             abstraction,
             abstraction.is_asynchronous ? CellKnowledge{contents_of(source, threads, cells),
                                                         writers_of(source, threads, cells)}
                                         : CellKnowledge{}),
      cell_limit_(abstraction.cells), allocation_limit_(abstraction.allocations) {
  if (allocation_limit_)
    allocations_ = writer.local("", 32);
  // Blocks have addresses and ends, but what they hold is in the cells.
  for (const SharedBlock& block : cells.blocks()) {
    if (!block.is_allocated)
      continue;
    program::Object object;
    object.name = source.objects[block.object].name;
    object.loc = source.objects[block.object].loc;
    object.size = block.size;
    object.initial.resize(block.size, 0);
    object.unit = source.space().unit_of(block.base);
    writer.program().objects.push_back(std::move(object));
  }
}

LocalId SequentialMemory::call(const char* operation, std::vector<Term> arguments) {
  return writer_.call(added_.operation(operation), std::move(arguments));
}

Term SequentialMemory::fitted(Term value, unsigned width) {
  const unsigned given = terms().sort(value).width;
  if (given == width)
    return value;
  return given < width ? terms().zero_extend(value, width) : terms().extract(value, 0, width);
}

Term SequentialMemory::narrowed(LocalId value, unsigned size) {
  return fitted(writer_.value(value), 8 * size);
}

/// Globals have the first cells; without them there is no run at all.
bool SequentialMemory::has_room_for(const SharedBlock& block) const {
  return !cell_limit_ || block.first + block.cells.size() <= *cell_limit_;
}

void SequentialMemory::begin() {
  if (!std::ranges::all_of(cells_.blocks(), [&](const SharedBlock& block) {
        return block.is_allocated || has_room_for(block);
      })) {
    writer_.step_to(program::Cut{cells_bound(*cell_limit_)}, writer_.end());
    writer_.go_on_at(writer_.location()); // where nothing comes
  }
  program::Object& initial = writer_.program().objects[added_.initial_values()];
  const std::uint64_t base = writer_.program().space().base_of(initial.unit);
  for (const SharedBlock& block : cells_.blocks())
    for (std::size_t i = 0; i < block.cells.size() && has_room_for(block); ++i) {
      const std::uint64_t offset = 8ULL * (block.first + i);
      if (const std::optional<std::uint64_t> value = cells_.initial(block, block.cells[i])) {
        for (unsigned byte = 0; byte < 8; ++byte)
          initial.initial[offset + byte] = static_cast<std::uint8_t>(*value >> (8 * byte));
        continue;
      }
      const unsigned width = 8U * block.cells[i].size;
      const LocalId any = writer_.local("", width);
      writer_.step(program::Nondet{any, "memory that is not initialised"});
      writer_.step(program::Store{terms().constant(base + offset, writer_.program().pointer_bits()),
                                  fitted(writer_.value(any), 64),
                                  {.size = 8}});
    }
  call("sma_init", {});
}

void SequentialMemory::write_back(std::uint32_t thread) {
  begin_section(thread);
  for (const SharedBlock& block : cells_.blocks()) {
    if (block.is_allocated || !has_room_for(block))
      continue;
    for (std::size_t i = 0; i < block.cells.size(); ++i) {
      const SharedBlock::Cell& cell = block.cells[i];
      const Term value = read({number(block.first + i), true}, cell.size, thread);
      if (!writer_.program().objects[block.object].is_constant)
        writer_.step(program::Store{
            terms().constant(block.base + cell.offset, writer_.program().pointer_bits()),
            value,
            {.size = cell.size}});
    }
  }
  end_section(thread);
}

SequentialMemory::Place SequentialMemory::place(ProcedureId procedure,
                                                Term source_address,
                                                Term address,
                                                std::uint64_t offset,
                                                std::uint64_t size) {
  const unsigned width = terms().sort(address).width;
  std::vector<CellPlace> places = cells_.places(procedure, source_address, offset, size);
  if (cell_limit_) // nothing is ever allocated there
    std::erase_if(places, [&](const CellPlace& one) { return one.cell >= *cell_limit_; });
  std::sort(places.begin(), places.end(), [](const CellPlace& a, const CellPlace& b) {
    return a.address < b.address;
  });
  places.erase(std::unique(places.begin(), places.end()), places.end());
  const Term at = terms().binary(Op::kAdd, address, terms().constant(offset, width));
  if (terms().is_constant(at)) {
    for (const CellPlace& one : places)
      if (one.address == terms().node(at).value)
        return {number(one.cell), true};
    writer_.trap_unless(terms().boolean(false), kUndefinedAccess);
    return {number(0), true};
  }
  if (places.size() == 1) {
    writer_.trap_unless(terms().equal(at, terms().constant(places[0].address, width)),
                        kUndefinedAccess);
    return {number(places[0].cell), true};
  }
  Term cell = number(places.empty() ? 0 : places.back().cell);
  Term is_any = terms().boolean(false);
  // One by one where they are few: then nobody has to take other cells into account.
  const bool are_few = places.size() <= kFewPlaces;
  for (const Row& row : are_few ? each_of(places) : rows_of(places, size)) {
    const Term distance = terms().binary(Op::kSub, at, terms().constant(row.first.address, width));
    Term is_here = terms().equal(at, terms().constant(row.first.address, width));
    Term here = number(row.first.cell);
    if (row.count > 1) {
      is_here = terms().and_(
          terms().binary(Op::kULt, distance, terms().constant(row.count * row.stride, width)),
          terms().equal(
              terms().binary(Op::kBitAnd, distance, terms().constant(row.stride - 1, width)),
              terms().constant(0, width)));
      const auto shift = static_cast<unsigned>(std::countr_zero(row.stride));
      const Term index = terms().binary(Op::kLShr, distance, terms().constant(shift, width));
      here = terms().binary(Op::kAdd, number(row.first.cell), fitted(index, 32));
    }
    cell = terms().ite(is_here, here, cell);
    is_any = terms().or_(is_any, is_here);
  }
  writer_.trap_unless(is_any, kUndefinedAccess);
  const LocalId chosen = writer_.local("", 32);
  writer_.assign(chosen, cell);
  return {writer_.value(chosen), false};
}

Term SequentialMemory::read(const Place& place, unsigned size, std::uint32_t thread) {
  if (place.is_constant)
    return narrowed(call("sma_read", {place.cell, number(thread)}), size);
  const LocalId address = call("sma_address", {place.cell, number(thread)});
  return narrowed(call("sma_ind_read", {writer_.value(address), number(thread)}), size);
}

void SequentialMemory::write(const Place& place, Term value, std::uint32_t thread) {
  if (place.is_constant) {
    call("sma_write", {place.cell, fitted(value, 64), number(thread)});
    return;
  }
  const LocalId address = call("sma_address", {place.cell, number(thread)});
  call("sma_ind_write", {writer_.value(address), fitted(value, 64), number(thread)});
}

Term SequentialMemory::update(const Place& place,
                              std::uint32_t thread,
                              unsigned size,
                              const std::function<Term(Term)>& change) {
  const Term old = narrowed(call("sma_update_begin", {place.cell, number(thread)}), size);
  call("sma_update_end", {place.cell, fitted(change(old), 64), number(thread)});
  return old;
}

void SequentialMemory::lock(const Place& place, std::uint32_t thread) {
  call("sma_lock", {place.cell, number(thread)});
}

void SequentialMemory::create(std::uint32_t child, std::optional<std::uint32_t> parent) {
  call("sma_create", {number(child), number(parent ? *parent : 0xffff'ffffU)});
}

Term SequentialMemory::stops(std::uint32_t thread) {
  const LocalId answer = call("sma_stops", {number(thread)});
  const unsigned width = writer_.procedure().locals[answer].width;
  return terms().not_(terms().equal(writer_.value(answer), terms().constant(0, width)));
}

void SequentialMemory::load(const program::Load& action, Term source_address, const Context& at) {
  const Place where = place(at.procedure, source_address, action.address, 0, action.access.size);
  const Term value = read(where, action.access.size, at.thread);
  if (action.marks)
    writer_.assign(*action.marks, terms().constant(0, 8));
  writer_.assign(action.dest, fitted(value, writer_.procedure().locals[action.dest].width));
}

void SequentialMemory::store(const program::Store& action, Term source_address, const Context& at) {
  const Place where = place(at.procedure, source_address, action.address, 0, action.access.size);
  write(where, action.value, at.thread);
}

void SequentialMemory::modify(const program::ReadModifyWrite& action,
                              Term source_address,
                              const Context& at) {
  const Place where = place(at.procedure, source_address, action.address, 0, action.access.size);
  const Term old = update(where, at.thread, action.access.size, [&](Term value) {
    return program::rmw_result(
        terms(), action.op, value, fitted(action.value, 8U * action.access.size));
  });
  writer_.assign(action.dest, fitted(old, writer_.procedure().locals[action.dest].width));
}

/// A weak one that fails although it need not only reads.
void SequentialMemory::exchange(const program::CompareExchange& action,
                                Term source_address,
                                const Context& at) {
  const unsigned size = action.access.size;
  const Term expected = fitted(action.expected, 8 * size);
  const LocalId old = writer_.local("", 8 * size);
  const LocalId stored = writer_.local("", 1);
  const program::LocationId after = writer_.location();
  const program::LocationId fails = writer_.location();
  if (action.weak) {
    const LocalId spurious = writer_.local("", 1);
    writer_.step(program::Nondet{spurious, "a weak compare-exchange fails"});
    const Place where = place(at.procedure, source_address, action.address, 0, size);
    writer_.branch(terms().not_(terms().to_bool(writer_.value(spurious))), fails);
    const program::LocationId tries = writer_.at();
    writer_.go_on_at(fails);
    fence(at.thread);
    writer_.assign(old, read(where, size, at.thread));
    writer_.assume(terms().equal(writer_.value(old), expected));
    writer_.assign(stored, terms().constant(0, 1));
    writer_.jump(after);
    writer_.go_on_at(tries);
  }
  const Place where = place(at.procedure, source_address, action.address, 0, size);
  const LocalId found = call("sma_compare_exchange",
                             {where.cell,
                              fitted(expected, 64),
                              fitted(fitted(action.desired, 8 * size), 64),
                              number(at.thread)});
  writer_.assign(old, narrowed(found, size));
  writer_.assign(stored, terms().to_bit(terms().equal(writer_.value(old), expected)));
  writer_.jump(after);
  // The operands are read before the destinations change: they may be one local.
  const auto& locals = writer_.procedure().locals;
  writer_.assign(action.dest, fitted(writer_.value(old), locals[action.dest].width));
  writer_.assign(action.success, fitted(writer_.value(stored), locals[action.success].width));
}

void SequentialMemory::block_size(const program::BlockSize& action) {
  const unsigned width = terms().sort(action.address).width;
  const unsigned result = writer_.procedure().locals[action.dest].width;
  Term size = terms().constant(0, result);
  for (const SharedBlock& block : cells_.blocks())
    if (block.is_allocated)
      size = terms().ite(terms().equal(action.address, terms().constant(block.base, width)),
                         terms().constant(block.size, result),
                         size);
  writer_.assign(action.dest, size);
}

void SequentialMemory::allocate(const program::Allocate& action,
                                const SharedBlock& block,
                                const Context& at) {
  if (allocation_limit_ && action.where == ir::Allocate::Where::kHeap) {
    const Term made = writer_.value(allocations_);
    const program::LocationId cut = writer_.location();
    writer_.branch(terms().binary(Op::kULt, made, number(*allocation_limit_)), cut);
    const program::LocationId goes_on = writer_.at();
    writer_.go_on_at(cut);
    writer_.fail(program::Cut{fmt::format("--allocations {}", *allocation_limit_)});
    writer_.go_on_at(goes_on);
    writer_.assign(allocations_, terms().binary(Op::kAdd, made, number(1)));
  }
  if (!has_room_for(block)) {
    writer_.fail(program::Cut{cells_bound(*cell_limit_)});
    writer_.go_on_at(writer_.location()); // where nothing comes
  }
  call("sma_malloc", {number(block.first), number(block.cells.size()), number(at.thread)});
  writer_.assign(action.dest,
                 terms().constant(block.base, writer_.procedure().locals[action.dest].width));
}

bool SequentialMemory::write_action(const program::Action& action,
                                    const program::Action& source,
                                    const Context& at) {
  const auto shared = [&](Term address) { return is_shared(at.procedure, address); };
  return std::visit(Overloaded{
                        [&](const program::Load& a) {
                          const Term address = std::get<program::Load>(source).address;
                          if (!shared(address))
                            return false;
                          load(a, address, at);
                          return true;
                        },
                        [&](const program::Store& a) {
                          const Term address = std::get<program::Store>(source).address;
                          if (!shared(address))
                            return false;
                          store(a, address, at);
                          return true;
                        },
                        [&](const program::ReadModifyWrite& a) {
                          const Term address = std::get<program::ReadModifyWrite>(source).address;
                          if (!shared(address))
                            return false;
                          modify(a, address, at);
                          return true;
                        },
                        [&](const program::CompareExchange& a) {
                          const Term address = std::get<program::CompareExchange>(source).address;
                          if (!shared(address))
                            return false;
                          exchange(a, address, at);
                          return true;
                        },
                        [&](const program::Fence& a) {
                          if (a.strength == program::Fence::Strength::kFull)
                            fence(at.thread);
                          else if (a.strength == program::Fence::Strength::kStoreStore)
                            call("sma_store_fence", {number(at.thread)});
                          else
                            writer_.step(program::Skip{});
                          return true;
                        },
                        [&](const program::Allocate& a) {
                          const SharedBlock* const block = cells_.allocated(at.thread, at.edge);
                          if (block == nullptr)
                            return false;
                          allocate(a, *block, at);
                          return true;
                        },
                        [&](const program::Free&) {
                          if (!shared(std::get<program::Free>(source).address))
                            return false;
                          writer_.step(program::Skip{}); // freed memory is not used again
                          return true;
                        },
                        [&](const program::BlockSize& a) {
                          if (!shared(std::get<program::BlockSize>(source).address))
                            return false;
                          block_size(a);
                          return true;
                        },
                        [&](const program::AtomicBegin&) {
                          if (at.section == 0)
                            begin_section(at.thread);
                          else
                            writer_.step(program::Skip{});
                          return true;
                        },
                        [&](const program::AtomicEnd&) {
                          if (at.section == 1)
                            end_section(at.thread);
                          else
                            writer_.step(program::Skip{});
                          return true;
                        },
                        [](const auto&) { return false; }, // all that is the thread's own affair
                    },
                    action);
}

} // namespace heddle::transform
