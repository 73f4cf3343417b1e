// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/shared/locations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

// An array larger than that is a mistake, and would cost memory.
constexpr std::uint64_t kMaxElements = 4096;

bool holds_address(const InitialEntry& entry) {
  if (entry.place.thread || !entry.value)
    return false;
  const auto* name = std::get_if<NameValue>(&entry.value->content);
  return name != nullptr && !is_null(*name);
}

std::string why_unknown(const TypeName& type, const std::string& name) {
  if (type.words.find("128") != std::string::npos)
    return fmt::format("the type '{}' has 128 bits, and values have at most 64; declare uint64_t "
                       "{}[2]",
                       type.to_string(),
                       name);
  return fmt::format("the type '{}' is not known", type.to_string());
}

} // namespace

bool is_null(const NameValue& value) {
  return value.name == "NULL" || value.name == "null";
}

void put_bytes(ir::Global& global, std::uint64_t offset, std::uint64_t value, unsigned bits) {
  if (global.initial.empty())
    global.initial.resize(global.size);
  for (unsigned i = 0; i < bits / 8; ++i)
    global.initial[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

void Locations::choose_cells(const std::vector<InitialEntry>& entries,
                             const ThreadBuilder::Footprint& footprint) {
  const std::set<unsigned>& widths = footprint.access_bits;
  const bool has_types = std::any_of(entries.begin(), entries.end(), [](const InitialEntry& entry) {
    return !entry.place.thread && (entry.type || entry.elements || entry.place.index);
  });
  const bool has_addresses = std::any_of(entries.begin(), entries.end(), holds_address);
  if (!widths.empty())
    cell_bits_ = *widths.rbegin();
  if (has_addresses)
    cell_bits_ = std::max(cell_bits_, width_);
  const bool has_narrow_arithmetic =
      !footprint.arithmetic_bits.empty() && *footprint.arithmetic_bits.begin() < cell_bits_;
  const bool is_sized = has_types || has_narrow_arithmetic || footprint.has_pairs ||
                        (widths.size() > 1 && *widths.begin() < 32);
  if (!is_sized && widths.size() > 1)
    widened_bits_ = cell_bits_;
  least_bytes_ = std::max<std::uint64_t>(footprint.bytes, cell_bits_ / 8);
}

ir::GlobalId Locations::find(const std::string& name) {
  std::optional<ir::GlobalId> id = module_.find_global(name);
  if (!id) {
    ir::Global fresh;
    fresh.name = name;
    id = module_.globals.push_back(std::move(fresh));
  }
  ir::Global& global = module_.globals[*id];
  if (global.size == 0) {
    const LocationShape& known =
        shapes_.try_emplace(name, LocationShape{{cell_bits_, true}, 1}).first->second;
    const std::uint64_t bytes = known.elements * (known.element.bits / 8);
    global.size = std::max(bytes, least_bytes_);
    // Wide enough for the widest access, so that no access is torn for being out of line.
    global.align = std::max(8U, static_cast<std::uint32_t>(std::bit_ceil(least_bytes_)));
    global.scalar_bits = static_cast<std::uint8_t>(known.elements == 1 ? known.element.bits : 0);
    global.scalar_signed = known.element.is_signed;
  }
  return *id;
}

const LocationShape& Locations::shape(const std::string& name) {
  (void)find(name);
  return shapes_.at(name);
}

Result<ir::GlobalAddress> Locations::address(const NameValue& value, SourceLoc loc) {
  if (is_name_of_code(value.name))
    return ir::GlobalAddress{find_code(module_, value.name), 0};
  const ir::GlobalId global = find(value.name);
  const LocationShape& known = shapes_.at(value.name);
  std::int64_t offset = value.offset;
  if (value.index) {
    if (*value.index > known.elements)
      return error_at(
          loc, "LIT-020", fmt::format("'{}' has no element {}", value.name, *value.index));
    offset += static_cast<std::int64_t>(*value.index * (known.element.bits / 8));
  }
  return ir::GlobalAddress{global, offset};
}

Status Locations::put(ir::GlobalId global,
                      std::uint64_t index,
                      const LocationShape& shape,
                      const LiteralValue& value) {
  const std::uint64_t offset = index * (shape.element.bits / 8);
  if (const auto* number = std::get_if<NumberValue>(&value.content)) {
    put_bytes(module_.globals[global], offset, number->bits(), shape.element.bits);
    return Done{};
  }
  if (const auto* name = std::get_if<NameValue>(&value.content)) {
    if (is_null(*name)) {
      put_bytes(module_.globals[global], offset, 0, shape.element.bits);
      return Done{};
    }
    if (shape.element.bits < width_)
      return error_at(value.loc,
                      "LIT-021",
                      fmt::format("an address does not fit into {} bits", shape.element.bits));
    const Result<ir::GlobalAddress> target = address(*name, value.loc);
    if (!target)
      return target.error();
    std::vector<ir::Relocation>& relocations = module_.globals[global].relocations;
    std::erase_if(relocations, [&](const ir::Relocation& old) { return old.offset == offset; });
    relocations.push_back({offset, *target});
    return Done{};
  }
  return error_at(value.loc, "LIT-022", "expected a number or an address, not a list");
}

Status Locations::declare(const InitialEntry& entry) {
  if (entry.place.thread)
    return Done{};
  const std::string& name = entry.place.name;
  const SourceLoc loc = entry.place.loc;
  const auto* list =
      entry.value ? std::get_if<std::vector<LiteralValue>>(&entry.value->content) : nullptr;
  if (!shapes_.contains(name)) {
    LocationShape fresh{{cell_bits_, true}, 1};
    if (entry.type) {
      const std::optional<ScalarType> scalar = find_scalar(*entry.type, width_);
      if (!scalar)
        return error_at(loc, "LIT-023", why_unknown(*entry.type, name), ErrorKind::kUnsupported);
      fresh.element = *scalar;
      fresh.has_type = true;
    }
    if (entry.elements)
      fresh.elements = *entry.elements != 0 ? *entry.elements : list != nullptr ? list->size() : 1;
    else if (entry.place.index)
      fresh.elements = *entry.place.index + 1;
    if (fresh.elements == 0 || fresh.elements > kMaxElements)
      return error_at(loc, "LIT-024", fmt::format("an array has 1 to {} elements", kMaxElements));
    shapes_.emplace(name, fresh);
  } else if (entry.type || entry.elements) {
    return error_at(loc, "LIT-025", fmt::format("'{}' is declared twice", name));
  }
  module_.globals[find(name)].loc = loc;
  return Done{};
}

Status Locations::initialise(const InitialEntry& entry) {
  if (entry.place.thread || !entry.value)
    return Done{};
  const std::string& name = entry.place.name;
  const SourceLoc loc = entry.place.loc;
  const auto* list = std::get_if<std::vector<LiteralValue>>(&entry.value->content);
  const ir::GlobalId global = find(name);
  const LocationShape known = shapes_.at(name);
  const std::uint64_t first = entry.place.index.value_or(0);
  const std::uint64_t count = list != nullptr ? list->size() : 1;
  if (first > known.elements || count > known.elements - first)
    return error_at(loc, "LIT-020", fmt::format("'{}' has {} elements only", name, known.elements));
  if (list == nullptr)
    return put(global, first, known, *entry.value);
  for (std::uint64_t i = 0; i < count; ++i)
    if (Status done = put(global, i, known, (*list)[i]); !done)
      return done;
  return Done{};
}

void Locations::finish() {
  for (std::size_t i = 0; i < module_.globals.size(); ++i)
    if (module_.globals[ir::GlobalId{i}].size == 0 &&
        !is_name_of_code(module_.globals[ir::GlobalId{i}].name))
      (void)find(std::string(module_.globals[ir::GlobalId{i}].name));
}

} // namespace heddle::frontend::litmus
