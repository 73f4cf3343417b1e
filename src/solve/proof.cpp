// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "solve/proof.h"

namespace heddle::solve {

using logic::Literal;

void TextProof::write(std::span<const Literal> clause) {
  for (const Literal literal : clause)
    out_ << literal.to_dimacs() << ' ';
  out_ << "0\n";
}

void TextProof::add(std::span<const Literal> clause) {
  write(clause);
}

void TextProof::lemma(std::span<const Literal> clause, std::span<const std::uint32_t> certificate) {
  out_ << "c lemma ";
  for (const std::uint32_t number : certificate)
    out_ << number << ' ';
  out_ << "\n";
  write(clause);
}

void TextProof::remove(std::span<const Literal> clause) {
  out_ << "d ";
  write(clause);
}

/// Seven bits a byte, the lowest first, the top bit set on all but the last.
void BinaryProof::number(std::uint64_t value) {
  for (; value > 127; value >>= 7U)
    out_.put(static_cast<char>((value & 127U) | 128U));
  out_.put(static_cast<char>(value));
}

void BinaryProof::write(char kind, std::span<const Literal> clause) {
  out_.put(kind);
  for (const Literal literal : clause)
    number(std::uint64_t{literal.index()} + 2); // 2 * DIMACS variable + sign
  out_.put(0);
}

void BinaryProof::add(std::span<const Literal> clause) {
  write('a', clause);
}

void BinaryProof::lemma(std::span<const Literal> clause,
                        std::span<const std::uint32_t> certificate) {
  out_.put('l');
  for (const std::uint32_t value : certificate)
    number(std::uint64_t{value} + 1);
  out_.put(0);
  write('a', clause);
}

void BinaryProof::remove(std::span<const Literal> clause) {
  write('d', clause);
}

} // namespace heddle::solve
