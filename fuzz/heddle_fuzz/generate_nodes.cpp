// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs in which it is a matter of the run whether memory is private or shared: pointers to a
// thread's own variables or to globals, own variables that are published on one path only, structs
// on the heap with numbers, an array and a pointer, handed over from thread to thread, and freed by
// another than the one that allocated them.
#include "heddle_fuzz/generate.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;
using Of = Address::Of;
using Statements = std::vector<Statement>;

class Generator {
public:
  explicit Generator(Rng& rng) : rng_(rng) {}

  Program program() {
    Program program;
    program.has_nodes = true;
    program.objects = 2;
    program.starts_empty = rng_.chance(1, 2);
    // Else what is published mostly dangles in some run, which hides the rest.
    program.locals_in_main = rng_.chance(2, 3);
    is_weak_ = rng_.chance(2, 3);
    const std::uint64_t threads = rng_.chance(3, 4) ? 2 : 3;
    // The reference pays for every interleaving.
    budget_ = threads == 2 ? 4 : 2;
    may_free_ = rng_.chance(1, 3);
    const std::uint64_t frame = rng_.below(8);
    sends_chain_ = rng_.chance(1, 3);
    for (std::uint64_t thread = 0; thread < threads; ++thread) {
      next_register_ = 0;
      if (frame < 3)
        program.threads.push_back(framed(thread));
      else if (frame < 6)
        program.threads.push_back(message(thread));
      else
        program.threads.push_back(body());
    }
    return program;
  }

private:
  Statements body() {
    Statements statements;
    int left = budget_ - static_cast<int>(rng_.below(2));
    while (left > 0) {
      Statements more = shape();
      for (const Statement& statement : more)
        left -= 1 + static_cast<int>(statement.body.size() + statement.other.size());
      if (left < -1 && !statements.empty())
        break;
      std::move(more.begin(), more.end(), std::back_inserter(statements));
    }
    return statements;
  }

  /// Store buffering around a shape, so that the models are told apart: the threads write and read
  /// two words crosswise, through pointers or not.
  Statements framed(std::uint64_t thread) {
    const auto object = static_cast<int>(thread % 2);
    Statements result = write({.of = Of::kGlobal, .object = object});
    Statements inside = rng_.chance(1, 2) ? Statements{simple()} : shape();
    if (static_cast<int>(inside.size()) > budget_)
      inside.resize(static_cast<std::size_t>(budget_));
    std::move(inside.begin(), inside.end(), std::back_inserter(result));
    result.push_back(load_from({.of = Of::kGlobal, .object = 1 - object}));
    return result;
  }

  /// The first thread writes and then says so, the others look in the opposite order.
  Statements message(std::uint64_t thread) {
    const std::uint64_t kind = sends_chain_ ? 0 : rng_.below(3);
    Statements result;
    if (thread == 0) {
      if (kind == 0)
        return sends_chain_ ? send_chain() : send();
      result = write({.of = Of::kGlobal, .object = 0});
      if (kind == 1)
        result.push_back(simple());
      Statements flag = write({.of = Of::kGlobal, .object = 1});
      std::move(flag.begin(), flag.end(), std::back_inserter(result));
      return result;
    }
    if (kind == 0)
      return receive(sends_chain_);
    result.push_back(load_from({.of = Of::kGlobal, .object = 1}));
    result.push_back(kind == 1 ? simple() : with(Kind::kNodeTake, load_order()));
    result.push_back(load_from({.of = Of::kGlobal, .object = 0}));
    return result;
  }

  /// By its name or through a pointer.
  Statements write(const Address& address) {
    if (rng_.chance(1, 3))
      return {point_at(address), dereference_store()};
    return {store_to(address)};
  }

  Statements shape() {
    switch (rng_.below(13)) {
    case 0:
      return publish_on_one_path();
    case 1:
      return point_at_either();
    case 2:
    case 3:
      return send();
    case 4:
    case 5:
      return receive();
    case 6:
      return use_array();
    case 7:
      return look_through_pointer();
    case 8:
    case 9:
    case 10:
      return write_and_read();
    default:
      return {simple()};
    }
  }

  /// if (r == c) p = &l; and l is used before and after.
  Statements publish_on_one_path() {
    Statements result;
    if (rng_.chance(1, 2))
      result.push_back(store_to(own()));
    const int reg = load_first(result);
    Statements inside = {point_at(own()), with(Kind::kPointerPublish, store_order())};
    Statement branch{.kind = Kind::kIf, .reg = reg, .constant = small(), .body = std::move(inside)};
    result.push_back(std::move(branch));
    result.push_back(rng_.chance(1, 2) ? store_to(own()) : load_from(own()));
    return result;
  }

  /// q = r == c ? &l : &x;
  Statements point_at_either() {
    Statements result;
    const int reg = load_first(result);
    Statement choice = point_at(own());
    choice.otherwise = shared();
    choice.is_conditional = true;
    choice.reg = reg;
    choice.constant = small();
    if (rng_.chance(1, 2))
      std::swap(choice.address, choice.otherwise);
    result.push_back(std::move(choice));
    if (rng_.chance(1, 3))
      result.push_back(with(Kind::kPointerPublish, store_order()));
    if (rng_.chance(2, 3))
      result.push_back(dereference_store());
    if (rng_.chance(1, 3))
      result.push_back(load_from(rng_.chance(1, 2) ? own() : shared()));
    return result;
  }

  /// A node is filled and published.
  Statements send() {
    Statements result;
    if (rng_.chance(3, 4))
      result.push_back({.kind = Kind::kAllocate});
    else
      result.push_back({.kind = Kind::kHoldNode,
                        .address = {.of = rng_.chance(2, 3) ? Of::kLocalNode : Of::kGlobalNode}});
    if (rng_.chance(3, 4))
      result.push_back(store_to(word_of(Of::kHeldNode)));
    if (rng_.chance(1, 2)) {
      if (rng_.chance(1, 2))
        result.push_back(point_at(rng_.chance(1, 2) ? own() : shared()));
      result.push_back(with(Kind::kFieldStore, weak_order(), Of::kHeldNode));
    }
    switch (rng_.below(5)) {
    case 0: {
      Statement attempt = with(Kind::kNodeCompareExchange,
                               update_order(),
                               rng_.chance(1, 2) ? Of::kNowhere : Of::kGlobalNode);
      attempt.reg = fresh_register();
      result.push_back(std::move(attempt));
      break;
    }
    case 1:
      result.push_back(with(Kind::kNodeSwap, update_order(), Of::kHeldNode));
      break;
    default:
      result.push_back(with(Kind::kNodePublish, store_order()));
      break;
    }
    return result;
  }

  /// A node that nobody else knows but through another one, which has a number of unknown value
  /// beside the pointer.
  Statements send_chain() {
    Statements result = {load_from(object()),
                         {.kind = Kind::kAllocate},
                         point_at(word_of(Of::kHeldNode)),
                         {.kind = Kind::kAllocate},
                         store_to(word_of(Of::kHeldNode)),
                         with(Kind::kFieldStore, weak_order(), Of::kHeldNode),
                         with(Kind::kNodePublish, store_order()),
                         rng_.chance(1, 2) ? dereference_store() : dereference_load()};
    if (rng_.chance(1, 2)) {
      result[4].kind = Kind::kPlaceFetchAdd;
      result[4].order = update_order();
      result[4].reg = fresh_register();
      result[4].value = {.reg = -1, .constant = 1};
    } else {
      result[4].value = {.reg = result.front().reg, .constant = small()};
    }
    return result;
  }

  /// What is published is taken, and looked into.
  Statements receive(bool looks_through = false) {
    Statements result;
    const bool takes_it_away = rng_.chance(1, 3);
    result.push_back(takes_it_away ? with(Kind::kNodeSwap, update_order(), Of::kNowhere)
                                   : with(Kind::kNodeTake, load_order()));
    Statements inside;
    inside.push_back(rng_.chance(2, 3) ? load_from(word_of(Of::kHeldNode))
                                       : store_to(word_of(Of::kHeldNode)));
    if (looks_through || rng_.chance(1, 2)) {
      inside.push_back(with(Kind::kFieldLoad, load_order(), Of::kHeldNode));
      Statement guard{.kind = Kind::kIfPlace, .body = {}, .other = {}};
      guard.body.push_back(rng_.chance(1, 2) ? dereference_load() : dereference_store());
      inside.push_back(std::move(guard));
    }
    if (may_free_ && rng_.chance(takes_it_away ? 3 : 1, 4)) {
      // Freeing g is always a fault.
      Statement release{.kind = Kind::kFree};
      inside.push_back(std::move(release));
    }
    result.push_back({.kind = Kind::kIfNode, .body = std::move(inside)});
    return result;
  }

  /// g.a[r] = …; … = g.a[r];
  Statements use_array() {
    Statements result;
    const int reg = load_first(result);
    Address element{.of = rng_.chance(1, 2) ? Of::kGlobalNode : Of::kHeldNode,
                    .in_array = true,
                    .index = {.reg = reg, .constant = static_cast<std::uint32_t>(rng_.below(2))}};
    result.push_back(rng_.chance(1, 2) ? store_to(element) : point_at(element));
    if (result.back().kind == Kind::kPointAt)
      result.push_back(rng_.chance(1, 2) ? dereference_store()
                                         : with(Kind::kPointerPublish, store_order()));
    if (rng_.chance(1, 3))
      result.push_back(load_from(word_of(element.of)));
    return result;
  }

  Statements look_through_pointer() {
    Statements result = {with(Kind::kPointerLoad, load_order())};
    if (rng_.chance(1, 3))
      result.push_back({.kind = Kind::kSamePlace,
                        .reg = fresh_register(),
                        .address = rng_.chance(1, 2) ? own_word() : object()});
    result.push_back(rng_.chance(1, 2) ? dereference_load() : dereference_store());
    return result;
  }

  /// One half of store buffering, with a pointer in it.
  Statements write_and_read() {
    const auto object = static_cast<int>(rng_.below(2));
    const Address read{.of = Of::kGlobal, .object = 1 - object};
    Statements result;
    if (rng_.chance(1, 3))
      result = {with(Kind::kPointerLoad, load_order()), dereference_store()};
    else if (rng_.chance(1, 4))
      result = {store_to(word_of(Of::kGlobalNode))};
    else
      result = write({.of = Of::kGlobal, .object = object});
    if (rng_.chance(1, 3))
      result.push_back(with(Kind::kPointerPublish, store_order()));
    result.push_back(rng_.chance(1, 4) ? load_from(word_of(Of::kHeldNode)) : load_from(read));
    return result;
  }

  Statement simple() {
    switch (rng_.below(12)) {
    case 0:
      return with(Kind::kPointerPublish, store_order());
    case 1:
      return dereference_load();
    case 2:
      return dereference_store();
    case 3:
      return load_from(own());
    case 4:
      return store_to(own());
    case 5: {
      Statement update = store_to(shared());
      update.kind = Kind::kPlaceFetchAdd;
      update.order = update_order();
      update.reg = fresh_register();
      return update;
    }
    case 6:
      return with(Kind::kFence, update_order());
    case 7: {
      Statement either{.kind = Kind::kHoldNode,
                       .reg = any_register(),
                       .constant = small(),
                       .address = {.of = Of::kLocalNode},
                       .otherwise = {.of = Of::kGlobalNode},
                       .is_conditional = true};
      return either;
    }
    case 8:
      return {.kind = Kind::kLock,
              .body = {rng_.chance(1, 2) ? store_to(shared()) : load_from(shared())}};
    case 9: {
      Statement check{.kind = rng_.chance(2, 3) ? Kind::kAssert : Kind::kAssume,
                      .reg = any_register(),
                      .constant = static_cast<std::uint32_t>(rng_.below(4))};
      return check;
    }
    case 10:
      return load_from(shared());
    default:
      return store_to(shared());
    }
  }

  /// A register whose value depends on another thread, if possible.
  int load_first(Statements& statements) {
    if (next_register_ != 0 && rng_.chance(1, 2))
      return any_register();
    statements.push_back(load_from(object()));
    return statements.back().reg;
  }

  Address object() { return {.of = Of::kGlobal, .object = static_cast<int>(rng_.below(2))}; }
  static Address own_word() { return {.of = Of::kLocal}; }
  Address word_of(Of node) {
    Address address{.of = node, .in_array = rng_.chance(1, 2)};
    if (address.in_array)
      address.index = {.reg = rng_.chance(1, 2) ? any_register() : -1, .constant = small()};
    return address;
  }
  Address own() { return rng_.chance(2, 3) ? own_word() : word_of(Of::kLocalNode); }
  Address shared() { return rng_.chance(2, 3) ? object() : word_of(Of::kGlobalNode); }

  static Statement with(Kind kind, Order order, Of of = Of::kGlobal) {
    return {.kind = kind, .order = order, .address = {.of = of}};
  }
  static Statement point_at(const Address& address) {
    return {.kind = Kind::kPointAt, .address = address};
  }
  Statement load_from(const Address& address) {
    return {.kind = Kind::kPlaceLoad,
            .order = load_order(),
            .reg = fresh_register(),
            .address = address};
  }
  Statement store_to(const Address& address) {
    const bool is_shared = address.of == Of::kGlobal || address.of == Of::kGlobalNode;
    return {.kind = Kind::kPlaceStore,
            .order = is_shared ? store_order() : weak_order(),
            .value = value(),
            .address = address};
  }
  Statement dereference_load() {
    return {.kind = Kind::kDereferenceLoad, .order = load_order(), .reg = fresh_register()};
  }
  Statement dereference_store() {
    return {.kind = Kind::kDereferenceStore, .order = weak_order(), .value = value()};
  }

  Expression value() {
    if (rng_.chance(1, 5))
      return {.reg = any_register(), .constant = static_cast<std::uint32_t>(rng_.below(2))};
    return {.reg = -1, .constant = 1 + next_value_++ % 3};
  }
  std::uint32_t small() { return static_cast<std::uint32_t>(rng_.below(2)); }
  int any_register() {
    return static_cast<int>(
        rng_.below(static_cast<std::uint64_t>(std::clamp(next_register_, 1, kRegisters))));
  }
  int fresh_register() { return next_register_++ % kRegisters; }

  Order load_order() {
    constexpr std::array kOrders = {
        Order::kPlain, Order::kRelaxed, Order::kVolatile, Order::kAcquire, Order::kSeqCst};
    return kOrders[rng_.below(is_weak_ ? 2 : kOrders.size())];
  }
  Order store_order() {
    constexpr std::array kOrders = {
        Order::kPlain, Order::kRelaxed, Order::kVolatile, Order::kRelease, Order::kSeqCst};
    return kOrders[rng_.below(is_weak_ ? 2 : kOrders.size())];
  }
  /// Of stores to what may be private in all runs: the machines' stores and updates wait for
  /// earlier ones there, too, but such memory has no events, and so no fence that axioms could see.
  Order weak_order() {
    constexpr std::array kOrders = {Order::kPlain, Order::kRelaxed, Order::kVolatile};
    return kOrders[rng_.below(kOrders.size())];
  }
  Order update_order() {
    constexpr std::array kOrders = {
        Order::kRelaxed, Order::kAcquire, Order::kRelease, Order::kAcqRel, Order::kSeqCst};
    return kOrders[rng_.below(kOrders.size())];
  }

  Rng& rng_;
  bool is_weak_ = false;
  bool may_free_ = false;
  bool sends_chain_ = false;
  int budget_ = 0;
  int next_register_ = 0;
  std::uint32_t next_value_ = 0;
};

} // namespace

Program generate_with_nodes(Rng& rng) {
  return Generator(rng).program();
}

} // namespace heddle::fuzz
