// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The library functions that become a few instructions. A call may write the register one of its
// own arguments is read from, so every replacement writes the result last.
#include "frontend/c/library.h"
#include "frontend/c/scan_format.h"
#include "ir/handle_marks.h"

namespace heddle::frontend {

namespace {
using ir::kBit;
using ir::kInt;
} // namespace

/// The function a new thread runs: pointer to pointer, whatever the C function's type is.
ir::Operand Library::start_function(ir::FunctionId id) {
  const ir::Function& target = module_.functions[id];
  const auto is_pointer = [&](ir::Type type) {
    return !type.is_void() && module_.bits(type) == module_.pointer_bits();
  };
  if (is_pointer(target.result) && target.parameter_count == 1 &&
      is_pointer(target.registers[ir::RegisterId{0}].type)) {
    return ir::FunctionAddress{id};
  }
  const std::string name = target.name + ".start";
  if (const auto known = module_.find_function(name)) {
    return ir::FunctionAddress{*known};
  }
  ir::Function start;
  start.name = name;
  start.result = ir::Type::pointer();
  start.parameter_count = 1;
  start.is_internal = true;
  start.loc = target.loc;
  const ir::RegisterId argument = start.registers.push_back({ir::Type::pointer(), "argument"});
  std::vector<ir::Instruction> code;
  ir::Call call;
  call.callee = ir::FunctionAddress{id};
  for (std::uint32_t i = 0; i < target.parameter_count; ++i) {
    const ir::Type type = target.registers[ir::RegisterId{i}].type;
    const ir::RegisterId passed = start.registers.push_back({type});
    if (i > 0) {
      code.push_back({ir::Nondet{passed, "missing argument"}, target.loc});
    } else {
      const bool shrinks = module_.bits(type) < module_.pointer_bits();
      code.push_back(
          {ir::Compute{passed, shrinks ? ir::Op::kTrunc : ir::Op::kZExt, {argument}}, target.loc});
    }
    call.arguments.emplace_back(passed);
  }
  ir::Return leave{ir::Constant{ir::Type::pointer(), 0}};
  if (target.result.is_void()) {
    code.push_back({call, target.loc});
  } else {
    call.dest = start.registers.push_back({target.result});
    const ir::RegisterId wide = start.registers.push_back({ir::Type::pointer()});
    const bool shrinks = module_.bits(target.result) > module_.pointer_bits();
    code.push_back({call, target.loc});
    code.push_back(
        {ir::Compute{wide, shrinks ? ir::Op::kTrunc : ir::Op::kZExt, {*call.dest}}, target.loc});
    leave.value = wide;
  }
  code.push_back({leave, target.loc});
  start.blocks.push_back({"entry", std::move(code)});
  return ir::FunctionAddress{module_.functions.push_back(std::move(start))};
}

namespace {
/// More threads than can live at once.
constexpr std::uint64_t kMostHandles = 128;
const ir::Type kMark = ir::Type::integer(8);
} // namespace

/// A byte for each handle: 1 between the moment it is stored and the first step of its thread.
ir::GlobalId Library::handle_marks() {
  if (const auto known = module_.find_global(ir::kHandleMarks)) {
    return *known;
  }
  ir::Global marks;
  marks.name = ir::kHandleMarks;
  marks.size = kMostHandles;
  marks.is_internal = true;
  return module_.globals.push_back(std::move(marks));
}

/// The start function for threads whose handles others can look at. Runs in which the thread
/// begins before its creator has stored the handle do not count; those in which it begins later
/// are all there.
ir::FunctionId Library::start_after_handle(ir::FunctionId id) {
  const std::string name = module_.functions[id].name + ".after_handle";
  if (const auto known = module_.find_function(name)) {
    return *known;
  }
  const SourceLoc loc = module_.functions[id].loc;
  const ir::Type word = ir::Type::integer(module_.pointer_bits());
  ir::Function start;
  start.name = name;
  start.result = ir::Type::pointer();
  start.parameter_count = 1;
  start.is_internal = true;
  start.loc = loc;
  const ir::RegisterId argument = start.registers.push_back({ir::Type::pointer(), "argument"});
  const ir::RegisterId self = start.registers.push_back({word});
  const ir::RegisterId place = start.registers.push_back({ir::Type::pointer()});
  const ir::RegisterId mark = start.registers.push_back({kMark});
  const ir::RegisterId is_stored = start.registers.push_back({kBit});
  const ir::RegisterId result = start.registers.push_back({ir::Type::pointer()});
  const ir::Operand marks = ir::GlobalAddress{handle_marks(), 0};
  start.blocks.push_back(
      {"entry",
       {{ir::Synchronize{self, ir::SyncOp::kSelf, {}}, loc},
        {ir::Compute{place, ir::Op::kPtrAdd, {marks, self}}, loc},
        {ir::ReadModifyWrite{mark,
                             place,
                             ir::RmwOp::kExchange,
                             ir::Constant{kMark, 0},
                             {ir::AccessKind::kAtomic, ir::Order::kAcquire}},
         loc},
        {ir::Compute{is_stored, ir::Op::kNe, {mark, ir::Constant{kMark, 0}}}, loc},
        {ir::Assume{is_stored}, loc},
        {ir::Call{result, ir::FunctionAddress{id}, {argument}}, loc},
        {ir::Return{result}, loc}}});
  return module_.functions.push_back(std::move(start));
}

/// Whether the attributes, if there are any, say PTHREAD_CREATE_DETACHED.
ir::Operand Library::has_detached_state(Editor& editor, const ir::Operand& attributes) {
  const ir::RegisterId result = editor.new_register(kBit);
  editor.assign(result, ir::Constant{kBit, 0});
  const ir::BlockId look = editor.new_block("create.attributes");
  const ir::BlockId after = editor.new_block("create.start");
  const ir::Operand address = editor.convert(attributes, ir::Type::pointer());
  const ir::Operand is_given =
      editor.compute(kBit, ir::Op::kNe, {address, ir::Constant{ir::Type::pointer(), 0}});
  editor.emit(ir::Branch{is_given, look, after});
  editor.continue_in(look);
  const ir::RegisterId state = editor.new_register(kInt);
  editor.emit(ir::Load{state, address, {}});
  editor.assign(result, editor.compute(kBit, ir::Op::kEq, {state, ir::Constant{kInt, 1}}));
  editor.emit(ir::Jump{after});
  editor.continue_in(after);
  return result;
}

/// A thread that is created through a pointer, and whose handle others can look at: each function
/// that the pointer may be has a start function of its own.
void Library::create_any(Editor& editor,
                         const ir::Operand& pointer,
                         const ir::Operand& argument,
                         ir::RegisterId handle) {
  const ir::Operand wanted = editor.convert(pointer, ir::Type::pointer());
  const ir::BlockId created = editor.new_block("create.created");
  for (const ir::FunctionId id : handle_places_.addressed_functions()) {
    if (module_.functions[id].is_declaration() || module_.functions[id].parameter_count > 1) {
      continue;
    }
    const ir::Operand is_this =
        editor.compute(kBit, ir::Op::kEq, {wanted, ir::FunctionAddress{id}});
    const ir::BlockId found = editor.new_block("create.found");
    const ir::BlockId next = editor.new_block("create.next");
    editor.emit(ir::Branch{is_this, found, next});
    editor.continue_in(found);
    const auto start = std::get<ir::FunctionAddress>(start_function(id));
    const ir::FunctionAddress after{start_after_handle(start.function)};
    editor.emit(ir::Synchronize{handle, ir::SyncOp::kCreate, {after, argument}});
    editor.emit(ir::Jump{created});
    editor.continue_in(next);
  }
  editor.emit(ir::Trap{"a thread created through a pointer to no function of the program that "
                       "takes one argument",
                       "name the function in pthread_create, or use --create-stores-late"});
  editor.emit(ir::Jump{created});
  editor.continue_in(created);
}

/// pthread_create(where, attributes, function, argument); C11's has no attributes.
void Library::create(Editor& editor, const ir::Call& call, std::size_t function_at) {
  if (call.arguments.size() < function_at + 2) {
    return refuse(editor, call, "a thread created with too few arguments", "pass them");
  }
  ir::Operand function = call.arguments[function_at];
  if (const auto* direct = std::get_if<ir::FunctionAddress>(&function)) {
    if (external_.contains(direct->function) &&
        !is_known_function(module_.functions[direct->function].name)) {
      return refuse(editor,
                    call,
                    "a thread that runs '" + module_.functions[direct->function].name +
                        "', which has no definition",
                    "define it");
    }
    function = start_function(direct->function);
  }
  // The attributes are read before the thread exists, so that it may write to them; and only where
  // the program sets the state, since old programs pass attributes that nobody has initialised.
  std::optional<ir::Operand> is_detached;
  if (function_at == 2 && module_.find_function("pthread_attr_setdetachstate")) {
    const auto* none = std::get_if<ir::Constant>(&call.arguments[1]);
    if (none == nullptr || none->value != 0) {
      is_detached = has_detached_state(editor, call.arguments[1]);
    }
  }
  const ir::RegisterId handle = editor.new_register(editor.word());
  const ir::Operand argument = editor.convert(call.arguments[function_at + 1], ir::Type::pointer());
  // The handle is known when the thread exists, and stored before it runs: that can only be told
  // where somebody else can look.
  const auto* known = std::get_if<ir::FunctionAddress>(&function);
  const bool is_marked = !options_.create_stores_late &&
                         !handle_places_.is_private(editor.function().name, call.arguments[0]);
  if (is_marked && known == nullptr) {
    create_any(editor, function, argument, handle);
  } else {
    if (is_marked) {
      function = ir::FunctionAddress{start_after_handle(known->function)};
    }
    editor.emit(ir::Synchronize{handle, ir::SyncOp::kCreate, {function, argument}});
  }
  editor.emit(ir::Store{call.arguments[0], handle, editor.word(), {}});
  if (is_marked) {
    const ir::Operand is_beyond =
        editor.compute(kBit, ir::Op::kULe, {ir::Constant{editor.word(), kMostHandles}, handle});
    const ir::BlockId beyond = editor.new_block("create.beyond");
    const ir::BlockId stored = editor.new_block("create.stored");
    editor.emit(ir::Branch{is_beyond, beyond, stored});
    editor.continue_in(beyond);
    editor.emit(ir::Trap{"more than 127 threads whose handles other threads can look at",
                         "use --create-stores-late"});
    editor.emit(ir::Jump{stored});
    editor.continue_in(stored);
    const ir::RegisterId before = editor.new_register(kMark);
    const ir::Operand place = editor.compute(
        ir::Type::pointer(), ir::Op::kPtrAdd, {ir::GlobalAddress{handle_marks(), 0}, handle});
    editor.emit(ir::ReadModifyWrite{before,
                                    place,
                                    ir::RmwOp::kExchange,
                                    ir::Constant{kMark, 1},
                                    {ir::AccessKind::kAtomic, ir::Order::kRelease}});
  }
  if (is_detached) {
    const ir::BlockId detach = editor.new_block("create.detach");
    const ir::BlockId after = editor.new_block("create.after");
    editor.emit(ir::Branch{*is_detached, detach, after});
    editor.continue_in(detach);
    editor.emit(ir::Synchronize{std::nullopt, ir::SyncOp::kDetach, {handle}});
    editor.emit(ir::Jump{after});
    editor.continue_in(after);
  }
  if (call.dest) {
    editor.assign(*call.dest, ir::Constant{kInt, 0});
  }
}

void Library::join(Editor& editor, const ir::Call& call) {
  if (call.arguments.empty()) {
    return refuse(editor, call, "a join of no thread", "pass the thread");
  }
  const ir::Operand null = ir::Constant{ir::Type::pointer(), 0};
  const ir::Operand where =
      call.arguments.size() > 1 ? editor.convert(call.arguments[1], ir::Type::pointer()) : null;
  ir::Synchronize out{std::nullopt, ir::SyncOp::kJoin, {call.arguments[0]}};
  const auto* literal = std::get_if<ir::Constant>(&where);
  if (literal == nullptr || literal->value != 0) {
    const ir::RegisterId value = editor.new_register(ir::Type::pointer());
    out.dest = value;
    editor.emit(std::move(out));
    const ir::Store store{where, value, ir::Type::pointer(), {}};
    if (std::holds_alternative<ir::RegisterId>(where)) {
      const ir::BlockId keep = editor.new_block("join.keep");
      const ir::BlockId after = editor.new_block("join.after");
      const ir::Operand wanted = editor.compute(kBit, ir::Op::kNe, {where, null});
      editor.emit(ir::Branch{wanted, keep, after});
      editor.continue_in(keep);
      editor.emit(store);
      editor.emit(ir::Jump{after});
      editor.continue_in(after);
    } else {
      editor.emit(store);
    }
  } else {
    editor.emit(std::move(out));
  }
  if (call.dest) {
    editor.assign(*call.dest, ir::Constant{kInt, 0});
  }
}

void Library::assert_failed(Editor& editor, const ir::Call& call) {
  if (options_.assert_is_error) {
    const auto text = call.arguments.empty() ? std::nullopt : constant_text(call.arguments[0]);
    editor.emit(ir::Assert{ir::Constant{kBit, 0}, text.value_or("assert")});
  }
  editor.emit(ir::Exit{});
}

/// The result says how many conversions succeeded, or is EOF (-1); those store, in order.
void Library::scan(Editor& editor, const ir::Call& call, std::size_t format_at) {
  const auto format =
      call.arguments.size() > format_at ? constant_text(call.arguments[format_at]) : std::nullopt;
  const auto targets = format ? scan_format(*format, module_.pointer_bits()) : std::nullopt;
  if (!targets || call.arguments.size() < format_at + 1 + targets->size()) {
    return refuse(editor,
                  call,
                  "input with a format that is not a constant or reads more than integers",
                  "read integers, or use __VERIFIER_nondet_int()");
  }
  const ir::RegisterId result = editor.new_register(kInt);
  editor.emit(ir::Nondet{result, "scanf"});
  const ir::Operand next = editor.compute(kInt, ir::Op::kAdd, {result, ir::Constant{kInt, 1}});
  const ir::Constant most{kInt, targets->size() + 1};
  editor.emit(ir::Assume{editor.compute(kBit, ir::Op::kULe, {next, most})});
  const ir::BlockId after = editor.new_block("scan.after");
  for (std::size_t i = 0; i < targets->size(); ++i) {
    const ir::BlockId found = editor.new_block("scan.found");
    const ir::Operand is_found =
        editor.compute(kBit, ir::Op::kSLt, {ir::Constant{kInt, i}, result});
    editor.emit(ir::Branch{is_found, found, after});
    editor.continue_in(found);
    const ir::Type type = ir::Type::integer((*targets)[i]);
    const ir::RegisterId value = editor.new_register(type);
    editor.emit(ir::Nondet{value, "scanf"});
    editor.emit(ir::Store{call.arguments[format_at + 1 + i], value, type, {}});
  }
  editor.emit(ir::Jump{after});
  editor.continue_in(after);
  if (call.dest) {
    editor.assign(*call.dest, result);
  }
}

void Library::special(Editor& editor, const ir::Call& call, Handler handler) {
  const auto argument = [&](std::size_t i) { return call.arguments[i]; };
  const auto is_true = [&](const ir::Operand& value) {
    const ir::Type type = editor.type_of(value);
    return type == kBit ? value : editor.compute(kBit, ir::Op::kNe, {value, ir::Constant{type, 0}});
  };
  const auto set_result = [&](const ir::Operand& value) {
    if (call.dest) {
      editor.assign(*call.dest, value);
    }
  };
  const ir::Operand zero = ir::Constant{kInt, 0};
  std::size_t needed = 0;
  switch (handler) {
  case Handler::kEqual:
  case Handler::kMutexInit:
  case Handler::kCalloc:
  case Handler::kAlignedAlloc:
  case Handler::kCopyByte:
  case Handler::kCopyWord:
    needed = 2;
    break;
  case Handler::kBarrierInit:
  case Handler::kSemaphoreInit:
    needed = 3;
    break;
  case Handler::kMalloc:
  case Handler::kFree:
  case Handler::kBlockSize:
  case Handler::kAssert:
  case Handler::kAssume:
  case Handler::kLoopBound:
  case Handler::kSpinEnd:
    needed = 1;
    break;
  case Handler::kCreate:
  case Handler::kCreateC11:
  case Handler::kJoin:
  case Handler::kThreadExit:
  case Handler::kRandom:
  case Handler::kCharacter:
  case Handler::kScan:
  case Handler::kScanFrom:
  case Handler::kAssertFail:
  case Handler::kAtomicBegin:
  case Handler::kAtomicEnd:
  case Handler::kSpinStart:
    break;
  }
  if (call.arguments.size() < needed) {
    return refuse(editor, call, "a library function called with too few arguments", "pass them");
  }
  const auto allocate = [&](const ir::Operand& size, bool zeroed) {
    const bool fits =
        call.dest && module_.bits(editor.type_of(*call.dest)) == module_.pointer_bits();
    const ir::RegisterId block = fits ? *call.dest : editor.new_register(ir::Type::pointer());
    editor.emit(ir::Allocate{block, size, ir::Allocate::Where::kHeap, zeroed});
    if (!fits) {
      set_result(block);
    }
  };
  switch (handler) {
  case Handler::kCreate:
    return create(editor, call, 2);
  case Handler::kCreateC11:
    return create(editor, call, 1);
  case Handler::kJoin:
    return join(editor, call);
  case Handler::kThreadExit:
    return editor.emit(ir::ThreadExit{call.arguments.empty()
                                          ? ir::Operand{ir::Constant{ir::Type::pointer(), 0}}
                                          : editor.convert(argument(0), ir::Type::pointer())});
  case Handler::kEqual:
    return set_result(
        editor.compute(kBit,
                       ir::Op::kEq,
                       {argument(0), editor.convert(argument(1), editor.type_of(argument(0)))}));
  case Handler::kMutexInit: {
    const auto* attributes = std::get_if<ir::Constant>(&call.arguments[1]);
    if (attributes == nullptr || attributes->value != 0) {
      return call_runtime(editor, call, "__heddle_pthread_mutex_init");
    }
    editor.emit(ir::Synchronize{std::nullopt, ir::SyncOp::kMutexInit, {argument(0), zero}});
    return set_result(zero);
  }
  case Handler::kBarrierInit: {
    std::optional<ir::RegisterId> result; // it fails for 0 threads
    if (call.dest) {
      result = editor.new_register(kInt);
    }
    editor.emit(ir::Synchronize{
        result, ir::SyncOp::kBarrierInit, {argument(0), editor.convert(argument(2), kInt)}});
    if (result) {
      set_result(*result);
    }
    return;
  }
  case Handler::kSemaphoreInit:
    editor.emit(ir::Synchronize{std::nullopt,
                                ir::SyncOp::kSemaphoreInit,
                                {argument(0), editor.convert(argument(2), kInt)}});
    return set_result(zero);
  case Handler::kMalloc:
    return allocate(editor.convert(argument(0), editor.word()), false);
  case Handler::kCalloc: {
    const ir::Operand count = editor.convert(argument(0), editor.word());
    const ir::Operand size = editor.convert(argument(1), editor.word());
    const auto* one = std::get_if<ir::Constant>(&count);
    const auto* other = std::get_if<ir::Constant>(&size);
    if (one != nullptr && other != nullptr) {
      return allocate(editor.convert(ir::Constant{ir::Type::integer(64), one->value * other->value},
                                     editor.word()),
                      true);
    }
    return allocate(editor.compute(editor.word(), ir::Op::kMul, {count, size}), true);
  }
  case Handler::kAlignedAlloc:
    return allocate(editor.convert(argument(1), editor.word()), false);
  case Handler::kFree:
    return editor.emit(ir::Free{editor.convert(argument(0), ir::Type::pointer())});
  case Handler::kBlockSize: {
    const ir::RegisterId size = editor.new_register(editor.word());
    editor.emit(ir::BlockSize{size, argument(0)});
    return set_result(size);
  }
  case Handler::kCopyByte:
  case Handler::kCopyWord: {
    // Unwritten bytes stay unwritten: nobody has looked at them.
    const ir::Type type = handler == Handler::kCopyByte ? ir::Type::integer(8) : editor.word();
    const ir::RegisterId value = editor.new_register(type);
    const ir::RegisterId marks = editor.new_register(ir::Type::integer(8));
    editor.emit(ir::Load{value, argument(1), {}, marks});
    return editor.emit(ir::Store{argument(0), value, type, {}, marks});
  }
  case Handler::kRandom:
    if (call.dest) {
      // From 0 to the largest value of int.
      const ir::RegisterId value = editor.new_register(kInt);
      editor.emit(ir::Nondet{value, "rand"});
      editor.emit(ir::Assume{editor.compute(kBit, ir::Op::kSLe, {zero, value})});
      editor.assign(*call.dest, value);
    }
    return;
  case Handler::kCharacter:
    if (call.dest) {
      // EOF, which is -1, or a byte.
      const ir::RegisterId value = editor.new_register(kInt);
      editor.emit(ir::Nondet{value, "getchar"});
      const ir::Operand next = editor.compute(kInt, ir::Op::kAdd, {value, ir::Constant{kInt, 1}});
      editor.emit(ir::Assume{editor.compute(kBit, ir::Op::kULe, {next, ir::Constant{kInt, 256}})});
      editor.assign(*call.dest, value);
    }
    return;
  case Handler::kScan:
    return scan(editor, call, 0);
  case Handler::kScanFrom:
    return scan(editor, call, 1);
  case Handler::kAssertFail:
    return assert_failed(editor, call);
  case Handler::kAssert:
    editor.emit(ir::Assert{is_true(argument(0)), "__VERIFIER_assert"});
    return set_result(zero);
  case Handler::kAssume:
    editor.emit(ir::Assume{is_true(argument(0))});
    return set_result(zero);
  case Handler::kAtomicBegin:
    editor.emit(ir::AtomicBegin{});
    return set_result(zero);
  case Handler::kAtomicEnd:
    editor.emit(ir::AtomicEnd{});
    return set_result(zero);
  case Handler::kLoopBound:
    return editor.emit(ir::Hint{ir::Hint::Kind::kLoopBound, {}, {argument(0)}});
  case Handler::kSpinStart:
    return editor.emit(ir::Hint{ir::Hint::Kind::kSpinStart, {}, {}});
  case Handler::kSpinEnd:
    return editor.emit(ir::Hint{ir::Hint::Kind::kSpinEnd, {}, {is_true(argument(0))}});
  }
}

} // namespace heddle::frontend
