// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/c/c_locations.h"

#include "frontend/litmus/shared/locations.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

namespace heddle::frontend::litmus {

CType CLocations::adapt(CType type) const {
  if (is_wide_)
    type.bits = 64;
  return type;
}

void CLocations::declare(const std::string& name,
                         CType type,
                         std::uint64_t elements,
                         bool is_array) {
  CLocation& location = locations_[name];
  type = adapt(type);
  if (location.has_type && location.type.width() != type.width())
    wants_wide_ = true;
  if (!location.has_type)
    location.type = type;
  location.has_type = true;
  enlarge(name, elements, is_array);
}

void CLocations::enlarge(const std::string& name, std::uint64_t elements, bool is_array) {
  CLocation& location = locations_[name];
  location.elements = std::max(location.elements, elements);
  location.is_array = location.is_array || is_array;
}

void CLocations::mention(const std::string& name) {
  CLocation& location = locations_[name];
  location.type = location.has_type ? location.type : adapt(CType{});
}

void CLocations::make_globals() {
  // Where nothing is said, a location is like the others, or an int.
  std::set<unsigned> widths;
  for (const auto& [name, location] : locations_)
    if (location.has_type)
      widths.insert(location.type.width());
  const CType usual = widths.size() == 1 ? CType{*widths.begin(), true, 0} : adapt(CType{});
  for (auto& [name, location] : locations_) {
    if (!location.has_type)
      location.type = usual;
    ir::Global global;
    global.name = name;
    global.size = location.elements * location.type.bytes();
    global.align = static_cast<std::uint32_t>(location.type.bytes());
    if (!location.is_array) {
      global.scalar_bits = static_cast<std::uint8_t>(location.type.width());
      global.scalar_signed = location.type.is_signed && !location.type.is_pointer();
    }
    location.global = module_.globals.push_back(std::move(global));
  }
}

const CLocation* CLocations::find(const std::string& name) const {
  const auto found = locations_.find(name);
  return found == locations_.end() ? nullptr : &found->second;
}

std::optional<CType> CLocations::common_type() const {
  std::optional<CType> result;
  for (const auto& [name, location] : locations_) {
    if (result && result->width() != location.type.width())
      return std::nullopt;
    if (!result)
      result = location.type;
  }
  return result;
}

Result<ir::Operand> CLocations::operand(const LiteralValue& value) const {
  return std::visit(
      Overloaded{[](const NumberValue& number) -> Result<ir::Operand> {
                   return ir::Operand{ir::Constant{ir::Type::integer(64), number.bits()}};
                 },
                 [&](const NameValue& name) -> Result<ir::Operand> {
                   if (is_null(name))
                     return ir::Operand{ir::Constant{ir::Type::integer(64), 0}};
                   const CLocation* location = find(name.name);
                   if (location == nullptr)
                     return error_at(
                         value.loc, "LIT-220", fmt::format("there is no location '{}'", name.name));
                   const auto index = static_cast<std::int64_t>(name.index.value_or(0));
                   const auto bytes = static_cast<std::int64_t>(location->type.bytes());
                   return ir::Operand{
                       ir::GlobalAddress{location->global, index * bytes + name.offset}};
                 },
                 [&](const std::vector<LiteralValue>&) -> Result<ir::Operand> {
                   return error_at(value.loc, "LIT-221", "a list of values is no single value");
                 }},
      value.content);
}

Status CLocations::initialise(const std::string& name, const LiteralValue& value) {
  const auto* list = std::get_if<std::vector<LiteralValue>>(&value.content);
  if (list == nullptr)
    return initialise_element(name, 0, value);
  for (std::size_t i = 0; i < list->size(); ++i)
    if (Status status = initialise_element(name, i, (*list)[i]); !status)
      return status;
  return Done{};
}

Status CLocations::initialise_element(const std::string& name,
                                      std::uint64_t index,
                                      const LiteralValue& value) {
  const CLocation* location = find(name);
  HEDDLE_CHECK(location != nullptr, "a location that was not declared is initialised");
  if (index >= location->elements)
    return error_at(
        value.loc, "LIT-222", fmt::format("'{}' has only {} elements", name, location->elements));
  Result<ir::Operand> content = operand(value);
  if (!content)
    return content.error();
  ir::Global& global = module_.globals[location->global];
  const std::uint64_t offset = index * location->type.bytes();
  if (const auto* address = std::get_if<ir::GlobalAddress>(&*content)) {
    if (location->type.width() != 64) {
      wants_wide_ = true;
      return Done{};
    }
    std::erase_if(global.relocations,
                  [&](const ir::Relocation& other) { return other.offset == offset; });
    global.relocations.push_back({offset, *address});
    return Done{};
  }
  if (global.initial.empty())
    global.initial.assign(global.size, 0);
  std::uint64_t bits = std::get<ir::Constant>(*content).value;
  if (location->type.width() == 1)
    bits = bits != 0 ? 1 : 0;
  for (std::uint64_t i = 0; i < location->type.bytes(); ++i)
    global.initial[offset + i] = static_cast<std::uint8_t>(bits >> (8 * i));
  return Done{};
}

} // namespace heddle::frontend::litmus
