// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "heddle_fuzz/print.h"

#include <fmt/format.h>

namespace heddle::fuzz {

namespace {

using Kind = Statement::Kind;

const char* order_name(Order order) {
  switch (order) {
  case Order::kPlain:
  case Order::kVolatile:
  case Order::kRelaxed:
    return "__ATOMIC_RELAXED";
  case Order::kAcquire:
    return "__ATOMIC_ACQUIRE";
  case Order::kRelease:
    return "__ATOMIC_RELEASE";
  case Order::kAcqRel:
    return "__ATOMIC_ACQ_REL";
  case Order::kSeqCst:
    return "__ATOMIC_SEQ_CST";
  }
  return "";
}

const char* type_of(int size) {
  return size == 1 ? "unsigned char" : (size == 2 ? "unsigned short" : "unsigned");
}

std::string text(const Expression& expression) {
  if (expression.reg < 0)
    return fmt::format("{}u", expression.constant);
  if (expression.constant == 0)
    return fmt::format("r{}", expression.reg);
  return fmt::format("(r{} + {}u)", expression.reg, expression.constant);
}

/// A pointer to the bytes a statement touches.
std::string place(const Statement& statement) {
  if (statement.size == 4)
    return fmt::format("&x{}", statement.object);
  return fmt::format(
      "({} *)((char *)&x{} + {})", type_of(statement.size), statement.object, statement.offset);
}

std::string load_from(const std::string& pointer, const char* type, Order order) {
  if (order == Order::kPlain)
    return fmt::format("*({} *)({})", type, pointer);
  if (order == Order::kVolatile)
    return fmt::format("*({} volatile *)({})", type, pointer);
  return fmt::format("__atomic_load_n({}, {})", pointer, order_name(order));
}

std::string
store_to(const std::string& pointer, const char* type, Order order, const std::string& value) {
  if (order == Order::kPlain)
    return fmt::format("*({} *)({}) = {};", type, pointer, value);
  if (order == Order::kVolatile)
    return fmt::format("*({} volatile *)({}) = {};", type, pointer, value);
  return fmt::format("__atomic_store_n({}, {}, {});", pointer, value, order_name(order));
}

class Printer {
public:
  std::string take() { return std::move(out_); }

  void line(int depth, const std::string& content) {
    out_.append(static_cast<std::size_t>(2 * depth), ' ');
    out_ += content;
    out_ += '\n';
  }

  void sequence(const std::vector<Statement>& statements, int depth) {
    for (const Statement& statement : statements)
      one(statement, depth);
  }

  void thread(const Program& program, std::size_t index) {
    const std::vector<Statement>& statements = program.threads[index];
    locals_in_main_ = program.locals_in_main;
    line(0, fmt::format("void *thread{}(void *unused) {{", index));
    line(1, "unsigned r0 = 0, r1 = 0, r2 = 0, r3 = 0;");
    line(1, "unsigned *q = &x0;");
    if (program.has_nodes)
      line(1, "struct node *h = &g;");
    if (program.has_nodes && locals_in_main_) {
      line(1, "struct locals *const mine = unused;");
    } else if (program.has_nodes) {
      line(1, "unsigned l;");
      line(1, "struct node ln;");
      clear("l", "ln", 1);
    }
    line(1, "(void)unused;");
    line(1, "DELAY();");
    sequence(statements, 1);
    line(
        1,
        fmt::format("o{} = (r0 & 255u) | (r1 & 255u) << 8 | (r2 & 255u) << 16 | (r3 & 255u) << 24;",
                    index));
    line(1, "return 0;");
    line(0, "}");
  }

  /// One after the other, so that no order of their flushes is explored.
  void clear(const std::string& word, const std::string& node, int depth) {
    for (const std::string& place :
         {word, node + ".n", node + ".a[0]", node + ".a[1]", node + ".p"})
      line(depth, fmt::format("__atomic_store_n(&{}, 0, __ATOMIC_SEQ_CST);", place));
  }

private:
  [[nodiscard]] std::string node(const Address& address) const {
    switch (address.of) {
    case Address::Of::kGlobalNode:
      return "&g";
    case Address::Of::kLocalNode:
      return locals_in_main_ ? "&mine->node" : "&ln";
    case Address::Of::kHeldNode:
      return "h";
    case Address::Of::kNowhere:
    case Address::Of::kGlobal:
    case Address::Of::kLocal:
      break;
    }
    return "(struct node *)0";
  }
  [[nodiscard]] std::string word(const Address& address) const {
    if (address.of == Address::Of::kNowhere)
      return "(unsigned *)0";
    if (address.of == Address::Of::kGlobal)
      return fmt::format("&x{}", address.object);
    if (address.of == Address::Of::kLocal)
      return locals_in_main_ ? "&mine->word" : "&l";
    return address.in_array ? fmt::format("&({})->a[{} & 1u]", node(address), text(address.index))
                            : fmt::format("&({})->n", node(address));
  }
  void if_set(const char* pointer, const Statement& s, int depth) {
    line(depth, fmt::format("if ({}) {{", pointer));
    sequence(s.body, depth + 1);
    line(depth, "} else {");
    sequence(s.other, depth + 1);
    line(depth, "}");
  }
  void assign_address(const char* pointer, bool is_node, const Statement& s, int depth) {
    const std::string chosen = is_node ? node(s.address) : word(s.address);
    if (!s.is_conditional)
      return line(depth, fmt::format("{} = {};", pointer, chosen));
    line(depth,
         fmt::format("{} = r{} == {}u ? {} : {};",
                     pointer,
                     s.reg,
                     s.constant,
                     chosen,
                     is_node ? node(s.otherwise) : word(s.otherwise)));
  }

  void around(const std::string& before,
              const Statement& statement,
              const std::string& after,
              int depth) {
    line(depth, before);
    sequence(statement.body, depth);
    line(depth, after);
  }

  void modify(const Statement& s, const char* function, int depth) {
    line(depth,
         fmt::format("r{} = __atomic_{}({}, {}, {});",
                     s.reg,
                     function,
                     place(s),
                     text(s.value),
                     order_name(s.order)));
  }

  void one(const Statement& s, int depth) {
    switch (s.kind) {
    case Kind::kLoad:
      return line(depth,
                  fmt::format("r{} = {};", s.reg, load_from(place(s), type_of(s.size), s.order)));
    case Kind::kStore:
      return line(depth, store_to(place(s), type_of(s.size), s.order, text(s.value)));
    case Kind::kExchange:
      return modify(s, "exchange_n", depth);
    case Kind::kFetchAdd:
      return modify(s, "fetch_add", depth);
    case Kind::kFetchOr:
      return modify(s, "fetch_or", depth);
    case Kind::kFetchXor:
      return modify(s, "fetch_xor", depth);
    case Kind::kCompareExchange:
      line(depth, "{");
      line(depth + 1, fmt::format("{} expected = {};", type_of(s.size), text(s.expected)));
      line(depth + 1,
           fmt::format("r{} = __atomic_compare_exchange_n({}, &expected, {}, {}, {}, {});",
                       s.reg,
                       place(s),
                       text(s.value),
                       s.weak ? 1 : 0,
                       order_name(s.order),
                       order_name(s.failure)));
      return line(depth, "}");
    case Kind::kFence:
      return line(depth, fmt::format("__atomic_thread_fence({});", order_name(s.order)));
    case Kind::kAssign:
      return line(depth, fmt::format("r{} = {};", s.reg, text(s.value)));
    case Kind::kChoose:
      return line(depth, fmt::format("r{} = __VERIFIER_nondet_bool();", s.reg));
    case Kind::kIf:
      line(depth, fmt::format("if (r{} == {}u) {{", s.reg, s.constant));
      sequence(s.body, depth + 1);
      line(depth, "} else {");
      sequence(s.other, depth + 1);
      return line(depth, "}");
    case Kind::kRepeat:
      line(depth, fmt::format("for (int round = 0; round < {}; ++round) {{", s.count));
      sequence(s.body, depth + 1);
      return line(depth, "}");
    case Kind::kLock:
      return around("pthread_mutex_lock(&mutex);", s, "pthread_mutex_unlock(&mutex);", depth);
    case Kind::kTryLock:
      line(depth, "{");
      line(depth + 1, "int const taken = pthread_mutex_trylock(&mutex) == 0;");
      line(depth + 1, fmt::format("r{} = (unsigned)taken;", s.reg));
      line(depth + 1, "if (taken) {");
      sequence(s.body, depth + 2);
      line(depth + 2, "pthread_mutex_unlock(&mutex);");
      line(depth + 1, "}");
      return line(depth, "}");
    case Kind::kSpinLock:
      return around("pthread_spin_lock(&spin);", s, "pthread_spin_unlock(&spin);", depth);
    case Kind::kReadLock:
      return around(
          "pthread_rwlock_rdlock(&shared_lock);", s, "pthread_rwlock_unlock(&shared_lock);", depth);
    case Kind::kWriteLock:
      return around(
          "pthread_rwlock_wrlock(&shared_lock);", s, "pthread_rwlock_unlock(&shared_lock);", depth);
    case Kind::kWait:
      line(depth, "pthread_mutex_lock(&mutex);");
      line(depth, "pthread_cond_wait(&condition, &mutex);");
      return line(depth, "pthread_mutex_unlock(&mutex);");
    case Kind::kSignal:
      return line(depth, "pthread_cond_signal(&condition);");
    case Kind::kBroadcast:
      return line(depth, "pthread_cond_broadcast(&condition);");
    case Kind::kSemaphorePost:
      return line(depth, "sem_post(&semaphore);");
    case Kind::kSemaphoreWait:
      return line(depth, "sem_wait(&semaphore);");
    case Kind::kBarrier:
      return line(depth, "pthread_barrier_wait(&barrier);");
    case Kind::kAtomic:
      return around("__VERIFIER_atomic_begin();", s, "__VERIFIER_atomic_end();", depth);
    case Kind::kPointerStore:
      return line(depth, store_to("&p", "unsigned *", s.order, fmt::format("&x{}", s.object)));
    case Kind::kPointerLoad:
      return line(depth, fmt::format("q = {};", load_from("&p", "unsigned *", s.order)));
    case Kind::kDereferenceLoad:
      return line(depth, fmt::format("r{} = {};", s.reg, load_from("q", "unsigned", s.order)));
    case Kind::kDereferenceStore:
      return line(depth, store_to("q", "unsigned", s.order, text(s.value)));
    case Kind::kAssume:
      return line(depth, fmt::format("__VERIFIER_assume(r{} != {}u);", s.reg, s.constant));
    case Kind::kAssert:
      return line(depth, fmt::format("assert(r{} != {}u);", s.reg, s.constant));
    case Kind::kPlaceLoad:
      return line(depth,
                  fmt::format("r{} = {};", s.reg, load_from(word(s.address), "unsigned", s.order)));
    case Kind::kPlaceStore:
      return line(depth, store_to(word(s.address), "unsigned", s.order, text(s.value)));
    case Kind::kPlaceFetchAdd:
      return line(depth,
                  fmt::format("r{} = __atomic_fetch_add({}, {}, {});",
                              s.reg,
                              word(s.address),
                              text(s.value),
                              order_name(s.order)));
    case Kind::kPointAt:
      return assign_address("q", false, s, depth);
    case Kind::kHoldNode:
      return assign_address("h", true, s, depth);
    case Kind::kSamePlace:
      return line(depth, fmt::format("r{} = q == {};", s.reg, word(s.address)));
    case Kind::kPointerPublish:
      return line(depth, store_to("&p", "unsigned *", s.order, "q"));
    case Kind::kNodePublish:
      return line(depth, store_to("&s", "struct node *", s.order, "h"));
    case Kind::kNodeTake:
      return line(depth, fmt::format("h = {};", load_from("&s", "struct node *", s.order)));
    case Kind::kNodeSwap:
      return line(depth,
                  fmt::format("h = __atomic_exchange_n(&s, {}, {});",
                              node(s.address),
                              order_name(s.order)));
    case Kind::kNodeCompareExchange:
      line(depth, "{");
      line(depth + 1, fmt::format("struct node *expected = {};", node(s.address)));
      line(depth + 1,
           fmt::format("r{} = __atomic_compare_exchange_n(&s, &expected, h, 0, {}, {});",
                       s.reg,
                       order_name(s.order),
                       order_name(s.failure)));
      return line(depth, "}");
    case Kind::kAllocate:
      return line(depth, "h = calloc(1, sizeof *h);");
    case Kind::kFree:
      return line(depth, "free(h);");
    case Kind::kFieldLoad:
      return line(
          depth,
          fmt::format("q = {};",
                      load_from(fmt::format("&({})->p", node(s.address)), "unsigned *", s.order)));
    case Kind::kFieldStore:
      return line(depth,
                  store_to(fmt::format("&({})->p", node(s.address)), "unsigned *", s.order, "q"));
    case Kind::kIfPlace:
      return if_set("q", s, depth);
    case Kind::kIfNode:
      return if_set("h", s, depth);
    }
  }

  std::string out_;
  bool locals_in_main_ = false;
};

void declarations(Printer& printer, const Program& program, const char* attributes = "") {
  for (int object = 0; object < program.objects; ++object)
    printer.line(0, fmt::format("unsigned x{}{};", object, attributes));
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    printer.line(0, fmt::format("unsigned o{};", thread));
  printer.line(0, "unsigned *p = &x0;");
  if (program.has_nodes) {
    printer.line(0, "struct node {");
    printer.line(1, "unsigned n;");
    printer.line(1, "unsigned a[2];");
    printer.line(1, "unsigned *p;");
    printer.line(0, "};");
    printer.line(0, "struct locals {");
    printer.line(1, "unsigned word;");
    printer.line(1, "struct node node;");
    printer.line(0, "};");
    printer.line(0,
                 fmt::format("struct node g = {{{}, {{{}, {}}}, &x0}};",
                             kFirstNumber,
                             kFirstNumber + 1,
                             kFirstNumber + 2));
    printer.line(0, program.starts_empty ? "struct node *s;" : "struct node *s = &g;");
    printer.line(0, "unsigned og;");
  }
  printer.line(0, "pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;");
  printer.line(0, "pthread_cond_t condition = PTHREAD_COND_INITIALIZER;");
  printer.line(0, "pthread_rwlock_t shared_lock = PTHREAD_RWLOCK_INITIALIZER;");
  printer.line(0, "pthread_spinlock_t spin;");
  printer.line(0, "pthread_barrier_t barrier;");
  printer.line(0, "sem_t semaphore;");
}

void initialisation(Printer& printer, const Program& program, int depth) {
  printer.line(depth, "pthread_spin_init(&spin, 0);");
  printer.line(depth, "sem_init(&semaphore, 0, 0);");
  if (program.barrier_count() > 0)
    printer.line(depth,
                 fmt::format("pthread_barrier_init(&barrier, 0, {});", program.barrier_count()));
}

void create_and_join(Printer& printer, const Program& program, int depth) {
  printer.line(depth, fmt::format("pthread_t handles[{}];", program.threads.size()));
  const bool has_locals = program.has_nodes && program.locals_in_main;
  for (std::size_t thread = 0; thread < program.threads.size() && has_locals; ++thread) {
    const std::string name = fmt::format("locals{}", thread);
    printer.line(depth, fmt::format("struct locals {};", name));
    printer.clear(name + ".word", name + ".node", depth);
  }
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    printer.line(depth,
                 fmt::format("pthread_create(&handles[{0}], 0, thread{0}, {1});",
                             thread,
                             has_locals ? fmt::format("&locals{}", thread) : "0"));
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    printer.line(depth, fmt::format("pthread_join(handles[{}], 0);", thread));
}

} // namespace

std::string to_c(const Program& program) {
  Printer printer;
  for (const char* header : {"assert.h", "pthread.h", "semaphore.h"})
    printer.line(0, fmt::format("#include <{}>", header));
  if (program.has_nodes)
    printer.line(0, "#include <stdlib.h>");
  printer.line(0, "extern _Bool __VERIFIER_nondet_bool(void);");
  printer.line(0, "extern void __VERIFIER_assume(int);");
  printer.line(0, "extern void __VERIFIER_atomic_begin(void);");
  printer.line(0, "extern void __VERIFIER_atomic_end(void);");
  printer.line(0, "#define DELAY() ((void)0)");
  declarations(printer, program);
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    printer.thread(program, thread);
  printer.line(0, "int main(void) {");
  initialisation(printer, program, 1);
  create_and_join(printer, program, 1);
  if (program.has_nodes)
    printer.line(1, "og = (g.n & 255u) | (g.a[0] & 255u) << 8 | (g.a[1] & 255u) << 16;");
  printer.line(1, "return 0;");
  printer.line(0, "}");
  return printer.take();
}

std::string to_native_c(const Program& program, const NativeRun& run) {
  Printer printer;
  printer.line(0, "#define _GNU_SOURCE");
  for (const char* header : {"assert.h",
                             "pthread.h",
                             "sched.h",
                             "semaphore.h",
                             "stdio.h",
                             "stdlib.h",
                             "time.h",
                             "unistd.h"})
    printer.line(0, fmt::format("#include <{}>", header));
  printer.line(0, fmt::format("enum {{ THREADS = {} }};", program.threads.size()));
  // The threads live through all rounds, each on a processor of its own where there are enough:
  // starting one takes longer than its whole body, and bodies must overlap while their stores are
  // still pending. They meet by spinning; the first one also prints and resets, so that nobody else
  // takes a processor from them.
  // Who comes last would start first, since the others have yet to see that: so all start at a
  // moment a little later, by the processors' common clock, each with a delay of its own.
  printer.line(0, "static unsigned arrived __attribute__((aligned(64)));");
  printer.line(0, "static unsigned meetings __attribute__((aligned(64)));");
  printer.line(0, "static unsigned long long start __attribute__((aligned(64)));");
  printer.line(0, "static int is_over __attribute__((aligned(64)));");
  printer.line(0, "static __thread unsigned random_state;");
  printer.line(0, "static void meet(void) {");
  printer.line(1, "unsigned const now = __atomic_load_n(&meetings, __ATOMIC_ACQUIRE);");
  printer.line(1, "if (__atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST) == THREADS) {");
  printer.line(2, "arrived = 0;");
  printer.line(2, "start = __builtin_ia32_rdtsc() + 1500;");
  printer.line(2, "__atomic_store_n(&meetings, now + 1, __ATOMIC_RELEASE);");
  printer.line(1, "} else {");
  printer.line(2, "for (unsigned n = 0; __atomic_load_n(&meetings, __ATOMIC_ACQUIRE) == now; ++n)");
  printer.line(3, "if (n > 2000) sched_yield();");
  printer.line(1, "}");
  printer.line(0, "}");
  printer.line(0, "static void delay(void) {");
  printer.line(1, "random_state = random_state * 1664525u + 1013904223u;");
  printer.line(1, "unsigned const kind = random_state >> 28;");
  printer.line(1, "unsigned const most = kind < 4 ? 1 : kind < 12 ? 128 : 1024;");
  printer.line(1, "unsigned long long const begin = start + (random_state >> 8) % most;");
  printer.line(1, "while (__builtin_ia32_rdtsc() < begin) {}");
  printer.line(0, "}");
  printer.line(0, "#define DELAY() delay()");
  // Each object in a cache line of its own: a load of one does not wait for a store to another.
  declarations(printer, program, " __attribute__((aligned(64)))");
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    printer.thread(program, thread);
  printer.line(0, "static void *(*const bodies[THREADS])(void *) = {");
  for (std::size_t thread = 0; thread < program.threads.size(); ++thread)
    printer.line(1, fmt::format("thread{},", thread));
  printer.line(0, "};");
  printer.line(0, "static double now(void) {");
  printer.line(1, "struct timespec time;");
  printer.line(1, "clock_gettime(CLOCK_MONOTONIC, &time);");
  printer.line(1, "return time.tv_sec + time.tv_nsec * 1e-9;");
  printer.line(0, "}");
  printer.line(0, "static void reset(void) {");
  for (const std::string& name : observed_names(program))
    printer.line(1, name + " = 0;");
  printer.line(1, "p = &x0;");
  printer.line(0, "}");
  std::string format;
  std::string values;
  for (const std::string& name : observed_names(program)) {
    format += "%x ";
    values += ", " + name;
  }
  printer.line(0, "static void *run(void *argument) {");
  printer.line(1, "long const self = (long)argument;");
  printer.line(1,
               fmt::format("random_state = {}u + 7919u * (unsigned)self;",
                           static_cast<std::uint32_t>(run.seed)));
  printer.line(1, "cpu_set_t processor;");
  printer.line(1, "CPU_ZERO(&processor);");
  printer.line(1, "CPU_SET(self % sysconf(_SC_NPROCESSORS_ONLN), &processor);");
  printer.line(1, "sched_setaffinity(0, sizeof processor, &processor);");
  printer.line(1, fmt::format("double const end = now() + {};", run.seconds));
  printer.line(
      1, fmt::format("for (int round_ = 0; round_ < {} && !is_over; ++round_) {{", run.rounds));
  printer.line(2, "if (self == 0) reset();");
  printer.line(2, "meet();");
  printer.line(2, "bodies[self](0);");
  printer.line(2, "meet();");
  printer.line(2, "if (self == 0) {");
  printer.line(3, fmt::format("printf(\"{}\\n\"{});", format, values));
  printer.line(3, "is_over = round_ % 16 == 0 && now() > end;");
  printer.line(2, "}");
  printer.line(2, "meet();");
  printer.line(1, "}");
  printer.line(1, "return 0;");
  printer.line(0, "}");
  printer.line(0, "int main(void) {");
  initialisation(printer, program, 1);
  printer.line(1, "pthread_t handles[THREADS];");
  printer.line(1, "for (long t = 0; t < THREADS; ++t)");
  printer.line(2, "if (pthread_create(&handles[t], 0, run, (void *)t)) abort();");
  printer.line(1, "for (long t = 0; t < THREADS; ++t) pthread_join(handles[t], 0);");
  printer.line(1, "puts(\"end\");");
  printer.line(1, "return 0;");
  printer.line(0, "}");
  return printer.take();
}

} // namespace heddle::fuzz
