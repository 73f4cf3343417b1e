// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "check/execution/execution_forms.h"

namespace heddle::check {

using program::StaticEvent;

StaticEvent form_of(StaticEvent::Kind kind, const program::Access& access) {
  StaticEvent form;
  form.kind = kind;
  form.access = access.kind;
  form.order = access.order;
  form.failure_order = access.order;
  // "R:x" marks only the read of an update, "W:x" only the write, "x" both.
  for (const std::string& tag : access.tags) {
    const bool is_of_half = tag.size() > 2 && tag[1] == ':' && (tag[0] == 'R' || tag[0] == 'W');
    if (!is_of_half)
      form.tags.push_back(tag);
    else if ((tag[0] == 'R') == (kind == StaticEvent::Kind::kRead))
      form.tags.push_back(tag.substr(2));
  }
  return form;
}

program::Access word_access(program::Order order, const std::vector<std::string>& tags) {
  program::Access access;
  access.size = kWord;
  access.kind = program::AccessKind::kAtomic;
  access.order = order;
  access.tags = tags;
  return access;
}

std::uint64_t masked(std::uint64_t value, unsigned bytes) {
  return bytes >= 8 ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

} // namespace heddle::check
