// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "transform/sequential/sma.h"

#include "program/model/control_flow.h"
#include "support/check.h"
#include "transform/basic/rewrite.h"

#include <algorithm>
#include <utility>

namespace heddle::transform {

namespace {

using logic::Op;
using logic::Term;
using logic::TermStore;
using program::LocationId;
using program::ObjectId;
using program::Procedure;
using program::ProcedureId;

/// Terms of one store in another.
class TermCopy {
public:
  TermCopy(const TermStore& from, TermStore& into) : from_(from), into_(into) {}

  Term operator()(Term term) {
    if (const auto known = copies_.find(term); known != copies_.end())
      return known->second;
    std::vector<Term> arguments;
    for (const Term argument : from_.arguments(term))
      arguments.push_back((*this)(argument));
    const Term copy = rebuild(from_.node(term), arguments);
    copies_.emplace(term, copy);
    return copy;
  }

private:
  Term rebuild(const logic::Node& node, const std::vector<Term>& a) {
    switch (node.op) {
    case Op::kConstant:
      return node.sort.is_bool() ? into_.boolean(node.value != 0)
                                 : into_.constant(node.value, node.sort.width);
    case Op::kVariable:
      return into_.variable(node.value, node.sort);
    case Op::kNot:
      return into_.not_(a[0]);
    case Op::kAnd:
    case Op::kOr: {
      Term all = a[0];
      for (std::size_t i = 1; i < a.size(); ++i)
        all = node.op == Op::kAnd ? into_.and_(all, a[i]) : into_.or_(all, a[i]);
      return all;
    }
    case Op::kEqual:
      return into_.equal(a[0], a[1]);
    case Op::kIte:
      return into_.ite(a[0], a[1], a[2]);
    case Op::kBitNot:
      return into_.bit_not(a[0]);
    case Op::kNegate:
      return into_.negate(a[0]);
    case Op::kConcat:
      return into_.concat(a[0], a[1]);
    case Op::kExtract:
      return into_.extract(a[0], static_cast<unsigned>(node.value), node.sort.width);
    case Op::kZeroExtend:
      return into_.zero_extend(a[0], node.sort.width);
    case Op::kSignExtend:
      return into_.sign_extend(a[0], node.sort.width);
    case Op::kULt:
    case Op::kULe:
    case Op::kSLt:
    case Op::kSLe:
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kUDiv:
    case Op::kURem:
    case Op::kSDiv:
    case Op::kSRem:
    case Op::kBitAnd:
    case Op::kBitOr:
    case Op::kBitXor:
    case Op::kShl:
    case Op::kLShr:
    case Op::kAShr:
      return into_.binary(node.op, a[0], a[1]);
    }
    HEDDLE_CHECK(false, "no such operation");
  }

  const TermStore& from_;
  TermStore& into_;
  std::map<Term, Term> copies_;
};

/// Copies procedures of one program into another, with new numbers for what they name.
class Addition {
public:
  Addition(program::Program& into, const program::Program& from)
      : into_(into), from_(from), first_procedure_(into.procedures.size()),
        first_object_(into.objects.size()), first_file_(into.files.size()) {}

  void run() {
    into_.files.insert(into_.files.end(), from_.files.begin(), from_.files.end());
    for (program::Object object : from_.objects) {
      object.loc = moved(object.loc);
      object.scalar_bits = 0; // nothing of the program's own: not to be observed
      into_.objects.push_back(std::move(object));
    }
    for (const Procedure& procedure : from_.procedures)
      into_.procedures.push_back(copy(procedure));
  }
  [[nodiscard]] ProcedureId moved(ProcedureId id) const {
    return ProcedureId{id.index() + first_procedure_};
  }
  [[nodiscard]] ObjectId moved(ObjectId id) const { return ObjectId{id.index() + first_object_}; }

private:
  [[nodiscard]] SourceLoc moved(SourceLoc loc) const {
    loc.file += static_cast<decltype(loc.file)>(first_file_);
    return loc;
  }

  Procedure copy(const Procedure& source) {
    Procedure procedure = source;
    procedure.loc = moved(procedure.loc);
    for (program::Local& local : procedure.locals)
      local.loc = moved(local.loc);
    for (program::Location& location : procedure.locations)
      location.loc = moved(location.loc);
    TermCopy terms(from_.terms, into_.terms);
    for (program::Edge& edge : procedure.edges) {
      edge.loc = moved(edge.loc);
      for_each_term(edge.action, [&](Term& term) { term = terms(term); });
      if (auto* call = std::get_if<program::Call>(&edge.action))
        for (ProcedureId& target : call->targets)
          target = moved(target);
      if (auto* allocate = std::get_if<program::Allocate>(&edge.action))
        allocate->site = moved(allocate->site);
    }
    return procedure;
  }

  program::Program& into_;
  const program::Program& from_;
  std::size_t first_procedure_;
  std::size_t first_object_;
  std::size_t first_file_;
};

/// The body of sma_exceeded: the run ends, and the verdict names the bound.
void write_cuts(program::Program& program,
                ProcedureId id,
                const std::map<std::uint32_t, std::string>& bounds) {
  Procedure& procedure = program.procedures[id];
  const unsigned width = procedure.locals[procedure.parameters.front()].width;
  const Term bound = program.terms.variable(procedure.parameters.front().value,
                                            logic::Sort{static_cast<std::uint8_t>(width)});
  procedure.locations = {};
  procedure.edges.clear();
  LocationId at = procedure.locations.push_back({});
  const LocationId end = procedure.locations.push_back({});
  procedure.entry = at;
  for (const auto& [number, text] : bounds) {
    const Term is_it = program.terms.equal(bound, program.terms.constant(number, width));
    const LocationId here = procedure.locations.push_back({});
    const LocationId next = procedure.locations.push_back({});
    program::add_edge(procedure, {at, here, program::Assume{is_it, true}, procedure.loc});
    program::add_edge(procedure,
                      {at, next, program::Assume{program.terms.not_(is_it), true}, procedure.loc});
    program::add_edge(procedure, {here, end, program::Cut{text}, procedure.loc});
    at = next;
  }
  program::add_edge(procedure,
                    {at, end, program::Cut{"a bound of the abstraction"}, procedure.loc});
  program::tidy(procedure);
}

/// The body of an operation that says something about each cell: writes what it returns for the
/// first parameter, one cell after the other.
class AnswerByCell {
public:
  AnswerByCell(program::Program& program, ProcedureId id)
      : terms_(program.terms), procedure_(program.procedures[id]) {
    procedure_.locations = {};
    procedure_.edges.clear();
    at_ = procedure_.locations.push_back({});
    end_ = procedure_.locations.push_back({});
    procedure_.entry = at_;
  }

  [[nodiscard]] TermStore& terms() { return terms_; }
  [[nodiscard]] Term parameter(std::size_t index) {
    const program::LocalId local = procedure_.parameters[index];
    return terms_.variable(local.value, logic::Sort{procedure_.locals[local].width});
  }
  [[nodiscard]] Term number(std::uint64_t value) {
    return terms_.constant(value, procedure_.result_width);
  }
  void begin_cell(std::size_t cell) {
    const Term is_it =
        terms_.equal(parameter(0), terms_.constant(cell, terms_.sort(parameter(0)).width));
    here_ = leads_to(at_, program::Assume{is_it, true});
    at_ = leads_to(at_, program::Assume{terms_.not_(is_it), true});
  }
  [[nodiscard]] Term guess(unsigned bits, const char* what) {
    const auto width = static_cast<std::uint8_t>(bits);
    const program::LocalId local = procedure_.locals.push_back({"", width, procedure_.loc});
    here_ = leads_to(here_, program::Nondet{local, what});
    return terms_.variable(local.value, logic::Sort{width});
  }
  void end_cell(Term answer) {
    program::add_edge(procedure_, {here_, end_, program::Return{answer}, procedure_.loc});
  }
  /// What it returns for anything else.
  void finish(std::uint64_t answer) {
    program::add_edge(procedure_, {at_, end_, program::Return{number(answer)}, procedure_.loc});
    program::tidy(procedure_);
  }

private:
  LocationId leads_to(LocationId from, program::Action action) {
    const LocationId to = procedure_.locations.push_back({});
    program::add_edge(procedure_, {from, to, std::move(action), procedure_.loc});
    return to;
  }

  TermStore& terms_;
  Procedure& procedure_;
  LocationId at_;   // where the next cell is asked for
  LocationId here_; // where it is this one
  LocationId end_;
};

/// The body of sma_nondet_content: as few bits as the values of the cell need.
void write_guesses(program::Program& program,
                   ProcedureId id,
                   const std::vector<logic::Range>& contents) {
  AnswerByCell answer(program, id);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const logic::Range& range = contents[i];
    answer.begin_cell(i);
    const bool is_signed = range.signed_width() < range.unsigned_width();
    const unsigned bits = std::max(1U, is_signed ? range.signed_width() : range.unsigned_width());
    const Term value = answer.guess(bits, "what a cell holds");
    TermStore& terms = answer.terms();
    const Term extended =
        is_signed ? terms.sign_extend(value, range.width) : terms.zero_extend(value, range.width);
    answer.end_cell(terms.zero_extend(extended, 64));
  }
  answer.finish(0);
}

/// The bodies of sma_writers, sma_writer and sma_most_writes.
void write_writers(program::Program& program,
                   ProcedureId id,
                   const std::vector<CellWriters>& writers) {
  AnswerByCell answer(program, id);
  for (std::size_t i = 0; i < writers.size(); ++i) {
    answer.begin_cell(i);
    answer.end_cell(answer.number(writers[i].threads.size()));
  }
  answer.finish(0);
}
void write_each_writer(program::Program& program,
                       ProcedureId id,
                       const std::vector<CellWriters>& writers) {
  AnswerByCell answer(program, id);
  const Term which = answer.parameter(1);
  const unsigned width = answer.terms().sort(which).width;
  for (std::size_t i = 0; i < writers.size(); ++i) {
    const std::vector<std::uint32_t>& threads = writers[i].threads;
    answer.begin_cell(i);
    Term thread = answer.number(threads.empty() ? 0 : threads.back());
    for (std::size_t k = threads.size(); k-- > 0;)
      thread = answer.terms().ite(answer.terms().equal(which, answer.terms().constant(k, width)),
                                  answer.number(threads[k]),
                                  thread);
    answer.end_cell(thread);
  }
  answer.finish(0);
}
void write_most_writes(program::Program& program,
                       ProcedureId id,
                       const std::vector<CellWriters>& writers) {
  AnswerByCell answer(program, id);
  for (std::size_t i = 0; i < writers.size(); ++i) {
    answer.begin_cell(i);
    answer.end_cell(answer.number(writers[i].most_writes));
  }
  answer.finish(0);
}

} // namespace

namespace {

// Cells and threads have 32 bits, values 64 (runtime/sma/sma.h).
constexpr unsigned kIndex = 32;
constexpr unsigned kValue = 64;
constexpr unsigned kTruth = 1;

const std::vector<OperationShape>& operations_of_all() {
  static const std::vector<OperationShape> kShapes = {
      {"sma_init", {}},
      {"sma_address", {kIndex, kIndex}, kIndex},
      {"sma_malloc", {kIndex, kIndex, kIndex}, kIndex},
      {"sma_read", {kIndex, kIndex}, kValue},
      {"sma_write", {kIndex, kValue, kIndex}},
      {"sma_ind_read", {kIndex, kIndex}, kValue},
      {"sma_ind_write", {kIndex, kValue, kIndex}},
      {"sma_lock", {kIndex, kIndex}},
      {"sma_unlock", {kIndex, kIndex}},
      {"sma_fence", {kIndex}},
      {"sma_store_fence", {kIndex}},
      {"sma_create", {kIndex, kIndex}},
      {"sma_join", {kIndex, kIndex}},
      {"sma_terminate", {kIndex}},
      {"sma_compare_exchange", {kIndex, kValue, kValue, kIndex}, kValue},
      {"sma_update_begin", {kIndex, kIndex}, kValue},
      {"sma_update_end", {kIndex, kValue, kIndex}},
      {"sma_atomic_begin", {kIndex}},
      {"sma_atomic_end", {kIndex}},
      {"sma_now", {kIndex}, kIndex}};
  return kShapes;
}

const std::vector<OperationShape>& operations_of_asynchronous() {
  static const std::vector<OperationShape> kShapes = {{"sma_stops", {kIndex}, kTruth},
                                                      {"sma_finish", {}}};
  return kShapes;
}

std::vector<std::string> names_of(const std::vector<OperationShape>& shapes) {
  std::vector<std::string> names;
  for (const OperationShape& shape : shapes)
    names.push_back(shape.name);
  return names;
}

} // namespace

const std::vector<std::string>& abstraction_operations() {
  static const std::vector<std::string> kNames = names_of(operations_of_all());
  return kNames;
}

const std::vector<std::string>& asynchronous_operations() {
  static const std::vector<std::string> kNames = names_of(operations_of_asynchronous());
  return kNames;
}

const OperationShape& shape_of_operation(const std::string& name) {
  for (const auto* shapes : {&operations_of_all(), &operations_of_asynchronous()})
    if (const auto found = std::ranges::find(*shapes, name, &OperationShape::name);
        found != shapes->end())
      return *found;
  HEDDLE_CHECK(false, "no such operation");
}

AddedAbstraction::AddedAbstraction(program::Program& into,
                                   const Abstraction& abstraction,
                                   const CellKnowledge& known)
    : is_coarse_(abstraction.is_coarse) {
  Addition addition(into, abstraction.program);
  addition.run();
  for (std::size_t i = 0; i < abstraction.program.procedures.size(); ++i) {
    const std::string& name = abstraction.program.procedures[ProcedureId{i}].name;
    operations_[name] = addition.moved(ProcedureId{i});
    if (name == "sma_exceeded")
      write_cuts(into, addition.moved(ProcedureId{i}), abstraction.bounds);
    if (known.contents.empty())
      continue;
    if (name == "sma_nondet_content")
      write_guesses(into, addition.moved(ProcedureId{i}), known.contents);
    if (name == "sma_writers")
      write_writers(into, addition.moved(ProcedureId{i}), known.writers);
    if (name == "sma_writer")
      write_each_writer(into, addition.moved(ProcedureId{i}), known.writers);
    if (name == "sma_most_writes")
      write_most_writes(into, addition.moved(ProcedureId{i}), known.writers);
  }
  for (std::size_t i = 0; i < abstraction.program.objects.size(); ++i)
    if (abstraction.program.objects[ObjectId{i}].name == "sma_initial")
      initial_ = addition.moved(ObjectId{i});
}

ProcedureId AddedAbstraction::operation(const std::string& name) const {
  const auto found = operations_.find(name);
  HEDDLE_CHECK(found != operations_.end(), "an abstraction without an operation");
  return found->second;
}

} // namespace heddle::transform
