// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Normal forms of gates, the table of known gates, and their clauses. The rules that look at the
// gates below an operand are those of Brummayer and Biere, "Local two-level and-inverter graph
// minimization without blowup" (MEMICS 2006) that never make a new gate besides the result.
#include "logic/gates.h"

#include "support/check.h"
#include "support/hash.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::logic {

Gates::Gates(ClauseSink& sink) : sink_(sink), table_(1024, 0) {
  true_ = Literal::from(sink_.new_variable(), false);
  emit(std::array{true_});
}

Literal Gates::fresh() {
  return Literal::from(sink_.new_variable(), false);
}

Literal Gates::canonical(Literal a) const {
  const std::size_t variable = a.variable().index();
  if (variable >= fixed_.size() || fixed_[variable] == 0)
    return a;
  return true_ ^ ((fixed_[variable] < 0) != a.is_negative());
}

Gates::Gate Gates::gate(Literal a) const {
  const std::size_t variable = a.variable().index();
  return variable < gates_.size() ? gates_[variable] : Gate{};
}

std::span<const Literal> Gates::inputs(const Gate& gate) const {
  return std::span<const Literal>(inputs_).subspan(gate.first, gate.count);
}

bool Gates::is_input(const Gate& gate, Literal a) const {
  return std::ranges::binary_search(inputs(gate), a);
}

std::uint64_t Gates::hash(Kind kind, std::span<const Literal> operands) const {
  std::uint64_t result = static_cast<std::uint64_t>(kind);
  for (const Literal operand : operands)
    result = hash_combine(result, operand.index());
  return result;
}

void Gates::grow_table() {
  std::vector<std::uint32_t> old(table_.size() * 2, 0);
  old.swap(table_);
  for (const std::uint32_t entry : old) {
    if (entry == 0)
      continue;
    const Gate& known = gates_[entry - 1];
    std::size_t slot = hash(known.kind, inputs(known)) & (table_.size() - 1);
    while (table_[slot] != 0)
      slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = entry;
  }
}

Literal Gates::output(Kind kind, std::span<const Literal> operands) {
  if (gate_count_ * 2 >= table_.size())
    grow_table();
  std::size_t slot = hash(kind, operands) & (table_.size() - 1);
  for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
    const Gate& known = gates_[table_[slot] - 1];
    if (known.kind == kind && std::ranges::equal(inputs(known), operands))
      return canonical(Literal::from(Variable{table_[slot] - 1}, false));
  }
  const Variable variable = sink_.new_variable();
  table_[slot] = variable.value + 1;
  ++gate_count_;
  if (gates_.size() <= variable.index())
    gates_.resize(variable.index() + 1);
  gates_[variable.index()] = Gate{kind,
                                  static_cast<std::uint32_t>(inputs_.size()),
                                  static_cast<std::uint32_t>(operands.size())};
  inputs_.insert(inputs_.end(), operands.begin(), operands.end());
  const Literal out = Literal::from(variable, false);
  define(kind, out, operands);
  return out;
}

void Gates::define(Kind kind, Literal out, std::span<const Literal> operands) {
  const auto a = [&] { return operands[0]; };
  const auto b = [&] { return operands[1]; };
  const auto c = [&] { return operands[2]; };
  switch (kind) {
  case Kind::kNone:
    break;
  case Kind::kAnd: {
    std::vector<Literal> all = {out};
    for (const Literal operand : operands) {
      emit(std::array{~out, operand});
      all.push_back(~operand);
    }
    emit(all);
    return;
  }
  case Kind::kXor:
    emit(std::array{~out, a(), b()});
    emit(std::array{~out, ~a(), ~b()});
    emit(std::array{out, ~a(), b()});
    emit(std::array{out, a(), ~b()});
    return;
  case Kind::kIte:
    emit(std::array{~a(), ~b(), out});
    emit(std::array{~a(), b(), ~out});
    emit(std::array{a(), ~c(), out});
    emit(std::array{a(), c(), ~out});
    // Implied, but not by unit propagation: where the branches agree the condition does not matter.
    emit(std::array{~b(), ~c(), out});
    emit(std::array{b(), c(), ~out});
    return;
  case Kind::kXor3:
    for (unsigned signs = 0; signs < 8; ++signs) {
      const bool x = (signs & 1U) != 0;
      const bool y = (signs & 2U) != 0;
      const bool z = (signs & 4U) != 0;
      emit(std::array{a() ^ x, b() ^ y, c() ^ z, out ^ !(x != (y != z))});
    }
    return;
  case Kind::kMajority:
    for (const auto& [x, y] : {std::pair{a(), b()}, std::pair{a(), c()}, std::pair{b(), c()}}) {
      emit(std::array{~x, ~y, out});
      emit(std::array{x, y, ~out});
    }
    return;
  }
  HEDDLE_CHECK(false, "a gate without a kind");
}

Literal Gates::and_(Literal a, Literal b) {
  a = canonical(a);
  b = canonical(b);
  // A substitution below replaces an operand by an input of its gate, an older variable: it ends.
  for (;;) {
    if (b < a)
      std::swap(a, b);
    if (a == b || b == true_)
      return a;
    if (a == true_)
      return b;
    if (a == ~b || a == ~true_ || b == ~true_)
      return ~true_;
    bool is_replaced = false;
    for (const auto& [x, other] : {std::pair{a, b}, std::pair{b, a}}) {
      const Gate below = gate(x);
      if (below.kind != Kind::kAnd)
        continue;
      if (!x.is_negative()) {
        if (is_input(below, other)) // (x ∧ y) ∧ x
          return x;
        if (is_input(below, ~other)) // (x ∧ y) ∧ ¬x
          return ~true_;
        continue;
      }
      if (is_input(below, ~other)) // ¬(x ∧ y) ∧ ¬x
        return other;
      if (below.count == 2 && is_input(below, other)) { // ¬(x ∧ y) ∧ x is x ∧ ¬y
        const std::span<const Literal> parts = inputs(below);
        a = canonical(~(parts[0] == other ? parts[1] : parts[0]));
        b = other;
        is_replaced = true;
        break;
      }
    }
    if (!is_replaced)
      break;
  }
  const Gate left = gate(a);
  const Gate right = gate(b);
  if (left.kind == Kind::kAnd && right.kind == Kind::kAnd && left.count == 2 && right.count == 2) {
    for (const Literal x : inputs(left)) {
      if (!is_input(right, ~x))
        continue;
      if (!a.is_negative() && !b.is_negative()) // (x ∧ y) ∧ (¬x ∧ z)
        return ~true_;
      if (a.is_negative() && !b.is_negative()) // ¬(x ∧ y) ∧ (¬x ∧ z)
        return b;
      if (!a.is_negative() && b.is_negative())
        return a;
      const Literal y = inputs(left)[0] == x ? inputs(left)[1] : inputs(left)[0];
      if (is_input(right, y)) // ¬(x ∧ y) ∧ ¬(¬x ∧ y)
        return canonical(~y);
    }
  }
  return output(Kind::kAnd, std::array{a, b});
}

Literal Gates::and_(std::span<const Literal> operands) {
  std::vector<Literal> parts;
  for (const Literal operand : operands) {
    const Literal part = canonical(operand);
    if (part == ~true_)
      return ~true_;
    if (part != true_)
      parts.push_back(part);
  }
  std::ranges::sort(parts);
  parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (parts[i] == ~parts[i - 1])
      return ~true_;
  if (parts.empty())
    return true_;
  if (parts.size() == 1)
    return parts[0];
  if (parts.size() == 2)
    return and_(parts[0], parts[1]);
  return output(Kind::kAnd, parts);
}

Literal Gates::or_(std::span<const Literal> operands) {
  std::vector<Literal> negated;
  negated.reserve(operands.size());
  for (const Literal operand : operands)
    negated.push_back(~operand);
  return ~and_(negated);
}

Literal Gates::xor_(Literal a, Literal b) {
  a = canonical(a);
  b = canonical(b);
  const bool flip = a.is_negative() != b.is_negative();
  a = a ^ a.is_negative();
  b = b ^ b.is_negative();
  if (b < a)
    std::swap(a, b);
  if (a == b)
    return constant(flip);
  if (a == true_)
    return ~b ^ flip;
  if (b == true_)
    return ~a ^ flip;
  for (const auto& [x, other] : {std::pair{a, b}, std::pair{b, a}}) {
    const Gate below = gate(x);
    if (below.kind == Kind::kXor && is_input(below, other)) // (x ⊕ y) ⊕ x
      return canonical(inputs(below)[inputs(below)[0] == other ? 1 : 0] ^ flip);
  }
  return output(Kind::kXor, std::array{a, b}) ^ flip;
}

Literal Gates::ite(Literal condition, Literal a, Literal b) {
  condition = canonical(condition);
  a = canonical(a);
  b = canonical(b);
  if (condition.is_negative()) {
    condition = ~condition;
    std::swap(a, b);
  }
  if (condition == true_)
    return a;
  // A branch that is a choice on the same condition is decided there. The inputs of a choice are
  // normal: no choice on that condition.
  const auto decided = [&](Literal branch, std::size_t side) {
    const Gate below = gate(branch);
    if (below.kind == Kind::kIte && inputs(below)[0] == condition)
      return canonical(inputs(below)[side] ^ branch.is_negative());
    return branch;
  };
  a = decided(a, 1);
  b = decided(b, 2);
  if (a.variable() == condition.variable())
    a = constant(a == condition);
  if (b.variable() == condition.variable())
    b = constant(b != condition);
  if (a == b)
    return a;
  if (a == ~b)
    return equal(condition, a);
  if (a == true_)
    return or_(condition, b);
  if (a == ~true_)
    return and_(~condition, b);
  if (b == true_)
    return or_(~condition, a);
  if (b == ~true_)
    return and_(condition, a);
  const bool flip = a.is_negative();
  return output(Kind::kIte, std::array{condition, a ^ flip, b ^ flip}) ^ flip;
}

Literal Gates::xor3(Literal a, Literal b, Literal c) {
  std::array parts = {canonical(a), canonical(b), canonical(c)};
  bool flip = false;
  for (Literal& part : parts) {
    flip = flip != part.is_negative();
    part = part ^ part.is_negative();
  }
  std::ranges::sort(parts);
  if (parts[0] == parts[1])
    return parts[2] ^ flip;
  if (parts[1] == parts[2])
    return parts[0] ^ flip;
  for (std::size_t i = 0; i < 3; ++i)
    if (parts[i] == true_)
      return ~xor_(parts[(i + 1) % 3], parts[(i + 2) % 3]) ^ flip;
  return output(Kind::kXor3, parts) ^ flip;
}

Literal Gates::majority(Literal a, Literal b, Literal c) {
  std::array parts = {canonical(a), canonical(b), canonical(c)};
  std::ranges::sort(parts);
  // Two operands on one variable are neighbours now.
  for (const auto& [x, y, z] :
       {std::array{parts[0], parts[1], parts[2]}, std::array{parts[1], parts[2], parts[0]}}) {
    if (x == y)
      return x;
    if (x == ~y)
      return z;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    if (parts[i] == true_)
      return or_(parts[(i + 1) % 3], parts[(i + 2) % 3]);
    if (parts[i] == ~true_)
      return and_(parts[(i + 1) % 3], parts[(i + 2) % 3]);
  }
  const bool flip = parts[0].is_negative(); // self-dual
  for (Literal& part : parts)
    part = part ^ flip;
  return output(Kind::kMajority, parts) ^ flip;
}

Sum Gates::full_adder(Literal a, Literal b, Literal c) {
  const std::size_t before = gate_count_;
  const Sum made = {xor3(a, b, c), majority(a, b, c)};
  const bool is_new = gate_count_ != before;
  if (is_new && gate(made.sum).kind == Kind::kXor3 && gate(made.carry).kind == Kind::kMajority) {
    for (const Literal input : {a, b, c}) {
      emit(std::array{~made.carry, ~made.sum, input});
      emit(std::array{made.carry, made.sum, ~input});
    }
  }
  return made;
}

void Gates::emit(std::span<const Literal> clause) {
  sink_.add_clause(clause);
  ++clause_count_;
}

void Gates::require(Literal a) {
  a = canonical(a);
  if (a == true_)
    return;
  emit(std::array{a});
  if (a == ~true_) // the formula is unsatisfiable; the sink knows
    return;
  const std::size_t variable = a.variable().index();
  if (fixed_.size() <= variable)
    fixed_.resize(variable + 1, 0);
  fixed_[variable] = a.is_negative() ? -1 : 1;
}

void Gates::require_any(std::span<const Literal> clause) {
  std::vector<Literal> kept;
  for (const Literal literal : clause) {
    const Literal part = canonical(literal);
    if (part == true_)
      return;
    if (part != ~true_)
      kept.push_back(part);
  }
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (std::size_t i = 1; i < kept.size(); ++i)
    if (kept[i] == ~kept[i - 1])
      return;
  if (kept.empty())
    require(~true_);
  else if (kept.size() == 1)
    require(kept[0]);
  else
    emit(kept);
}

void Gates::require_at_most_one(std::span<const Literal> operands) {
  // Pairs up to here: no more clauses than the product encoding has, and no variables.
  constexpr std::size_t kPairs = 6;
  std::vector<Literal> open;
  for (const Literal operand : operands)
    if (!is_false(operand))
      open.push_back(operand);
  // Product encoding (Chen, "A new SAT encoding of the at-most-one constraint", 2010): operand
  // (i, j) of a grid implies row i and column j, and at most one row and one column hold. A round
  // replaces n operands by about 2 √n.
  while (open.size() > kPairs) {
    std::size_t width = 1;
    while (width * width < open.size())
      ++width;
    const std::size_t height = (open.size() + width - 1) / width;
    std::vector<Literal> rows(height);
    std::vector<Literal> columns(width);
    std::ranges::generate(rows, [&] { return fresh(); });
    std::ranges::generate(columns, [&] { return fresh(); });
    for (std::size_t i = 0; i < open.size(); ++i) {
      require_any(std::array{~open[i], rows[i / width]});
      require_any(std::array{~open[i], columns[i % width]});
    }
    require_at_most_one(rows); // as deep as the logarithm of the logarithm of their number
    open = std::move(columns);
  }
  for (std::size_t i = 0; i < open.size(); ++i)
    for (std::size_t j = i + 1; j < open.size(); ++j)
      require_any(std::array{~open[i], ~open[j]});
}

void Gates::require_exactly_one(std::span<const Literal> operands) {
  require_any(operands);
  require_at_most_one(operands);
}

} // namespace heddle::logic
