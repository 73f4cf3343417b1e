// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/to_sma.h"

#include <fmt/format.h>

namespace heddle::fuzz {

namespace {

class Translator {
public:
  explicit Translator(const Program& program) : program_(program) {}

  std::optional<sma::Program> run() {
    const auto threads = static_cast<unsigned>(program_.threads.size());
    for (int object = 0; object < program_.objects; ++object)
      result_.cells.push_back(fmt::format("x{}", object));
    for (unsigned thread = 0; thread < threads; ++thread)
      for (int reg = 0; reg < kRegisters; ++reg)
        result_.registers.push_back(fmt::format("{}:r{}", thread, reg));
    result_.threads.resize(threads + 1);
    for (unsigned thread = 0; thread < threads; ++thread) {
      thread_ = thread;
      if (!statements(program_.threads[thread]))
        return std::nullopt;
    }
    std::vector<sma::Operation>& main = result_.threads.front();
    for (const sma::Kind kind : {sma::Kind::Create, sma::Kind::Join})
      for (unsigned thread = 1; thread <= threads; ++thread)
        main.push_back({.kind = kind, .thread = thread});
    for (unsigned object = 0; object < static_cast<unsigned>(program_.objects); ++object) {
      main.push_back({.kind = sma::Kind::Read,
                      .cell = object,
                      .target = static_cast<unsigned>(result_.registers.size())});
      result_.registers.push_back(fmt::format("x{}", object));
    }
    for (std::vector<sma::Operation>& thread : result_.threads)
      thread.push_back({.kind = sma::Kind::Terminate});
    sma::count_values(result_);
    return std::move(result_);
  }

private:
  using Kind = Statement::Kind;

  void add(const sma::Operation& operation) { result_.threads[thread_ + 1].push_back(operation); }

  [[nodiscard]] unsigned register_of(int reg) const {
    return thread_ * kRegisters + static_cast<unsigned>(reg);
  }

  bool statements(const std::vector<Statement>& all) {
    for (const Statement& one : all)
      if (!statement(one))
        return false;
    return true;
  }

  bool bracketed(const sma::Operation& open,
                 const sma::Operation& close,
                 const std::vector<Statement>& body) {
    add(open);
    const bool fine = statements(body);
    add(close);
    return fine;
  }

  /// The one mutex is the last cell.
  unsigned mutex() {
    if (result_.cells.back() != "m")
      result_.cells.emplace_back("m");
    return static_cast<unsigned>(result_.cells.size() - 1);
  }

  bool statement(const Statement& one) {
    const auto cell = static_cast<unsigned>(one.object);
    const bool is_volatile = one.order == Order::kVolatile;
    const bool has_register = one.value.reg >= 0;
    if (one.size != 4)
      return false;
    switch (one.kind) {
    case Kind::kLoad:
      add({.kind = is_volatile ? sma::Kind::ReadIndirect : sma::Kind::Read,
           .cell = cell,
           .target = register_of(one.reg)});
      return true;
    case Kind::kStore:
      if (one.order == Order::kRelease || one.order == Order::kSeqCst)
        add({.kind = sma::Kind::StoreFence});
      add({.kind = is_volatile ? sma::Kind::WriteIndirect : sma::Kind::Write,
           .cell = cell,
           .source = has_register ? register_of(one.value.reg) : sma::kNoRegister,
           .value = one.value.constant});
      if (one.order == Order::kSeqCst)
        add({.kind = sma::Kind::Fence});
      return true;
    case Kind::kFetchAdd:
      add({.kind = sma::Kind::Add,
           .cell = cell,
           .target = register_of(one.reg),
           .value = one.value.constant});
      return !has_register;
    case Kind::kCompareExchange:
      add({.kind = sma::Kind::Exchange,
           .cell = cell,
           .target = register_of(one.reg),
           .value = one.value.constant,
           .expected = one.expected.constant,
           .tells_success = true});
      return !has_register && one.expected.reg < 0 && !one.weak;
    case Kind::kFence:
      if (one.order == Order::kSeqCst)
        add({.kind = sma::Kind::Fence});
      else if (one.order == Order::kRelease || one.order == Order::kAcqRel)
        add({.kind = sma::Kind::StoreFence});
      return true;
    case Kind::kLock:
      return bracketed({.kind = sma::Kind::Lock, .cell = mutex()},
                       {.kind = sma::Kind::Unlock, .cell = mutex()},
                       one.body);
    case Kind::kAtomic:
      return bracketed(
          {.kind = sma::Kind::SectionBegin}, {.kind = sma::Kind::SectionEnd}, one.body);
    default:
      return false;
    }
  }

  const Program& program_;
  sma::Program result_;
  unsigned thread_ = 0;
};

} // namespace

std::optional<sma::Program> to_sma(const Program& program) {
  return Translator(program).run();
}

std::optional<FinalState>
final_state(const Program& program, const sma::Program& operations, const sma::Outcome& outcome) {
  const std::size_t threads = operations.threads.size();
  for (std::size_t thread = 0; thread < threads; ++thread)
    if (outcome[thread] != operations.threads[thread].size())
      return std::nullopt;
  const std::size_t objects = outcome.size() - static_cast<std::size_t>(program.objects);
  FinalState state(outcome.begin() + static_cast<std::ptrdiff_t>(objects), outcome.end());
  for (std::size_t at = threads; at < objects; at += kRegisters) {
    std::uint32_t packed = 0;
    for (unsigned reg = 0; reg < kRegisters; ++reg)
      packed |= std::uint32_t{outcome[at + reg]} << (8U * reg);
    state.push_back(packed);
  }
  return state;
}

} // namespace heddle::fuzz
