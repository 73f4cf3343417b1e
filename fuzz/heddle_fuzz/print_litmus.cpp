// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

const char* order_name(Order order) {
  switch (order) {
  case Order::kPlain:
  case Order::kVolatile:
  case Order::kRelaxed:
    return "memory_order_relaxed";
  case Order::kAcquire:
    return "memory_order_acquire";
  case Order::kRelease:
    return "memory_order_release";
  case Order::kAcqRel:
    return "memory_order_acq_rel";
  case Order::kSeqCst:
    return "memory_order_seq_cst";
  }
  return "";
}

std::string text(const Expression& expression) {
  if (expression.reg < 0)
    return fmt::format("{}", expression.constant);
  if (expression.constant == 0)
    return fmt::format("r{}", expression.reg);
  return fmt::format("r{} + {}", expression.reg, expression.constant);
}

/// The part of the language that litmus tests in C have. Plain accesses are written as such on
/// atomic locations.
bool is_expressible(const Statement& s) {
  switch (s.kind) {
  case Kind::kLoad:
  case Kind::kStore:
  case Kind::kExchange:
  case Kind::kFetchAdd:
  case Kind::kFetchOr:
  case Kind::kFetchXor:
    return s.size == 4 && s.order != Order::kVolatile;
  case Kind::kFence:
  case Kind::kAssign:
    return true;
  case Kind::kIf:
    return std::all_of(s.body.begin(), s.body.end(), is_expressible) &&
           std::all_of(s.other.begin(), s.other.end(), is_expressible);
  case Kind::kCompareExchange:
  case Kind::kChoose:
  case Kind::kRepeat:
  case Kind::kLock:
  case Kind::kTryLock:
  case Kind::kSpinLock:
  case Kind::kReadLock:
  case Kind::kWriteLock:
  case Kind::kWait:
  case Kind::kSignal:
  case Kind::kBroadcast:
  case Kind::kSemaphorePost:
  case Kind::kSemaphoreWait:
  case Kind::kBarrier:
  case Kind::kAtomic:
  case Kind::kPointerStore:
  case Kind::kPointerLoad:
  case Kind::kDereferenceLoad:
  case Kind::kDereferenceStore:
  case Kind::kAssume:
  case Kind::kAssert:
  case Kind::kPlaceLoad:
  case Kind::kPlaceStore:
  case Kind::kPlaceFetchAdd:
  case Kind::kPointAt:
  case Kind::kHoldNode:
  case Kind::kSamePlace:
  case Kind::kPointerPublish:
  case Kind::kNodePublish:
  case Kind::kNodeTake:
  case Kind::kNodeSwap:
  case Kind::kNodeCompareExchange:
  case Kind::kAllocate:
  case Kind::kFree:
  case Kind::kFieldLoad:
  case Kind::kFieldStore:
  case Kind::kIfPlace:
  case Kind::kIfNode:
    return false;
  }
  return false;
}

void print(std::string& out, const std::vector<Statement>& statements, int depth) {
  const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
  for (const Statement& s : statements) {
    const auto line = [&](const std::string& content) { out += indent + content + "\n"; };
    const auto modify = [&](const char* function) {
      line(fmt::format(
          "r{} = {}(x{}, {}, {});", s.reg, function, s.object, text(s.value), order_name(s.order)));
    };
    if (s.kind == Kind::kLoad && s.order == Order::kPlain)
      line(fmt::format("r{} = *x{};", s.reg, s.object));
    else if (s.kind == Kind::kLoad)
      line(fmt::format(
          "r{} = atomic_load_explicit(x{}, {});", s.reg, s.object, order_name(s.order)));
    else if (s.kind == Kind::kStore && s.order == Order::kPlain)
      line(fmt::format("*x{} = {};", s.object, text(s.value)));
    else if (s.kind == Kind::kStore)
      line(fmt::format(
          "atomic_store_explicit(x{}, {}, {});", s.object, text(s.value), order_name(s.order)));
    else if (s.kind == Kind::kExchange)
      modify("atomic_exchange_explicit");
    else if (s.kind == Kind::kFetchAdd)
      modify("atomic_fetch_add_explicit");
    else if (s.kind == Kind::kFetchOr)
      modify("atomic_fetch_or_explicit");
    else if (s.kind == Kind::kFetchXor)
      modify("atomic_fetch_xor_explicit");
    else if (s.kind == Kind::kFence)
      line(fmt::format("atomic_thread_fence({});", order_name(s.order)));
    else if (s.kind == Kind::kAssign)
      line(fmt::format("r{} = {};", s.reg, text(s.value)));
    else if (s.kind == Kind::kIf) {
      line(fmt::format("if (r{} == {}) {{", s.reg, s.constant));
      print(out, s.body, depth + 1);
      line("} else {");
      print(out, s.other, depth + 1);
      line("}");
    }
  }
}

} // namespace

std::optional<std::string> to_litmus(const Program& program, const std::string& name) {
  for (const std::vector<Statement>& thread : program.threads)
    if (!std::all_of(thread.begin(), thread.end(), is_expressible))
      return std::nullopt;
  std::string out = fmt::format("C {}\n\n{{\n}}\n\n", name);
  std::string parameters;
  for (int object = 0; object < program.objects; ++object)
    parameters += fmt::format("{}atomic_int* x{}", object == 0 ? "" : ", ", object);
  std::string locations;
  for (int object = 0; object < program.objects; ++object)
    locations += fmt::format("x{}; ", object);
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    out += fmt::format("P{} ({}) {{\n  int r0 = 0;\n  int r1 = 0;\n  int r2 = 0;\n  int r3 = 0;\n",
                       thread,
                       parameters);
    print(out, program.threads[thread], 1);
    out += "}\n\n";
    for (int reg = 0; reg < kRegisters; ++reg)
      locations += fmt::format("{}:r{}; ", thread, reg);
  }
  out += fmt::format("locations [{}]\nexists (x0=0)\n", locations);
  return out;
}

} // namespace heddle::fuzz
