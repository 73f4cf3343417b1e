// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/flatten.h"

#include <utility>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

bool is_release(Order order) {
  return order == Order::kRelease || order == Order::kAcqRel || order == Order::kSeqCst;
}

/// Flattens one thread and puts in the fences the model's lowering asks for.
class Flattener {
public:
  explicit Flattener(Model model) : model_(model) {}

  std::vector<Micro> flatten(const std::vector<Statement>& statements, bool has_nodes) {
    sequence(statements);
    emit(Micro::Do::kPublish, nullptr);
    if (has_nodes)
      emit(Micro::Do::kReturn, nullptr);
    emit(Micro::Do::kEnd, nullptr);
    return std::move(code_);
  }

private:
  void emit(Micro::Do what, const Statement* statement) { code_.push_back({what, statement, 0}); }

  void sequence(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements)
      one(statement);
  }

  void store(Micro::Do what, const Statement& statement) {
    if (is_release(statement.order) && model_ == Model::kPSO)
      emit(Micro::Do::kStoreStoreFence, nullptr);
    emit(what, &statement);
    if (statement.order == Order::kSeqCst)
      emit(Micro::Do::kFullFence, nullptr);
  }

  void around(Micro::Do before, const Statement& statement, Micro::Do after) {
    emit(before, &statement);
    sequence(statement.body);
    emit(after, &statement);
  }

  void one(const Statement& statement) {
    switch (statement.kind) {
    case Kind::kLoad:
      return emit(Micro::Do::kLoad, &statement);
    case Kind::kDereferenceLoad:
      return emit(Micro::Do::kLoadVia, &statement);
    case Kind::kPointerLoad:
      return emit(Micro::Do::kPointerLoad, &statement);
    case Kind::kStore:
      return store(Micro::Do::kStore, statement);
    case Kind::kDereferenceStore:
      return store(Micro::Do::kStoreVia, statement);
    case Kind::kPointerStore:
      return store(Micro::Do::kPointerStore, statement);
    case Kind::kExchange:
    case Kind::kFetchAdd:
    case Kind::kFetchOr:
    case Kind::kFetchXor:
      return emit(Micro::Do::kModify, &statement);
    case Kind::kCompareExchange:
      return emit(Micro::Do::kCompareExchange, &statement);
    case Kind::kFence:
      if (statement.order == Order::kSeqCst)
        emit(Micro::Do::kFullFence, nullptr);
      else if (is_release(statement.order) && model_ == Model::kPSO)
        emit(Micro::Do::kStoreStoreFence, nullptr);
      return;
    case Kind::kAssign:
      return emit(Micro::Do::kAssign, &statement);
    case Kind::kChoose:
      return emit(Micro::Do::kChoose, &statement);
    case Kind::kIf:
    case Kind::kIfPlace:
    case Kind::kIfNode: {
      const std::size_t branch = code_.size();
      emit(Micro::Do::kJumpUnless, &statement);
      sequence(statement.body);
      const std::size_t jump = code_.size();
      emit(Micro::Do::kJump, nullptr);
      code_[branch].target = code_.size();
      sequence(statement.other);
      code_[jump].target = code_.size();
      return;
    }
    case Kind::kRepeat:
      for (int round = 0; round < statement.count; ++round)
        sequence(statement.body);
      return;
    case Kind::kLock:
      return around(Micro::Do::kLock, statement, Micro::Do::kUnlock);
    case Kind::kTryLock: {
      emit(Micro::Do::kTryLock, &statement);
      const std::size_t branch = code_.size();
      emit(Micro::Do::kJumpUnless, nullptr); // on "not taken": see step()
      code_.back().statement = &statement;
      sequence(statement.body);
      emit(Micro::Do::kUnlock, &statement);
      code_[branch].target = code_.size();
      return;
    }
    case Kind::kSpinLock:
      return around(Micro::Do::kSpinLock, statement, Micro::Do::kSpinUnlock);
    case Kind::kReadLock:
      return around(Micro::Do::kReadLock, statement, Micro::Do::kReadUnlock);
    case Kind::kWriteLock:
      return around(Micro::Do::kWriteLock, statement, Micro::Do::kWriteUnlock);
    case Kind::kWait:
      emit(Micro::Do::kLock, &statement);
      emit(Micro::Do::kUnlock, &statement);
      emit(Micro::Do::kSleep, nullptr);
      emit(Micro::Do::kLock, &statement);
      return emit(Micro::Do::kUnlock, &statement);
    case Kind::kSignal:
      return emit(Micro::Do::kSignal, nullptr);
    case Kind::kBroadcast:
      return emit(Micro::Do::kBroadcast, nullptr);
    case Kind::kSemaphorePost:
      return emit(Micro::Do::kSemaphorePost, &statement);
    case Kind::kSemaphoreWait:
      return emit(Micro::Do::kSemaphoreWait, &statement);
    case Kind::kBarrier:
      emit(Micro::Do::kBarrierArrive, nullptr);
      return emit(Micro::Do::kBarrierLeave, nullptr);
    case Kind::kAtomic:
      return around(Micro::Do::kAtomicBegin, statement, Micro::Do::kAtomicEnd);
    case Kind::kAssume:
      return emit(Micro::Do::kAssume, &statement);
    case Kind::kAssert:
      return emit(Micro::Do::kAssert, &statement);
    case Kind::kPlaceStore:
    case Kind::kPointerPublish:
    case Kind::kNodePublish:
    case Kind::kFieldStore:
      return store(Micro::Do::kNode, statement);
    case Kind::kPlaceLoad:
    case Kind::kPlaceFetchAdd:
    case Kind::kPointAt:
    case Kind::kHoldNode:
    case Kind::kSamePlace:
    case Kind::kNodeTake:
    case Kind::kNodeSwap:
    case Kind::kNodeCompareExchange:
    case Kind::kAllocate:
    case Kind::kFree:
    case Kind::kFieldLoad:
      return emit(Micro::Do::kNode, &statement);
    }
  }

  Model model_;
  std::vector<Micro> code_;
};

} // namespace

std::vector<Micro> flatten(const std::vector<Statement>& statements, Model model, bool has_nodes) {
  return Flattener(model).flatten(statements, has_nodes);
}

} // namespace heddle::fuzz
