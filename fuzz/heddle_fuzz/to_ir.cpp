// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/to_ir.h"

#include <string>
#include <utility>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

constexpr ir::Type kInt = ir::Type::integer(32);
constexpr ir::Type kBit = ir::Type::integer(1);

ir::Operand number(std::uint64_t value, ir::Type type = kInt) {
  return ir::Constant{type, value};
}

ir::Access access_of(Order order) {
  switch (order) {
  case Order::kPlain:
    return {ir::AccessKind::kPlain, ir::Order::kNone, {}};
  case Order::kVolatile:
    return {ir::AccessKind::kVolatile, ir::Order::kNone, {}};
  case Order::kRelaxed:
    return {ir::AccessKind::kAtomic, ir::Order::kRelaxed, {}};
  case Order::kAcquire:
    return {ir::AccessKind::kAtomic, ir::Order::kAcquire, {}};
  case Order::kRelease:
    return {ir::AccessKind::kAtomic, ir::Order::kRelease, {}};
  case Order::kAcqRel:
    return {ir::AccessKind::kAtomic, ir::Order::kAcqRel, {}};
  case Order::kSeqCst:
    return {ir::AccessKind::kAtomic, ir::Order::kSeqCst, {}};
  }
  return {};
}

/// Where each global stands in the module.
struct Globals {
  std::vector<ir::GlobalId> objects;
  std::vector<ir::GlobalId> results;
  ir::GlobalId pointer, node, node_pointer, mutex, condition, shared_lock, spin, barrier, semaphore;
};

/// struct node { unsigned n; unsigned a[2]; unsigned *p; }
constexpr std::uint64_t kNodeSize = 24;
constexpr std::int64_t kFieldOffset = 16;
/// Of main's, for a thread: its word, then its node.
constexpr std::int64_t kNodeInLocals = 8;

class FunctionBuilder {
public:
  FunctionBuilder(std::string name, const Globals& globals) : globals_(globals) {
    function_.name = std::move(name);
    block_ = new_block();
  }

  ir::RegisterId new_register(ir::Type type, std::string name = {}) {
    return function_.registers.push_back({type, std::move(name), {}});
  }
  ir::BlockId new_block() {
    return function_.blocks.push_back({"b" + std::to_string(function_.blocks.size()), {}});
  }
  void emit(ir::Operation operation) {
    function_.blocks[block_].instructions.push_back({std::move(operation), {}});
  }
  void start(ir::BlockId block) { block_ = block; }
  void
  sync(ir::SyncOp op, std::vector<ir::Operand> operands, std::optional<ir::RegisterId> dest = {}) {
    emit(ir::Synchronize{dest, op, std::move(operands)});
  }
  ir::RegisterId compute(ir::Op op, ir::Type type, std::vector<ir::Operand> operands) {
    const ir::RegisterId dest = new_register(type);
    emit(ir::Compute{dest, op, std::move(operands), false});
    return dest;
  }
  ir::Function take() { return std::move(function_); }
  ir::Function& function() { return function_; }

  ir::SlotId new_slot(std::uint64_t size, const std::string& name) {
    ir::Slot slot;
    slot.name = name;
    slot.size = size;
    slot.align = 8;
    return function_.slots.push_back(std::move(slot));
  }
  /// One after the other and before anything else, so that nobody sees them without their first
  /// values, and no order of their flushes is explored.
  void clear(const ir::Operand& base, ir::Type type) {
    emit(ir::Store{base, number(0, type), type, access_of(Order::kSeqCst)});
  }
  void clear_node(const ir::Operand& base) {
    for (std::int64_t index = 0; index < kNodeNumbers; ++index)
      clear(moved(base, 4 * index), kInt);
    clear(moved(base, kFieldOffset), ir::Type::pointer());
  }
  ir::Operand moved(ir::Operand base, std::int64_t bytes) {
    if (bytes == 0)
      return base;
    if (const auto* global = std::get_if<ir::GlobalAddress>(&base))
      return ir::GlobalAddress{global->global, global->offset + bytes};
    return compute(ir::Op::kPtrAdd, ir::Type::pointer(), {std::move(base), offset(bytes)});
  }

  void thread(const Program& program, std::size_t index) {
    const std::vector<Statement>& statements = program.threads[index];
    function_.parameter_count = 1;
    function_.result = ir::Type::pointer();
    const ir::RegisterId argument = new_register(ir::Type::pointer());
    for (int reg = 0; reg < kRegisters; ++reg) {
      registers_.push_back(new_register(kInt, "r" + std::to_string(reg)));
      emit(ir::Compute{registers_.back(), ir::Op::kCopy, {number(0)}, false});
    }
    pointer_ = new_register(ir::Type::pointer(), "q");
    emit(ir::Compute{pointer_, ir::Op::kCopy, {ir::GlobalAddress{globals_.objects[0], 0}}, false});
    if (program.has_nodes) {
      node_ = new_register(ir::Type::pointer(), "h");
      emit(ir::Compute{node_, ir::Op::kCopy, {ir::GlobalAddress{globals_.node, 0}}, false});
      if (program.locals_in_main) {
        local_ = argument;
        local_node_ =
            compute(ir::Op::kPtrAdd, ir::Type::pointer(), {argument, offset(kNodeInLocals)});
      } else {
        local_ = ir::SlotAddress{new_slot(4, "l")};
        local_node_ = ir::SlotAddress{new_slot(kNodeSize, "ln")};
        clear(local_, kInt);
        clear_node(local_node_);
      }
    }
    sequence(statements);
    pack(registers_, globals_.results[index]);
    emit(ir::Return{number(0, ir::Type::pointer())});
  }

  /// og := the numbers of g.
  void pack_node() {
    std::vector<ir::RegisterId> numbers;
    for (std::int64_t index = 0; index < kNodeNumbers; ++index) {
      numbers.push_back(new_register(kInt));
      emit(ir::Load{numbers.back(), ir::GlobalAddress{globals_.node, 4 * index}, {}});
    }
    pack(numbers, globals_.results.back());
  }

private:
  /// 8 bits of each.
  void pack(const std::vector<ir::RegisterId>& values, ir::GlobalId into) {
    ir::Operand packed = number(0);
    for (std::uint64_t index = 0; index < values.size(); ++index) {
      const ir::RegisterId low = compute(ir::Op::kAnd, kInt, {values[index], number(255)});
      const ir::RegisterId shifted = compute(ir::Op::kShl, kInt, {low, number(8 * index)});
      packed = compute(ir::Op::kOr, kInt, {packed, shifted});
    }
    emit(ir::Store{ir::GlobalAddress{into, 0}, packed, kInt, {}});
  }
  static ir::Operand offset(std::int64_t bytes) {
    return number(static_cast<std::uint64_t>(bytes), ir::Type::integer(64));
  }
  /// A word, or a node, which starts with its first word.
  ir::Operand address(const Address& where) {
    ir::Operand base;
    switch (where.of) {
    case Address::Of::kNowhere:
      return number(0, ir::Type::pointer());
    case Address::Of::kGlobal:
      return ir::GlobalAddress{globals_.objects[static_cast<std::size_t>(where.object)], 0};
    case Address::Of::kLocal:
      return local_;
    case Address::Of::kGlobalNode:
      base = ir::GlobalAddress{globals_.node, 0};
      break;
    case Address::Of::kLocalNode:
      base = local_node_;
      break;
    case Address::Of::kHeldNode:
      base = node_;
      break;
    }
    if (!where.in_array)
      return base;
    base = moved(std::move(base), 4);
    if (where.index.reg < 0)
      return moved(std::move(base), 4 * static_cast<std::int64_t>(where.index.constant & 1U));
    const ir::RegisterId index = compute(ir::Op::kAnd, kInt, {evaluate(where.index), number(1)});
    const ir::RegisterId wide = compute(ir::Op::kZExt, ir::Type::integer(64), {index});
    const ir::RegisterId bytes = compute(ir::Op::kMul, ir::Type::integer(64), {wide, offset(4)});
    return compute(ir::Op::kPtrAdd, ir::Type::pointer(), {std::move(base), bytes});
  }
  void assign_address(ir::RegisterId dest, const Statement& s) {
    ir::Operand chosen = address(s.address);
    if (!s.is_conditional)
      return emit(ir::Compute{dest, ir::Op::kCopy, {std::move(chosen)}, false});
    ir::Operand otherwise = address(s.otherwise);
    const ir::RegisterId condition = compute(ir::Op::kEq, kBit, {reg(s), number(s.constant)});
    emit(ir::Compute{
        dest, ir::Op::kSelect, {condition, std::move(chosen), std::move(otherwise)}, false});
  }
  void if_set(ir::RegisterId pointer, const Statement& s) {
    const ir::RegisterId condition =
        compute(ir::Op::kNe, kBit, {pointer, number(0, ir::Type::pointer())});
    branch(condition, s.body, s.other);
  }

  ir::RegisterId reg(const Statement& s) const {
    return registers_[static_cast<std::size_t>(s.reg)];
  }
  ir::Operand place(const Statement& s) const {
    return ir::GlobalAddress{globals_.objects[static_cast<std::size_t>(s.object)], s.offset};
  }
  static ir::Type type_of(const Statement& s) {
    return ir::Type::integer(8 * static_cast<unsigned>(s.size));
  }

  ir::Operand evaluate(const Expression& expression) {
    if (expression.reg < 0)
      return number(expression.constant);
    return compute(
        ir::Op::kAdd,
        kInt,
        {registers_[static_cast<std::size_t>(expression.reg)], number(expression.constant)});
  }
  ir::Operand narrowed(ir::Operand value, const Statement& s) {
    if (s.size == 4)
      return value;
    return compute(ir::Op::kTrunc, type_of(s), {std::move(value)});
  }
  void widen_into(ir::RegisterId dest, ir::RegisterId value, const Statement& s) {
    emit(ir::Compute{dest, s.size == 4 ? ir::Op::kCopy : ir::Op::kZExt, {value}, false});
  }

  void sequence(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements)
      one(statement);
  }
  void around(ir::SyncOp before, ir::GlobalId object, const Statement& s, ir::SyncOp after) {
    sync(before, {ir::GlobalAddress{object, 0}});
    sequence(s.body);
    sync(after, {ir::GlobalAddress{object, 0}});
  }
  void modify(const Statement& s, ir::RmwOp op) {
    const ir::RegisterId old_value = new_register(type_of(s));
    emit(ir::ReadModifyWrite{
        old_value, place(s), op, narrowed(evaluate(s.value), s), access_of(s.order)});
    widen_into(reg(s), old_value, s);
  }

  void one(const Statement& s) {
    switch (s.kind) {
    case Kind::kLoad: {
      const ir::RegisterId value = new_register(type_of(s));
      emit(ir::Load{value, place(s), access_of(s.order)});
      return widen_into(reg(s), value, s);
    }
    case Kind::kStore:
      return emit(
          ir::Store{place(s), narrowed(evaluate(s.value), s), type_of(s), access_of(s.order)});
    case Kind::kExchange:
      return modify(s, ir::RmwOp::kExchange);
    case Kind::kFetchAdd:
      return modify(s, ir::RmwOp::kAdd);
    case Kind::kFetchOr:
      return modify(s, ir::RmwOp::kOr);
    case Kind::kFetchXor:
      return modify(s, ir::RmwOp::kXor);
    case Kind::kCompareExchange: {
      const ir::RegisterId old_value = new_register(type_of(s));
      const ir::RegisterId success = new_register(kBit);
      ir::Operand expected = narrowed(evaluate(s.expected), s);
      ir::Operand desired = narrowed(evaluate(s.value), s);
      emit(ir::CompareExchange{old_value,
                               success,
                               place(s),
                               std::move(expected),
                               std::move(desired),
                               access_of(s.order),
                               access_of(s.failure).order,
                               s.weak});
      return emit(ir::Compute{reg(s), ir::Op::kZExt, {success}, false});
    }
    case Kind::kFence:
      return emit(ir::Fence{access_of(s.order)});
    case Kind::kAssign:
      return emit(ir::Compute{reg(s), ir::Op::kCopy, {evaluate(s.value)}, false});
    case Kind::kChoose: {
      const ir::RegisterId choice = new_register(kBit);
      emit(ir::Nondet{choice, "choice"});
      return emit(ir::Compute{reg(s), ir::Op::kZExt, {choice}, false});
    }
    case Kind::kIf: {
      const ir::RegisterId condition = compute(ir::Op::kEq, kBit, {reg(s), number(s.constant)});
      return branch(condition, s.body, s.other);
    }
    case Kind::kRepeat:
      return repeat(s);
    case Kind::kLock:
      return around(ir::SyncOp::kMutexLock, globals_.mutex, s, ir::SyncOp::kMutexUnlock);
    case Kind::kTryLock: {
      const ir::RegisterId status = new_register(kInt);
      sync(ir::SyncOp::kMutexTryLock, {ir::GlobalAddress{globals_.mutex, 0}}, status);
      const ir::RegisterId taken = compute(ir::Op::kEq, kBit, {status, number(0)});
      emit(ir::Compute{reg(s), ir::Op::kZExt, {taken}, false});
      const ir::BlockId inside = new_block();
      const ir::BlockId after = new_block();
      emit(ir::Branch{taken, inside, after});
      start(inside);
      sequence(s.body);
      sync(ir::SyncOp::kMutexUnlock, {ir::GlobalAddress{globals_.mutex, 0}});
      emit(ir::Jump{after});
      return start(after);
    }
    case Kind::kSpinLock:
      return around(ir::SyncOp::kSpinLock, globals_.spin, s, ir::SyncOp::kSpinUnlock);
    case Kind::kReadLock:
      return around(ir::SyncOp::kReadLock, globals_.shared_lock, s, ir::SyncOp::kReadWriteUnlock);
    case Kind::kWriteLock:
      return around(ir::SyncOp::kWriteLock, globals_.shared_lock, s, ir::SyncOp::kReadWriteUnlock);
    case Kind::kWait:
      sync(ir::SyncOp::kMutexLock, {ir::GlobalAddress{globals_.mutex, 0}});
      sync(ir::SyncOp::kConditionWait,
           {ir::GlobalAddress{globals_.condition, 0}, ir::GlobalAddress{globals_.mutex, 0}});
      return sync(ir::SyncOp::kMutexUnlock, {ir::GlobalAddress{globals_.mutex, 0}});
    case Kind::kSignal:
      return sync(ir::SyncOp::kConditionSignal, {ir::GlobalAddress{globals_.condition, 0}});
    case Kind::kBroadcast:
      return sync(ir::SyncOp::kConditionBroadcast, {ir::GlobalAddress{globals_.condition, 0}});
    case Kind::kSemaphorePost:
      return sync(ir::SyncOp::kSemaphorePost, {ir::GlobalAddress{globals_.semaphore, 0}});
    case Kind::kSemaphoreWait:
      return sync(ir::SyncOp::kSemaphoreWait, {ir::GlobalAddress{globals_.semaphore, 0}});
    case Kind::kBarrier:
      return sync(ir::SyncOp::kBarrierWait, {ir::GlobalAddress{globals_.barrier, 0}});
    case Kind::kAtomic:
      emit(ir::AtomicBegin{});
      sequence(s.body);
      return emit(ir::AtomicEnd{});
    case Kind::kPointerStore:
      return emit(ir::Store{ir::GlobalAddress{globals_.pointer, 0},
                            place(Statement{.object = s.object}),
                            ir::Type::pointer(),
                            access_of(s.order)});
    case Kind::kPointerLoad:
      return emit(ir::Load{pointer_, ir::GlobalAddress{globals_.pointer, 0}, access_of(s.order)});
    case Kind::kDereferenceLoad:
      return emit(ir::Load{reg(s), pointer_, access_of(s.order)});
    case Kind::kDereferenceStore:
      return emit(ir::Store{pointer_, evaluate(s.value), kInt, access_of(s.order)});
    case Kind::kAssume:
      return emit(ir::Assume{compute(ir::Op::kNe, kBit, {reg(s), number(s.constant)})});
    case Kind::kAssert:
      return emit(ir::Assert{compute(ir::Op::kNe, kBit, {reg(s), number(s.constant)}), "register"});
    case Kind::kPlaceLoad:
      return emit(ir::Load{reg(s), address(s.address), access_of(s.order)});
    case Kind::kPlaceStore: {
      ir::Operand where = address(s.address);
      return emit(ir::Store{std::move(where), evaluate(s.value), kInt, access_of(s.order)});
    }
    case Kind::kPlaceFetchAdd: {
      ir::Operand where = address(s.address);
      ir::Operand value = evaluate(s.value);
      return emit(ir::ReadModifyWrite{
          reg(s), std::move(where), ir::RmwOp::kAdd, std::move(value), access_of(s.order)});
    }
    case Kind::kPointAt:
      return assign_address(pointer_, s);
    case Kind::kHoldNode:
      return assign_address(node_, s);
    case Kind::kSamePlace:
      return emit(ir::Compute{reg(s),
                              ir::Op::kZExt,
                              {compute(ir::Op::kEq, kBit, {pointer_, address(s.address)})},
                              false});
    case Kind::kPointerPublish:
      return emit(ir::Store{ir::GlobalAddress{globals_.pointer, 0},
                            pointer_,
                            ir::Type::pointer(),
                            access_of(s.order)});
    case Kind::kNodePublish:
      return emit(ir::Store{ir::GlobalAddress{globals_.node_pointer, 0},
                            node_,
                            ir::Type::pointer(),
                            access_of(s.order)});
    case Kind::kNodeTake:
      return emit(ir::Load{node_, ir::GlobalAddress{globals_.node_pointer, 0}, access_of(s.order)});
    case Kind::kNodeSwap:
      return emit(ir::ReadModifyWrite{node_,
                                      ir::GlobalAddress{globals_.node_pointer, 0},
                                      ir::RmwOp::kExchange,
                                      address(s.address),
                                      access_of(s.order)});
    case Kind::kNodeCompareExchange: {
      const ir::RegisterId old_value = new_register(ir::Type::pointer());
      const ir::RegisterId success = new_register(kBit);
      emit(ir::CompareExchange{old_value,
                               success,
                               ir::GlobalAddress{globals_.node_pointer, 0},
                               address(s.address),
                               node_,
                               access_of(s.order),
                               access_of(s.failure).order,
                               false});
      return emit(ir::Compute{reg(s), ir::Op::kZExt, {success}, false});
    }
    case Kind::kAllocate:
      return emit(ir::Allocate{
          node_, offset(static_cast<std::int64_t>(kNodeSize)), ir::Allocate::Where::kHeap, true});
    case Kind::kFree:
      return emit(ir::Free{node_});
    case Kind::kFieldLoad:
      return emit(ir::Load{pointer_, moved(address(s.address), kFieldOffset), access_of(s.order)});
    case Kind::kFieldStore:
      return emit(ir::Store{moved(address(s.address), kFieldOffset),
                            pointer_,
                            ir::Type::pointer(),
                            access_of(s.order)});
    case Kind::kIfPlace:
      return if_set(pointer_, s);
    case Kind::kIfNode:
      return if_set(node_, s);
    }
  }

  void branch(ir::RegisterId condition,
              const std::vector<Statement>& body,
              const std::vector<Statement>& other) {
    const ir::BlockId if_true = new_block();
    const ir::BlockId if_false = new_block();
    const ir::BlockId after = new_block();
    emit(ir::Branch{condition, if_true, if_false});
    start(if_true);
    sequence(body);
    emit(ir::Jump{after});
    start(if_false);
    sequence(other);
    emit(ir::Jump{after});
    start(after);
  }

  void repeat(const Statement& s) {
    const ir::RegisterId round = new_register(kInt, "round");
    const ir::BlockId head = new_block();
    const ir::BlockId inside = new_block();
    const ir::BlockId after = new_block();
    emit(ir::Compute{round, ir::Op::kCopy, {number(0)}, false});
    emit(ir::Jump{head});
    start(head);
    emit(ir::Branch{
        compute(ir::Op::kULt, kBit, {round, number(static_cast<std::uint64_t>(s.count))}),
        inside,
        after});
    start(inside);
    sequence(s.body);
    emit(ir::Compute{round, ir::Op::kAdd, {round, number(1)}, false});
    emit(ir::Jump{head});
    start(after);
  }

  const Globals& globals_;
  ir::Function function_;
  ir::BlockId block_;
  std::vector<ir::RegisterId> registers_;
  ir::RegisterId pointer_;
  ir::RegisterId node_;
  ir::Operand local_;
  ir::Operand local_node_;
};

ir::GlobalId
add_global(ir::Module& module, const std::string& name, std::uint64_t size, bool is_scalar) {
  ir::Global global;
  global.name = name;
  global.size = size;
  global.align = 8;
  global.scalar_bits = is_scalar ? static_cast<std::uint8_t>(8 * size) : std::uint8_t{0};
  return module.globals.push_back(std::move(global));
}

void assert_final(FunctionBuilder& main, const Globals& globals, const FinalAssertion& assertion) {
  std::vector<ir::RegisterId> values;
  for (const std::vector<ir::GlobalId>* group : {&globals.objects, &globals.results})
    for (const ir::GlobalId global : *group) {
      values.push_back(main.new_register(kInt));
      main.emit(ir::Load{values.back(), ir::GlobalAddress{global, 0}, {}});
    }
  ir::Operand any = number(0, kBit);
  for (const FinalState& state : assertion.states) {
    ir::Operand all = number(1, kBit);
    for (std::size_t index = 0; index < values.size(); ++index)
      all = main.compute(
          ir::Op::kAnd,
          kBit,
          {all, main.compute(ir::Op::kEq, kBit, {values[index], number(state[index])})});
    any = main.compute(ir::Op::kOr, kBit, {any, all});
  }
  if (!assertion.must_be_one_of_them)
    any = main.compute(ir::Op::kXor, kBit, {any, number(1, kBit)});
  main.emit(ir::Assert{any, "final state"});
}

} // namespace

ir::Module to_ir(const Program& program, const std::optional<FinalAssertion>& assertion) {
  ir::Module module;
  module.data_model = ir::DataModel::kLP64;
  Globals globals;
  for (int object = 0; object < program.objects; ++object)
    globals.objects.push_back(add_global(module, "x" + std::to_string(object), 4, true));
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    globals.results.push_back(add_global(module, "o" + std::to_string(thread), 4, true));
  globals.pointer = add_global(module, "p", 8, true);
  module.globals[globals.pointer].relocations.push_back(
      {0, ir::GlobalAddress{globals.objects[0], 0}});
  if (program.has_nodes) {
    globals.results.push_back(add_global(module, "og", 4, true));
    globals.node = add_global(module, "g", kNodeSize, false);
    module.globals[globals.node].initial.resize(kNodeSize);
    for (std::uint32_t number = 0; number < kNodeNumbers; ++number)
      module.globals[globals.node].initial[std::size_t{4} * number] =
          static_cast<std::uint8_t>(kFirstNumber + number);
    module.globals[globals.node].relocations.push_back(
        {static_cast<std::uint64_t>(kFieldOffset), ir::GlobalAddress{globals.objects[0], 0}});
    globals.node_pointer = add_global(module, "s", 8, true);
    if (!program.starts_empty)
      module.globals[globals.node_pointer].relocations.push_back(
          {0, ir::GlobalAddress{globals.node, 0}});
  }
  globals.mutex = add_global(module, "mutex", 40, false);
  globals.condition = add_global(module, "condition", 48, false);
  globals.shared_lock = add_global(module, "shared_lock", 56, false);
  globals.spin = add_global(module, "spin", 4, false);
  globals.barrier = add_global(module, "barrier", 32, false);
  globals.semaphore = add_global(module, "semaphore", 32, false);

  std::vector<ir::FunctionId> threads;
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread) {
    FunctionBuilder builder("thread" + std::to_string(thread), globals);
    builder.thread(program, thread);
    threads.push_back(module.functions.push_back(builder.take()));
  }
  FunctionBuilder main("main", globals);
  main.function().result = kInt;
  if (program.barrier_count() > 0)
    main.sync(ir::SyncOp::kBarrierInit,
              {ir::GlobalAddress{globals.barrier, 0},
               number(static_cast<std::uint64_t>(program.barrier_count()))});
  std::vector<ir::Operand> arguments(threads.size(), number(0, ir::Type::pointer()));
  if (program.has_nodes && program.locals_in_main)
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
      arguments[thread] =
          ir::SlotAddress{main.new_slot(static_cast<std::uint64_t>(kNodeInLocals) + kNodeSize,
                                        "locals" + std::to_string(thread))};
      main.clear(arguments[thread], kInt);
      main.clear_node(main.moved(arguments[thread], kNodeInLocals));
    }
  std::vector<ir::RegisterId> handles;
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    handles.push_back(main.new_register(ir::Type::integer(64)));
    main.sync(ir::SyncOp::kCreate,
              {ir::FunctionAddress{threads[thread]}, arguments[thread]},
              handles.back());
  }
  for (const ir::RegisterId handle : handles)
    main.sync(ir::SyncOp::kJoin, {handle});
  if (program.has_nodes)
    main.pack_node();
  if (assertion)
    assert_final(main, globals, *assertion);
  main.emit(ir::Return{number(0)});
  module.functions.push_back(main.take());
  return module;
}

} // namespace heddle::fuzz
