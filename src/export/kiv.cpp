// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every operation fixes the whole state after it: ls' is ls with its changes, and mem' is mem with
// its changes or mem itself. The published generator leaves mem' open where a branch is taken.
#include "export/kiv.h"

#include "export/layout.h"
#include "program/model/print_program.h"
#include "program/model/sync_kinds.h"
#include "support/overloaded.h"
#include "transform/buffers/store_buffer_graph_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace heddle::exports {

using namespace program; // NOLINT: most of the family of actions is spelled out below
using logic::Op;
using transform::GraphEdge;
using transform::GraphNode;
using transform::GraphNodeId;
using transform::StoreBufferGraph;
using transform::SymbolicEntry;

namespace {

std::string kiv_identifier(const std::string& text) {
  std::string out;
  for (const char c : text)
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'))
      out += c;
  return out;
}

/// What one operation does.
struct Operation {
  std::string guard = {};
  std::vector<std::pair<LocalId, std::string>> changes =
      {}; // values as the local's sort wants them
  std::string memory = "mem";
  std::optional<std::string> pc = {};    // instead of the label of the edge's target
  std::optional<std::string> holds = {}; // an assertion
  bool has_choice = false;
  std::optional<std::string> result = {};
};

/// One function; an error is remembered and ends it.
class Function {
public:
  Function(const Program& program,
           const KivFunction& function,
           const KivOptions& options,
           std::string letter)
      : program_(program), procedure_(program.procedures[function.procedure]),
        graph_(*function.graph), options_(options), letter_(std::move(letter)),
        name_(kiv_identifier(procedure_.name)) {
    find_references();
    name_locals();
    name_nodes();
  }

  Status run() {
    invoke();
    for (std::size_t e = 0; e < graph_.edges.size(); ++e) {
      const GraphEdge& edge = graph_.edges[e];
      loc_ = procedure_.edges[edge.origin].loc;
      Operation operation = operation_of(edge);
      if (error_)
        return *error_;
      print(edge, e + 1, operation);
    }
    return Done{};
  }

  [[nodiscard]] const std::vector<std::string>& labels() const { return labels_; }
  [[nodiscard]] const std::map<std::string, bool>& fields() const { return fields_; }
  [[nodiscard]] const std::set<std::string>& constants() const { return constants_; }
  [[nodiscard]] const std::string& axioms() const { return axioms_; }
  [[nodiscard]] const std::vector<std::string>& invocations() const { return invocations_; }
  [[nodiscard]] const std::vector<std::string>& steps() const { return steps_; }
  [[nodiscard]] const std::vector<std::string>& returns() const { return returns_; }

private:
  // Names and sorts.

  void note_address(Term address) {
    for (const std::uint64_t number : program_.terms.variables(address))
      if (number != kSelfVariable)
        references_.insert(number);
  }
  /// Locals that occur in addresses hold references; so do their copies in pending stores.
  void find_references() {
    for (const Edge& edge : procedure_.edges)
      std::visit(Overloaded{
                     [](const Skip&) {},
                     [](const Assign&) {},
                     [](const AssignSequence&) {},
                     [](const Nondet&) {},
                     [](const Assume&) {},
                     [](const Check&) {},
                     [](const CheckNeighbourhood&) {},
                     [&](const Load& a) { note_address(a.address); },
                     [&](const Store& a) { note_address(a.address); },
                     [&](const LoadExclusive& a) { note_address(a.address); },
                     [&](const StoreExclusive& a) { note_address(a.address); },
                     [&](const ReadModifyWrite& a) { note_address(a.address); },
                     [&](const CompareExchange& a) { note_address(a.address); },
                     [](const Fence&) {},
                     [](const Allocate&) {},
                     [](const Free&) {},
                     [](const BlockSize&) {},
                     [](const Call&) {},
                     [](const Return&) {},
                     [](const Synchronize&) {},
                     [](const AtomicBegin&) {},
                     [](const AtomicEnd&) {},
                     [](const Hint&) {},
                     [](const ThreadExit&) {},
                     [](const Exit&) {},
                     [](const Cut&) {},
                     [](const Trap&) {},
                 },
                 edge.action);
    for (const std::vector<transform::EntryOperands>& all : graph_.operands)
      for (const transform::EntryOperands& operands : all)
        note_address(operands.address);
  }
  void name_locals() {
    for (std::size_t i = 0; i < procedure_.locals.size(); ++i) {
      std::string name = kiv_identifier(procedure_.locals[LocalId{i}].name);
      names_.push_back(fmt::format("{}{}{}", name.empty() ? "v" : name, letter_, i));
    }
  }
  /// Letter, location, and what is pending there, oldest first.
  void name_nodes() {
    std::map<std::string, unsigned> used;
    for (const GraphNode& node : graph_.nodes) {
      std::string label = node.location.is_valid()
                              ? fmt::format("{}{:02}", letter_, node.location.value)
                              : letter_ + "End";
      for (const SymbolicEntry& entry : node.buffer.entries)
        label += kiv_identifier(
            to_text(program_, procedure_, graph_.operands[entry.store][entry.instance].address));
      if (const unsigned again = used[label]++; again > 0)
        label += fmt::format("n{}", again);
      labels_.push_back(std::move(label));
    }
  }

  void refuse_here(const char* code, const std::string& message) {
    if (!error_)
      error_ = refuse(program_, loc_, code, message);
  }

  // Terms.

  [[nodiscard]] bool is_reference(std::uint64_t number) const {
    return references_.contains(number);
  }
  std::string field(std::uint64_t number) {
    if (number == kSelfVariable) {
      refuse_here("EXP-050", "the index of the running thread");
      return "";
    }
    fields_[names_[number]] = is_reference(number);
    return options_.state == KivOptions::State::kLocal ? "ls." + names_[number]
                                                       : fmt::format("cs.{}(p)", names_[number]);
  }
  std::string memory() const {
    return options_.state == KivOptions::State::kLocal ? "mem" : "cs.mem";
  }
  /// Inside an object: the constant of that name, and how far.
  std::optional<std::string> address_constant(std::uint64_t value) {
    for (const Object& object : program_.objects) {
      if (object.kind != Object::Kind::kGlobal)
        continue;
      const std::uint64_t base = program_.space().base_of(object.unit);
      if (value < base || value > base + object.size)
        continue;
      const std::string name = kiv_identifier(object.name);
      constants_.insert(name);
      return value == base ? name + ".v" : fmt::format("({}.v + {})", name, value - base);
    }
    return std::nullopt;
  }
  std::string number(std::uint64_t value, unsigned width) {
    if (width == program_.pointer_bits())
      if (const std::optional<std::string> address = address_constant(value))
        return *address;
    if (width <= 1)
      return fmt::format("{}", value);
    const std::int64_t exact = logic::sign_extended(value, width);
    if (exact < 0 && options_.numbers == KivOptions::Numbers::kNat) {
      refuse_here("EXP-051", "a negative number; --kiv-numbers int has them");
      return "";
    }
    return exact < 0 ? fmt::format("({})", exact) : fmt::format("{}", exact);
  }
  /// A number, or for Bool a formula.
  std::string text(Term term) {
    const logic::TermStore& terms = program_.terms;
    const logic::Node& node = terms.node(term);
    const std::span<const Term> arguments = terms.arguments(term);
    const auto join = [&](const char* op) {
      std::string out = "(" + text(arguments[0]);
      for (std::size_t i = 1; i < arguments.size(); ++i)
        out += fmt::format(" {} {}", op, text(arguments[i]));
      return out + ")";
    };
    switch (node.op) {
    case Op::kConstant:
      if (node.sort.is_bool())
        return node.value != 0 ? "true" : "false";
      return number(node.value, node.sort.width);
    case Op::kVariable:
      return is_reference(node.value) ? field(node.value) + ".v" : field(node.value);
    case Op::kNot:
      return fmt::format("¬ {}", text(arguments[0]));
    case Op::kAnd:
      return join("∧");
    case Op::kOr:
      return join("∨");
    case Op::kEqual:
      return terms.sort(arguments[0]).is_bool() ? join("↔") : join("=");
    case Op::kULt:
    case Op::kULe:
      // Constants are printed with their sign.
      for (const Term argument : arguments)
        if (terms.is_constant(argument) &&
            logic::sign_extended(terms.node(argument).value, terms.sort(argument).width) < 0)
          refuse_here("EXP-052", "a comparison without sign with a large number");
      return join(node.op == Op::kULt ? "<" : "≤");
    case Op::kSLt:
      return join("<");
    case Op::kSLe:
      return join("≤");
    case Op::kIte:
      return fmt::format(
          "({} ⊃ {}; {})", text(arguments[0]), text(arguments[1]), text(arguments[2]));
    case Op::kAdd:
      return join("+");
    case Op::kSub:
      return join("-");
    case Op::kMul:
      return join("*");
    case Op::kZeroExtend:
    case Op::kSignExtend:
      return text(arguments[0]);
    case Op::kUDiv:
    case Op::kURem:
    case Op::kSDiv:
    case Op::kSRem:
    case Op::kBitAnd:
    case Op::kBitOr:
    case Op::kBitXor:
    case Op::kBitNot:
    case Op::kNegate:
    case Op::kShl:
    case Op::kLShr:
    case Op::kAShr:
    case Op::kConcat:
    case Op::kExtract:
      refuse_here("EXP-052", "an operation on bits, or a division");
      return "";
    }
    return "";
  }
  /// As the sort of the local wants it.
  std::string as_value_of(LocalId local, Term term) {
    if (!is_reference(local.value))
      return program_.terms.sort(term).is_bool() ? fmt::format("({} ⊃ 1; 0)", text(term))
                                                 : text(term);
    const logic::Node& node = program_.terms.node(term);
    if (node.op == Op::kVariable && is_reference(node.value))
      return field(node.value);
    return fmt::format("[{}]", text(term));
  }
  std::string as_reference(Term term) {
    const logic::Node& node = program_.terms.node(term);
    if (node.op == Op::kVariable && node.value != kSelfVariable && is_reference(node.value))
      return field(node.value);
    return fmt::format("[{}]", text(term));
  }
  std::string loaded_for(LocalId dest, const std::string& address) const {
    return fmt::format("{}[{}]{}", memory(), address, is_reference(dest.value) ? "" : ".v");
  }

  // Operations.

  [[nodiscard]] transform::ByteRange range(const SymbolicEntry& entry) const {
    const auto& store = std::get<Store>(procedure_.edges[entry.store].action);
    return {
        graph_.operands[entry.store][entry.instance].address, store.access.size, store.access.may};
  }
  /// Whether the two touch the same cell, where only the run can tell; empty where it is known.
  std::string
  comparison(const transform::ByteRange& first, const transform::ByteRange& second, bool is_same) {
    const transform::Overlap found = transform::overlap(program_, first, second);
    if (found.kind != transform::Overlap::Kind::kUnknown)
      return "";
    if (first.size != second.size)
      refuse_here("EXP-053", "accesses of different sizes that may overlap");
    const std::string a = text(first.address);
    return fmt::format(" ∧ {} {} {}", a, is_same ? "=" : "≠", text(second.address));
  }

  Operation operation_of(const GraphEdge& edge) {
    const Action& action = procedure_.edges[edge.origin].action;
    const std::vector<SymbolicEntry>& entries = graph_.nodes[edge.from].buffer.entries;
    Operation made;
    switch (edge.kind) {
    case GraphEdge::Kind::kFlush: {
      const SymbolicEntry& entry = entries[edge.entry];
      const transform::EntryOperands& operands = graph_.operands[entry.store][entry.instance];
      for (std::uint32_t older = 0; older < edge.entry; ++older)
        made.guard += comparison(range(entry), range(entries[older]), false);
      made.memory =
          fmt::format("{}[{}, {}]", memory(), text(operands.address), as_reference(operands.value));
      return made;
    }
    case GraphEdge::Kind::kStore: {
      // Of the buffer only the copies are seen: the entry itself is the label.
      const SymbolicEntry* stored = nullptr;
      for (const SymbolicEntry& entry : graph_.nodes[edge.to].buffer.entries)
        if (entry.store == edge.origin &&
            std::ranges::find_if(entries, [&](const SymbolicEntry& one) {
              return one.store == entry.store && one.instance == entry.instance;
            }) == entries.end())
          stored = &entry;
      if (stored != nullptr)
        for (const Assign& copy : graph_.operands[stored->store][stored->instance].copies)
          made.changes.emplace_back(copy.dest, as_value_of(copy.dest, copy.value));
      return made;
    }
    case GraphEdge::Kind::kEarlyRead: {
      const auto& load = std::get<Load>(action);
      const transform::ByteRange bytes{load.address, load.access.size, load.access.may};
      const SymbolicEntry& entry = entries[edge.entry];
      for (std::size_t newer = edge.entry + 1UL; newer < entries.size(); ++newer)
        made.guard += comparison(bytes, range(entries[newer]), false);
      made.guard += comparison(bytes, range(entry), true);
      made.changes.emplace_back(
          load.dest, as_value_of(load.dest, graph_.operands[entry.store][entry.instance].value));
      return made;
    }
    case GraphEdge::Kind::kLoad: {
      const auto& load = std::get<Load>(action);
      const transform::ByteRange bytes{load.address, load.access.size, load.access.may};
      for (const SymbolicEntry& entry : entries)
        made.guard += comparison(bytes, range(entry), false);
      made.changes.emplace_back(load.dest, loaded_for(load.dest, text(load.address)));
      return made;
    }
    case GraphEdge::Kind::kComposedLoad:
      refuse_here("EXP-053", "a load of bytes from the buffer and from memory");
      return made;
    case GraphEdge::Kind::kCut:
      refuse_here("EXP-054", "a bound on pending stores");
      return made;
    case GraphEdge::Kind::kLocal:
    case GraphEdge::Kind::kFence:
    case GraphEdge::Kind::kAllocate:
      own_step(action, made);
      return made;
    }
    return made;
  }

  void own_step(const Action& action, Operation& made) {
    const auto nothing = [&](const char* what) { refuse_here("EXP-055", what); };
    std::visit(
        Overloaded{
            [](const Skip&) {},
            [&](const Assign& one) {
              made.changes.emplace_back(one.dest, as_value_of(one.dest, one.value));
            },
            [&](const AssignSequence&) { nothing("assignments in sequence"); },
            [&](const Nondet& choice) {
              made.has_choice = true;
              made.changes.emplace_back(choice.dest, is_reference(choice.dest.value) ? "[x]" : "x");
            },
            [&](const Assume& assume) { made.guard += " ∧ " + text(assume.condition); },
            [&](const Check& check) { made.holds = text(check.condition); },
            [](const CheckNeighbourhood&) {}, // numbers have no neighbourhoods
            [&](const Load& load) {
              made.changes.emplace_back(load.dest, loaded_for(load.dest, text(load.address)));
            },
            [&](const Store& store) {
              made.memory = fmt::format(
                  "{}[{}, {}]", memory(), text(store.address), as_reference(store.value));
            },
            [&](const LoadExclusive&) { nothing("a load-exclusive"); },
            [&](const StoreExclusive&) { nothing("a store-exclusive"); },
            [&](const ReadModifyWrite& update) { update_step(update, made); },
            [&](const CompareExchange& exchange) {
              const std::string address = text(exchange.address);
              const std::string hits =
                  fmt::format("{}[{}].v = {}", memory(), address, text(exchange.expected));
              if (exchange.weak)
                nothing("a weak compare-exchange");
              made.memory = fmt::format("({} ⊃ {}[{}, {}]; {})",
                                        hits,
                                        memory(),
                                        address,
                                        as_reference(exchange.desired),
                                        memory());
              made.changes.emplace_back(exchange.dest, loaded_for(exchange.dest, address));
              made.changes.emplace_back(exchange.success, fmt::format("({} ⊃ 1; 0)", hits));
            },
            [](const Fence&) {},
            [&](const Allocate&) { nothing("an allocation"); },
            [&](const Free&) { nothing("a free"); },
            [&](const BlockSize&) { nothing("the size of a block"); },
            [&](const Call&) { nothing("a call"); },
            [&](const Return& one) {
              made.pc = "N";
              made.result = one.value ? text(*one.value) : "0";
            },
            [&](const Synchronize& sync) {
              if (takes_exclusive_lock(sync.op) && !is_attempt(sync.op)) {
                const std::string lock = text(sync.operands[0]);
                made.guard += fmt::format(" ∧ {}[{}].v = 0", memory(), lock);
                made.memory = fmt::format("{}[{}, [1]]", memory(), lock);
              } else if (gives_exclusive_lock(sync.op)) {
                made.memory = fmt::format("{}[{}, [0]]", memory(), text(sync.operands[0]));
              } else {
                nothing("a synchronisation other than mutexes and spin locks");
              }
              if (sync.dest)
                made.changes.emplace_back(*sync.dest, is_reference(sync.dest->value) ? "[0]" : "0");
            },
            [&](const AtomicBegin&) { nothing("an atomic section"); },
            [&](const AtomicEnd&) { nothing("an atomic section"); },
            [](const Hint&) {},
            [&](const ThreadExit&) { nothing("the end of a thread inside of a function"); },
            [&](const Exit&) { made.pc = "X"; },
            [&](const Cut&) { nothing("a bound"); },
            [&](const Trap& trap) { refuse_here("EXP-055", trap.what); },
        },
        action);
  }

  void update_step(const ReadModifyWrite& update, Operation& made) {
    const std::string address = text(update.address);
    const std::string old = fmt::format("{}[{}].v", memory(), address);
    std::string stored;
    if (update.op == RmwOp::kExchange)
      stored = as_reference(update.value);
    else if (update.op == RmwOp::kAdd)
      stored = fmt::format("[{} + {}]", old, text(update.value));
    else if (update.op == RmwOp::kSub)
      stored = fmt::format("[{} - {}]", old, text(update.value));
    else
      refuse_here("EXP-052", "an operation on bits");
    made.memory = fmt::format("{}[{}, {}]", memory(), address, stored);
    made.changes.emplace_back(update.dest, loaded_for(update.dest, address));
  }

  // Axioms.

  void invoke() {
    const std::string name = name_ + "ini";
    invocations_.push_back(name);
    std::string changes;
    if (!procedure_.parameters.empty()) {
      const std::uint64_t parameter = procedure_.parameters.front().value;
      fields_[names_[parameter]] = is_reference(parameter);
      changes = change(names_[parameter], is_reference(parameter) ? "[inp]" : "inp");
    }
    axioms_ += fmt::format(";; {} corresponds to the function {}\n", name_, procedure_.name);
    const bool is_local = options_.state == KivOptions::State::kLocal;
    axioms_ += fmt::format("{0} :\n  ⊦ INVOP({0})(inp, {1}) ↔\n    {2} = N ∧ {3};\n  used for : s, "
                           "ls;\n",
                           name,
                           is_local ? "mem, ls, mem', ls'" : "p, cs, cs'",
                           is_local ? "ls.pc" : "cs.pc(p)",
                           after(labels_.front(), changes, memory()));
  }
  [[nodiscard]] std::string change(const std::string& field_name, const std::string& value) const {
    return options_.state == KivOptions::State::kLocal
               ? fmt::format(" .{} := {}", field_name, value)
               : fmt::format(" .{0} := cs.{0}(p; {1})", field_name, value);
  }
  [[nodiscard]] std::string
  after(const std::string& pc, const std::string& changes, const std::string& memory_after) const {
    if (options_.state == KivOptions::State::kLocal)
      return fmt::format("ls' = (ls.pc := {}{}) ∧ mem' = {}", pc, changes, memory_after);
    return fmt::format("cs' = (cs.pc := cs.pc(p; {}){} .mem := {})", pc, changes, memory_after);
  }
  void print(const GraphEdge& edge, std::size_t index, const Operation& operation) {
    const bool is_local = options_.state == KivOptions::State::kLocal;
    const bool is_return = operation.result.has_value();
    const std::string name = fmt::format("{}{}{}", name_, index, is_return ? "ret" : "");
    (is_return ? returns_ : steps_).push_back(name);
    std::string changes;
    for (const auto& [local, value] : operation.changes) {
      fields_[names_[local.index()]] = is_reference(local.value);
      changes += change(names_[local.index()], value);
    }
    std::string pc = operation.pc ? *operation.pc : labels_[edge.to.index()];
    if (operation.holds)
      pc = fmt::format("({} ⊃ {}; F)", *operation.holds, pc);
    const std::string what =
        edge.kind == GraphEdge::Kind::kFlush
            ? fmt::format("flush of {}", program_.place(loc_))
            : fmt::format("{}: {}",
                          program_.place(loc_),
                          to_text(program_, procedure_, procedure_.edges[edge.origin].action));
    const std::string unchanged = operation.memory == "mem" ? memory() : operation.memory;
    std::string effect = after(pc, changes, unchanged);
    if (operation.has_choice)
      effect = fmt::format("(∃ x. {})", effect);
    if (is_return)
      effect += fmt::format(" ∧ return = {}", *operation.result);
    axioms_ +=
        fmt::format(";; {}\n{} :\n  ⊦ {}({})({}{}) ↔\n    {} = {}{} ∧ {};\n  used for : s, ls;\n",
                    what,
                    name,
                    is_return ? "RETOP" : "COP",
                    name,
                    is_local ? "mem, ls, mem', ls'" : "p, cs, cs'",
                    is_return ? ", return" : "",
                    is_local ? "ls.pc" : "cs.pc(p)",
                    labels_[edge.from.index()],
                    operation.guard,
                    effect);
  }

  const Program& program_;
  const Procedure& procedure_;
  const StoreBufferGraph& graph_;
  KivOptions options_;
  std::string letter_;
  std::string name_;
  std::set<std::uint64_t> references_;
  std::vector<std::string> names_;
  std::vector<std::string> labels_;
  std::map<std::string, bool> fields_; // is it a reference?
  std::set<std::string> constants_;
  std::vector<std::string> invocations_;
  std::vector<std::string> steps_;
  std::vector<std::string> returns_;
  std::string axioms_;
  SourceLoc loc_ = {};
  std::optional<Error> error_;
};

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names)
    out += fmt::format("{}{}", out.empty() ? "" : " | ", name);
  return out;
}

} // namespace

bool handles_threads(const Procedure& procedure) {
  return std::ranges::any_of(procedure.edges, [](const Edge& edge) {
    const auto* sync = std::get_if<Synchronize>(&edge.action);
    return sync != nullptr && (sync->op == SyncOp::kCreate || sync->op == SyncOp::kJoin);
  });
}

Result<std::string> to_kiv(const Program& program,
                           const std::vector<KivFunction>& functions,
                           const KivOptions& options) {
  const bool is_local = options.state == KivOptions::State::kLocal;
  const char* sort = options.numbers == KivOptions::Numbers::kInt ? "int" : "nat";
  std::vector<std::string> labels{"N", "F", "X"};
  std::vector<std::string> invocations;
  std::vector<std::string> steps;
  std::vector<std::string> returns;
  std::map<std::string, bool> fields;
  std::set<std::string> constants;
  std::string axioms;
  const auto append = [](std::vector<std::string>& to, const std::vector<std::string>& more) {
    to.insert(to.end(), more.begin(), more.end());
  };
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const std::string letter =
        i < 26 ? std::string(1, static_cast<char>('A' + i)) : fmt::format("Z{}x", i);
    Function function(program, functions[i], options, letter);
    if (const Status status = function.run(); !status)
      return status.error();
    append(labels, function.labels());
    append(invocations, function.invocations());
    append(steps, function.steps());
    append(returns, function.returns());
    fields.insert(function.fields().begin(), function.fields().end());
    constants.insert(function.constants().begin(), function.constants().end());
    axioms += function.axioms();
  }
  std::string out = ";; Made by heddle translate --to kiv. Numbers do not wrap around.\n";
  out += ";; specification PC: N is idle, F is where an assertion has failed, X where the program "
         "has ended\n"
         "data specification\n  PC = " +
         listed(labels) + ";\nend data specification\n\n";
  out += ";; specification Proc\nspecification\n  sorts Proc;\nend specification\n\n";
  out += ";; specification cindex\ndata specification\n";
  for (const auto& [family, names] :
       {std::pair{"IJ", &invocations}, std::pair{"CJ", &steps}, std::pair{"RJ", &returns}})
    if (!names->empty())
      out += fmt::format("  {} = {};\n", family, listed(*names));
  out += "end data specification\n\n";
  out += fmt::format(";; specification {}\ndata specification\n  using {}ref-memory, PC, Proc\n",
                     is_local ? "localstate" : "CS",
                     sort);
  out += is_local ? "  Localstate = mkls(. .pid : Proc; . .pc : PC"
                  : "  CS = mkcs(. .mem : memory; . .pc : Proc → PC";
  for (const auto& [name, is_reference] : fields)
    out +=
        fmt::format("; . .{} : {}{}", name, is_local ? "" : "Proc → ", is_reference ? "ref" : sort);
  out += ");\nend data specification\n\n";
  out += fmt::format(";; specification COP\nenrich {}ref-memory, {}, cindex with\n",
                     sort,
                     is_local ? "localstate" : "CS");
  if (!constants.empty()) {
    out += "constants";
    for (const std::string& name : constants)
      out += fmt::format(" {} : ref;", name);
    out += "\n";
  }
  const std::string pair =
      is_local ? "memory × Localstate × memory × Localstate" : "Proc × CS × CS";
  out += fmt::format("functions\n  INVOP : IJ → {0} × {1} → bool;\n  COP : CJ → {1} → bool;\n"
                     "  RETOP : RJ → {1} × {0} → bool;\n",
                     sort,
                     pair);
  out += is_local ? "predicates LSInit : Localstate × Proc; GSInit : memory;\n"
                  : "predicates CSInit : CS;\n";
  out += is_local
             ? fmt::format("variables mem, mem' : memory; ls, ls' : Localstate; p : Proc; inp, "
                           "return, x : {};\naxioms\n"
                           "LSInit : ⊦ LSInit(ls, p) ↔ ls.pc = N ∧ ls.pid = p;\n",
                           sort)
             : fmt::format("variables cs, cs' : CS; p : Proc; inp, return, x : {};\naxioms\n"
                           "CSInit : ⊦ CSInit(cs) → cs.pc(p) = N;\n",
                           sort);
  return out + axioms + "end enrich\n";
}

} // namespace heddle::exports
