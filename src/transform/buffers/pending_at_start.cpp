// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/buffers/pending_at_start.h"

#include "program/model/control_flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <variant>

namespace heddle::transform {

using program::Edge;
using program::LocationId;
using program::Object;
using program::Procedure;
using program::ProcedureId;

namespace {

constexpr const char* kCode = "USE-032";

Error error(std::string text) {
  return Error{ErrorKind::kUsage, kCode, "--pending-at-start: " + std::move(text)};
}

bool is_called(const program::Program& program, ProcedureId id) {
  return std::ranges::any_of(program.procedures, [&](const Procedure& procedure) {
    return std::ranges::any_of(procedure.edges, [&](const Edge& edge) {
      const auto* call = std::get_if<program::Call>(&edge.action);
      return call != nullptr && std::ranges::find(call->targets, id) != call->targets.end();
    });
  });
}

} // namespace

Result<StartingStore> parse_starting_store(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::size_t equal = text.find('=', colon == std::string_view::npos ? 0 : colon);
  StartingStore store;
  if (colon != std::string_view::npos && equal != std::string_view::npos) {
    store.procedure = text.substr(0, colon);
    store.global = text.substr(colon + 1, equal - colon - 1);
    const std::string_view digits = text.substr(equal + 1);
    const auto [end, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), store.value);
    if (failure == std::errc{} && end == digits.data() + digits.size() &&
        !store.procedure.empty() && !store.global.empty())
      return store;
  }
  return error(fmt::format("expected FUNCTION:GLOBAL=NUMBER, got '{}'", text));
}

Status add_starting_store(program::Program& program, const StartingStore& store) {
  const auto thread = std::ranges::find_if(program.templates, [&](const auto& one) {
    return program.procedures[one.entry].name == store.procedure;
  });
  if (thread == program.templates.end())
    return error(fmt::format("no thread starts with '{}'", store.procedure));
  if (is_called(program, thread->entry))
    return error(
        fmt::format("'{}' is called, too: only what starts threads has a start", store.procedure));
  const auto global = std::ranges::find_if(program.objects, [&](const Object& object) {
    return object.kind == Object::Kind::kGlobal && object.name == store.global;
  });
  if (global == program.objects.end())
    return error(fmt::format("there is no global '{}'", store.global));
  const bool is_scalar =
      global->size == 1 || global->size == 2 || global->size == 4 || global->size == 8;
  if (!is_scalar || global->is_constant)
    return error(fmt::format("'{}' is no variable of 1, 2, 4 or 8 bytes", store.global));
  if (global->size < 8 && (store.value >> (8 * global->size)) != 0)
    return error(fmt::format("{} is too large for '{}'", store.value, store.global));

  program::Store action{
      program.terms.constant(program.space().base_of(global->unit), program.pointer_bits()),
      program.terms.constant(store.value, static_cast<unsigned>(8 * global->size)),
      {},
      {}};
  action.access.size = static_cast<std::uint8_t>(global->size);
  action.access.kind = program::AccessKind::kAtomic;
  action.access.order = program::Order::kRelaxed;
  Procedure& procedure = program.procedures[thread->entry];
  const SourceLoc loc = procedure.locations[procedure.entry].loc;
  const LocationId first = procedure.locations.push_back(program::Location{{}, loc, {}, false});
  program::add_edge(procedure, Edge{first, procedure.entry, std::move(action), loc});
  procedure.entry = first;
  return Done{};
}

} // namespace heddle::transform
