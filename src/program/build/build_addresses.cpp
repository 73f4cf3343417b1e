// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/build/build_addresses.h"

#include "ir/operands.h"
#include "program/build/address_roots.h"
#include "program/build/address_value.h"
#include "program/build/build_handles.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace heddle::program {

namespace {

/// What malloc promises (max_align_t).
constexpr std::uint64_t kHeapAlignment64 = 16;
constexpr std::uint64_t kHeapAlignment32 = 8;
/// Beyond this many, what an object holds is kept as one cell for each size.
constexpr std::size_t kMostCells = 64;

/// How many bytes are accessed, and whether as a pointer.
struct Form {
  std::uint64_t size = 0;
  bool is_pointer = false;
  bool operator==(const Form&) const = default;
};

struct Cell {
  Offsets offsets;
  Form form;
  AddressValue value;
};

/// An object, or all that one place of the source makes.
struct Base {
  std::uint64_t alignment = 1;
  bool is_single = false; // there is one of it in a run
  std::vector<Cell> cells = {};
  ir::FunctionId function = {}; // if it is one
};

/// Our own functions (runtime/) mean the same wherever objects lie, also those that look (memmove).
/// Only what qsort makes of the bytes of addresses is lost by this.
bool is_runtime(const ir::Module& module, const ir::Function& function) {
  return function.name.starts_with("__heddle_") ||
         (function.loc.file < module.files.size() &&
          module.files[function.loc.file].ends_with("heddle_runtime.c"));
}
bool is_copy(const ir::Function& function) {
  constexpr std::string_view kCopies[] = {
      "__heddle_memcpy", "__heddle_memcpy_words", "__heddle_memmove", "__heddle_mempcpy"};
  return std::ranges::find(kCopies, function.name) != std::end(kCopies);
}

class AddressViews {
public:
  AddressViews(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry)
      : module_(module), reachable_(reachable), roots_(module, reachable, entry),
        values_(module.functions.size()), results_(module.functions.size()) {
    bases_.emplace_back(); // numbers
    for (std::size_t i = 0; i < module.functions.size(); ++i)
      values_[ir::FunctionId{i}].resize(module.functions[ir::FunctionId{i}].registers.size());
  }

  LookedAt run(ir::FunctionId entry) {
    const bool may_look_at_addresses = may_look();
    const bool may_look_at_handles = may_handles_recur(module_, reachable_, entry);
    if (!may_look_at_addresses && !may_look_at_handles)
      return {};
    read_initial_bytes();
    for (is_changed_ = true; is_changed_;) {
      is_changed_ = false;
      found_ = {};
      for (std::size_t i = 0; i < module_.functions.size(); ++i)
        if (reachable_.functions[ir::FunctionId{i}])
          walk(ir::FunctionId{i});
    }
    if (!may_look_at_addresses)
      found_.address.reset();
    if (!may_look_at_handles)
      found_.handle.reset();
    return found_;
  }

private:
  using Key = std::tuple<unsigned, std::uint32_t, std::uint32_t, std::uint32_t>;
  enum Kind : unsigned { kGlobal, kFunction, kSlot, kHeap };

  /// Most programs with few pointers need no closer look: nothing becomes a number, neither by an
  /// operation nor through memory.
  [[nodiscard]] bool may_look() const {
    for (std::size_t i = 0; i < module_.functions.size(); ++i) {
      const ir::Function& function = module_.functions[ir::FunctionId{i}];
      if (!reachable_.functions[ir::FunctionId{i}] || is_runtime(module_, function))
        continue;
      for (const ir::Block& block : function.blocks)
        for (const ir::Instruction& instruction : block.instructions) {
          if (const auto* store = std::get_if<ir::Store>(&instruction.operation))
            if (store->type.is_pointer())
              return true;
          const auto* compute = std::get_if<ir::Compute>(&instruction.operation);
          if (compute == nullptr || compute->op == ir::Op::kEq || compute->op == ir::Op::kNe ||
              function.registers[compute->dest].type.is_pointer())
            continue;
          if (std::ranges::any_of(compute->operands, [&](const ir::Operand& operand) {
                return is_pointer(function, operand);
              }))
            return true;
        }
    }
    return false;
  }
  static bool is_pointer(const ir::Function& function, const ir::Operand& operand) {
    return std::visit(
        Overloaded{
            [](const ir::Constant&) { return false; },
            [&](const ir::RegisterId& id) { return function.registers[id].type.is_pointer(); },
            [](const ir::GlobalAddress&) { return true; },
            [](const ir::FunctionAddress&) { return true; },
            [](const ir::SlotAddress&) { return true; },
        },
        operand);
  }

  AddressBase base(Key key, std::uint64_t alignment, bool is_single) {
    const auto [entry, is_new] = numbers_.try_emplace(key, static_cast<AddressBase>(bases_.size()));
    if (is_new) {
      bases_.push_back({std::max<std::uint64_t>(alignment, 1), is_single});
      if (std::get<0>(key) == kFunction)
        bases_.back().function = ir::FunctionId{std::size_t{std::get<1>(key)}};
    }
    return entry->second;
  }
  AddressValue global(const ir::GlobalAddress& address) {
    const ir::Global& global = module_.globals[address.global];
    return AddressValue::of(
        base({kGlobal, address.global.value, 0, 0}, global.align, !global.is_thread_local),
        address.offset);
  }
  AddressValue function(const ir::FunctionAddress& address) {
    return AddressValue::of(base({kFunction, address.function.value, 0, 0}, 1, true), 0);
  }
  AddressValue value(const ir::Operand& operand) {
    return std::visit(
        Overloaded{
            [&](const ir::Constant& constant) {
              return AddressValue::number(constant.value, module_.bits(constant.type));
            },
            [&](const ir::RegisterId& id) { return values_[here_][id.index()]; },
            [&](const ir::GlobalAddress& address) { return global(address); },
            [&](const ir::FunctionAddress& address) { return function(address); },
            [&](const ir::SlotAddress& address) {
              const ir::Slot& slot = module_.functions[here_].slots[address.slot];
              return AddressValue::of(base({kSlot, here_.value, address.slot.value, 0},
                                           slot.align,
                                           roots_.runs_once(here_)),
                                      0);
            },
        },
        operand);
  }

  void read_initial_bytes() {
    for (std::size_t i = 0; i < module_.globals.size(); ++i) {
      if (!reachable_.globals[ir::GlobalId{i}])
        continue;
      const ir::Global& one = module_.globals[ir::GlobalId{i}];
      const AddressBase holder = global({ir::GlobalId{i}, 0}).parts.front().base;
      for (const ir::Relocation& relocation : one.relocations)
        write_cell(holder,
                   {static_cast<std::int64_t>(relocation.offset), 0},
                   form(ir::Type::pointer()),
                   std::visit(Overloaded{
                                  [&](const ir::GlobalAddress& to) { return global(to); },
                                  [&](const ir::FunctionAddress& to) { return function(to); },
                              },
                              relocation.target));
    }
  }

  void join(AddressValue& into, const AddressValue& more) {
    is_changed_ = into.join(more) || is_changed_;
  }
  void assign(ir::RegisterId dest, const AddressValue& given) {
    join(values_[here_][dest.index()], given);
  }
  [[nodiscard]] unsigned bits(ir::RegisterId id) const {
    return module_.bits(module_.functions[here_].registers[id].type);
  }
  [[nodiscard]] Form form(ir::Type type) const {
    return {(module_.bits(type) + 7) / 8, type.is_pointer()};
  }
  [[nodiscard]] Form form(ir::RegisterId id) const {
    return form(module_.functions[here_].registers[id].type);
  }

  /// What is read as one number. Part of an address is a number that depends on it; but pieces that
  /// were copied one by one are put together again.
  AddressValue read(const AddressValue& address, Form form, bool is_copied) const {
    const std::uint64_t whole = module_.pointer_bits() / 8;
    AddressValue result = AddressValue::number(0, 8);
    for (const AddressPart& part : address.parts) {
      const std::vector<Cell>& cells = bases_[part.base].cells;
      const auto how = [&](const Cell& cell) {
        return overlap(part.offsets, form.size, cell.offsets, cell.form.size);
      };
      const auto is_exact = [&](const Cell& cell) {
        return part.offsets.stride == 0 && cell.offsets.stride == 0;
      };
      // Where the place is not known exactly (an array among other members), what was written in
      // the same form is what is meant.
      const bool is_met = std::ranges::any_of(cells, [&](const Cell& cell) {
        return cell.form == form && how(cell) != Overlap::kNever;
      });
      for (const Cell& cell : cells) {
        if (how(cell) == Overlap::kNever || (is_met && !is_exact(cell) && cell.form != form))
          continue;
        if (how(cell) == Overlap::kSame || is_copied || !cell.value.has_base() ||
            (cell.form.size <= form.size && form.size >= whole))
          result.join(cell.value);
        else
          // Pieces of an address that were copied one by one are no numbers.
          result.depends = result.depends || (cell.form.size >= whole && !is_runtime_);
      }
    }
    return result;
  }
  void write(const AddressValue& address, Form form, const AddressValue& stored) {
    for (const AddressPart& part : address.parts)
      if (part.base != kNumberBase)
        write_cell(part.base, part.offsets, form, stored);
  }
  void write_cell(AddressBase holder, Offsets offsets, Form form, const AddressValue& stored) {
    std::vector<Cell>& cells = bases_[holder].cells;
    for (Cell& cell : cells)
      if (cell.form == form && cell.offsets.join(offsets) == cell.offsets) {
        join(cell.value, stored);
        return;
      }
    is_changed_ = true;
    if (cells.size() >= kMostCells) {
      for (Cell& cell : cells)
        if (cell.form == form) {
          cell.offsets = cell.offsets.join(offsets);
          cell.value.join(stored);
          return;
        }
    }
    cells.push_back({offsets, form, stored});
  }
  void copy(const AddressValue& target, const AddressValue& source) {
    for (const AddressPart& from : source.parts) {
      const std::vector<Cell> cells = bases_[from.base].cells;
      for (const AddressPart& to : target.parts)
        if (to.base != kNumberBase)
          for (const Cell& cell : cells)
            write_cell(to.base,
                       cell.offsets.shifted(to.offsets.first)
                           .shifted(-from.offsets.first)
                           .with_stride(to.offsets.stride)
                           .with_stride(from.offsets.stride),
                       cell.form,
                       cell.value);
    }
  }

  void look(const AddressValue& seen) {
    if (is_runtime_)
      return;
    if (seen.depends && (!found_.address || loc_ < *found_.address))
      found_.address = loc_;
    if (seen.is_of_handle && (!found_.handle || loc_ < *found_.handle))
      found_.handle = loc_;
  }
  AddressValue compute(ir::Op op,
                       unsigned width,
                       const std::vector<AddressValue>& operands,
                       const std::vector<ir::Operand>& named) const {
    const BaseFacts facts{module_.pointer_bits(),
                          [&](AddressBase one) { return bases_[one].alignment; },
                          [&](AddressBase one) {
                            return bases_[one].is_single ||
                                   (named.size() == 2 &&
                                    roots_.have_one_root(here_, named[0], named[1]));
                          }};
    AddressValue result = address_value(op, width, operands, facts);
    if (is_runtime_)
      result.depends = std::ranges::any_of(operands, &AddressValue::depends);
    // What our own tables hold of a thread is the same whatever its number is.
    result.is_of_handle = !(op == ir::Op::kPtrAdd && is_of_runtime(named)) &&
                          std::ranges::any_of(operands, &AddressValue::is_of_handle);
    return result;
  }

  [[nodiscard]] bool is_of_runtime(const std::vector<ir::Operand>& named) const {
    const auto* address = named.empty() ? nullptr : std::get_if<ir::GlobalAddress>(&named.front());
    return address != nullptr && module_.globals[address->global].name.starts_with("__heddle_");
  }
  /// What ends in a trap has no verdict.
  [[nodiscard]] bool is_trap(ir::BlockId block) const {
    const std::vector<ir::Instruction>& instructions =
        module_.functions[here_].blocks[block].instructions;
    return !instructions.empty() &&
           std::holds_alternative<ir::Trap>(instructions.front().operation);
  }

  void walk(ir::FunctionId id) {
    here_ = id;
    is_runtime_ = is_runtime(module_, module_.functions[id]);
    if (is_copy(module_.functions[id]))
      return;
    const ir::Function& function = module_.functions[id];
    for (std::size_t b = 0; b < function.blocks.size(); ++b)
      for (std::size_t i = 0; i < function.blocks[ir::BlockId{b}].instructions.size(); ++i) {
        const ir::Instruction& instruction = function.blocks[ir::BlockId{b}].instructions[i];
        loc_ = instruction.loc;
        step(instruction.operation, ir::BlockId{b}, static_cast<std::uint32_t>(i));
      }
  }

  void call(const ir::Call& i) {
    const AddressValue callee = value(i.callee);
    look(callee);
    for (const AddressPart& part : callee.parts) {
      const ir::FunctionId target = bases_[part.base].function;
      if (!target.is_valid())
        continue;
      const ir::Function& function = module_.functions[target];
      if (is_copy(function) && i.arguments.size() >= 2) {
        copy(value(i.arguments[0]), value(i.arguments[1]));
        if (i.dest)
          assign(*i.dest, value(i.arguments[0]));
        continue;
      }
      pass(target, i.arguments);
      if (!i.dest)
        continue;
      AddressValue result = results_[target];
      // It compares the bytes of addresses.
      if (function.name == "__heddle_memcmp" && i.arguments.size() >= 2 &&
          holds_addresses(value(i.arguments[0])) && holds_addresses(value(i.arguments[1])))
        result.depends = true;
      assign(*i.dest, result);
    }
  }
  [[nodiscard]] bool holds_addresses(const AddressValue& places) const {
    return std::ranges::any_of(places.parts, [&](const AddressPart& part) {
      return std::ranges::any_of(bases_[part.base].cells,
                                 [](const Cell& cell) { return cell.value.has_base(); });
    });
  }
  void pass(ir::FunctionId target, std::span<const ir::Operand> arguments) {
    const std::size_t count =
        std::min<std::size_t>(arguments.size(), module_.functions[target].parameter_count);
    for (std::size_t n = 0; n < count; ++n)
      join(values_[target][n], value(arguments[n]));
  }
  void synchronize(const ir::Synchronize& i) {
    if (i.op == ir::SyncOp::kCreate) {
      for (const AddressPart& part : value(i.operands[0]).parts)
        if (const ir::FunctionId target = bases_[part.base].function; target.is_valid()) {
          pass(target, std::span(i.operands).subspan(1));
          join(thread_results_, results_[target]);
        }
    } else {
      for (const ir::Operand& operand : i.operands) {
        AddressValue seen = value(operand);
        // Whom a handle names is not asked of its number.
        if (i.op == ir::SyncOp::kJoin || i.op == ir::SyncOp::kDetach)
          seen.is_of_handle = false;
        look(seen);
      }
    }
    if (!i.dest)
      return;
    AddressValue result =
        i.op == ir::SyncOp::kJoin ? thread_results_ : AddressValue::any_number(4095);
    if (i.op == ir::SyncOp::kCreate || i.op == ir::SyncOp::kSelf)
      result.is_of_handle = true;
    assign(*i.dest, result);
  }

  static std::optional<ir::Op> pure(ir::RmwOp op) {
    switch (op) {
    case ir::RmwOp::kAdd:
      return ir::Op::kAdd;
    case ir::RmwOp::kSub:
      return ir::Op::kSub;
    case ir::RmwOp::kAnd:
      return ir::Op::kAnd;
    case ir::RmwOp::kOr:
      return ir::Op::kOr;
    case ir::RmwOp::kXor:
      return ir::Op::kXor;
    case ir::RmwOp::kExchange:
    case ir::RmwOp::kNand:
    case ir::RmwOp::kMax:
    case ir::RmwOp::kMin:
    case ir::RmwOp::kUMax:
    case ir::RmwOp::kUMin:
      return std::nullopt;
    }
    return std::nullopt;
  }
  void update(const ir::ReadModifyWrite& i) {
    const AddressValue address = value(i.address);
    look(address);
    const Form how = form(i.dest);
    const AddressValue old = read(address, how, false);
    const AddressValue operand = value(i.value);
    assign(i.dest, old);
    if (i.op == ir::RmwOp::kExchange) {
      write(address, how, operand);
    } else if (const std::optional<ir::Op> op = pure(i.op)) {
      write(address, how, compute(*op, bits(i.dest), {old, operand}, {}));
    } else {
      AddressValue result = AddressValue::any_number(~0ULL);
      result.depends = old.depends || operand.depends || old.has_base() || operand.has_base();
      result.is_of_handle = old.is_of_handle || operand.is_of_handle;
      write(address, how, result);
    }
  }
  void exchange(const ir::CompareExchange& i) {
    const AddressValue address = value(i.address);
    look(address);
    const Form how = form(i.dest);
    const AddressValue old = read(address, how, false);
    assign(i.dest, old);
    const AddressValue success = compute(ir::Op::kEq, 1, {old, value(i.expected)}, {});
    look(success);
    assign(i.success, success);
    write(address, how, value(i.desired));
  }
  void store(const ir::Operand& to, const ir::Operand& what, Form how) {
    const AddressValue address = value(to);
    look(address);
    write(address, how, value(what));
  }
  void load(ir::RegisterId dest, const ir::Operand& from, bool is_copied) {
    const AddressValue address = value(from);
    look(address);
    assign(dest, read(address, form(dest), is_copied));
  }

  void step(const ir::Operation& operation, ir::BlockId block, std::uint32_t index) {
    std::visit(
        Overloaded{
            [&](const ir::Compute& i) {
              std::vector<AddressValue> operands;
              for (const ir::Operand& operand : i.operands)
                operands.push_back(value(operand));
              assign(i.dest, compute(i.op, bits(i.dest), operands, i.operands));
            },
            [&](const ir::Nondet& i) {
              assign(i.dest, AddressValue::any_number(logic::mask_of(bits(i.dest))));
            },
            [&](const ir::Load& i) {
              load(i.dest, i.address, i.marks.has_value());
              if (i.marks)
                assign(*i.marks, AddressValue::any_number(255));
            },
            [&](const ir::Store& i) { store(i.address, i.value, form(i.type)); },
            [&](const ir::LoadExclusive& i) { load(i.dest, i.address, false); },
            [&](const ir::StoreExclusive& i) {
              store(i.address, i.value, form(i.type));
              assign(i.success, AddressValue::any_number(1));
            },
            [&](const ir::ReadModifyWrite& i) { update(i); },
            [&](const ir::CompareExchange& i) { exchange(i); },
            [](const ir::Fence&) {},
            [&](const ir::Allocate& i) {
              look(value(i.size));
              const bool is_64 = module_.pointer_bits() == 64;
              AddressValue made = AddressValue::of(
                  base({kHeap, here_.value, block.value, index},
                       is_64 ? kHeapAlignment64 : kHeapAlignment32,
                       roots_.runs_once(here_) && !roots_.is_in_loop(here_, block)),
                  0);
              made.join(AddressValue::number(0, 64));
              assign(i.dest, made);
            },
            [&](const ir::Free& i) { look(value(i.address)); },
            [&](const ir::BlockSize& i) { assign(i.dest, AddressValue::any_number(~0ULL)); },
            [&](const ir::Call& i) { call(i); },
            [&](const ir::Synchronize& i) { synchronize(i); },
            [](const ir::AtomicBegin&) {},
            [](const ir::AtomicEnd&) {},
            [&](const ir::Assume& i) { look(value(i.condition)); },
            [&](const ir::Assert& i) { look(value(i.condition)); },
            [](const ir::Hint&) {},
            [](const ir::Trap&) {},
            [](const ir::Jump&) {},
            [&](const ir::Branch& i) {
              AddressValue seen = value(i.condition);
              seen.is_of_handle = seen.is_of_handle && !is_trap(i.if_true) && !is_trap(i.if_false);
              look(seen);
            },
            [&](const ir::Switch& i) {
              AddressValue chosen = value(i.value);
              for (const ir::SwitchCase& one : i.cases)
                chosen.depends =
                    chosen.depends ||
                    compute(ir::Op::kEq,
                            1,
                            {chosen, AddressValue::number(one.value, module_.pointer_bits())},
                            {})
                        .depends;
              look(chosen);
            },
            [&](const ir::Return& i) {
              if (i.value)
                join(results_[here_], value(*i.value));
            },
            [&](const ir::ThreadExit& i) {
              if (i.value)
                join(thread_results_, value(*i.value));
            },
            [](const ir::Exit&) {},
            [](const ir::Unreachable&) {},
        },
        operation);
  }

  const ir::Module& module_;
  const Reachable& reachable_;
  AddressRoots roots_;
  std::vector<Base> bases_;
  std::map<Key, AddressBase> numbers_;
  IdVector<ir::FunctionId, std::vector<AddressValue>> values_; // by register
  IdVector<ir::FunctionId, AddressValue> results_;
  AddressValue thread_results_;
  LookedAt found_;
  bool is_changed_ = false;
  ir::FunctionId here_ = {};
  bool is_runtime_ = false; // what is here
  SourceLoc loc_ = {};
};

} // namespace

LookedAt
find_address_as_number(const ir::Module& module, const Reachable& reachable, ir::FunctionId entry) {
  return AddressViews(module, reachable, entry).run(entry);
}

} // namespace heddle::program
