// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Globals get units of the address space in the order of the module, so the same program always has
// the same addresses.
#include "program/build/build_context.h"
#include "support/check.h"

#include <fmt/format.h>

namespace heddle::program {

namespace {

void write_little_endian(std::vector<std::uint8_t>& bytes,
                         std::uint64_t offset,
                         std::uint64_t value,
                         unsigned size) {
  for (unsigned i = 0; i < size; ++i)
    bytes[offset + i] = static_cast<std::uint8_t>(value >> (8 * i));
}

} // namespace

Status
lay_out(const ir::Module& module, const Reachable& reachable, Symbols& symbols, Program& program) {
  const AddressSpace space = program.space();
  symbols.objects = IdVector<ir::GlobalId, ObjectId>(module.globals.size());
  std::uint64_t& next_unit = symbols.next_unit;
  for (std::size_t i = 0; i < module.globals.size(); ++i) {
    const ir::GlobalId id{i};
    const ir::Global& global = module.globals[id];
    if (!reachable.globals[id])
      continue;
    Object object;
    object.name = global.name;
    object.kind = global.is_thread_local ? Object::Kind::kThreadLocal : Object::Kind::kGlobal;
    object.size = global.size;
    object.align = global.align;
    object.is_constant = global.is_constant;
    object.scalar_bits = global.scalar_bits;
    object.scalar_signed = global.scalar_signed;
    object.parts = global.parts;
    object.loc = global.loc;
    object.unit = next_unit;
    const std::uint64_t instances = global.is_thread_local ? kMaxThreads : 1;
    // The size is compared first: units_for of an absurd size would wrap around.
    const std::uint64_t room = AddressSpace::kFirstFrameUnit - next_unit;
    if (global.size / space.unit_size() >= room ||
        space.units_for(global.size) * instances > room) {
      Error error{ErrorKind::kUnsupported,
                  "PRG-003",
                  fmt::format("no room in the address space for '{}' of {} bytes; the global "
                              "variables are too many or too large",
                              global.name,
                              global.size)};
      if (global.loc.is_known() && global.loc.file < module.files.size()) {
        error.file = module.files[global.loc.file];
        error.line = global.loc.line;
        error.column = global.loc.column;
      }
      return error;
    }
    next_unit += space.units_for(global.size) * instances;
    if (global.is_declaration)
      program.approximations.push_back(
          {Approximation::Kind::kUnder,
           fmt::format("the external variable '{}' is defined nowhere and is taken to start as "
                       "zero (give the file that defines it)",
                       global.name),
           global.loc});
    symbols.objects[id] = program.objects.push_back(std::move(object));
  }

  for (std::size_t i = 0; i < module.globals.size(); ++i) {
    const ir::GlobalId id{i};
    if (!symbols.objects[id].is_valid())
      continue;
    const ir::Global& global = module.globals[id];
    Object& object = program.objects[symbols.objects[id]];
    object.initial = global.initial;
    object.initial.resize(global.size, 0);
    const unsigned pointer_bytes = program.pointer_bits() / 8;
    for (const ir::Relocation& relocation : global.relocations) {
      std::uint64_t address = 0;
      if (const auto* target = std::get_if<ir::GlobalAddress>(&relocation.target)) {
        const Object& pointee = program.objects[symbols.objects[target->global]];
        // C has no address constant of a thread-local variable.
        HEDDLE_CHECK(pointee.kind == Object::Kind::kGlobal, "relocation against a thread-local");
        address = space.base_of(pointee.unit) + static_cast<std::uint64_t>(target->offset);
      } else {
        const auto& function = std::get<ir::FunctionAddress>(relocation.target);
        address = space.function_address(symbols.procedures[function.function].value);
      }
      HEDDLE_CHECK(relocation.offset + pointer_bytes <= global.size,
                   "relocation outside its global");
      write_little_endian(object.initial, relocation.offset, address, pointer_bytes);
    }
  }
  return Done{};
}

ObjectId
add_site(Program& program, Object::Kind kind, std::string name, std::uint64_t size, SourceLoc loc) {
  Object object;
  object.name = std::move(name);
  object.kind = kind;
  object.size = size;
  object.loc = loc;
  return program.objects.push_back(std::move(object));
}

} // namespace heddle::program
