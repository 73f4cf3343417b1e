// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/graph.h"

#include "logic/term.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace heddle::report {

namespace {

using execution::Event;
using execution::Execution;
using relation::BitMatrix;

Picture::Kind kind_of(Event::Kind kind) {
  switch (kind) {
  case Event::Kind::kInitialWrite:
    return Picture::Kind::kInitialWrite;
  case Event::Kind::kRead:
    return Picture::Kind::kRead;
  case Event::Kind::kWrite:
    return Picture::Kind::kWrite;
  case Event::Kind::kFence:
    return Picture::Kind::kFence;
  case Event::Kind::kBranch:
    return Picture::Kind::kBranch;
  case Event::Kind::kRegisterRead:
  case Event::Kind::kRegisterWrite:
    return Picture::Kind::kRegister;
  }
  HEDDLE_CHECK(false, "no such event");
  return Picture::Kind::kRead;
}

std::string_view order_text(ir::Order order) {
  switch (order) {
  case ir::Order::kNone:
    return "";
  case ir::Order::kRelaxed:
    return "rlx";
  case ir::Order::kConsume:
    return "con";
  case ir::Order::kAcquire:
    return "acq";
  case ir::Order::kRelease:
    return "rel";
  case ir::Order::kAcqRel:
    return "acq_rel";
  case ir::Order::kSeqCst:
    return "sc";
  }
  HEDDLE_CHECK(false, "no such order");
  return "";
}

/// a, b, …, z, aa, ab, …
std::string letters(std::size_t number) {
  std::string name;
  for (std::size_t rest = number + 1; rest != 0; rest = (rest - 1) / 26)
    name.insert(name.begin(), static_cast<char>('a' + (rest - 1) % 26));
  return name;
}

/// A relation of an execution that was not filled is empty.
BitMatrix sized(const BitMatrix& relation, std::size_t count) {
  return relation.bound() == count ? relation : BitMatrix(count);
}

class Maker {
public:
  explicit Maker(const PictureInput& input)
      : input_(input), execution_(*input.execution), count_(input.execution->events.size()) {}

  Picture make() {
    picture_.title = input_.title;
    picture_.threads = input_.threads;
    add_nodes();
    add_relations();
    for (const NamedSet& set : input_.sets)
      add_set(set);
    BitMatrix above = sized(execution_.po, count_);
    for (const BitMatrix* more : {&execution_.rmw,
                                  &execution_.synchronises,
                                  &execution_.intra_data,
                                  &execution_.intra_control})
      above |= sized(*more, count_);
    picture_.above = reduced(above).pairs();
    picture_.highlight = input_.highlight;
    return std::move(picture_);
  }

private:
  std::string location(const Event& event) const {
    return input_.location ? input_.location(event) : fmt::format("{:#x}", event.address);
  }
  std::string value(const Event& event) const {
    return input_.value ? input_.value(event) : std::to_string(event.value);
  }

  std::string what(std::size_t index) const {
    const Event& event = execution_.events[index];
    std::string text;
    const bool is_update = in_rmw_.contains(index);
    switch (event.kind) {
    case Event::Kind::kInitialWrite:
    case Event::Kind::kWrite:
    case Event::Kind::kRead:
      text = fmt::format("{}{}[{}]={}",
                         event.kind == Event::Kind::kRead ? "R" : "W",
                         is_update ? "*" : "",
                         location(event),
                         value(event));
      break;
    case Event::Kind::kFence:
      text = "F";
      break;
    case Event::Kind::kBranch:
      text = "branch";
      break;
    case Event::Kind::kRegisterRead:
    case Event::Kind::kRegisterWrite:
      text = fmt::format("{} {}={}",
                         event.kind == Event::Kind::kRegisterRead ? "R" : "W",
                         event.register_name,
                         value(event));
      break;
    }
    if (const std::string_view order = order_text(event.order);
        input_.shows_orders && !order.empty())
      text += fmt::format(" {}", order);
    for (const std::string& tag : event.tags)
      text += " " + tag;
    return text;
  }

  std::size_t thread_of(const Event& event) {
    for (std::size_t i = 0; i < picture_.threads.size(); ++i)
      if (picture_.threads[i].thread == event.thread)
        return i;
    picture_.threads.push_back({event.thread, fmt::format("thread {}", event.thread), {}});
    return picture_.threads.size() - 1;
  }

  /// The line that begins at the event's place, or else the last one before it on the same line.
  static std::optional<std::size_t> line_of(const ProgramThread& thread, SourceLoc loc) {
    std::optional<std::size_t> best;
    if (!loc.is_known())
      return best;
    for (std::size_t i = 0; i < thread.lines.size(); ++i) {
      const SourceLoc at = thread.lines[i].loc;
      if (at.file != loc.file || at.line != loc.line)
        continue;
      if (!best || (at.column <= loc.column && at.column > thread.lines[*best].loc.column))
        best = i;
    }
    return best;
  }

  std::string place(SourceLoc loc) const {
    if (!loc.is_known())
      return "";
    if (loc.file < input_.files.size() && !input_.files[loc.file].empty())
      return fmt::format("{}:{}", input_.files[loc.file], loc.line);
    return fmt::format("line {}", loc.line);
  }

  void add_nodes() {
    const BitMatrix rmw = sized(execution_.rmw, count_);
    in_rmw_ = rmw.domain() | rmw.range();
    std::size_t initial = 0;
    std::size_t others = 0;
    std::size_t registers = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const Event& event = execution_.events[i];
      Picture::Node node;
      node.kind = kind_of(event.kind);
      node.what = i < input_.texts.size() && !input_.texts[i].empty() ? input_.texts[i] : what(i);
      const bool is_initial = node.kind == Picture::Kind::kInitialWrite;
      if (input_.is_register && input_.is_register(event))
        node.kind = Picture::Kind::kRegister;
      if (node.kind == Picture::Kind::kRegister)
        node.name = fmt::format("r{}", registers++);
      else
        node.name = is_initial ? fmt::format("i{}", initial++) : letters(others++);
      if (!is_initial) {
        node.thread = thread_of(event);
        node.line = line_of(picture_.threads[*node.thread], event.loc);
        node.place = place(event.loc);
      }
      picture_.nodes.push_back(std::move(node));
    }
  }

  void add(const std::string& name, const BitMatrix& pairs, bool shown, bool is_order) {
    const bool is_given = std::any_of(input_.relations.begin(),
                                      input_.relations.end(),
                                      [&](const NamedRelation& r) { return r.name == name; });
    if (!is_given)
      add_relation(name, pairs, shown, is_order);
  }

  void add_relation(const std::string& name, const BitMatrix& pairs, bool shown, bool is_order) {
    HEDDLE_CHECK(pairs.bound() == count_, "a relation over other events than the picture's");
    Picture::Relation relation{name, shown, is_order && pairs.is_acyclic(), {}};
    relation.edges = relation.is_order ? reduced(pairs).pairs() : pairs.pairs();
    picture_.relations.push_back(std::move(relation));
  }

  void add_relations() {
    const BitMatrix rf = sized(execution_.rf, count_);
    const BitMatrix co = sized(execution_.co, count_);
    const BitMatrix fr = rf.inverse().compose(co) - BitMatrix::identity(count_);
    add("po", sized(execution_.po, count_), true, true);
    add("rf", rf, true, false);
    add("co", co, true, true);
    add("fr", fr, true, false);
    struct Optional {
      const char* name;
      const BitMatrix* pairs;
    };
    for (const Optional& more : std::array<Optional, 6>{{{"rmw", &execution_.rmw},
                                                         {"addr", &execution_.addr},
                                                         {"data", &execution_.data},
                                                         {"ctrl", &execution_.ctrl},
                                                         {"sync", &execution_.synchronises},
                                                         {"iico_data", &execution_.intra_data}}})
      if (const BitMatrix pairs = sized(*more.pairs, count_); !pairs.empty())
        add(more.name, pairs, more.name != std::string_view("iico_data"), false);
    for (const NamedRelation& given : input_.relations)
      add_relation(given.name, given.pairs, given.shown, given.name == "po" || given.name == "co");
  }

  void add_set(const NamedSet& set) {
    HEDDLE_CHECK(set.members.bound() == count_, "a set of other events than the picture's");
    for (const KindText& kind : kinds())
      if (kind.name == set.name)
        return;
    picture_.sets.push_back({set.name, set.shown, set.members.elements()});
  }

  const PictureInput& input_;
  const Execution& execution_;
  std::size_t count_;
  Picture picture_;
  relation::BitSet in_rmw_;
};

/// The global an address lies in, with the offset.
struct Place {
  const program::Object* object = nullptr;
  std::uint64_t offset = 0;
};

std::optional<Place> place_of(const program::Program& program, std::uint64_t address) {
  const program::AddressSpace space = program.space();
  for (const program::Object& object : program.objects) {
    if (object.kind != program::Object::Kind::kGlobal)
      continue;
    const std::uint64_t base = space.base_of(object.unit);
    if (address >= base && address - base < std::max<std::uint64_t>(object.size, 1))
      return Place{&object, address - base};
  }
  return std::nullopt;
}

std::string place_text(const Place& place, std::uint64_t size) {
  const std::string& name = place.object->name;
  if (size != 0 && size < place.object->size && place.object->scalar_bits == 0 &&
      place.offset % size == 0)
    return fmt::format("{}[{}]", name, place.offset / size);
  return place.offset == 0 ? name : fmt::format("{}+{}", name, place.offset);
}

} // namespace

const std::vector<KindText>& kinds() {
  using Kind = Picture::Kind;
  static const std::vector<KindText> table = {
      {Kind::kWrite, "W", "writes", true},
      {Kind::kRead, "R", "reads", true},
      {Kind::kFence, "F", "fences and the like", true},
      {Kind::kInitialWrite, "IW", "initial writes", true},
      {Kind::kBranch, "B", "branches", false},
      {Kind::kRegister, "Reg", "register events", false},
  };
  return table;
}

Picture picture(const PictureInput& input) {
  HEDDLE_CHECK(input.execution != nullptr, "a picture of nothing");
  return Maker(input).make();
}

std::function<std::string(const Event&)> location_names(const program::Program& program) {
  return [&program](const Event& event) {
    const std::optional<Place> place = place_of(program, event.address);
    return place ? place_text(*place, event.size) : fmt::format("{:#x}", event.address);
  };
}

std::function<std::string(const Event&)> value_names(const program::Program& program) {
  return [&program](const Event& event) {
    // Units below the globals hold nothing with a name, so a small number is never an address.
    if (const std::optional<Place> place = place_of(program, event.value))
      return place_text(*place, 0);
    const std::optional<Place> target = place_of(program, event.address);
    if (target && target->object->scalar_signed && event.size != 0 && event.size <= 8)
      return std::to_string(logic::sign_extended(event.value, event.size * 8U));
    return std::to_string(event.value);
  };
}

BitMatrix reduced(const BitMatrix& relation) {
  if (!relation.is_acyclic())
    return relation;
  const BitMatrix closure = relation.transitive_closure();
  return relation - closure.compose(closure);
}

std::vector<std::pair<std::size_t, std::size_t>>
visible_edges(const Picture::Relation& relation, const std::vector<bool>& is_visible) {
  const std::size_t count = is_visible.size();
  relation::BitSet visible(count);
  for (std::size_t i = 0; i < count; ++i)
    if (is_visible[i])
      visible.insert(i);
  BitMatrix pairs(count);
  for (const auto& [from, to] : relation.edges)
    pairs.insert(from, to);
  if (!relation.is_order)
    return pairs.restrict(visible, visible).pairs();
  return reduced(pairs.transitive_closure().restrict(visible, visible)).pairs();
}

std::vector<bool> visible_nodes(const Picture& picture) {
  std::vector<bool> visible;
  for (const Picture::Node& node : picture.nodes)
    for (const KindText& kind : kinds())
      if (kind.kind == node.kind)
        visible.push_back(kind.shown);
  HEDDLE_CHECK(visible.size() == picture.nodes.size(), "an event without a kind");
  if (picture.highlight)
    for (const Highlight::Edge& edge : picture.highlight->edges)
      visible[edge.from] = visible[edge.to] = true;
  return visible;
}

} // namespace heddle::report
