// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/own_copies.h"

#include <optional>
#include <vector>

namespace heddle::transform {

namespace {

unsigned width_of(const OwnPlace& place) {
  return 8U * place.size;
}

} // namespace

OwnCopies::OwnCopies(SequentialWriter& writer,
                     const program::Procedure& procedure,
                     std::uint32_t thread,
                     const ForeignWrites& foreign)
    : writer_(&writer) {
  const std::vector<program::Edge>& edges = procedure.edges;
  for (std::uint32_t i = 0; i < edges.size(); ++i) {
    const auto* load = std::get_if<program::Load>(&edges[i].action);
    if (load == nullptr)
      continue;
    const std::optional<OwnPlace> place = foreign.own_place(thread, edges[i].action);
    if (!place || procedure.locals[load->dest].width != width_of(*place))
      continue;
    const auto [own, is_new] = locals_.try_emplace(*place);
    if (is_new)
      own->second = writer.local("", width_of(*place));
    copies_.taken.emplace(i, own->second);
  }
  for (std::uint32_t i = 0; i < edges.size(); ++i)
    if (std::holds_alternative<program::Store>(edges[i].action))
      if (const std::optional<OwnPlace> place = foreign.own_place(thread, edges[i].action))
        if (const auto own = locals_.find(*place); own != locals_.end())
          copies_.renewed.emplace(i, own->second);
}

void OwnCopies::begin(const program::Program& source) const {
  for (const auto& [place, local] : locals_) {
    const std::vector<std::uint8_t>& bytes = source.objects[place.object].initial;
    std::uint64_t value = 0;
    for (unsigned i = 0; i < place.size && place.offset + i < bytes.size(); ++i)
      value |= std::uint64_t{bytes[place.offset + i]} << (8 * i);
    writer_->assign(local, writer_->terms().constant(value, width_of(place)));
  }
}

bool OwnCopies::read(std::uint32_t edge, const program::Action& action) const {
  const auto taken = copies_.taken.find(edge);
  if (taken == copies_.taken.end())
    return false;
  writer_->assign(read_by(action), writer_->value(taken->second));
  return true;
}

void OwnCopies::renew(std::uint32_t edge, const program::Action& action) const {
  if (const auto renewed = copies_.renewed.find(edge); renewed != copies_.renewed.end())
    writer_->assign(renewed->second,
                    writer_->fitted(std::get<program::Store>(action).value, renewed->second));
}

} // namespace heddle::transform
