// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/scenarios/harness_effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace heddle::object {

namespace {

using How = EffectPlace::How;

using ir::kByte;

/// A sequence of instructions of a function.
class Inserted {
public:
  Inserted(ir::Function& function, SourceLoc loc) : function_(function), loc_(loc) {}
  void emit(ir::Operation operation) { instructions.push_back({std::move(operation), loc_}); }
  ir::RegisterId make(ir::Type type) { return function_.registers.push_back({type, {}, {}}); }
  ir::RegisterId compute(ir::Type type, ir::Op op, std::vector<ir::Operand> operands) {
    const ir::RegisterId dest = make(type);
    emit(ir::Compute{dest, op, std::move(operands)});
    return dest;
  }
  ir::RegisterId load(ir::GlobalId cell) {
    const ir::RegisterId dest = make(kWord);
    emit(ir::Load{dest, ir::GlobalAddress{cell}, {}});
    return dest;
  }
  void store(ir::GlobalId cell, const ir::Operand& value) {
    emit(ir::Store{ir::GlobalAddress{cell}, value, kWord, {}});
  }
  ir::RegisterId shifted(const ir::Operand& value, std::uint64_t bits) {
    return compute(kWord, ir::Op::kShl, {value, word(bits)});
  }
  std::vector<ir::Instruction> instructions;

private:
  ir::Function& function_;
  SourceLoc loc_;
};

class Recording {
public:
  Recording(const EffectCells& cells, ir::GlobalId clock) : cells_(cells), clock_(clock) {}

  void around(Inserted& code, ir::Instruction access, How how) const {
    if (how == How::kFlush) {
      const ir::RegisterId first = put_marker(code);
      code.instructions.push_back(std::move(access));
      const ir::RegisterId last = put_marker(code);
      keep(code, EffectCells::kFlushed, first, last);
      return;
    }
    const ir::RegisterId first = time_now(code);
    code.instructions.push_back(std::move(access));
    const ir::RegisterId last = time_now(code);
    keep(code, EffectCells::kDirect, first, last);
  }

private:
  [[nodiscard]] ir::RegisterId time_now(Inserted& code) const {
    const ir::RegisterId read = code.make(kByte);
    code.emit(ir::Load{read, ir::GlobalAddress{clock_}, kRelaxed});
    return code.compute(kWord, ir::Op::kZExt, {read});
  }
  [[nodiscard]] ir::RegisterId put_marker(Inserted& code) const {
    const ir::RegisterId last = code.load(cells_.marker);
    const ir::RegisterId next = code.compute(kWord, ir::Op::kAdd, {last, word(1)});
    // More markers than a byte can count end the run outside of the clock: an access that is not
    // valid, so that the verdict is unknown rather than about numbers that came round.
    const ir::RegisterId beyond = code.compute(kWord, ir::Op::kLShr, {next, word(8)});
    const ir::RegisterId outside = code.shifted(beyond, 12);
    const ir::RegisterId own = code.load(cells_.place);
    const ir::RegisterId place = code.compute(kWord, ir::Op::kAdd, {own, outside});
    const ir::RegisterId address =
        code.compute(ir::Type::pointer(), ir::Op::kPtrAdd, {ir::GlobalAddress{clock_}, place});
    const ir::RegisterId byte = code.compute(kByte, ir::Op::kTrunc, {next});
    code.emit(ir::Store{address, byte, kByte, kRelaxed});
    code.store(cells_.marker, next);
    return next;
  }
  void keep(Inserted& code, std::uint64_t what, ir::RegisterId first, ir::RegisterId last) const {
    const ir::RegisterId begin = code.shifted(first, 8);
    const ir::RegisterId end = code.shifted(last, 16);
    const ir::RegisterId times = code.compute(kWord, ir::Op::kOr, {begin, end});
    code.store(cells_.effect, code.compute(kWord, ir::Op::kOr, {times, word(what)}));
  }

  EffectCells cells_;
  ir::GlobalId clock_;
};

} // namespace

std::optional<How> effect_of(const ir::Operation& operation) {
  if (std::holds_alternative<ir::Load>(operation))
    return How::kRead;
  if (std::holds_alternative<ir::CompareExchange>(operation) ||
      std::holds_alternative<ir::ReadModifyWrite>(operation))
    return How::kUpdate;
  if (std::holds_alternative<ir::Store>(operation))
    return How::kFlush;
  return std::nullopt;
}

Result<std::vector<EffectAccess>> effect_accesses(const ir::Module& module,
                                                  const std::vector<EffectPlace>& places) {
  std::vector<EffectAccess> found;
  std::vector<bool> is_found(places.size(), false);
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    const ir::FunctionId id{f};
    const ir::Function& function = module.functions[id];
    for (std::size_t b = 0; b < function.blocks.size(); ++b) {
      const ir::BlockId block{b};
      const auto& instructions = function.blocks[block].instructions;
      for (std::size_t i = 0; i < instructions.size(); ++i) {
        const std::optional<How> how = effect_of(instructions[i].operation);
        if (!how)
          continue;
        EffectAccess access{id, block, i, *how, false, false};
        for (std::size_t p = 0; p < places.size(); ++p) {
          const EffectPlace& place = places[p];
          if (place.function != function.name || place.line != instructions[i].loc.line ||
              place.how != *how)
            continue;
          is_found[p] = true;
          access.counts_if_equal |= !place.returns || !place.returns->is_other;
          access.counts_if_other |= !place.returns || place.returns->is_other;
        }
        if (access.counts_if_equal || access.counts_if_other)
          found.push_back(access);
      }
    }
  }
  const auto missing = std::ranges::find(is_found, false);
  if (missing == is_found.end())
    return found;
  const EffectPlace& place = places[static_cast<std::size_t>(missing - is_found.begin())];
  return Error{ErrorKind::kInput,
               "HAR-004",
               fmt::format("there is no {} at line {} of '{}'",
                           place.how == How::kFlush  ? "store"
                           : place.how == How::kRead ? "load"
                                                     : "atomic update",
                           place.line,
                           place.function)};
}

void replace_accesses(ir::Module& module,
                      const std::vector<EffectAccess>& accesses,
                      const ReplaceAccess& replace) {
  // From the end, so that what comes before an access stays where it is.
  for (std::size_t i = accesses.size(); i-- > 0;) {
    ir::Function& function = module.functions[accesses[i].function];
    auto& instructions = function.blocks[accesses[i].block].instructions;
    const auto place = instructions.begin() + static_cast<std::ptrdiff_t>(accesses[i].index);
    std::vector<ir::Instruction> instead = replace(function, i, std::move(*place));
    const auto next = instructions.erase(place);
    instructions.insert(
        next, std::make_move_iterator(instead.begin()), std::make_move_iterator(instead.end()));
  }
}

ir::GlobalId own_word(ir::Module& module, std::string name) {
  ir::Global made;
  made.name = std::move(name);
  made.size = 8;
  made.align = 8;
  made.is_internal = true;
  made.is_thread_local = true;
  made.scalar_bits = 64;
  return module.globals.push_back(std::move(made));
}

void EffectCells::reset(Code& code, std::size_t thread) const {
  code.emit(ir::Store{ir::GlobalAddress{effect}, word(0), kWord, {}});
  code.emit(ir::Store{ir::GlobalAddress{place}, word(thread + 1), kWord, {}});
}

void EffectCells::take(Code& code, ir::RegisterId dest) const {
  code.emit(ir::Load{dest, ir::GlobalAddress{effect}, {}});
}

Result<EffectCells>
record_effects(ir::Module& module, ir::GlobalId clock, const std::vector<EffectPlace>& places) {
  const Result<std::vector<EffectAccess>> accesses = effect_accesses(module, places);
  if (!accesses)
    return accesses.error();
  const EffectCells cells{own_word(module, "__heddle_effect"),
                          own_word(module, "__heddle_marker"),
                          own_word(module, "__heddle_place")};
  const Recording recording(cells, clock);
  replace_accesses(module,
                   *accesses,
                   [&](ir::Function& function, std::size_t access, ir::Instruction instruction) {
                     const SourceLoc nowhere = {};
                     Inserted inserted(function, nowhere);
                     recording.around(inserted, std::move(instruction), (*accesses)[access].how);
                     return std::move(inserted.instructions);
                   });
  return cells;
}

} // namespace heddle::object
