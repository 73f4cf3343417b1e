// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Emits the ir of one thread of a C test, macros expanded. Local variables are named registers, so
// that dependencies can be followed through them, and nothing is folded: `r1 ^ r1` depends on r1.
// As in herd, a local belongs to the whole thread whatever block declares it, is 0 at first, and
// need not be declared at all.
#pragma once

#include "frontend/litmus/c/c_locations.h"
#include "frontend/litmus/c/c_syntax.h"
#include "ir/ir.h"
#include "support/result.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend::litmus {

class CEmitter {
public:
  CEmitter(ir::Module& module, CLocations& locations, const CThread& thread, std::string file);

  /// A local the condition speaks of is to exist.
  void mention_local(const std::string& name);
  /// The value a local starts with instead of 0.
  void set_initial(const std::string& name, ir::Operand value) { initial_[name] = value; }
  /// The type of a local or parameter.
  [[nodiscard]] CType type_of(const std::string& name) const;

  struct ObservedLocal {
    std::string name;
    ir::GlobalId global;
  };
  /// All of the function; at its end the observed locals are stored to their globals.
  [[nodiscard]] ir::FunctionId emit(const std::vector<ObservedLocal>& observed);
  [[nodiscard]] const std::vector<Error>& errors() const { return errors_; }

private:
  struct Value {
    ir::Operand operand = ir::Constant{ir::Type::integer(32), 0};
    CType type = {};
  };
  struct Cell {
    ir::Operand address = ir::Constant{ir::Type::pointer(), 0};
    CType type = {};
  };

  // Names (c_emit.cpp)
  void collect_declared(const CStatement& statement);
  void collect(const CStatement& statement);
  void collect(const CExpression& expression);
  void declare_local(const std::string& name, CType type);
  [[nodiscard]] Value read_name(const CExpression& expression);
  void write_name(const std::string& name, const Value& value, SourceLoc loc);

  // Building (c_emit.cpp)
  ir::Function& function() { return module_.functions[function_]; }
  void add(ir::Operation operation, SourceLoc loc);
  [[nodiscard]] ir::BlockId new_block();
  void branch(const Value& condition, ir::BlockId yes, ir::BlockId no, SourceLoc loc);
  void jump(ir::BlockId target, SourceLoc loc);
  [[nodiscard]] ir::RegisterId new_register(CType type, SourceLoc loc);
  [[nodiscard]] ir::Type ir_type(CType type) const;
  [[nodiscard]] Value constant(std::uint64_t value, CType type) const;
  [[nodiscard]] Value
  compute(ir::Op op, std::vector<ir::Operand> operands, CType type, SourceLoc loc);
  [[nodiscard]] Value convert(const Value& value, CType type, SourceLoc loc);
  [[nodiscard]] Value promote(const Value& value, SourceLoc loc);
  [[nodiscard]] Value truth(const Value& value, SourceLoc loc);
  void error(SourceLoc loc, std::string code, std::string message);

  // Statements (c_emit_statement.cpp)
  void emit_statement(const CStatement& statement);
  void emit_assign(const CStatement& statement);
  void emit_if(const CStatement& statement);
  void emit_loop(const CStatement& statement);
  void emit_statements(const std::vector<CStatement>& statements);

  // Expressions (c_emit_expression.cpp)
  [[nodiscard]] Value emit_expression(const CExpression& expression);
  [[nodiscard]] Value emit_unary(const CExpression& expression);
  [[nodiscard]] Value emit_binary(const CExpression& expression);
  [[nodiscard]] Value emit_logical(const CExpression& expression);
  [[nodiscard]] Value emit_conditional(const CExpression& expression);
  [[nodiscard]] Value emit_cast(const CExpression& expression);
  [[nodiscard]] Value arithmetic(const std::string& op, Value a, Value b, SourceLoc loc);
  [[nodiscard]] Value comparison(const std::string& op, Value a, Value b, SourceLoc loc);
  [[nodiscard]] Value
  move_pointer(const Value& pointer, const Value& index, bool backwards, SourceLoc loc);
  /// What `*e`, `e[i]` stand for.
  [[nodiscard]] std::optional<Cell> emit_cell(const CExpression& expression);
  /// What a pointer points to.
  [[nodiscard]] std::optional<Cell> cell_at(const Value& pointer, SourceLoc loc);

  // Memory (c_emit_memory.cpp)
  [[nodiscard]] Value load(const Cell& cell, ir::Access access, SourceLoc loc);
  void store(const Cell& cell, const Value& value, ir::Access access, SourceLoc loc);
  [[nodiscard]] Value read_modify_write(
      ir::RmwOp op, const Cell& cell, const Value& value, ir::Access access, SourceLoc loc);
  struct Exchanged {
    Value old_value;
    Value success;
  };
  [[nodiscard]] Exchanged compare_exchange(const Cell& cell,
                                           const Value& expected,
                                           const Value& desired,
                                           ir::CompareExchange how,
                                           SourceLoc loc);
  void assume(const Value& condition, SourceLoc loc);
  void full_barrier(SourceLoc loc);
  /// One of two courses, not decided by any value: emits both and joins their results, of that
  /// type.
  [[nodiscard]] Value either(const std::string& what,
                             CType type,
                             SourceLoc loc,
                             const std::function<Value()>& yes,
                             const std::function<Value()>& no);

  // C11 (c_emit_atomic.cpp) and Linux (c_emit_linux.cpp)
  [[nodiscard]] Value emit_call(const CExpression& call);
  [[nodiscard]] std::optional<ir::Order> memory_order(const CExpression& expression);
  [[nodiscard]] Value
  emit_atomic(const CExpression& call, const std::string& name, ir::Order order);
  [[nodiscard]] Value emit_cas(const CExpression& call, bool weak, ir::Order yes, ir::Order no);
  [[nodiscard]] Value emit_primitive(const CExpression& call);
  [[nodiscard]] Value emit_cmpxchg(const CExpression& call, const std::string& mark);
  [[nodiscard]] Value emit_add_unless(const CExpression& call, bool gives_old);
  [[nodiscard]] Value emit_lock(const CExpression& call);
  [[nodiscard]] Value emit_atomic_op(const CExpression& call, const std::string& mark);
  [[nodiscard]] std::optional<Cell> pointed(const CExpression& call, std::size_t argument);
  [[nodiscard]] bool has_arguments(const CExpression& call, std::size_t count);

  ir::Module& module_;
  CLocations& locations_;
  const CThread& thread_;
  std::string file_;
  std::vector<Error> errors_;

  std::map<std::string, CType> locals_;
  std::map<std::string, CType> parameters_; // that nothing is assigned to
  std::map<std::string, ir::Operand> initial_;
  std::map<std::string, ir::RegisterId> registers_;

  ir::FunctionId function_;
  ir::BlockId block_;
  ir::BlockId end_;
  struct Loop {
    ir::BlockId on_continue;
    ir::BlockId on_break;
  };
  std::vector<Loop> loops_;
};

} // namespace heddle::frontend::litmus
