// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "program/events/event_pieces.h"

#include "program/model/sync_kinds.h"
#include "program/model/sync_layout.h"
#include "support/check.h"
#include "support/overloaded.h"

#include <algorithm>

namespace heddle::program {

namespace {

/// Those of one object, which is operand `operand`.
void add_words(std::vector<SyncWord>& to,
               std::size_t operand,
               ir::SyncObject object,
               ir::DataModel model,
               LockWords words) {
  using namespace sync_layout;
  const bool is_whole = words == LockWords::kWhole;
  const auto add = [&](std::uint64_t offset, std::uint8_t size) {
    to.push_back({operand, offset, size});
  };
  switch (object) {
  case ir::SyncObject::kThread:
    return;
  case ir::SyncObject::kMutex:
    add(kMutexOwner, 4);
    add(kMutexDepth, 4);
    return add(mutex_kind(model), 4);
  case ir::SyncObject::kReadWriteLock:
    if (is_whole) {
      add(0, 8);
      return add(kReadWriteTold, 4);
    }
    add(kReadWriteWriter, 4);
    add(kReadWriteReaders, 4);
    for (std::uint64_t i = 0; i < kMaxThreads / 2; ++i)
      add(kReadWriteReadersExtra + i, 1);
    return;
  case ir::SyncObject::kBarrier:
    if (is_whole)
      return add(0, 8);
    add(kBarrierThreshold, 4);
    add(kBarrierArrived, 4);
    return add(kBarrierGeneration, 4);
  case ir::SyncObject::kSpinLock:
  case ir::SyncObject::kCondition:
  case ir::SyncObject::kSemaphore:
  case ir::SyncObject::kOnce:
    return add(0, 4);
  }
}

} // namespace

std::vector<SyncWord> sync_words(SyncOp op, ir::DataModel model, LockWords words) {
  std::vector<SyncWord> all;
  const auto objects = objects_of(op);
  for (std::size_t i = 0; i < objects.size(); ++i)
    add_words(all, i, objects[i], model, words);
  return all;
}

namespace {

/// The largest piece that divides the size of an access and all its offsets.
std::uint8_t aligned_piece(const AccessPlace& place) {
  std::uint64_t bits = place.size;
  for (const auto& [object, offsets] : place.targets)
    bits |= static_cast<std::uint64_t>(offsets.first) | offsets.stride;
  return static_cast<std::uint8_t>(bits & (~bits + 1U));
}

} // namespace

AccessPieces::AccessPieces(const Program& program,
                           const std::set<ObjectId>& with_events,
                           LockWords words)
    : program_(program), words_(words), constants_(program),
      is_followed_(program.objects.size(), true) {
  for (std::size_t i = 0; i < program.procedures.size(); ++i)
    for (const Edge& edge : program.procedures[ProcedureId{i}].edges)
      collect(ProcedureId{i}, edge.action);
  choose_followed(with_events);
  choose_pieces();
}

void AccessPieces::collect(ProcedureId procedure, const Action& action) {
  const auto access = [&](Term address, const Access& a) {
    add(procedure, address, 0, a.size, a.is_visible);
  };
  std::visit(Overloaded{
                 [](const Skip&) {},
                 [](const Assign&) {},
                 [](const AssignSequence&) {},
                 [](const Nondet&) {},
                 [](const Assume&) {},
                 [](const Check&) {},
                 [](const CheckNeighbourhood&) {},
                 [&](const Load& a) { access(a.address, a.access); },
                 [&](const Store& a) { access(a.address, a.access); },
                 [&](const LoadExclusive& a) { access(a.address, a.access); },
                 [&](const StoreExclusive& a) { access(a.address, a.access); },
                 [&](const ReadModifyWrite& a) { access(a.address, a.access); },
                 [&](const CompareExchange& a) { access(a.address, a.access); },
                 [](const Fence&) {},
                 [](const Allocate&) {},
                 [](const Free&) {},
                 [](const BlockSize&) {},
                 [](const Call&) {},
                 [](const Return&) {},
                 [&](const Synchronize& a) {
                   for (const SyncWord& word : sync_words(a.op, program_.data_model, words_))
                     add(procedure, a.operands[word.operand], word.offset, word.size, true);
                 },
                 [](const AtomicBegin&) {},
                 [](const AtomicEnd&) {},
                 [](const Hint&) {},
                 [](const ThreadExit&) {},
                 [](const Exit&) {},
                 [](const Cut&) {},
                 [](const Trap&) {},
             },
             action);
}

AliasValue AccessPieces::address_value(ProcedureId procedure, Term address) {
  const logic::Node& node = program_.terms.node(address);
  if (node.op == logic::Op::kConstant)
    return constants_.value(node.value, node.sort.width);
  if (!points_to_)
    points_to_.emplace(program_);
  return points_to_->address(procedure, address);
}

void AccessPieces::add(
    ProcedureId procedure, Term address, std::uint64_t shift, std::uint8_t size, bool has_event) {
  const auto [entry, is_new] = by_access_.try_emplace(Key{procedure, address, shift, size}, 0);
  if (is_new) {
    const AliasValue value = address_value(procedure, address);
    AccessPlace place;
    place.size = size;
    place.is_any = value.is_any();
    for (const auto& [target, offsets] : value.targets())
      if (target.kind == Target::Kind::kObject)
        place.targets.emplace_back(ObjectId{std::size_t{target.index}},
                                   offsets.shifted(static_cast<std::int64_t>(shift)));
    place.piece = (size & (size - 1U)) == 0 ? aligned_piece(place) : std::uint8_t{1};
    const auto same = std::find_if(places_.begin(), places_.end(), [&](const AccessPlace& one) {
      return one.size == place.size && one.is_any == place.is_any && one.targets == place.targets;
    });
    entry->second = static_cast<std::size_t>(same - places_.begin());
    if (same == places_.end()) {
      places_.push_back(std::move(place));
      has_event_.push_back(false);
    }
  }
  if (has_event)
    has_event_[entry->second] = true;
}

/// What a free may end that another thread knows of, although nobody may touch it.
void AccessPieces::leave_out_freed() {
  for (const Procedure& procedure : program_.procedures)
    for (const Edge& edge : procedure.edges)
      if (const auto* free = std::get_if<Free>(&edge.action); free != nullptr && free->is_visible) {
        if (!free->may.is_valid())
          is_followed_ = IdVector<ObjectId, bool>(program_.objects.size(), false);
        else
          for (const ObjectId object : program_.object_sets[free->may])
            is_followed_[object] = false;
      }
}

/// An object is followed if nobody else touches it, and if every access that may go there goes to
/// such objects only.
void AccessPieces::choose_followed(const std::set<ObjectId>& with_events) {
  leave_out_freed();
  for (std::size_t i = 0; i < program_.objects.size(); ++i) {
    const Object& object = program_.objects[ObjectId{i}];
    if (with_events.contains(ObjectId{i}) ||
        (object.kind == Object::Kind::kFrameSite && object.dangling != Object::Dangling::kNever))
      is_followed_[ObjectId{i}] = false;
  }
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (places_[i].is_any)
      is_followed_ = IdVector<ObjectId, bool>(program_.objects.size(), false);
    else if (has_event_[i])
      for (const auto& [object, offsets] : places_[i].targets)
        is_followed_[object] = false;
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (AccessPlace& place : places_) {
      const auto follows = [&](const auto& target) { return is_followed_[target.first]; };
      if (std::all_of(place.targets.begin(), place.targets.end(), follows))
        continue;
      for (const auto& [object, offsets] : place.targets) {
        is_changed = is_changed || is_followed_[object];
        is_followed_[object] = false;
      }
    }
  }
  for (AccessPlace& place : places_)
    place.is_followed = !place.is_any && !place.targets.empty() &&
                        std::all_of(place.targets.begin(),
                                    place.targets.end(),
                                    [&](const auto& target) { return is_followed_[target.first]; });
}

/// Makes pieces smaller if those of the two may overlap otherwise than in the same bytes.
bool AccessPieces::shrink(AccessPlace& a, Offsets at_a, AccessPlace& b, Offsets at_b) {
  bool is_changed = false;
  while (a.piece > 1 || b.piece > 1) {
    bool is_partial = false;
    for (unsigned i = 0; i < a.size && !is_partial; i += a.piece)
      for (unsigned j = 0; j < b.size && !is_partial; j += b.piece)
        is_partial =
            overlap(at_a.shifted(i), a.piece, at_b.shifted(j), b.piece) == Overlap::kPartial;
    if (!is_partial)
      break;
    is_changed = true;
    if (a.piece > b.piece) {
      a.piece = b.piece;
    } else if (b.piece > a.piece) {
      b.piece = a.piece;
    } else {
      a.piece = static_cast<std::uint8_t>(a.piece / 2);
      b.piece = a.piece;
    }
  }
  return is_changed;
}

void AccessPieces::choose_pieces() {
  struct Use {
    std::size_t place = 0;
    Offsets offsets;
  };
  IdVector<ObjectId, std::vector<Use>> uses(program_.objects.size());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    for (const auto& [object, offsets] : places_[i].targets)
      uses[object].push_back({i, offsets});
    if (places_[i].is_any)
      for (std::vector<Use>& of_object : uses)
        of_object.push_back({i, Offsets{0, places_[i].size}});
  }
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (const std::vector<Use>& of_object : uses)
      for (std::size_t i = 0; i < of_object.size(); ++i)
        for (std::size_t j = i; j < of_object.size(); ++j)
          is_changed = shrink(places_[of_object[i].place],
                              of_object[i].offsets,
                              places_[of_object[j].place],
                              of_object[j].offsets) ||
                       is_changed;
  }
}

const AccessPlace& AccessPieces::place(ProcedureId procedure,
                                       Term address,
                                       std::uint64_t shift,
                                       std::uint8_t size) const {
  const auto found = by_access_.find(Key{procedure, address, shift, size});
  HEDDLE_CHECK(found != by_access_.end(), "an access that the program does not make");
  return places_[found->second];
}

namespace {

using Placed = std::pair<ObjectId, Offsets>;

bool is_zero(const Program& program, Term value) {
  return program.terms.is_constant(value) && program.terms.node(value).value == 0;
}

/// Does one of the four bytes of the word hold something at first?
bool holds_something(const Object& object, Offsets offsets) {
  for (std::size_t at = 0; at < object.initial.size(); ++at)
    if (object.initial[at] != 0 &&
        overlap(offsets, 4, Offsets{static_cast<std::int64_t>(at), 0}, 1) != Overlap::kNever)
      return true;
  return false;
}

/// Where an action may write something else than zero.
std::optional<std::pair<Term, std::uint8_t>> written_by(const Program& program,
                                                        const Action& action) {
  if (const auto* store = std::get_if<Store>(&action)) {
    if (is_zero(program, store->value) && !store->marks)
      return std::nullopt;
    return std::pair(store->address, store->access.size);
  }
  if (const auto* store = std::get_if<StoreExclusive>(&action))
    return std::pair(store->address, store->access.size);
  if (const auto* update = std::get_if<ReadModifyWrite>(&action))
    return std::pair(update->address, update->access.size);
  if (const auto* exchange = std::get_if<CompareExchange>(&action))
    return std::pair(exchange->address, exchange->access.size);
  return std::nullopt;
}

} // namespace

bool AccessPieces::has_only_normal_mutexes() const {
  const std::uint64_t kind = sync_layout::mutex_kind(program_.data_model);
  std::vector<Placed> kinds;
  for (std::size_t i = 0; i < program_.procedures.size(); ++i)
    for (const Edge& edge : program_.procedures[ProcedureId{i}].edges) {
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      if (sync == nullptr)
        continue;
      if (sync->op == SyncOp::kMutexInit && !is_zero(program_, sync->operands[1]))
        return false;
      for (const SyncWord& word : sync_words(sync->op, program_.data_model, LockWords::kFields)) {
        if (word.offset != kind || word.size != 4)
          continue;
        const AccessPlace& where =
            place(ProcedureId{i}, sync->operands[word.operand], word.offset, word.size);
        if (where.is_any)
          return false;
        for (const Placed& target : where.targets)
          if (std::ranges::find(kinds, target) == kinds.end())
            kinds.push_back(target);
      }
    }
  if (kinds.empty())
    return true;
  for (const auto& [object, offsets] : kinds)
    if (holds_something(program_.objects[object], offsets))
      return false;
  for (std::size_t i = 0; i < program_.procedures.size(); ++i)
    for (const Edge& edge : program_.procedures[ProcedureId{i}].edges) {
      const auto written = written_by(program_, edge.action);
      if (!written)
        continue;
      const AccessPlace& where = place(ProcedureId{i}, written->first, 0, written->second);
      if (where.is_any)
        return false;
      for (const auto& [object, offsets] : where.targets)
        for (const auto& [mutex, at] : kinds)
          if (object == mutex && overlap(offsets, where.size, at, 4) != Overlap::kNever)
            return false;
    }
  return true;
}

} // namespace heddle::program
