// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A points-to analysis of the whole program (Andersen 1994: inclusion constraints, flow- and
// context-insensitive), with offsets inside objects as arithmetic progressions. Every value of
// every width counts, whatever its type was in C.
//
// Why it is sound. A value is an address only if it was computed from one, or is a number nobody
// controls: constants are classified by the address space, everything else that is not a plain copy
// becomes "any". Pointer steps are trusted to stay with their object only where a
// CheckNeighbourhood guards the same sum (build keeps guarded and unguarded sums of the same terms
// apart), or where a constant step is used as an address at once. Bytes that were never written are
// not taken for addresses: a run that uses one as a pointer has a sibling in which the bytes are
// zero and the access is reported. The same holds for a pointer whose bytes were partly overwritten
// with zeros. A pointer into a block that may have been freed reads and writes the cells of all
// heap sites, since malloc may have put a block of any of them there.
#pragma once

#include "program/analyse/alias_value.h"
#include "program/analyse/linear.h"
#include "program/model/program.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace heddle::program {

/// What numbers are as addresses, by the address space alone.
class ConstantAddresses {
public:
  explicit ConstantAddresses(const Program& program);
  [[nodiscard]] AliasValue value(std::uint64_t number, unsigned width) const;

private:
  const Program& program_;
  std::map<std::uint64_t, ObjectId> by_unit_; // globals and thread-locals, by their first unit
};

/// A place in a thread-local variable of the running thread.
struct OwnPlace {
  ObjectId object;
  std::int64_t offset = 0;
};
/// constant + self · stride, as build makes the address of one.
[[nodiscard]] std::optional<OwnPlace> own_place(const Program& program, const LinearForm& address);

class PointsTo {
public:
  /// Solves the constraints. The program outlives the result and does not change.
  explicit PointsTo(const Program& program);

  /// What the address of an access in that procedure may be.
  [[nodiscard]] AliasValue address(ProcedureId procedure, Term term) const;
  /// What a value computed in that procedure may be.
  [[nodiscard]] AliasValue value(ProcedureId procedure, Term term) const;
  /// Everything that may be stored in the object.
  [[nodiscard]] AliasValue contents(ObjectId object) const;
  /// The objects whose addresses it may hold, place by place: unlike `contents`, an arbitrary
  /// number in one place does not hide what the others hold. An address that is mixed with
  /// arbitrary numbers in its own place is not among them; who uses what is read there may go
  /// anywhere.
  [[nodiscard]] std::vector<ObjectId> held(ObjectId object) const;
  /// What a thread may return or exit with.
  [[nodiscard]] const AliasValue& thread_results() const { return thread_results_; }
  /// What the procedure may return.
  [[nodiscard]] const AliasValue& results(ProcedureId procedure) const {
    return results_[procedure];
  }
  /// The targets of a call or create through a pointer, as far as they can be told apart.
  [[nodiscard]] std::vector<ProcedureId> call_targets(
      ProcedureId procedure, Term function, const std::vector<ProcedureId>& candidates) const;

private:
  struct Cell {
    Offsets offsets;
    std::uint64_t size = 0;
    AliasValue value;
  };
  struct Guard {
    Term base;
    LinearForm result;
    bool is_step = false; // the base has the same variables: the step is a number
    auto operator<=>(const Guard&) const = default;
  };
  enum class Role : std::uint8_t { kAddress, kValue };

  void find_guards();
  void find_factors();
  void read_initial_bytes();
  void solve();
  void transfer(ProcedureId procedure, const Action& action);
  void transfer_call(ProcedureId caller, const Call& call);
  void transfer_synchronize(ProcedureId procedure, const Synchronize& sync);

  [[nodiscard]] AliasValue
  evaluate(ProcedureId procedure, Term term, Role role, unsigned depth) const;
  [[nodiscard]] AliasValue sum(ProcedureId procedure, Term term, Role role, unsigned depth) const;
  [[nodiscard]] AliasValue
  guarded(ProcedureId procedure, const Guard& guard, const LinearForm& form, unsigned depth) const;
  [[nodiscard]] AliasValue stepped(const AliasValue& from, std::int64_t distance, Role role) const;
  [[nodiscard]] AliasValue
  extended(ProcedureId procedure, Term term, Role role, unsigned depth) const;
  [[nodiscard]] AliasValue masked(ProcedureId procedure, Term term, unsigned depth) const;
  [[nodiscard]] bool is_small(Term term) const;
  [[nodiscard]] std::uint64_t factor_of(ProcedureId procedure, Term atom) const;

  /// A pointer to a freed block points to whatever malloc puts there next: a block of any site.
  [[nodiscard]] AliasValue with_reused_blocks(const AliasValue& address) const;
  void note_freed(const AliasValue& address);
  [[nodiscard]] AliasValue read(const AliasValue& given, std::uint64_t size) const;
  void write(const AliasValue& given, std::uint64_t size, const AliasValue& stored);
  void write_cell(ObjectId object, Offsets offsets, std::uint64_t size, const AliasValue& stored);
  void join_local(ProcedureId procedure, LocalId local, const AliasValue& value);
  void join(AliasValue& into, const AliasValue& value);

  const Program& program_;
  ConstantAddresses constants_;
  IdVector<ProcedureId, std::vector<AliasValue>> locals_;
  IdVector<ProcedureId, AliasValue> results_;
  IdVector<ProcedureId, std::map<LinearForm, std::vector<Guard>>> guards_; // by variable part
  /// Terms that a Check keeps from wrapping around as an index, whatever the factor they are used
  /// with.
  IdVector<ProcedureId, std::set<Term>> bounded_indices_;
  /// By local: a power of two that divides every value it is given; 1 if there is none. Offsets are
  /// computed step by step where registers are kept.
  IdVector<ProcedureId, std::vector<std::uint64_t>> factors_;
  IdVector<ObjectId, std::vector<Cell>> cells_;
  AliasValue written_anywhere_; // through addresses that may be any
  AliasValue thread_results_;
  std::vector<ObjectId> heap_sites_;
  IdVector<ObjectId, bool> is_freed_; // heap sites whose blocks some free may release
  bool is_any_freed_ = false;
  bool is_changed_ = false;
};

} // namespace heddle::program
