// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The recursive-descent reader behind parse.h. Internal to ir/. Names may be used before they are
// declared, so the declarations are collected first (of the module, then of each function's
// blocks), and then everything is read in one pass. The first error sticks: from then on every
// token is kEnd, which ends every loop.
#pragma once

#include "ir/ir.h"
#include "ir/lexer.h"
#include "support/result.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heddle::ir {

class Parser {
public:
  Parser(std::vector<Token> tokens, std::string_view file_name);
  Result<Module> run();

private:
  // parse.cpp: tokens, the module and its declarations
  [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
  Token next();
  void fail(const Token& at, std::string code, std::string message);
  /// "expected `what`, found …" at the next token.
  void expected(std::string_view what);
  [[nodiscard]] bool at_symbol(std::string_view symbol) const;
  [[nodiscard]] bool at_word(std::string_view word) const;
  bool accept_symbol(std::string_view symbol);
  bool accept_word(std::string_view word);
  void expect_symbol(std::string_view symbol);
  std::string expect_word(std::string_view what);
  std::string expect_string(std::string_view what);
  std::string expect_name();
  std::uint64_t expect_number(std::string_view what, std::uint64_t largest);
  SourceLoc location();
  [[nodiscard]] std::optional<Type> peek_type() const;
  Type expect_type();

  void collect_symbols();
  void collect_blocks();
  void module_header();
  void file_line();
  void approximation_line();
  void global_line();
  std::vector<std::uint8_t> initial_bytes();
  std::vector<Relocation> relocations();
  void function_definition(bool is_declaration);
  void parameters(Function& function);
  void register_declaration(Function& function);
  void slot_declaration(Function& function);
  void block(Function& function);

  // parse_parts.cpp
  std::vector<Part> parts(unsigned nesting = 0);

  // parse_instruction.cpp
  Instruction instruction();
  Operation operation();
  Operation without_result(const Token& start);
  Operation with_result(RegisterId dest, const Token& start);
  Operation compare_exchange(RegisterId dest);
  Operation memory_store(std::optional<RegisterId> success, const Access& access);
  Operation call(std::optional<RegisterId> dest);
  std::optional<Operation> synchronize(std::optional<RegisterId> dest, const Token& start);
  Operation switch_();
  Operation hint();
  /// Splits "load.atomic.acquire" and reads the tags after it; nothing if the word does not start
  /// with `mnemonic`.
  std::optional<Access> access(const Token& start, std::string_view mnemonic);
  Order expect_order();
  RegisterId expect_register();
  Operand operand();
  Operand operand_of(Type type);
  Constant constant(Type type);
  std::variant<GlobalAddress, FunctionAddress> address();
  std::optional<Operand> operand_or_void();
  std::vector<Operand> operand_list();
  BlockId block_reference();

  std::vector<Token> tokens_;
  std::string file_name_;
  std::size_t position_ = 0;
  Token end_; // what every token is after an error
  std::optional<Error> error_;
  Module module_;
  std::map<std::string, std::variant<GlobalId, FunctionId>, std::less<>> symbols_;
  std::map<std::string, BlockId, std::less<>> blocks_; // of the function being read
};

} // namespace heddle::ir
