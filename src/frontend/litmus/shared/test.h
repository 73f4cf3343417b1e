// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A litmus test as a program and a question: an ir module whose `main` starts the test's threads
// (functions P0, P1, …) and joins them, and a condition over what is observed at the end. Registers
// are observed through a global each, which the thread writes last and nobody else touches.
#pragma once

#include "ir/ir.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle::frontend::litmus {

/// Something a condition or a `locations` list speaks of.
struct Observed {
  std::string name; // as logs print it: "0:EAX", "[x]", "[a[1]]"
  ir::GlobalId global;
  std::uint64_t offset = 0;
  std::uint8_t bits = 32;
  bool is_signed = true; // for printing; a value that is the address of a global prints as its name
  /// Of its type, `int` where the test gives none. A number is read in this width although more
  /// bits are observed: these are there for addresses.
  std::uint8_t type_bits = 64;
  /// Of an element that is observed with all others of its array: the array, which logs print as
  /// one.
  std::string array = {};
};

/// The contents of what is observed that the number of a condition stands for: itself, or any value
/// that its type makes the same of, whether it was widened with zeros or with the sign (-1 is what
/// W0 = 0xffffffff leaves in X0). A number that the type does not have is only itself.
[[nodiscard]] std::vector<std::uint64_t> contents_equal_to(const Observed& observed,
                                                           std::uint64_t number);

/// A literal of a condition: a number, or the address of a global (plus bytes).
using Literal = std::variant<std::uint64_t, ir::GlobalAddress>;

struct Proposition {
  enum class Kind : std::uint8_t { kTrue, kFalse, kEquals, kNotEquals, kNot, kAnd, kOr, kImplies };
  Kind kind = Kind::kTrue;
  std::size_t observed = 0; // kEquals, kNotEquals: index into Test::observed
  std::variant<Literal, std::size_t> value = Literal{}; // a literal, or another observed thing
  std::vector<Proposition> operands = {};
};

enum class Quantifier : std::uint8_t { kNone, kExists, kNotExists, kForall };

/// The text of one thread, for people: a line per instruction, with its place.
struct ThreadText {
  std::string name; // "P0"
  struct Line {
    std::string text;
    SourceLoc loc;
  };
  std::vector<Line> lines;
};

/// What the author of a test says that it gives, in a comment: "Result: Never", as the kernel's
/// tests have it.
struct ExpectedResult {
  std::string
      observation;       // "Never", "Sometimes", "Always", or "DEADLOCK": nothing comes to its end
  bool has_race = false; // "DATARACE" follows
};

struct Test {
  std::string name;
  std::string architecture; // as the file says: "X86_64", "AArch64", "C", …
  std::string vocabulary;   // "x86", "aarch64", "power", "riscv", "arm", "mips", "c11", "lkmm"
  ir::Module module;
  std::vector<Observed> observed; // in the order logs print them
  Quantifier quantifier = Quantifier::kNone;
  Proposition condition;
  std::string condition_text; // as logs print it: "exists (0:EAX=0 /\ 1:EAX=0)"
  SourceLoc condition_loc = {};
  std::optional<Proposition> filter;
  std::vector<ThreadText> threads;
  std::vector<std::pair<std::string, std::string>> metadata; // "Cycle" → "Rfe …", as in the header
  std::optional<ExpectedResult> expected = {};               // tests of the kernel
};

struct ParseOptions {
  /// C tests: macro definitions in the format of herd's .def files, before the built-in ones of the
  /// vocabulary.
  std::string macros = {};
};

struct Diagnostics {
  std::vector<Error> errors; // at least one; each with file, line and column
};

} // namespace heddle::frontend::litmus
