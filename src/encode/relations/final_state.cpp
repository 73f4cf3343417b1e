// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "encode/relations/final_state.h"

namespace heddle::encode {

namespace {

constexpr unsigned kByte = 8;

} // namespace

FinalState::FinalState(const program::EventSet& set,
                       ExecutionFormula& executions,
                       const std::vector<spec::ObservedPlace>& observed,
                       logic::Gates& gates)
    : set_(set), executions_(executions), gates_(gates) {
  for (const spec::ObservedPlace& place : observed) {
    std::vector<Literal> bits;
    for (unsigned offset = 0; offset < place.size; ++offset) {
      const std::vector<Literal> byte = byte_at(place.address + offset);
      bits.insert(bits.end(), byte.begin(), byte.end());
    }
    bits_.push_back(std::move(bits));
  }
}

/// What is private to a thread has no events, but a value at the thread's end.
std::vector<Literal> FinalState::byte_at_end_of_thread(std::uint64_t address) {
  std::vector<Literal> result;
  for (const program::StaticThread& thread : set_.threads)
    for (const program::PrivateFinal& final : thread.finals)
      if (address >= final.address && address - final.address < final.size) {
        const std::span<const Literal> all = executions_.bits(final.value);
        const std::size_t first = kByte * (address - final.address);
        for (std::size_t bit = first; bit < first + kByte; ++bit)
          result.push_back(bit < all.size() ? all[bit] : gates_.constant(false));
        return result;
      }
  const std::uint64_t initial = program::initial_bytes(set_, address, 1).value_or(0);
  for (unsigned bit = 0; bit < kByte; ++bit)
    result.push_back(gates_.constant((initial >> bit & 1U) != 0));
  return result;
}

Literal FinalState::is_last(Element write, std::uint64_t piece) {
  std::vector<Literal> all{executions_.happens(write), executions_.is_at(write, piece)};
  for (Element later = 0; later < executions_.count(); ++later)
    all.push_back(~executions_.co(write, later));
  return gates_.and_(all);
}

std::vector<Literal> FinalState::byte_at(std::uint64_t address) {
  std::vector<Literal> result = byte_at_end_of_thread(address);
  for (Element write = 0; write < executions_.count(); ++write) {
    const memory::EventBounds::Element& element = executions_.bounds().elements[write];
    if (element.is_initial || !executions_.is_write(write))
      continue;
    const std::optional<std::uint64_t> piece =
        executions_.places().piece_at(element.event, address);
    if (!piece)
      continue;
    const Literal decides = is_last(write, *piece);
    const std::span<const Literal> written = executions_.bits(set_.events[element.event].value);
    for (unsigned bit = 0; bit < kByte; ++bit)
      result[bit] = gates_.ite(decides, written[kByte * (address - *piece) + bit], result[bit]);
  }
  return result;
}

std::vector<std::uint64_t> FinalState::values(const logic::LiteralValues& model) const {
  std::vector<std::uint64_t> result;
  for (const std::vector<Literal>& bits : bits_) {
    std::uint64_t value = 0;
    for (std::size_t bit = 0; bit < bits.size(); ++bit)
      value |= std::uint64_t{model(bits[bit])} << bit;
    result.push_back(value);
  }
  return result;
}

std::vector<Literal> FinalState::differs_from(const std::vector<std::uint64_t>& values) const {
  std::vector<Literal> clause;
  for (std::size_t place = 0; place < bits_.size(); ++place)
    for (std::size_t bit = 0; bit < bits_[place].size(); ++bit)
      clause.push_back(bits_[place][bit] ^ ((values[place] >> bit & 1U) != 0));
  return clause;
}

} // namespace heddle::encode
