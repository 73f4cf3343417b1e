// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The instructions of the text form and their operands.
#include "ir/names.h"
#include "ir/parser.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <limits>

namespace heddle::ir {

Instruction Parser::instruction() {
  Instruction made;
  made.operation = operation();
  made.loc = location();
  return made;
}

Operation Parser::operation() {
  if (peek().kind != Token::Kind::kRegister) {
    if (peek().kind != Token::Kind::kWord)
      expected("an instruction");
    return without_result(next());
  }
  const RegisterId dest = expect_register();
  if (at_symbol(","))
    return compare_exchange(dest);
  expect_symbol("=");
  if (peek().kind != Token::Kind::kWord)
    expected("an operation after '='");
  return with_result(dest, next());
}

Operation Parser::with_result(RegisterId dest, const Token& start) {
  const std::string& word = start.text;
  if (const auto op = from_word<Op>(kOpWords, word)) {
    Compute compute{dest, *op, {}, accept_word("nsw")};
    compute.operands.push_back(operand());
    while (accept_symbol(","))
      compute.operands.push_back(operand());
    return compute;
  }
  if (word == "nondet")
    return Nondet{dest, expect_string("where the value comes from, in quotes")};
  if (const auto how = access(start, "load")) {
    Load load{dest, operand(), *how};
    if (accept_word("marks"))
      load.marks = expect_register();
    return load;
  }
  if (const auto how = access(start, "load_exclusive"))
    return LoadExclusive{dest, operand(), *how};
  if (const auto how = access(start, "store_exclusive"))
    return memory_store(dest, *how);
  if (const auto how = access(start, "rmw")) {
    ReadModifyWrite rmw;
    rmw.dest = dest;
    rmw.access = *how;
    const Token at = peek();
    const auto op = from_word<RmwOp>(kRmwWords, expect_word("a read-modify-write operation"));
    if (!op)
      fail(at, "IR-015", "expected xchg, add, sub, and, nand, or, xor, max, min, umax or umin");
    rmw.op = op.value_or(RmwOp::kExchange);
    rmw.address = operand();
    expect_symbol(",");
    rmw.value = operand();
    return rmw;
  }
  if (word == "alloc") {
    Allocate allocate;
    allocate.dest = dest;
    const Token at = peek();
    const auto where =
        from_word<Allocate::Where>(kWhereWords, expect_word("where the block lives"));
    if (!where)
      fail(at, "IR-016", "expected 'heap' or 'frame'");
    allocate.where = where.value_or(Allocate::Where::kHeap);
    allocate.zeroed = accept_word("zeroed");
    allocate.size = operand();
    return allocate;
  }
  if (word == "block_size")
    return BlockSize{dest, operand()};
  if (word == "call")
    return call(dest);
  if (const auto sync = synchronize(dest, start))
    return *sync;
  fail(start, "IR-017", fmt::format("expected an operation that has a result, found '{}'", word));
  return Unreachable{};
}

Operation Parser::without_result(const Token& start) {
  const std::string& word = start.text;
  if (const auto how = access(start, "store"))
    return memory_store(std::nullopt, *how);
  if (const auto how = access(start, "fence"))
    return Fence{*how};
  if (word == "free")
    return Free{operand()};
  if (word == "call")
    return call(std::nullopt);
  if (const auto sync = synchronize(std::nullopt, start))
    return *sync;
  if (word == "atomic_begin")
    return AtomicBegin{};
  if (word == "atomic_end")
    return AtomicEnd{};
  if (word == "assume")
    return Assume{operand()};
  if (word == "check_index")
    return Assert{operand(), {}, true};
  if (word == "assert") {
    Assert assertion;
    assertion.condition = operand();
    expect_symbol(",");
    assertion.what = expect_string("the assertion's text in quotes");
    return assertion;
  }
  if (word == "hint")
    return hint();
  if (word == "trap") {
    Trap trap;
    trap.what = expect_string("what is not supported, in quotes");
    if (!accept_word("help"))
      expected("'help'");
    trap.help = expect_string("what would help, in quotes");
    return trap;
  }
  if (word == "jump")
    return Jump{block_reference()};
  if (word == "branch") {
    Branch branch;
    branch.condition = operand();
    expect_symbol(",");
    branch.if_true = block_reference();
    expect_symbol(",");
    branch.if_false = block_reference();
    return branch;
  }
  if (word == "switch")
    return switch_();
  if (word == "ret")
    return Return{operand_or_void()};
  if (word == "thread_exit")
    return ThreadExit{operand_or_void()};
  if (word == "exit")
    return Exit{};
  if (word == "unreachable")
    return Unreachable{};
  fail(start, "IR-018", fmt::format("expected an instruction, found '{}'", word));
  return Unreachable{};
}

Operation Parser::compare_exchange(RegisterId dest) {
  CompareExchange exchange;
  exchange.dest = dest;
  expect_symbol(",");
  exchange.success = expect_register();
  expect_symbol("=");
  const Token start = peek();
  expect_word("'cmpxchg'");
  const std::optional<Access> how = access(start, "cmpxchg");
  if (!how)
    fail(start, "IR-019", "expected 'cmpxchg' after two registers");
  exchange.access = how.value_or(Access{});
  exchange.weak = accept_word("weak");
  exchange.address = operand();
  expect_symbol(",");
  exchange.expected = operand();
  expect_symbol(",");
  exchange.desired = operand();
  if (!accept_word("failure"))
    expected("'failure'");
  exchange.failure_order = expect_order();
  return exchange;
}

Operation Parser::memory_store(std::optional<RegisterId> success, const Access& access) {
  const Type type = expect_type();
  const Operand value = operand_of(type);
  expect_symbol(",");
  const Operand address = operand();
  if (success)
    return StoreExclusive{*success, address, value, type, access};
  Store store{address, value, type, access};
  if (accept_word("marks"))
    store.marks = operand();
  return store;
}

Operation Parser::call(std::optional<RegisterId> dest) {
  Call made;
  made.dest = dest;
  made.callee = operand();
  made.arguments = operand_list();
  return made;
}

std::optional<Operation> Parser::synchronize(std::optional<RegisterId> dest, const Token& start) {
  const auto op = from_word<SyncOp>(kSyncWords, start.text);
  if (!op)
    return std::nullopt;
  Synchronize made;
  made.dest = dest;
  made.op = *op;
  made.operands = operand_list();
  return made;
}

Operation Parser::switch_() {
  Switch made;
  made.value = operand();
  expect_symbol("[");
  while (!error_ && !at_symbol("]")) {
    if (!made.cases.empty())
      expect_symbol(",");
    SwitchCase one;
    one.value = expect_number("a case's value", std::numeric_limits<std::uint64_t>::max());
    expect_symbol(":");
    one.target = block_reference();
    made.cases.push_back(one);
  }
  expect_symbol("]");
  if (!accept_word("else"))
    expected("'else'");
  made.otherwise = block_reference();
  return made;
}

Operation Parser::hint() {
  Hint made;
  const Token at = peek();
  const auto kind = from_word<Hint::Kind>(kHintWords, expect_word("a kind of hint"));
  if (!kind)
    fail(at,
         "IR-020",
         "expected loop_bound, spin_start, spin_end, operation_begin or operation_end");
  made.kind = kind.value_or(Hint::Kind::kLoopBound);
  if (peek().kind == Token::Kind::kString)
    made.name = next().text;
  made.operands = operand_list();
  return made;
}

std::optional<Access> Parser::access(const Token& start, std::string_view mnemonic) {
  std::string_view rest = start.text;
  if (!rest.starts_with(mnemonic))
    return std::nullopt;
  rest.remove_prefix(mnemonic.size());
  if (!rest.empty() && rest.front() != '.')
    return std::nullopt;
  Access how;
  bool has_kind = false;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(part.size());
    const auto kind = from_word<AccessKind>(kAccessKindWords, part);
    const auto order = from_word<Order>(kOrderWords, part);
    if (kind && !has_kind && how.order == Order::kNone) {
      how.kind = *kind;
      has_kind = true;
    } else if (order && how.order == Order::kNone) {
      how.order = *order;
    } else {
      fail(start,
           "IR-021",
           fmt::format("expected '{}' with at most one kind (volatile, atomic), then at most one "
                       "order (relaxed, consume, acquire, release, acq_rel, seq_cst)",
                       mnemonic));
    }
  }
  if (!accept_symbol("["))
    return how;
  while (!error_ && !at_symbol("]")) {
    if (!how.tags.empty())
      expect_symbol(",");
    how.tags.push_back(expect_string("a tag in quotes"));
  }
  expect_symbol("]");
  return how;
}

Order Parser::expect_order() {
  const Token at = peek();
  const auto order = from_word<Order>(kOrderWords, expect_word("a memory order"));
  if (!order)
    fail(at, "IR-022", "expected none, relaxed, consume, acquire, release, acq_rel or seq_cst");
  return order.value_or(Order::kNone);
}

RegisterId Parser::expect_register() {
  if (peek().kind != Token::Kind::kRegister)
    expected("a register");
  else if (peek().number >= RegisterId::kNone)
    fail(peek(), "IR-006", "expected a register's number below 4294967295");
  return RegisterId{next().number};
}

Constant Parser::constant(Type type) {
  const bool is_negative = accept_symbol("-");
  const unsigned bits = type.is_void() ? 0 : module_.bits(type);
  if (bits == 0)
    fail(peek(), "IR-023", "expected a type that has values before a number");
  const std::uint64_t all = bits >= 64 ? ~0ULL : (1ULL << bits) - 1;
  const std::uint64_t sign = all - (all >> 1U);
  const std::uint64_t magnitude = expect_number("a number", is_negative ? sign : all);
  return Constant{type, (is_negative ? 0 - magnitude : magnitude) & all};
}

std::variant<GlobalAddress, FunctionAddress> Parser::address() {
  const Token at = peek();
  const std::string name = expect_name();
  const bool is_negative = at_symbol("-");
  std::uint64_t distance = 0;
  const bool has_offset = accept_symbol("+") || accept_symbol("-");
  if (has_offset)
    distance = expect_number("an offset in bytes", (1ULL << 63U) - (is_negative ? 0U : 1U));
  const auto found = symbols_.find(name);
  if (found == symbols_.end()) {
    fail(at, "IR-024", fmt::format("expected a declared name, found @{}", name));
    return GlobalAddress{};
  }
  if (const FunctionId* function = std::get_if<FunctionId>(&found->second)) {
    if (has_offset)
      fail(at, "IR-025", fmt::format("expected no offset after the function @{}", name));
    return FunctionAddress{*function};
  }
  return GlobalAddress{std::get<GlobalId>(found->second),
                       static_cast<std::int64_t>(is_negative ? 0 - distance : distance)};
}

Operand Parser::operand() {
  switch (peek().kind) {
  case Token::Kind::kRegister:
    return expect_register();
  case Token::Kind::kSlot: {
    if (peek().number >= SlotId::kNone)
      fail(peek(), "IR-006", "expected a slot's number below 4294967295");
    return SlotAddress{SlotId{next().number}};
  }
  case Token::Kind::kName:
    return std::visit(Overloaded{[](const GlobalAddress& target) { return Operand(target); },
                                 [](const FunctionAddress& target) { return Operand(target); }},
                      address());
  case Token::Kind::kWord:
    if (const std::optional<Type> type = peek_type()) {
      next();
      return constant(*type);
    }
    break;
  case Token::Kind::kEnd:
  case Token::Kind::kNumber:
  case Token::Kind::kString:
  case Token::Kind::kSymbol:
    break;
  }
  expected("an operand (%register, $slot, @name or a constant with its type)");
  return Constant{};
}

/// An operand after its type: a bare number is a constant of that type.
Operand Parser::operand_of(Type type) {
  if (peek().kind == Token::Kind::kNumber || at_symbol("-"))
    return constant(type);
  return operand();
}

std::optional<Operand> Parser::operand_or_void() {
  if (accept_word("void"))
    return std::nullopt;
  return operand();
}

std::vector<Operand> Parser::operand_list() {
  std::vector<Operand> operands;
  expect_symbol("(");
  while (!error_ && !at_symbol(")")) {
    if (!operands.empty())
      expect_symbol(",");
    operands.push_back(operand());
  }
  expect_symbol(")");
  return operands;
}

BlockId Parser::block_reference() {
  const Token at = peek();
  if (at.kind != Token::Kind::kWord && at.kind != Token::Kind::kString)
    expected("a block's name");
  const auto found = blocks_.find(next().text);
  if (found == blocks_.end()) {
    fail(at, "IR-026", fmt::format("expected a block of this function, found '{}'", at.text));
    return BlockId{};
  }
  return found->second;
}

} // namespace heddle::ir
