// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A program as a finite number of processes over plain variables and arrays of numbers: what all
// languages of other tools have in common. Threads, locks, allocation, store buffers and pointers
// are gone; what is left is guarded steps of assignments. build_system.h makes it; the printers of
// each language (promela.h, c.h, horn.h) only spell it out.
//
// Variables are numbered through; logic variable n of `terms` is VariableId n.
#pragma once

#include "logic/term.h"
#include "support/id.h"
#include "support/result.h"
#include "support/source_loc.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace heddle::exports {

using logic::Term;
using VariableId = Id<struct ExportVariableTag>;
using ArrayId = Id<struct ExportArrayTag>;

struct Variable {
  std::string name; // unique in the system
  std::uint8_t width = 32;
  std::optional<std::uint32_t> process = {}; // shared, or a process' own
  bool is_temporary = false;                 // holds nothing between steps
};

struct Array {
  std::string name;
  std::uint8_t width = 32;
  std::vector<std::uint64_t> initial;
};

struct Statement;
using Statements = std::vector<Statement>;

struct Set {
  VariableId dest;
  Term value;
};
/// dest := array[index]; the index has 32 bits and lies in the array.
struct Get {
  VariableId dest;
  ArrayId array;
  Term index;
};
struct Put {
  ArrayId array;
  Term index;
  Term value;
};
/// dest := any value.
struct Choose {
  VariableId dest;
};
struct If {
  Term condition;
  Statements yes;
  Statements no;
};
/// The property is violated, or the model of the program ends here for a reason that must be seen.
struct Fail {
  enum class Kind : std::uint8_t {
    kAssertion,
    kUndefined,   // undefined behaviour
    kNotModelled, // something the export does not say
    kExhausted,   // a store buffer or a pool of blocks was too small
  };
  Kind kind = Kind::kAssertion;
  std::string what;
};
/// The run ends: nobody steps any more.
struct Halt {};

struct Statement {
  std::variant<Set, Get, Put, Choose, If, Fail, Halt> what;
};

/// What a guard may look at beside variables: in the guard, and nowhere else, `as` is
/// array[index].
struct Look {
  VariableId as;
  ArrayId array;
  Term index;
};

/// Taken in one step if the guard (Bool) holds. Steps of one location exclude each other or are a
/// choice.
struct Step {
  Term guard;
  Statements effects = {};
  std::uint32_t to = 0;
  bool is_local = false; // nobody else can tell when it happens
  std::optional<Look> look = {};
  std::string note = {}; // what it is in the source, one line
  SourceLoc loc = {};
};

struct Process {
  std::string name;
  bool is_memory = false; // moves stores from a thread's buffer to memory
  std::uint32_t entry = 0;
  std::vector<std::vector<Step>> locations;
};

struct System {
  logic::TermStore terms;
  IdVector<VariableId, Variable> variables; // all are 0 at first
  IdVector<ArrayId, Array> arrays;
  std::vector<Process> processes;
  VariableId halted; // 1 bit: the run has ended
  /// For the head of a file: what it was made from, what is assumed and what is bounded.
  std::vector<std::string> notes;
  /// What the elements of the memory are.
  std::vector<std::string> cells;
  std::vector<std::string> files;
};

/// A refusal of what a step does.
[[nodiscard]] Error
refuse(const System& system, const Step& step, std::string code, std::string message);
/// Refuses terms that would fill pages when spelled out.
[[nodiscard]] Status check_terms(const System& system);

/// Does a statement, or one inside it, choose a value?
[[nodiscard]] bool has_choice(const Statements& statements);
/// The temporaries that the statements set.
[[nodiscard]] std::vector<VariableId> temporaries_of(const System& system,
                                                     const Statements& statements);
/// The variables that are set or read, but for the one that says that the run has ended.
[[nodiscard]] std::set<std::uint64_t> used_variables(const System& system);
[[nodiscard]] const char* name_of(Fail::Kind kind);

} // namespace heddle::exports
