// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "program/run/memory_state.h"

#include "support/check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace heddle::program {

namespace {

static_assert(std::endian::native == std::endian::little,
              "words are read as the little-endian bytes of the simulated memory");

constexpr unsigned kSizeShift = 20;
constexpr unsigned kSiteShift = 44;
constexpr unsigned kFlagShift = 60;

std::uint64_t unit_of_header(std::uint64_t header) {
  return header & 0xfffffU;
}
std::uint64_t size_of_header(std::uint64_t header) {
  return (header >> kSizeShift) & 0xffffffU;
}
std::uint64_t site_of_header(std::uint64_t header) {
  return (header >> kSiteShift) & 0xffffU;
}
std::uint64_t flags_of_header(std::uint64_t header) {
  return header >> kFlagShift;
}

const std::uint8_t* bytes_of(const MemoryState& memory) {
  return reinterpret_cast<const std::uint8_t*>(memory.words.data());
}
std::uint8_t* bytes_of(MemoryState& memory) {
  return reinterpret_cast<std::uint8_t*>(memory.words.data());
}

std::uint64_t load_bytes(const std::uint8_t* from, unsigned size) {
  std::uint64_t value = 0;
  switch (size) { // the usual sizes become one instruction each
  case 1:
    return *from;
  case 2:
    std::memcpy(&value, from, 2);
    return value;
  case 4:
    std::memcpy(&value, from, 4);
    return value;
  case 8:
    std::memcpy(&value, from, 8);
    return value;
  default:
    std::memcpy(&value, from, size);
    return value;
  }
}

std::uint64_t natural_alignment(std::uint64_t size) {
  return size >= 8 ? 8 : std::bit_ceil(std::max<std::uint64_t>(size, 1));
}

} // namespace

MemoryMap::MemoryMap(const Program& program, bool tracks_touches)
    : program_(program), space_(program.space()), tracks_touches_(tracks_touches),
      site_of_object_(program.objects.size(), 0) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < program.objects.size(); ++i) {
    const ObjectId id{i};
    const Object& object = program.objects[id];
    if (object.kind != Object::Kind::kGlobal) {
      site_of_object_[i] = static_cast<std::uint32_t>(sites_.size());
      sites_.push_back(id);
      continue;
    }
    Fixed fixed;
    fixed.object = id;
    fixed.base = space_.base_of(object.unit);
    fixed.size = object.size;
    fixed.is_constant = object.is_constant;
    if (!object.is_constant) {
      const std::uint64_t align = natural_alignment(object.size);
      bytes = (bytes + align - 1) / align * align;
      fixed.place = bytes;
      bytes += object.size;
    }
    fixed_.push_back(fixed);
    const std::uint64_t first = object.unit - AddressSpace::kFirstGlobalUnit;
    const std::uint64_t count = space_.units_for(object.size);
    HEDDLE_CHECK(object.unit >= AddressSpace::kFirstGlobalUnit, "a global without a unit");
    if (fixed_by_unit_.size() < first + count)
      fixed_by_unit_.resize(first + count, 0);
    for (std::uint64_t unit = first; unit < first + count; ++unit)
      fixed_by_unit_[unit] = static_cast<std::uint32_t>(fixed_.size());
  }
  HEDDLE_CHECK(sites_.size() <= 0x10000, "more allocation sites than a block header can name");
  global_bytes_ = bytes;
  blocks_start_ = (bytes + 7) / 8;
  if (tracks_touches_)
    for (Fixed& fixed : fixed_)
      fixed.touch_word = std::exchange(blocks_start_, blocks_start_ + 2);
}

MemoryState MemoryMap::initial() const {
  MemoryState memory;
  memory.words.resize(blocks_start_, 0);
  for (const Fixed& fixed : fixed_) {
    const std::vector<std::uint8_t>& initial = program_.objects[fixed.object].initial;
    if (!fixed.is_constant && !initial.empty())
      std::memcpy(bytes_of(memory) + fixed.place,
                  initial.data(),
                  std::min<std::size_t>(initial.size(), fixed.size));
  }
  return memory;
}

std::size_t MemoryMap::block_length(std::uint64_t header) const {
  const std::uint64_t flags = flags_of_header(header);
  const std::uint64_t size = size_of_header(header);
  std::size_t length = header_words();
  if ((flags & kFreed) == 0) {
    length += (size + 7) / 8;
    if ((flags & kHasUnwritten) != 0)
      length += (size + 63) / 64;
  }
  return length;
}

bool MemoryMap::has_marked_globals(const MemoryState& memory) const {
  return blocks_start_ < memory.words.size() &&
         (flags_of_header(memory.words[blocks_start_]) & kMarksOfGlobal) != 0;
}

std::size_t MemoryMap::first_block(const MemoryState& memory) const {
  std::size_t i = blocks_start_;
  while (i < memory.words.size() && (flags_of_header(memory.words[i]) & kMarksOfGlobal) != 0)
    i += 2;
  return i;
}

std::size_t MemoryMap::next_block(const MemoryState& memory, std::size_t index) const {
  return index + block_length(memory.words[index]);
}

MemoryMap::Block MemoryMap::block(const MemoryState& memory, std::size_t index) const {
  const std::uint64_t header = memory.words[index];
  const bool is_freed = (flags_of_header(header) & kFreed) != 0;
  return Block{unit_of_header(header),
               size_of_header(header),
               sites_[site_of_header(header)],
               is_freed,
               is_freed ? nullptr
                        : reinterpret_cast<const std::uint8_t*>(memory.words.data() + index +
                                                                header_words())};
}

MemoryTarget MemoryMap::find(const MemoryState& memory, std::uint64_t address) const {
  MemoryTarget target;
  const std::uint64_t unit = space_.unit_of(address);
  if (unit < AddressSpace::kFirstGlobalUnit) {
    target.kind = unit == 0 ? MemoryTarget::Kind::kNull : MemoryTarget::Kind::kCode;
    return target;
  }
  const std::uint64_t index = unit - AddressSpace::kFirstGlobalUnit;
  if (index < fixed_by_unit_.size() && fixed_by_unit_[index] != 0) {
    const Fixed& fixed = fixed_[fixed_by_unit_[index] - 1];
    target.kind = fixed.is_constant ? MemoryTarget::Kind::kConstant : MemoryTarget::Kind::kGlobal;
    target.object = fixed.object;
    target.base = fixed.base;
    target.size = fixed.size;
    target.unit = space_.unit_of(fixed.base);
    target.place = fixed.place;
    return target;
  }
  for (std::size_t i = first_block(memory); i < memory.words.size();) {
    const std::uint64_t header = memory.words[i];
    const std::uint64_t first = unit_of_header(header);
    if (first > unit)
      break;
    const std::uint64_t size = size_of_header(header);
    if (unit < first + space_.units_for(size)) {
      // The place of an ended frame that is only kept free (Interpreter::keep_ended).
      if ((flags_of_header(header) & kFreed) != 0 && first < AddressSpace::kFirstHeapUnit)
        return target;
      target.kind = MemoryTarget::Kind::kBlock;
      target.is_freed = (flags_of_header(header) & kFreed) != 0;
      target.object = sites_[site_of_header(header)];
      target.base = space_.base_of(first);
      target.size = size;
      target.unit = first;
      target.place = i;
      return target;
    }
    i += block_length(header);
  }
  return target;
}

bool MemoryMap::are_neighbours(const MemoryState& memory, std::uint64_t a, std::uint64_t b) const {
  if (space_.unit_of(a) == space_.unit_of(b))
    return true;
  const MemoryTarget first = find(memory, a);
  const MemoryTarget second = find(memory, b);
  return first.kind == second.kind && first.base == second.base && first.base != 0;
}

std::uint64_t
MemoryMap::read(const MemoryState& memory, std::uint64_t address, unsigned size) const {
  const MemoryTarget target = find(memory, address);
  const std::uint8_t* from = nullptr;
  if (target.kind == MemoryTarget::Kind::kGlobal) {
    from = bytes_of(memory) + target.place;
  } else if (target.kind == MemoryTarget::Kind::kBlock && !target.is_freed) {
    from =
        reinterpret_cast<const std::uint8_t*>(memory.words.data() + target.place + header_words());
  } else if (target.kind == MemoryTarget::Kind::kConstant) {
    const std::vector<std::uint8_t>& initial = program_.objects[target.object].initial;
    if (initial.size() < target.size)
      return 0; // a constant without bytes is all zero
    from = initial.data();
  } else {
    return 0;
  }
  const std::uint64_t offset = address - target.base;
  if (offset < target.size && size <= target.size - offset)
    return load_bytes(from + offset, size);
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i)
    if (offset + i < target.size)
      value |= static_cast<std::uint64_t>(from[offset + i]) << (8 * i);
  return value;
}

const std::uint8_t* MemoryMap::live_bytes(const MemoryState& memory,
                                          const MemoryTarget& target,
                                          std::uint64_t address,
                                          std::uint64_t size) const {
  const std::uint64_t offset = address - target.base;
  if (offset >= target.size || size > target.size - offset)
    return nullptr;
  if (target.kind == MemoryTarget::Kind::kGlobal)
    return bytes_of(memory) + target.place + offset;
  if (target.kind != MemoryTarget::Kind::kBlock || target.is_freed)
    return nullptr;
  return reinterpret_cast<const std::uint8_t*>(memory.words.data() + target.place +
                                               header_words()) +
         offset;
}

bool MemoryMap::is_written(const MemoryState& memory, const MemoryTarget& target) const {
  if (target.kind == MemoryTarget::Kind::kGlobal)
    return !has_marked_globals(memory);
  return target.kind == MemoryTarget::Kind::kBlock && !target.is_freed &&
         (flags_of_header(memory.words[target.place]) & kHasUnwritten) == 0;
}

void MemoryMap::write(MemoryState& memory,
                      std::uint64_t address,
                      unsigned size,
                      std::uint64_t value,
                      std::uint8_t marks) const {
  const MemoryTarget target = find(memory, address);
  const std::uint64_t offset = address - target.base;
  std::uint8_t* to = nullptr;
  if (target.kind == MemoryTarget::Kind::kGlobal)
    to = bytes_of(memory) + target.place;
  else if (target.kind == MemoryTarget::Kind::kBlock && !target.is_freed)
    to = reinterpret_cast<std::uint8_t*>(memory.words.data() + target.place + header_words());
  else
    return;
  for (unsigned i = 0; marks != 0 && i < size; ++i)
    if ((marks >> i & 1U) != 0)
      value &= ~(0xffULL << (8 * i)); // an unwritten byte is kept as 0
  if (offset < target.size && size <= target.size - offset) {
    std::memcpy(to + offset, &value, size);
  } else {
    for (unsigned i = 0; i < size; ++i)
      if (offset + i < target.size)
        to[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
  }
  if (target.kind == MemoryTarget::Kind::kBlock) {
    if (marks != 0 || (flags_of_header(memory.words[target.place]) & kHasUnwritten) != 0)
      mark_block(memory, target, offset, size, marks);
  } else if (marks != 0 || has_marked_globals(memory)) {
    for (unsigned i = 0; i < size; ++i)
      if (offset + i < target.size)
        mark_global(memory, target, offset + i, (marks >> i & 1U) != 0);
  }
}

void MemoryMap::mark_block(MemoryState& memory,
                           const MemoryTarget& target,
                           std::uint64_t offset,
                           unsigned size,
                           std::uint8_t marks) const {
  constexpr std::uint64_t kFlag = static_cast<std::uint64_t>(kHasUnwritten) << kFlagShift;
  const std::size_t mark_words = (target.size + 63) / 64;
  const std::size_t first = target.place + header_words() + (target.size + 7) / 8;
  if ((memory.words[target.place] & kFlag) == 0) {
    memory.words.insert(memory.words.begin() + static_cast<std::ptrdiff_t>(first), mark_words, 0);
    memory.words[target.place] |= kFlag;
  }
  bool is_any_set = false;
  for (unsigned i = 0; i < size; ++i) {
    if (offset + i >= target.size)
      continue;
    std::uint64_t& word = memory.words[first + (offset + i) / 64];
    const std::uint64_t bit = 1ULL << ((offset + i) % 64);
    word = (marks >> i & 1U) != 0 ? word | bit : word & ~bit;
  }
  for (std::size_t i = 0; i < mark_words && !is_any_set; ++i)
    is_any_set = memory.words[first + i] != 0;
  if (is_any_set)
    return;
  memory.words[target.place] &= ~kFlag;
  const auto begin = memory.words.begin() + static_cast<std::ptrdiff_t>(first);
  memory.words.erase(begin, begin + static_cast<std::ptrdiff_t>(mark_words));
}

std::size_t
MemoryMap::find_marks(const MemoryState& memory, std::uint64_t unit, std::uint64_t offset) const {
  std::size_t i = blocks_start_;
  for (; i < memory.words.size(); i += 2) {
    const std::uint64_t header = memory.words[i];
    if ((flags_of_header(header) & kMarksOfGlobal) == 0 || unit_of_header(header) > unit ||
        (unit_of_header(header) == unit && size_of_header(header) >= offset / 64))
      break;
  }
  return i;
}

void MemoryMap::mark_global(MemoryState& memory,
                            const MemoryTarget& target,
                            std::uint64_t offset,
                            bool is_unwritten) const {
  const std::uint64_t header = target.unit | (offset / 64) << kSizeShift |
                               static_cast<std::uint64_t>(kMarksOfGlobal) << kFlagShift;
  const std::size_t place = find_marks(memory, target.unit, offset);
  const auto at = memory.words.begin() + static_cast<std::ptrdiff_t>(place);
  const bool is_there = place < memory.words.size() && memory.words[place] == header;
  const std::uint64_t bit = 1ULL << (offset % 64);
  if (!is_there) {
    if (is_unwritten)
      memory.words.insert(at, {header, bit});
    return;
  }
  std::uint64_t& word = memory.words[place + 1];
  word = is_unwritten ? word | bit : word & ~bit;
  if (word == 0)
    memory.words.erase(at, at + 2);
}

std::uint8_t
MemoryMap::unwritten(const MemoryState& memory, std::uint64_t address, unsigned size) const {
  const MemoryTarget target = find(memory, address);
  const std::uint64_t offset = address - target.base;
  std::uint8_t result = 0;
  if (target.kind == MemoryTarget::Kind::kGlobal) {
    for (unsigned i = 0; i < size && has_marked_globals(memory); ++i) {
      const std::size_t place = find_marks(memory, target.unit, offset + i);
      if (offset + i < target.size && place < memory.words.size() &&
          (flags_of_header(memory.words[place]) & kMarksOfGlobal) != 0 &&
          unit_of_header(memory.words[place]) == target.unit &&
          size_of_header(memory.words[place]) == (offset + i) / 64 &&
          (memory.words[place + 1] >> ((offset + i) % 64) & 1U) != 0)
        result = static_cast<std::uint8_t>(result | 1U << i);
    }
    return result;
  }
  if (target.kind != MemoryTarget::Kind::kBlock || target.is_freed ||
      (flags_of_header(memory.words[target.place]) & kHasUnwritten) == 0)
    return 0;
  const std::uint64_t* const marks =
      memory.words.data() + target.place + header_words() + (target.size + 7) / 8;
  for (unsigned i = 0; i < size; ++i) {
    const std::uint64_t byte = offset + i;
    if (byte < target.size && (marks[byte / 64] >> (byte % 64) & 1U) != 0)
      result = static_cast<std::uint8_t>(result | 1U << i);
  }
  return result;
}

void MemoryMap::add_block(MemoryState& memory,
                          std::uint64_t unit,
                          std::uint64_t size,
                          ObjectId site,
                          Content content,
                          std::uint64_t flags) const {
  HEDDLE_CHECK(size <= kMaxBlockSize && unit <= 0xfffffU, "a block that does not fit its header");
  const std::uint64_t end = unit + space_.units_for(size);
  std::size_t at = first_block(memory);
  while (at < memory.words.size() &&
         unit_of_header(memory.words[at]) + space_.units_for(size_of_header(memory.words[at])) <=
             unit)
    at = next_block(memory, at);
  // Freed blocks in these units make room for their successor.
  std::size_t after = at;
  while (after < memory.words.size() && unit_of_header(memory.words[after]) < end) {
    HEDDLE_CHECK((flags_of_header(memory.words[after]) & kFreed) != 0, "a block on top of another");
    after = next_block(memory, after);
  }
  memory.words.erase(memory.words.begin() + static_cast<std::ptrdiff_t>(at),
                     memory.words.begin() + static_cast<std::ptrdiff_t>(after));
  if (content == Content::kUnwritten && size != 0)
    flags |= kHasUnwritten;
  const std::uint64_t header =
      unit | size << kSizeShift |
      static_cast<std::uint64_t>(site_of_object_[site.index()]) << kSiteShift | flags << kFlagShift;
  memory.words.insert(
      memory.words.begin() + static_cast<std::ptrdiff_t>(at), block_length(header), 0);
  memory.words[at] = header;
  std::uint64_t* const data = memory.words.data() + at + header_words();
  if (content == Content::kUnwritten) {
    std::uint64_t* const marks = data + (size + 7) / 8;
    for (std::uint64_t byte = 0; byte < size; byte += 64)
      marks[byte / 64] = size - byte >= 64 ? ~0ULL : (1ULL << (size - byte)) - 1;
  } else if (content == Content::kInitial) {
    const std::vector<std::uint8_t>& initial = program_.objects[site].initial;
    if (!initial.empty())
      std::memcpy(data, initial.data(), std::min<std::size_t>(initial.size(), size));
  }
}

void MemoryMap::remove_blocks(MemoryState& memory, std::uint64_t first, std::uint64_t count) const {
  std::size_t from = first_block(memory);
  while (from < memory.words.size() && unit_of_header(memory.words[from]) < first)
    from = next_block(memory, from);
  std::size_t to = from;
  while (to < memory.words.size() && unit_of_header(memory.words[to]) < first + count)
    to = next_block(memory, to);
  memory.words.erase(memory.words.begin() + static_cast<std::ptrdiff_t>(from),
                     memory.words.begin() + static_cast<std::ptrdiff_t>(to));
}

bool MemoryMap::has_visible_block(const MemoryState& memory,
                                  std::uint64_t first,
                                  std::uint64_t count) const {
  for (std::size_t i = first_block(memory); i < memory.words.size(); i = next_block(memory, i)) {
    const std::uint64_t header = memory.words[i];
    if (unit_of_header(header) >= first + count)
      return false;
    if (unit_of_header(header) >= first && (flags_of_header(header) & kVisibleFrame) != 0)
      return true;
  }
  return false;
}

void MemoryMap::mark_freed(MemoryState& memory, const MemoryTarget& block) const {
  std::uint64_t& header = memory.words[block.place];
  const std::size_t length = block_length(header);
  header = (header & ((1ULL << kFlagShift) - 1)) | static_cast<std::uint64_t>(kFreed) << kFlagShift;
  const auto first = memory.words.begin() + static_cast<std::ptrdiff_t>(block.place);
  memory.words.erase(first + static_cast<std::ptrdiff_t>(header_words()),
                     first + static_cast<std::ptrdiff_t>(length));
}

std::uint64_t MemoryMap::unit_after_last(const MemoryState& memory,
                                         std::uint64_t first,
                                         std::uint64_t count) const {
  std::uint64_t result = first;
  for (std::size_t i = first_block(memory); i < memory.words.size(); i = next_block(memory, i)) {
    const std::uint64_t unit = unit_of_header(memory.words[i]);
    if (unit >= first + count)
      break;
    if (unit >= first)
      result = unit + space_.units_for(size_of_header(memory.words[i]));
  }
  return result;
}

bool MemoryMap::note_touch(MemoryState& memory,
                           const MemoryTarget& target,
                           ThreadIndex thread,
                           bool writes,
                           bool is_visible) const {
  if (!tracks_touches_ || target.is_freed)
    return true;
  std::size_t index = 0;
  if (target.kind == MemoryTarget::Kind::kGlobal)
    index = fixed_[fixed_by_unit_[target.unit - AddressSpace::kFirstGlobalUnit] - 1].touch_word;
  else if (target.kind == MemoryTarget::Kind::kBlock)
    index = target.place + 1;
  else
    return true;
  // Each word: a bit per thread that touched it (low half) and that wrote it (high half); the first
  // word counts all accesses, the second the invisible ones.
  const std::uint64_t mark = (1ULL | (writes ? 1ULL << 32U : 0)) << thread;
  memory.words[index] |= mark;
  if (!is_visible)
    memory.words[index + 1] |= mark;
  const std::uint64_t others = ~((1ULL | 1ULL << 32U) << thread);
  const std::uint64_t mine = ~others;
  const auto touched = [](std::uint64_t word) { return word & 0xffffffffU; };
  const auto wrote = [](std::uint64_t word) { return word >> 32U; };
  const std::uint64_t all = memory.words[index];
  const std::uint64_t invisible = memory.words[index + 1];
  const auto conflict = [&](std::uint64_t a, std::uint64_t b) { // accesses of different threads
    return (wrote(a) != 0 && touched(b) != 0) || (touched(a) != 0 && wrote(b) != 0);
  };
  return !conflict(invisible & mine, all & others) && !conflict(all & mine, invisible & others);
}

} // namespace heddle::program
