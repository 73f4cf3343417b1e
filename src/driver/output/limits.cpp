// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/output/limits.h"

#include "driver/output/exit_code.h"
#include "driver/output/signal_safe.h"
#include "report/headline.h"
#include "report/json.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utility>

namespace heddle::driver {

/// What a handler prints, by what ran out; never changed once it can be seen.
struct Known {
  std::array<LastWords, 3> words;
  std::string json_path;
  std::string temporary; // beside it; empty: it is written directly
  bool erases_progress = false;
};

namespace {

// The sanitizers map terabytes of address space for their shadow memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kHasShadowMemory = true;
#elif defined(__has_feature)
constexpr bool kHasShadowMemory =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kHasShadowMemory = false;
#endif

constexpr std::int64_t kSecond = 1'000'000'000; // ns
/// So long those that stop by themselves have for it.
constexpr std::int64_t kGraceOfTime = kSecond * 11 / 10;
constexpr std::int64_t kGraceOfSignal = kSecond;
/// A second signal that comes sooner is the first one again: some send it to a process and to its
/// group.
constexpr std::int64_t kOneSignal = kSecond / 2;
constexpr suseconds_t kTick = 50'000; // us

/// The program's code, the stacks and what is not counted by an engine come on top of the budget.
constexpr std::uint64_t kBeside = 96ULL << 20U;
constexpr std::uint64_t with_what_is_beside(std::uint64_t budget_bytes) {
  return budget_bytes + budget_bytes / 10 + kBeside;
}
/// A part of what there is, so that a machine stays usable with a run or two on it.
constexpr std::uint64_t kShareOfMemory = 4;

// A signal handler can reach nothing but statics. All of them are a Watchdog's, as long as one is
// on.
std::atomic<bool> interrupted{false};
std::atomic<bool> is_on{false};
std::atomic<bool> is_printing{false};
std::atomic<const Known*> known{nullptr};
std::atomic<std::int64_t> deadline{0};     // 0: none
std::atomic<std::int64_t> first_signal{0}; // when it came; 0: not yet
std::atomic<std::uint64_t> most_resident{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(std::atomic<const Known*>::is_always_lock_free);

std::int64_t now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::int64_t>(time.tv_sec) * kSecond + time.tv_nsec;
}

/// Does not come back, unless somebody else is ending the process or the report is being printed.
void end_process(Exhausted what) {
  const Known* const last = known.load();
  if (last == nullptr || !is_on.exchange(false))
    return;
  signal_safe::kill_children();
  const LastWords& words = last->words[static_cast<std::size_t>(what)];
  if (!words.json.empty())
    signal_safe::write_file(last->json_path.c_str(), last->temporary.c_str(), words.json);
  if (last->erases_progress)
    signal_safe::write(STDERR_FILENO, "\r\033[K");
  signal_safe::write(STDOUT_FILENO, words.text);
  _exit(words.code);
}

/// Allocations fail before (limit_memory), but not while other programs are run.
void look_at_memory() {
  const std::uint64_t most = most_resident.load(std::memory_order_relaxed);
  if (most != 0 && signal_safe::resident_bytes() > most)
    end_process(Exhausted::kMemory);
}

extern "C" void heddle_on_tick(int) {
  if (is_printing && first_signal != 0)
    _exit(static_cast<int>(ExitCode::kUnknown));
  const int error = errno;
  if (is_on.load()) {
    const std::int64_t time = now();
    if (const std::int64_t first = first_signal; first != 0 && time - first >= kGraceOfSignal)
      end_process(Exhausted::kInterrupted);
    if (const std::int64_t end = deadline; end != 0 && time - end >= kGraceOfTime)
      end_process(Exhausted::kTime);
    look_at_memory();
  }
  errno = error;
}

void handle(int signal, void (*handler)(int));

extern "C" void heddle_on_signal(int number) {
  const int error = errno;
  const std::int64_t time = now();
  if (is_printing) { // which takes no time, unless nobody reads it
    first_signal = time;
    handle(number, SIG_DFL);
    ::alarm(1);
    errno = error;
    return;
  }
  interrupted.store(true, std::memory_order_relaxed);
  std::int64_t never = 0;
  if (!first_signal.compare_exchange_strong(never, time) && time - never >= kOneSignal)
    end_process(Exhausted::kInterrupted);
  errno = error;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int other : {SIGALRM, SIGINT, SIGTERM})
    sigaddset(&action.sa_mask, other);
  sigaction(signal, &action, nullptr);
}

void set_timer(suseconds_t interval) {
  itimerval timer = {};
  timer.it_interval.tv_usec = interval;
  timer.it_value.tv_usec = interval;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

/// The number in a file; nothing if it says "max", or is not there.
std::optional<std::uint64_t> number_in(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::uint64_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

/// What the control groups around this process leave it.
std::optional<std::uint64_t> memory_of_group() {
  std::ifstream groups("/proc/self/cgroup");
  std::optional<std::uint64_t> least;
  for (std::string line; std::getline(groups, line);) {
    // "0::/path" or, of the first version, "4:memory:/path"
    const bool is_second = line.starts_with("0::");
    const std::size_t at = is_second ? 3 : line.find(":memory:") + 8;
    if (!is_second && line.find(":memory:") == std::string::npos)
      continue;
    const std::filesystem::path root = is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
    const char* const file = is_second ? "memory.max" : "memory.limit_in_bytes";
    std::filesystem::path group = line.substr(at);
    while (true) {
      if (const auto most = number_in(root / group.relative_path() / file))
        least = std::min(*most, least.value_or(*most));
      if (group == group.parent_path())
        break;
      group = group.parent_path();
    }
  }
  return least;
}

std::uint64_t memory_of_machine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0)
    return 1ULL << 32U;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

/// Where one can be put and renamed.
std::string temporary_beside(const std::string& path) {
  struct stat existing = {};
  if (path.empty() || (::stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode)))
    return {};
  return fmt::format("{}.{}", path, ::getpid());
}

} // namespace

std::optional<std::chrono::milliseconds> time_limit(const Options& options) {
  if (options.time <= 0)
    return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(options.time * 1000));
}

std::uint64_t memory_limit(const Options& options) {
  return options.memory == 0 ? default_memory_bytes() : options.memory << 20U;
}

std::uint64_t default_memory_bytes() {
  const std::uint64_t machine = memory_of_machine();
  return std::min(machine, memory_of_group().value_or(machine)) / kShareOfMemory;
}

std::string describe_default_memory() {
  return fmt::format("{} MiB, a quarter of the machine's", default_memory_bytes() >> 20U);
}

void limit_memory(std::uint64_t budget_bytes) {
  rlimit limit = {};
  if (kHasShadowMemory)
    return;
  if (getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  const rlim_t wanted = with_what_is_beside(budget_bytes);
  limit.rlim_cur = limit.rlim_max == RLIM_INFINITY ? wanted : std::min(wanted, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

verdict::Unknown unknown_after(Exhausted what, const std::string& established) {
  using Reason = verdict::Unknown::Reason;
  switch (what) {
  case Exhausted::kTime:
    return {Reason::kTime, "time is up: " + established, "more time (--time)"};
  case Exhausted::kMemory:
    return {Reason::kMemory, "memory is used up: " + established, "more memory (--memory)"};
  case Exhausted::kInterrupted:
    return {Reason::kInterrupted, "interrupted: " + established, ""};
  }
  HEDDLE_CHECK(false, "no such limit");
  return {};
}

LastWords
last_words(const verdict::Verdict& verdict, const report::Subject& subject, bool wants_json) {
  const int code = static_cast<int>(exit_code(verdict));
  const std::string line = report::headline(verdict, subject);
  LastWords words{line + "\n", {}, code};
  for (const std::string& note : report::notes(verdict, subject))
    words.text += "note: " + note + "\n";
  if (!wants_json)
    return words;
  verdict::Verdict rest = verdict;
  // What is long is left out.
  if (!std::holds_alternative<verdict::Unknown>(verdict.answer) &&
      !std::holds_alternative<verdict::HoldsWithinBounds>(verdict.answer))
    rest.answer = verdict::Proved{};
  nlohmann::ordered_json json = report::json(rest, subject, {version(), code});
  json["verdict"] = report::verdict_name(verdict.answer);
  json["summary"] = line;
  words.json = report::dump(json);
  return words;
}

namespace {

LastWords words_without_question(Exhausted what, const std::string& established) {
  verdict::Verdict verdict;
  const verdict::Unknown unknown = unknown_after(what, established);
  verdict.answer = unknown;
  return {fmt::format("UNKNOWN: {}{}\n",
                      unknown.why,
                      unknown.help.empty() ? "" : "; help: " + unknown.help),
          {},
          static_cast<int>(exit_code(verdict))};
}

} // namespace

LastWords words_for_tests(Exhausted what) {
  return words_without_question(what, "not every test was answered in full");
}

LastWords words_for_nothing(Exhausted what) {
  return words_without_question(what, "nothing was established");
}

Watchdog::Watchdog(Limits limits)
    : limits_(std::move(limits)), budget_(limits_.time, limits_.memory_bytes, &interrupted) {
  HEDDLE_CHECK(!is_on, "a second watchdog");
  interrupted = false;
  first_signal = 0;
  is_printing = false;
  const std::uint64_t most = with_what_is_beside(limits_.memory_bytes);
  most_resident = kHasShadowMemory || most < limits_.memory_bytes ? 0 : most;
  (void)restart_time();
  know(words_for_nothing);
  is_on = true;
  handle(SIGALRM, heddle_on_tick);
  handle(SIGINT, heddle_on_signal);
  handle(SIGTERM, heddle_on_signal);
  set_timer(kTick);
}

Watchdog::~Watchdog() {
  stand_down();
  known = nullptr;
}

bool Watchdog::is_interrupted() const {
  return interrupted.load(std::memory_order_relaxed);
}

Budget Watchdog::restart_time() {
  if (limits_.time)
    deadline = now() + limits_.time->count() * (kSecond / 1000);
  else
    deadline = 0;
  return Budget(limits_.time, limits_.memory_bytes, &interrupted);
}

void Watchdog::know(const std::function<LastWords(Exhausted)>& make) {
  publish({make(Exhausted::kTime), make(Exhausted::kMemory), make(Exhausted::kInterrupted)});
}

void Watchdog::know(const LastWords& words) {
  publish({words, words, words});
}

void Watchdog::keep_json() {
  std::array<LastWords, 3> words = known_.back()->words;
  for (LastWords& one : words)
    one.json.clear();
  publish(std::move(words));
}

void Watchdog::publish(std::array<LastWords, 3> words) {
  known_.push_back(std::make_unique<Known>(Known{std::move(words),
                                                 limits_.json_path,
                                                 temporary_beside(limits_.json_path),
                                                 limits_.erases_progress}));
  known = known_.back().get();
}

void Watchdog::stand_down() {
  if (has_stood_down_)
    return;
  has_stood_down_ = true;
  while (!is_on.exchange(false))
    ::pause(); // a handler in another thread is ending the process
  set_timer(0);
  first_signal = 0;
  is_printing = true;
}

} // namespace heddle::driver
