// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "sma/explore.h"

#include "sma/guide.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <unordered_set>

namespace heddle::sma {
namespace {

// What the threads themselves have: compared with the state of the abstraction when states are
// compared.
struct Threads {
  std::vector<unsigned char> at;
  std::vector<unsigned char> registers;
  std::vector<unsigned char> created;
  std::vector<unsigned char> over;
  unsigned char section = 0; // 1 + the thread in an atomic section
};

struct State {
  Threads threads;
  std::vector<std::byte> memory;
};

struct Choice {
  std::vector<unsigned> options;
  std::size_t right = 0; // those from here on are not what the guide says
  std::size_t index = 0;
};

// Each lane sees every fourth word, and none waits for another.
struct Hash {
  static constexpr std::size_t kLanes = 4;
  static constexpr std::size_t kStride = kLanes * sizeof(std::uint64_t);
  std::uint64_t lanes[kLanes] = {
      0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0x27d4eb2f165667c5};
  void add(const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    std::size_t i = 0;
    for (; i + kStride <= size; i += kStride)
      add_words(bytes + i, kStride);
    if (i != size)
      add_words(bytes + i, size - i);
  }
  friend bool operator==(const Hash&, const Hash&) = default;

private:
  void add_words(const unsigned char* bytes, std::size_t size) {
    std::uint64_t words[kLanes] = {};
    std::memcpy(words, bytes, size);
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      lanes[lane] = (lanes[lane] ^ words[lane]) * 0xff51afd7ed558ccd;
      lanes[lane] ^= lanes[lane] >> 32;
    }
  }
};
struct HashOfHash {
  std::size_t operator()(const Hash& hash) const {
    return hash.lanes[0] ^ hash.lanes[1] ^ hash.lanes[2] ^ hash.lanes[3];
  }
};

constexpr unsigned kNever = ~0u; // SMA_NEVER

class Explorer {
public:
  Explorer(const Abstraction& abstraction, const Question& question);
  Answer run();

  // Called by the abstraction. A run that is discarded leaves the abstraction at once; nothing on
  // the way has a destructor.
  unsigned choose(unsigned limit);
  [[noreturn]] void discard() { std::longjmp(discarded_, 1); }
  [[noreturn]] void exceed(unsigned bound) {
    answer_.bounds.insert(bound);
    discard();
  }
  [[nodiscard]] unsigned values() const { return question_.program.values; }
  [[nodiscard]] const std::vector<unsigned>& writers(unsigned cell) const { return writers_[cell]; }
  [[nodiscard]] unsigned most_writes(unsigned cell) const { return most_writes_[cell]; }

private:
  enum class Move : unsigned char { Begin, Step, Finish };
  void explore_move(const State& before, Move move, unsigned t);
  bool try_move(Move move, unsigned t);
  void make_move(Move move, unsigned t);
  void perform(unsigned t, const Operation& operation);
  void forget_step(unsigned t);
  void from(const State& state);
  void note_outcome();
  void restore(const State& state);
  [[nodiscard]] bool is_new();
  [[nodiscard]] Choice new_choice(unsigned limit) const;
  [[nodiscard]] bool can_step(const Threads& threads, unsigned t) const {
    return threads.created[t] != 0 && threads.over[t] == 0;
  }

  const Abstraction& abstraction_;
  const Question& question_;
  std::optional<Guide> guide_;
  std::vector<unsigned> order_;
  std::vector<std::vector<unsigned>> writers_; // by cell
  std::vector<unsigned> most_writes_;
  Threads threads_;
  Threads before_; // the last step
  std::vector<Choice>* choices_ = nullptr;
  std::size_t cursor_ = 0;
  bool is_guided_ = false; // in sma_init
  bool goes_on_ = false;   // threads are not interrupted by choice
  std::unordered_set<Hash, HashOfHash> seen_;
  Answer answer_;
  std::jmp_buf discarded_;
};

// The abstraction calls plain functions.
Explorer* current = nullptr;

Explorer::Explorer(const Abstraction& abstraction, const Question& question)
    : abstraction_(abstraction), question_(question), order_(question.order) {
  const std::size_t threads = question.program.threads.size();
  for (unsigned cell = 0; cell < question.program.cells.size(); ++cell) {
    writers_.push_back(writers_of(question.program, cell));
    most_writes_.push_back(count_writes_of(question.program, cell));
  }
  if (order_.empty()) {
    order_.resize(threads);
    std::iota(order_.begin(), order_.end(), 1);
    order_.back() = 0;
  }
  if (abstraction.is_asynchronous && question.guessing != Guessing::Free)
    guide_.emplace(question.program,
                   abstraction.is_coarse                 ? Guesses::Clusters
                   : abstraction.name.starts_with("imu") ? Guesses::Lists
                                                         : Guesses::Sequence,
                   Guide::Limits{.writes = question.sizes.writes,
                                 .clock = question.sizes.clock,
                                 .complete = question.complete,
                                 .distinct_stamps = question.distinct_stamps});
  threads_.at.assign(threads, 0);
  threads_.registers.assign(question.program.registers.size(), 0);
  threads_.created.assign(threads, 0);
  threads_.over.assign(threads, 0);
}

Choice Explorer::new_choice(unsigned limit) const {
  Choice choice;
  choice.options.resize(limit);
  std::iota(choice.options.begin(), choice.options.end(), 0u);
  choice.right = limit;
  if (!is_guided_)
    return choice;
  const std::optional<std::vector<unsigned>> right = guide_->options();
  if (!right)
    return choice;
  const std::vector<unsigned> all = std::move(choice.options);
  choice.options = *right;
  choice.right = right->size();
  const bool is_wrong_already =
      std::any_of(choices_->begin(), choices_->end(), [](const Choice& other) {
        return other.index >= other.right;
      });
  if (question_.guessing == Guessing::OneWrong && !is_wrong_already)
    for (const unsigned option : all)
      if (std::find(right->begin(), right->end(), option) == right->end())
        choice.options.push_back(option);
  return choice;
}

unsigned Explorer::choose(unsigned limit) {
  if (limit == 0) {
    std::fprintf(stderr, "%s: sma_nondet(0)\n", abstraction_.name.c_str());
    std::abort();
  }
  if (goes_on_)
    return 0;
  if (cursor_ == choices_->size()) {
    choices_->push_back(new_choice(limit));
    if (choices_->back().options.empty()) {
      choices_->pop_back();
      discard();
    }
  }
  const Choice& choice = (*choices_)[cursor_++];
  const unsigned answer = choice.options[choice.index];
  if (is_guided_)
    guide_->answered(answer);
  return answer;
}

void Explorer::perform(unsigned t, const Operation& operation) {
  const Abstraction& sma = abstraction_;
  const auto set = [&](Value value) {
    threads_.registers[operation.target] = static_cast<unsigned char>(value);
  };
  const auto written = [&] {
    return Value{operation.value} +
           (operation.source == kNoRegister ? 0 : threads_.registers[operation.source]);
  };
  switch (operation.kind) {
  case Kind::Read:
    set(sma.read(operation.cell, t));
    break;
  case Kind::ReadIndirect:
    set(sma.ind_read(sma.address(operation.cell, t), t));
    break;
  case Kind::Write:
    sma.write(operation.cell, written(), t);
    break;
  case Kind::WriteIndirect:
    sma.ind_write(sma.address(operation.cell, t), written(), t);
    break;
  case Kind::Fence:
    sma.fence(t);
    break;
  case Kind::StoreFence:
    sma.store_fence(t);
    break;
  case Kind::Lock:
    sma.lock(operation.cell, t);
    break;
  case Kind::Unlock:
    sma.unlock(operation.cell, t);
    break;
  case Kind::Exchange: {
    const Value old = sma.compare_exchange(operation.cell, operation.expected, operation.value, t);
    set(operation.tells_success ? (old == operation.expected ? 1U : 0U) : old);
    break;
  }
  case Kind::Add: {
    const Value old = sma.update_begin(operation.cell, t);
    sma.update_end(operation.cell, old + operation.value, t);
    set(old);
    break;
  }
  case Kind::SectionBegin:
    sma.atomic_begin(t);
    threads_.section = static_cast<unsigned char>(t + 1);
    break;
  case Kind::SectionEnd:
    sma.atomic_end(t);
    threads_.section = 0;
    break;
  case Kind::Create:
    sma.create(operation.thread, t);
    threads_.created[operation.thread] = 1;
    break;
  case Kind::Join:
    sma.join(operation.thread, t);
    break;
  case Kind::Assume:
    if (threads_.registers[operation.source] != operation.value)
      discard();
    break;
  case Kind::Terminate:
    sma.terminate(t);
    threads_.over[t] = 1;
    break;
  }
}

// The thread was interrupted before the operation that it has just made.
void Explorer::forget_step(unsigned t) {
  const bool is_over = threads_.over[t] != 0;
  threads_ = before_;
  if (!is_over && abstraction_.stops(t))
    abstraction_.terminate(t);
  threads_.over[t] = 1;
  threads_.section = 0;
}

void Explorer::make_move(Move move, unsigned t) {
  switch (move) {
  case Move::Begin:
    is_guided_ = guide_.has_value();
    abstraction_.init();
    is_guided_ = false;
    abstraction_.create(0, kNone);
    threads_.created[0] = 1;
    return;
  case Move::Step:
    if (abstraction_.is_asynchronous) {
      goes_on_ = question_.complete;
      const bool stops = abstraction_.stops(t);
      goes_on_ = false;
      if (stops) {
        abstraction_.terminate(t);
        threads_.over[t] = 1;
        threads_.section = 0;
        return;
      }
    }
    before_ = threads_;
    perform(t, question_.program.threads[t][threads_.at[t]]);
    if (abstraction_.is_coarse && abstraction_.now(t) == kNever)
      forget_step(t);
    else
      ++threads_.at[t];
    return;
  case Move::Finish:
    abstraction_.finish();
    return;
  }
}

// Kept apart: no object of the explorer lives between setjmp and longjmp.
bool Explorer::try_move(Move move, unsigned t) {
  if (setjmp(discarded_) != 0)
    return false;
  make_move(move, t);
  return true;
}

void Explorer::restore(const State& state) {
  threads_ = state.threads;
  std::memcpy(abstraction_.state.data(), state.memory.data(), state.memory.size());
}

// Has the search never been where it is now?
bool Explorer::is_new() {
  Hash hash;
  hash.add(abstraction_.state.data(), abstraction_.state.size());
  for (const auto* part : {&threads_.at, &threads_.registers, &threads_.created, &threads_.over})
    hash.add(part->data(), part->size());
  hash.add(&threads_.section, 1);
  return seen_.insert(hash).second;
}

void Explorer::note_outcome() {
  for (std::size_t t = 0; t < threads_.at.size(); ++t)
    if (question_.complete && threads_.at[t] != question_.program.threads[t].size())
      return;
  Outcome outcome = threads_.at;
  outcome.insert(outcome.end(), threads_.registers.begin(), threads_.registers.end());
  answer_.outcomes.insert(outcome);
}

// One move with all answers to all questions that come up during it, and everything after each.
void Explorer::explore_move(const State& before, Move move, unsigned t) {
  std::vector<Choice> choices;
  while (true) {
    if (question_.most_moves != 0 && ++answer_.moves > question_.most_moves)
      answer_.gave_up = true;
    if (answer_.gave_up)
      return;
    restore(before);
    choices_ = &choices;
    cursor_ = 0;
    is_guided_ = goes_on_ = false;
    if (guide_)
      guide_->restart();
    if (try_move(move, t)) {
      if (abstraction_.broken_invariant != nullptr && abstraction_.broken_invariant() != nullptr)
        answer_.broken = abstraction_.broken_invariant();
      if (move == Move::Finish) {
        note_outcome();
      } else if (is_new()) {
        const State after{
            .threads = threads_,
            .memory = std::vector<std::byte>(abstraction_.state.begin(), abstraction_.state.end())};
        from(after);
      }
    }
    while (!choices.empty() && choices.back().index + 1 == choices.back().options.size())
      choices.pop_back();
    if (choices.empty())
      return;
    ++choices.back().index;
  }
}

void Explorer::from(const State& state) {
  ++answer_.states;
  const Threads& threads = state.threads;
  if (abstraction_.is_asynchronous) {
    const auto turn = std::find_if(
        order_.begin(), order_.end(), [&](unsigned t) { return can_step(threads, t); });
    if (turn == order_.end())
      explore_move(state, Move::Finish, 0);
    else
      explore_move(state, Move::Step, *turn);
    return;
  }
  bool any = false;
  for (unsigned t = 0; t < threads.at.size(); ++t) {
    if (!can_step(threads, t))
      continue;
    any = true;
    if (threads.section == 0 || threads.section == t + 1)
      explore_move(state, Move::Step, t);
  }
  if (!any || (!question_.complete && threads.section == 0)) {
    threads_ = threads;
    note_outcome();
  }
}

Answer Explorer::run() {
  current = this;
  State start{.threads = threads_, .memory = std::vector<std::byte>(abstraction_.state.size())};
  explore_move(start, Move::Begin, 0);
  current = nullptr;
  return answer_;
}

} // namespace
} // namespace heddle::sma

// What the abstractions are given. The sizes are constants to them.
extern "C" {
unsigned sma_threads;
unsigned sma_cells;
unsigned sma_writes;
unsigned sma_queue;
unsigned sma_clock;
unsigned long long sma_initial[heddle::sma::kMostCells];

unsigned sma_nondet(unsigned limit) {
  return heddle::sma::current->choose(limit);
}
unsigned long long sma_nondet_unary(unsigned limit) {
  return (1ULL << heddle::sma::current->choose(limit)) - 1;
}
unsigned long long sma_nondet_value() {
  return heddle::sma::current->choose(heddle::sma::current->values());
}
unsigned long long sma_nondet_content(unsigned) {
  return sma_nondet_value();
}
unsigned sma_writers(unsigned cell) {
  return static_cast<unsigned>(heddle::sma::current->writers(cell).size());
}
unsigned sma_writer(unsigned cell, unsigned k) {
  const std::vector<unsigned>& writers = heddle::sma::current->writers(cell);
  return k < writers.size() ? writers[k] : 0;
}
unsigned sma_most_writes(unsigned cell) {
  return heddle::sma::current->most_writes(cell);
}
void sma_assume(bool condition) {
  if (!condition)
    heddle::sma::current->discard();
}
void sma_exceeded(unsigned bound) {
  heddle::sma::current->exceed(bound);
}
}

namespace heddle::sma {

Sizes enough(const Abstraction& abstraction, const Program& program) {
  const unsigned all = count_writes(program);
  const unsigned of_cell = most_writes_of_a_cell(program);
  Sizes sizes;
  sizes.writes = (abstraction.name.starts_with("imu") ? of_cell : all) + 1;
  // Only plain writes are ever delayed in a list; every write has a stamp.
  unsigned plain = 0;
  for (const auto& thread : program.threads)
    for (const Operation& operation : thread)
      plain += operation.kind == Kind::Write || operation.kind == Kind::WriteIndirect ? 1 : 0;
  sizes.clock = (abstraction.is_asynchronous ? all : plain) + 1;
  sizes.queue = abstraction.name.starts_with("e") ? of_cell + 1
                                                  : std::max(1u, most_writes_of_a_thread(program));
  return sizes;
}

std::vector<std::vector<unsigned>> orders(const Program& program) {
  std::vector<unsigned> order(program.threads.size());
  std::iota(order.begin(), order.end(), 0u);
  std::vector<std::vector<unsigned>> result;
  do
    result.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return result;
}

Answer explore(const Abstraction& abstraction, const Question& question) {
  sma_threads = static_cast<unsigned>(question.program.threads.size());
  sma_cells = static_cast<unsigned>(question.program.cells.size());
  sma_writes = question.sizes.writes;
  sma_queue = question.sizes.queue;
  sma_clock = question.sizes.clock;
  if (sma_threads > kMostThreads || sma_cells > kMostCells || sma_writes > kMostWrites ||
      sma_queue > kMostQueue || sma_clock > kMostClock) {
    std::fprintf(stderr, "sizes are too large: %s\n", question.program.text.c_str());
    std::abort();
  }
  return Explorer(abstraction, question).run();
}

} // namespace heddle::sma
