// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/basic/fence_places.h"

#include "ir/operands.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace heddle::transform {

namespace {

using Where = FencePlace::Where;

constexpr std::string_view kMarkTag = "fence-place-";

/// The places of one function, each once: the most telling name wins.
class Places {
public:
  Places(ir::FunctionId id, const ir::Function& function) : id_(id), function_(function) {}

  std::vector<FencePlace> run() {
    const std::vector<bool> meets = blocks_where_paths_meet();
    for (std::size_t i = 0; i < function_.blocks.size(); ++i) {
      const ir::BlockId block{i};
      if (i == 0)
        add(Where::kStart, block, 0, function_.loc);
      else if (meets[i])
        add(Where::kMeeting, block, 0, first_loc(function_.blocks[block]));
      visit(block);
    }
    std::vector<FencePlace> places;
    for (const auto& [key, place] : found_)
      places.push_back(place);
    return places;
  }

private:
  void visit(ir::BlockId block) {
    const auto& instructions = function_.blocks[block].instructions;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const ir::Instruction& instruction = instructions[i];
      if (const auto* store = std::get_if<ir::Store>(&instruction.operation)) {
        const bool is_private = std::holds_alternative<ir::SlotAddress>(store->address);
        add(is_private ? Where::kAtPrivate : Where::kBeforeStore, block, i, instruction.loc);
        add(is_private ? Where::kAtPrivate : Where::kAfterStore, block, i + 1, instruction.loc);
      } else if (std::holds_alternative<ir::Call>(instruction.operation)) {
        add(Where::kAfterCall, block, i + 1, instruction.loc);
      }
    }
  }

  [[nodiscard]] std::vector<bool> blocks_where_paths_meet() const {
    std::vector<std::uint32_t> predecessors(function_.blocks.size(), 0);
    for (const ir::Block& block : function_.blocks)
      for (const ir::Instruction& instruction : block.instructions)
        ir::for_each_target(instruction.operation,
                            [&](ir::BlockId target) { ++predecessors[target.index()]; });
    std::vector<bool> meets;
    for (const std::uint32_t count : predecessors)
      meets.push_back(count > 1);
    return meets;
  }

  static SourceLoc first_loc(const ir::Block& block) {
    for (const ir::Instruction& instruction : block.instructions)
      if (instruction.loc.is_known())
        return instruction.loc;
    return {};
  }

  void add(Where where, ir::BlockId block, std::size_t before, SourceLoc loc) {
    const FencePlace place{where, id_, block, static_cast<std::uint32_t>(before), loc};
    const auto [known, is_new] = found_.try_emplace({block.index(), place.before}, place);
    // Between two stores: behind the first.
    if (!is_new && where < known->second.where &&
        !(where == Where::kBeforeStore && known->second.where == Where::kAfterStore))
      known->second = place;
  }

  ir::FunctionId id_;
  const ir::Function& function_;
  std::map<std::pair<std::size_t, std::uint32_t>, FencePlace> found_;
};

ir::Instruction fence(FenceKind kind, SourceLoc loc) {
  const ir::Order order = kind == FenceKind::kFull ? ir::Order::kSeqCst : ir::Order::kRelease;
  return {ir::Fence{{ir::AccessKind::kAtomic, order, {}}}, loc};
}

/// An acquire fence is a step that does nothing on the machines.
ir::Instruction mark(std::size_t place, SourceLoc loc) {
  ir::Access access{ir::AccessKind::kAtomic, ir::Order::kAcquire, {}};
  access.tags.push_back(fmt::format("{}{}", kMarkTag, place));
  return {ir::Fence{std::move(access)}, loc};
}

} // namespace

std::vector<FencePlace> fence_places(const ir::Module& module) {
  std::vector<FencePlace> places;
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const ir::FunctionId id{i};
    const ir::Function& function = module.functions[id];
    if (function.is_declaration())
      continue;
    const std::vector<FencePlace> more = Places(id, function).run();
    places.insert(places.end(), more.begin(), more.end());
  }
  std::vector<FencePlace> ordered;
  for (const Where where : {Where::kBeforeStore,
                            Where::kAfterStore,
                            Where::kMeeting,
                            Where::kAfterCall,
                            Where::kStart,
                            Where::kAtPrivate})
    std::ranges::copy_if(places, std::back_inserter(ordered), [where](const FencePlace& place) {
      return place.where == where;
    });
  return ordered;
}

ir::Module with_fences(const ir::Module& module,
                       const std::vector<FencePlace>& places,
                       const std::vector<FenceKind>& kinds,
                       bool marks) {
  HEDDLE_CHECK(places.size() == kinds.size(), "a kind of fence for each place");
  ir::Module fenced = module;
  // From the back, so that what comes before stays where it was.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (marks || kinds[i] != FenceKind::kNone)
      order.push_back(i);
  std::ranges::sort(order, std::ranges::greater{}, [&](std::size_t i) {
    return std::tuple(places[i].function.index(), places[i].block.index(), places[i].before);
  });
  for (const std::size_t i : order) {
    const FencePlace& place = places[i];
    auto& instructions = fenced.functions[place.function].blocks[place.block].instructions;
    const auto at = instructions.begin() + static_cast<std::ptrdiff_t>(place.before);
    instructions.insert(
        at, kinds[i] == FenceKind::kNone ? mark(i, place.loc) : fence(kinds[i], place.loc));
  }
  return fenced;
}

std::optional<std::size_t> marked_place(const std::vector<std::string>& tags) {
  if (tags.size() != 1 || !tags.front().starts_with(kMarkTag))
    return std::nullopt;
  std::size_t place = 0;
  const char* const end = tags.front().data() + tags.front().size();
  const auto [rest, error] = std::from_chars(tags.front().data() + kMarkTag.size(), end, place);
  HEDDLE_CHECK(error == std::errc{} && rest == end, "a mark without its number");
  return place;
}

} // namespace heddle::transform
