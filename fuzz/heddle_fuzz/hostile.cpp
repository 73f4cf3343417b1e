// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/hostile.h"

#include "support/rng.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace heddle::fuzz {

namespace {

constexpr const char* kProperties[] = {
    "reach", "race", "deadlock", "memory", "cleanup", "overflow", "liveness", "robustness"};
constexpr const char* kModels[] = {"sc", "tso", "pso", "rc11", "imm", "armv8"};
constexpr int kInternalError = 70;

/// Each may stand anywhere in a thread; %d is a number of 0 to 2.
constexpr const char* kStatements[] = {
    // plain and atomic accesses
    "x = %d;",
    "atomic_store_explicit(&a, %d, memory_order_release);",
    "atomic_store(&a, %d);",
    "if (atomic_load_explicit(&a, memory_order_acquire) == %d) x++;",
    "y = x + %d;",
    // faults
    "if (x == %d) *null = 1;",
    "if (x > %d) cells[x + 1] = 1;",
    "if (atomic_load(&a) == %d) y = 4 / x;",
    "assert(atomic_load(&a) != %d);",
    "if (x == %d) assert(y != 1);",
    // blocks
    "p = malloc(4); if (x == %d) *p = 1;",
    "free(p); if (x == %d) p = 0;",
    "if (p) *p = %d;",
    "{ int* q = malloc(4); *q = %d; free(q); if (x) free(q); }",
    "p = malloc(%d); if (p) *p = 1;",
    "{ int n = x; int* q = malloc((unsigned)n * 4u); if (q) q[%d] = n; free(q); }",
    "{ int* q = calloc(%d, 4); if (q) y = q[0]; free(q); }",
    "{ int* q = malloc(8); q = realloc(q, 4u + %du); if (q) q[1] = 1; free(q); }",
    // synchronisation, good and bad
    "pthread_mutex_lock(&m); x = %d; pthread_mutex_unlock(&m);",
    "pthread_mutex_unlock(&m); x = %d;",
    "if (pthread_mutex_trylock(&m) == 0) { x = %d; pthread_mutex_unlock(&m); }",
    "if (x == %d) pthread_mutex_destroy(&m);",
    "pthread_mutex_init(&m, 0); x = %d;",
    "pthread_mutex_lock(&m); if (x == %d) pthread_mutex_lock(&m); pthread_mutex_unlock(&m);",
    "pthread_rwlock_rdlock(&w); y = %d; pthread_rwlock_unlock(&w);",
    "pthread_rwlock_wrlock(&w); x = %d; pthread_rwlock_unlock(&w);",
    "sem_wait(&s); x = %d;",
    "sem_post(&s); x = %d;",
    "pthread_mutex_lock(&m); if (x == %d) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
    "pthread_cond_signal(&c); x = %d;",
    "pthread_cond_broadcast(&c); if (x == %d) pthread_cond_destroy(&c);",
    "pthread_mutex_lock(&rec); if (x == %d) pthread_mutex_lock(&rec); y = x; "
    "pthread_mutex_unlock(&rec);",
    "if (pthread_mutex_trylock(&rec) == 0) { x = %d; pthread_mutex_unlock(&rec); }",
    "pthread_mutex_lock(&chk); if (pthread_mutex_lock(&chk)) x = %d; pthread_mutex_unlock(&chk);",
    "if (pthread_mutex_unlock(&chk)) y = %d;",
    "if (pthread_mutex_timedlock(&m, &ts) == 0) { x = %d; pthread_mutex_unlock(&m); }",
    "pthread_mutex_lock(&m); if (x == %d) pthread_cond_timedwait(&c, &m, &ts); "
    "pthread_mutex_unlock(&m);",
    "if (pthread_rwlock_timedwrlock(&w, &ts) == 0) { y = %d; pthread_rwlock_unlock(&w); }",
    "if (pthread_rwlock_tryrdlock(&w) == 0) { x = y; pthread_rwlock_unlock(&w); } y = %d;",
    "if (sem_timedwait(&s, &ts)) x = %d;",
    "if (x == %d) sem_destroy(&s);",
    "pthread_once(&o, set_up); if (y == %d) x = 1;",
    "pthread_barrier_wait(&b); x = %d;",
    "pthread_barrier_wait(&b); y = %d; pthread_barrier_wait(&b);",
    "if (x == %d) pthread_barrier_destroy(&b);",
    "pthread_barrier_init(&b, 0, %d);",
    "if (x == %d) pthread_detach(pthread_self());",
    // updates in loops
    "{ int e = 0; while (!atomic_compare_exchange_strong(&l, &e, 1)) e = 0; x = %d; "
    "atomic_store(&l, 0); }",
    "while (atomic_exchange(&l, 1)) ; x = %d; atomic_store_explicit(&l, 0, memory_order_release);",
    "while (atomic_load(&a) != %d) ;",
    "{ int e = atomic_load(&a); while (!atomic_compare_exchange_weak(&a, &e, e + %d)) ; }",
    "atomic_fetch_add(&a, %d);",
    "for (int i = 0; i < 3; i++) atomic_fetch_sub_explicit(&a, %d, memory_order_relaxed);",
    // other loops that wait
    "while (pthread_mutex_trylock(&m)) ; x = %d; pthread_mutex_unlock(&m);",
    "while (pthread_spin_trylock(&p_spin)) ; x = %d; pthread_spin_unlock(&p_spin);",
    "while (sem_trywait(&s)) y = %d;",
    "while (pthread_rwlock_trywrlock(&w)) ; y = %d; pthread_rwlock_unlock(&w);",
    "while (atomic_load_explicit(&a, memory_order_relaxed) != %d) "
    "atomic_thread_fence(memory_order_acquire);",
    "{ int n = 0; while (atomic_load(&a) != %d) n++; }",
    "{ int n = 0; while (atomic_load(&a) != %d && n < 4) n++; if (n > 2) x = n; }",
    "{ unsigned d = 1; while (atomic_exchange_explicit(&l, 1, memory_order_acquire)) "
    "{ for (unsigned i = 0; i < d; i++) ; if (d < 8) d *= 2; } x = %d; "
    "atomic_store_explicit(&l, 0, memory_order_release); }",
    "while (atomic_fetch_or(&a, 1) != %d) ;",
    "{ int e = 1; while (atomic_compare_exchange_strong(&a, &e, 1)) if (x == %d) break; }",
    // flags of inline assembly
    "{ char ok; int e = %d; __asm__ volatile(\"lock; cmpxchgl %%3, %%1\" : \"=@ccz\"(ok), "
    "\"+m\"(z), \"+a\"(e) : \"r\"(1) "
    ": \"memory\"); if (!ok) x = e; }",
    "{ char more; int e = %d; __asm__ volatile(\"cmpl %%2, %%1\" : \"=@ccg\"(more) : \"r\"(e), "
    "\"r\"(1) : \"cc\"); if (more) x = 1; }",
    "{ unsigned char carry; unsigned e = %d; __asm__ volatile(\"subl %%2, %%1\" : "
    "\"=@ccc\"(carry), "
    "\"+r\"(e) : \"r\"(1)); if (carry) x++; }",
    "if (x == %d) pthread_exit(0);",
    // destroyed, initialised again
    "if (x == %d) pthread_rwlock_destroy(&w);",
    "if (x == %d) pthread_spin_destroy(&p_spin);",
    "if (x == %d) { pthread_mutex_destroy(&chk); pthread_mutex_init(&chk, 0); }",
    "if (y == %d) { sem_destroy(&s); sem_init(&s, 0, 1); }",
    // calls, sections, blocks of memory
    "if (count_down(%d)) x++;",
    "__VERIFIER_atomic_begin(); x++; y = x + %d; __VERIFIER_atomic_end();",
    "memset(cells, %d, sizeof cells); if (cells[1]) x++;",
    "{ int q[4]; memset(q, 0, sizeof q); memcpy(q + 1, cells, sizeof cells); if (q[2] == %d) y++; "
    "}",
    // threads of threads
    "if (x == %d) { pthread_t u; pthread_create(&u, 0, small, 0); pthread_join(u, 0); }",
    "{ pthread_t u; if (!pthread_create(&u, 0, by_name[y & 1], 0) && x == %d) pthread_detach(u); "
    "else "
    "pthread_join(u, 0); }",
};

std::string statements(Rng& rng, std::uint64_t most) {
  std::string text;
  for (std::uint64_t n = 1 + rng.below(most); n-- > 0;) {
    std::string one = kStatements[rng.below(std::size(kStatements))];
    const std::string number = std::to_string(rng.below(3));
    for (std::size_t at = 0; (at = one.find('%', at)) != std::string::npos;) {
      const bool is_percent = one[at + 1] == '%';
      one.replace(at, 2, is_percent ? "%" : number);
      ++at;
    }
    text += "  " + one + "\n";
  }
  return text;
}

struct Outcome {
  int code = 0;
  std::string line; // the verdict
};

Outcome ask(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
    return outcome;
  std::array<char, 4096> buffer{};
  std::string text;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    text.append(buffer.data(), got);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  outcome.line = text.substr(0, text.find('\n'));
  if (outcome.code >= kInternalError)
    outcome.line = text.substr(0, 300);
  return outcome;
}

bool is_proved(const Outcome& outcome) {
  return outcome.code == 0;
}
bool is_violated(const Outcome& outcome) {
  return outcome.code >= 10 && outcome.code < 20;
}
/// Not a race, of which models have notions of their own, nor robustness, which compares with sc.
bool is_of_any_run(std::string_view property) {
  return property != "race" && property != "robustness";
}
bool lacks_bound(const Outcome& outcome) {
  const std::size_t colon = outcome.line.rfind(": ");
  return outcome.line.starts_with("HOLDS WITHIN BOUNDS") &&
         (colon == std::string::npos || colon + 2 >= outcome.line.size());
}

} // namespace

std::string hostile_program(std::uint64_t seed) {
  Rng rng(mix(seed));
  std::string text = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n"
                     "#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>\n"
                     "#include <time.h>\nvoid __VERIFIER_atomic_begin(void);\n"
                     "void __VERIFIER_atomic_end(void);\n"
                     "static int x, y, z, cells[2], *p, *null;\nstatic atomic_int a, l;\n"
                     "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                     "static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;\n"
                     "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nstatic sem_t s;\n"
                     "static pthread_mutex_t rec, chk;\nstatic pthread_barrier_t b;\n"
                     "static pthread_spinlock_t p_spin;\n"
                     "static pthread_once_t o = PTHREAD_ONCE_INIT;\nstatic struct timespec ts;\n"
                     "static void set_up(void) { x++; }\n"
                     "static int count_down(int n) { return n <= 0 ? x : count_down(n - 1); }\n"
                     "static void* small(void* argument) { y = 1; return argument; }\n"
                     "static void* other(void* argument) { x = 2; return argument; }\n"
                     "static void* (*by_name[2])(void*) = {small, other};\n"
                     "static void start(void) {\n  pthread_mutexattr_t kind;\n"
                     "  pthread_mutexattr_init(&kind);\n"
                     "  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);\n"
                     "  pthread_mutex_init(&rec, &kind);\n"
                     "  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);\n"
                     "  pthread_mutex_init(&chk, &kind);\n"
                     "  pthread_spin_init(&p_spin, 0);\n}\n";
  const bool is_in_turn = rng.chance(1, 6);
  const std::uint64_t threads = is_in_turn ? 1 : 1 + rng.below(2);
  for (std::uint64_t t = 0; t < threads; ++t)
    text += fmt::format("static void* run{}(void* argument) {{\n{}  return argument;\n}}\n",
                        t,
                        statements(rng, is_in_turn ? 2 : 4));
  text += "int main(void) {\n";
  if (rng.chance(7, 8))
    text += "  start();\n";
  if (rng.chance(3, 4))
    text += fmt::format("  pthread_barrier_init(&b, 0, {});\n", 1 + rng.below(2));
  if (rng.chance(3, 4))
    text += fmt::format("  sem_init(&s, 0, {});\n", rng.below(2));
  if (is_in_turn) {
    text += fmt::format("  for (int i = 0; i < {}; i++) {{\n    pthread_t t;\n"
                        "    pthread_create(&t, 0, run0, 0);\n    pthread_join(t, 0);\n  }}\n",
                        2 + rng.below(39));
    return text + "  return 0;\n}\n";
  }
  text += fmt::format("  pthread_t t[{}];\n", threads);
  for (std::uint64_t t = 0; t < threads; ++t) {
    const bool is_conditional = rng.chance(1, 4);
    text += fmt::format("  {}pthread_create(&t[{}], 0, run{}, 0);\n",
                        is_conditional ? "if (atomic_load(&a) == 0) " : "",
                        t,
                        t);
    if (rng.chance(1, 3))
      text += statements(rng, 2);
    if (rng.chance(1, 8))
      text += fmt::format("  pthread_detach(t[{}]);\n", t);
    else if (rng.chance(2, 3) && !is_conditional)
      text += fmt::format("  pthread_join(t[{}], 0);\n", t);
    if (rng.chance(1, 8)) // a slot again
      text +=
          fmt::format("  pthread_create(&t[{0}], 0, run{0}, 0);\n  pthread_join(t[{0}], 0);\n", t);
    if (rng.chance(1, 12))
      text += fmt::format("  pthread_join(t[{}], 0);\n", t);
  }
  if (rng.chance(1, 2))
    text += statements(rng, 2);
  return text + "  return 0;\n}\n";
}

bool fuzz_hostile(const HostileRun& run) {
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;
  for (std::uint64_t n = 0; n < run.count; ++n) {
    const std::uint64_t seed = run.seed + n;
    const std::string path =
        (std::filesystem::temp_directory_path() / fmt::format("hostile-{}-{}.c", getpid(), seed))
            .string();
    std::ofstream(path) << hostile_program(seed);
    // Compiled once: the compiler takes longer than most answers.
    const std::string compiled = std::filesystem::path(path).replace_extension(".hir").string();
    const bool is_compiled =
        ask(fmt::format("timeout 20 {} translate {} 2>&1 > {}", run.binary, path, compiled)).code ==
        0;
    const std::string& input = is_compiled ? compiled : path;
    std::set<std::string> told;
    const auto fail = [&](const std::string& what, const std::string& how) {
      ++failures;
      told.insert(what);
      fmt::print("seed {}: {}: {}\n", seed, what, how);
      std::fflush(stdout);
    };
    const std::uint64_t asked = std::min<std::uint64_t>(run.properties, std::size(kProperties));
    for (std::uint64_t i = 0; i < asked; ++i) {
      const char* property = kProperties[(seed + i) % std::size(kProperties)];
      std::map<std::string, Outcome> by_model;
      // With a bound on states the first engine alone answers; without it all have their turn.
      const char* bound = seed % 2 == 0 ? "--max-states 20000 " : "";
      const auto one = [&](const std::string& model, const std::string& way) {
        const std::string how =
            fmt::format("{}--property {} --model {} {}", bound, property, model, way);
        const Outcome outcome =
            ask(fmt::format("timeout 20 {} verify --time 1 {} {} 2>&1", run.binary, how, input));
        ++runs;
        if (outcome.code >= kInternalError && outcome.code != 124)
          fail(fmt::format("exit {}", outcome.code), how + ": " + outcome.line);
        if (outcome.code == 124)
          fail("no end", how);
        if (lacks_bound(outcome))
          fail("no bound", how + ": " + outcome.line);
        return outcome;
      };
      for (const char* model : kModels)
        by_model[model] = one(model, "--engine auto");
      for (const char* way : {"--engine axiomatic", seed % 3 == 0 ? "--via eager" : "--via lazy"}) {
        const Outcome other = one("sc", way);
        if ((is_proved(other) && is_violated(by_model["sc"])) ||
            (is_violated(other) && is_proved(by_model["sc"])))
          fail("engines differ",
               fmt::format("--property {} under sc: {} / {}: {}",
                           property,
                           by_model["sc"].line,
                           way,
                           other.line));
      }
      // More runs, not fewer: what fails under sc fails under weaker models.
      if (is_of_any_run(property) && is_violated(by_model["sc"]))
        for (const char* weaker : {"tso", "pso", "rc11", "imm", "armv8"})
          if (is_proved(by_model[weaker]))
            fail("not monotone",
                 fmt::format("{}: violated under sc, proved under {}", property, weaker));
    }
    if (!told.empty())
      std::filesystem::copy_file(path,
                                 std::filesystem::path(run.save) /
                                     fmt::format("hostile-{}.c", seed),
                                 std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(path);
    std::filesystem::remove(compiled);
  }
  fmt::print("hostile: {} programs, {} runs, {} failures\n", run.count, runs, failures);
  return failures == 0;
}

} // namespace heddle::fuzz
