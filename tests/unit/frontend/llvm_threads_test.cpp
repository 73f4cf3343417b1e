// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Threads, locks, atomics, fences and inline assembly.
#include "frontend/c/load.h"
#include "ir/ir.h"
#include "unit/frontend/llvm_import.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

std::string threads(const std::string& code) {
  return import_c(
      "#define _GNU_SOURCE\n#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n"
      "#include <errno.h>\n#include <stdlib.h>\n" +
      code);
}

/// The body of main, with `code` in it and some objects around.
std::string body(const std::string& code) {
  return function(
      threads("int x; unsigned long w; pthread_mutex_t m; pthread_cond_t c; pthread_rwlock_t l; "
              "pthread_barrier_t b;\n"
              "pthread_spinlock_t s; sem_t e; atomic_int a; \n"
              "int main(void) { " +
              code + " return 0; }"),
      "main");
}

TEST(Threads, CreateInALoopThroughAnArray) {
  const std::string text =
      threads("void* f(void* p) { return p; }\nint main(void) { pthread_t t[3]; int i; void* r;\n"
              "for (i = 0; i < 3; i++) pthread_create(&t[i], 0, f, (void*)(long)i);\n"
              "for (i = 0; i < 3; i++) pthread_join(t[i], 0); pthread_join(t[0], &r); return 0; }");
  EXPECT_EQ(count(text, "= create(@f, %"), 1) << text;
  EXPECT_EQ(count(text, "store i64 %"), 1) << text; // the handle
  EXPECT_EQ(count(text, "join(%"), 2) << text;
  EXPECT_EQ(count(text, "store ptr %"), 1) << text; // the result
}

TEST(Threads, JoinStoresTheResultOnlyThroughAPointerThatIsNotNull) {
  const std::string text =
      threads("void** where; pthread_t t; int main(void) { return pthread_join(t, where); }");
  EXPECT_EQ(lines_equal(text, "block join.keep:"), 1) << text;
}

TEST(Threads, StartFunctionsOfOtherTypesAreWrapped) {
  const std::string text = threads("void f(void) { } int main(void) { pthread_t t; "
                                   "return pthread_create(&t, 0, (void* (*)(void*))f, 0); }");
  EXPECT_EQ(count(text, "create(@f.start, "), 1) << text;
  EXPECT_EQ(count(function(text, "f.start"), "call @f()"), 1) << text;
}

TEST(Threads, ExitDetachSelfEqual) {
  const std::string text = body(
      "pthread_detach(pthread_self()); if (pthread_equal(pthread_self(), 0)) pthread_exit(&x);");
  EXPECT_EQ(count(text, "= self()"), 2) << text;
  EXPECT_EQ(count(text, "detach("), 1) << text;
  EXPECT_EQ(lines_equal(text, "thread_exit @x"), 1) << text;
}

TEST(Threads, MutexesOfEveryKind) {
  const std::string text =
      body("pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); "
           "if (pthread_mutex_trylock(&m) == EBUSY) x = 1; pthread_mutex_timedlock(&m, 0); "
           "pthread_mutex_destroy(&m);");
  EXPECT_EQ(lines_equal(text, "mutex_init(@m, i32 0)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "mutex_lock(@m)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "mutex_unlock(@m)"), 1) << text;
  EXPECT_EQ(count(text, "= mutex_trylock(@m)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "mutex_timedlock(@m)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "mutex_destroy(@m)"), 1) << text;
  const std::string kinds = threads(
      "int main(void) { pthread_mutexattr_t a; pthread_mutex_t m; pthread_mutexattr_init(&a);\n"
      "pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); return pthread_mutex_init(&m, &a); "
      "}");
  EXPECT_EQ(count(function(kinds, "__heddle_pthread_mutex_init"), " mutex_init(%"), 1) << kinds;
  const std::string fixed =
      threads("pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int main(void) { "
              "return pthread_mutex_lock(&m); }");
  // The kind lies where glibc keeps it, at byte 16.
  EXPECT_EQ(count(fixed, "init \"0000000000000000000000000000000001"), 1) << fixed;
}

TEST(Threads, ConditionVariables) {
  const std::string text = body(
      "pthread_cond_init(&c, 0); pthread_cond_wait(&c, &m); pthread_cond_timedwait(&c, &m, 0); "
      "pthread_cond_signal(&c); pthread_cond_broadcast(&c); pthread_cond_destroy(&c);");
  EXPECT_EQ(lines_equal(text, "cond_wait(@c, @m)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "cond_timedwait(@c, @m)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "cond_signal(@c)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "cond_broadcast(@c)"), 1) << text;
}

TEST(Threads, ReadWriteLocksBarriersSpinLocksSemaphores) {
  const std::string text = body(
      "pthread_rwlock_init(&l, 0); pthread_rwlock_rdlock(&l); pthread_rwlock_tryrdlock(&l); "
      "pthread_rwlock_wrlock(&l); "
      "pthread_rwlock_trywrlock(&l); pthread_rwlock_unlock(&l); pthread_barrier_init(&b, 0, 2); "
      "x = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD; pthread_spin_init(&s, 0); "
      "pthread_spin_lock(&s); "
      "pthread_spin_trylock(&s); pthread_spin_unlock(&s); sem_init(&e, 0, 3); sem_wait(&e); "
      "sem_post(&e); "
      "x = sem_trywait(&e); sem_getvalue(&e, &x); sem_destroy(&e);");
  for (const char* line : {"read_lock(@l)",
                           "read_trylock(@l)",
                           "write_lock(@l)",
                           "write_trylock(@l)",
                           "rw_unlock(@l)",
                           "barrier_init(@b, i32 2)",
                           "spin_lock(@s)",
                           "spin_trylock(@s)",
                           "spin_unlock(@s)",
                           "sem_init(@e, i32 3)",
                           "sem_wait(@e)",
                           "sem_post(@e)"}) {
    EXPECT_EQ(lines_equal(text, line), 1) << line << "\n" << text;
  }
  EXPECT_EQ(count(text, "= barrier_wait(@b)"), 1) << text;
  EXPECT_EQ(count(text, "call @__heddle_sem_trywait"), 1) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Threads, OnceAndKeys) {
  const std::string text =
      threads("pthread_once_t o = PTHREAD_ONCE_INIT; pthread_key_t k; void init(void) { "
              "pthread_key_create(&k, free); }\n"
              "void* f(void* p) { pthread_once(&o, init); pthread_setspecific(k, malloc(1)); if "
              "(p) pthread_exit(0); "
              "return pthread_getspecific(k); }\n"
              "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }");
  EXPECT_EQ(count(function(text, "__heddle_pthread_once"), "once_enter(%0)"), 1) << text;
  EXPECT_EQ(count(function(text, "__heddle_pthread_once"), "once_leave(%0)"), 1) << text;
  // The destructors run when the thread function returns and before pthread_exit; `free` has a body
  // to point to.
  EXPECT_EQ(count(text, "create(@f.thread, "), 1) << text;
  EXPECT_EQ(count(function(text, "f.thread"), "call @__heddle_run_key_destructors()"), 1) << text;
  EXPECT_EQ(count(function(text, "f"), "call @__heddle_run_key_destructors()"), 1) << text;
  EXPECT_EQ(count(function(text, "free"), "free %0"), 1) << text;
}

TEST(Threads, ThreadsWithoutKeysHaveNoDestructors) {
  const std::string text = threads("void* f(void* p) { return p; } int main(void) { pthread_t t; "
                                   "pthread_create(&t, 0, f, 0); return 0; }");
  EXPECT_EQ(count(text, "destructors"), 0) << text;
}

TEST(Threads, C11Threads) {
  const std::string text = import_c("#include <threads.h>\nmtx_t m; cnd_t c; once_flag o; tss_t k; "
                                    "int f(void* p) { return 3; }\nvoid g(void) { }\n"
                                    "int main(void) { thrd_t t; int r; mtx_init(&m, "
                                    "mtx_recursive); thrd_create(&t, f, 0); mtx_lock(&m);\n"
                                    "cnd_wait(&c, &m); cnd_signal(&c); mtx_unlock(&m); "
                                    "call_once(&o, g); thrd_join(t, &r); return r; }");
  EXPECT_EQ(count(text, "create(@f.start, "), 1) << text;
  EXPECT_EQ(lines_equal(text, "mutex_lock(@m)"), 1) << text;
  EXPECT_EQ(lines_equal(text, "cond_wait(@c, @m)"), 1) << text;
  EXPECT_EQ(count(text, "call @__heddle_call_once(@o, @g)"), 1) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(Threads, CancellationIsATrap) {
  EXPECT_EQ(count(body("pthread_cancel(w);"), "trap \"a call of 'pthread_cancel'\""), 1);
}

TEST(Atomics, OrdersOfStdatomic) {
  const std::string text =
      body("x = atomic_load_explicit(&a, memory_order_acquire); atomic_store_explicit(&a, 1, "
           "memory_order_release); "
           "atomic_store(&a, 2); a++; atomic_fetch_xor_explicit(&a, 3, memory_order_relaxed); x = "
           "atomic_exchange(&a, 4); "
           "atomic_thread_fence(memory_order_acq_rel); atomic_signal_fence(memory_order_seq_cst);");
  EXPECT_EQ(count(text, "load.atomic.acquire @a"), 1) << text;
  EXPECT_EQ(count(text, "store.atomic.release i32"), 1) << text;
  EXPECT_EQ(count(text, "store.atomic.seq_cst i32"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst add @a, i32 1"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.relaxed xor @a"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst xchg @a"), 1) << text;
  EXPECT_EQ(lines_equal(text, "fence.atomic.acq_rel"), 1) << text;
  EXPECT_EQ(lines_equal(text, "fence"), 1) << text; // a compiler barrier
}

TEST(Atomics, CompareExchangeStrongAndWeak) {
  const std::string text = body("int e = 0; x = atomic_compare_exchange_strong(&a, &e, 1); "
                                "x = atomic_compare_exchange_weak_explicit(&a, &e, 2, "
                                "memory_order_acq_rel, memory_order_relaxed);");
  EXPECT_EQ(count(text, "cmpxchg.atomic.seq_cst @a"), 1) << text;
  EXPECT_EQ(count(text, "cmpxchg.atomic.acq_rel weak @a"), 1) << text;
  EXPECT_EQ(count(text, "failure relaxed"), 1) << text;
}

TEST(Atomics, GccBuiltins) {
  const std::string text = body(
      "__sync_fetch_and_add(&x, 1); __sync_synchronize(); x = __sync_lock_test_and_set(&x, 1); "
      "__sync_lock_release(&x); __sync_val_compare_and_swap(&x, 1, 2); __atomic_or_fetch(&x, 4, "
      "__ATOMIC_RELEASE);");
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst add @x, i32 1"), 1) << text;
  EXPECT_EQ(lines_equal(text, "fence.atomic.seq_cst"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst xchg @x, i32 1"), 1) << text;
  EXPECT_EQ(lines_equal(text, "store.atomic.release i32 0, @x"), 1) << text;
  EXPECT_EQ(count(text, "cmpxchg.atomic.seq_cst @x, i32 1, i32 2"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.release or @x, %"), 1) << text;
}

TEST(Atomics, LibraryCalls) {
  // As compilers leave them where the target has no instruction for the size or alignment.
  const std::string path = write_file(
      "target datalayout = \"e-i64:64\"\n"
      "@x = global i32 0\n@l = global i64 0\n@e = global i64 0\n"
      "declare i32 @__atomic_load_4(ptr, i32)\n"
      "declare void @__atomic_store(i64, ptr, ptr, i32)\n"
      "declare i1 @__atomic_compare_exchange_8(ptr, ptr, i64, i32, i32)\n"
      "declare i32 @__atomic_fetch_add_4(ptr, i32, i32)\n"
      "declare void @__atomic_exchange(i64, ptr, ptr, ptr, i32)\n"
      "define i32 @main() {\n"
      "  %a = call i32 @__atomic_load_4(ptr @x, i32 2)\n"
      "  call void @__atomic_store(i64 8, ptr @l, ptr @e, i32 3)\n"
      "  %b = call i1 @__atomic_compare_exchange_8(ptr @l, ptr @e, i64 7, i32 4, i32 0)\n"
      "  %c = call i32 @__atomic_fetch_add_4(ptr @x, i32 5, i32 5)\n"
      "  call void @__atomic_store(i64 240, ptr @l, ptr @e, i32 3)\n"
      "  ret i32 %c\n}\n",
      ".ll");
  const std::string text = import_files({path});
  EXPECT_EQ(count(text, "load.atomic.acquire @x"), 1) << text;
  EXPECT_EQ(count(text, "store.atomic.release i64 %"), 1) << text;
  EXPECT_EQ(count(text, "cmpxchg.atomic.acq_rel @l, %"), 1) << text;
  EXPECT_EQ(count(text, "failure relaxed"), 1) << text;
  EXPECT_EQ(lines_equal(text, "block exchange.failed:"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst add @x, i32 5"), 1) << text;
  EXPECT_EQ(count(text, "trap \"the atomic operation '__atomic_store'"), 1) << text;
}

TEST(Atomics, WideObjectsAreSections) {
  const std::string text = import_c("struct { long a, b; } s, d; _Atomic __int128 w; int "
                                    "main(void) { __int128 o = w; return (int)o; }");
  EXPECT_EQ(count(text, "trap"), 0) << text;
  EXPECT_EQ(count(text, "load.atomic.seq_cst"), 2) << text;
}

TEST(InlineAssembly, BarriersAndFences) {
  const std::string text = body(
      "__asm__ volatile(\"\" ::: \"memory\"); __asm__ volatile(\"mfence\" ::: \"memory\"); "
      "__asm__ volatile(\"sfence\" ::: \"memory\"); __asm__ volatile(\"lfence\" ::: \"memory\"); "
      "__asm__ volatile(\"lock; addl $0,0(%%rsp)\" ::: \"memory\"); __asm__ volatile(\"pause\"); "
      "__asm__ volatile(\"rep; nop\");");
  EXPECT_EQ(lines_equal(text, "fence"), 1) << text;
  EXPECT_EQ(lines_equal(text, "fence.atomic.seq_cst[\"Mfence\"]"), 2) << text;
  EXPECT_EQ(lines_equal(text, "fence.atomic.release[\"Sfence\"]"), 1) << text;
  EXPECT_EQ(lines_equal(text, "fence.atomic.acquire[\"Lfence\"]"), 1) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(InlineAssembly, LockPrefixedForms) {
  const std::string text =
      body("int r = 1, o; unsigned char z; __asm__ volatile(\"lock; xaddl %0, %1\" : \"+r\"(r), "
           "\"+m\"(x) :: \"memory\"); "
           "__asm__ volatile(\"lock; cmpxchgl %2,%1\" : \"=a\"(o), \"+m\"(x) : \"r\"(7), \"0\"(3) "
           ": \"memory\"); "
           "__asm__ volatile(\"xchgl %0,%1\" : \"+r\"(r), \"+m\"(x) :: \"memory\"); "
           "__asm__ volatile(\"lock; incl %0\" : \"+m\"(x) :: \"memory\"); "
           "__asm__ volatile(\"lock; subl %2,%0; sete %1\" : \"+m\"(x), \"=qm\"(z) : \"ir\"(5) : "
           "\"memory\"); "
           "__asm__ volatile(\"lock; btsl %1,%0\" : \"+m\"(x) : \"Ir\"(3) : \"memory\"); x = r + o "
           "+ z;");
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst add @x"), 2) << text;
  EXPECT_EQ(count(text, "cmpxchg.atomic.seq_cst @x, i32 3, i32 7"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst xchg @x"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst sub @x, i32 5"), 1) << text;
  EXPECT_EQ(count(text, "rmw.atomic.seq_cst or %"), 1) << text;
  EXPECT_EQ(count(text, "trap"), 0) << text;
}

TEST(InlineAssembly, AnythingElseIsATrapNamingItsText) {
  EXPECT_EQ(count(body("__asm__ volatile(\"xsave\" ::: \"memory\");"),
                  "trap \"the inline assembly \\\"xsave\\\"\""),
            1);
}

} // namespace
} // namespace heddle::frontend
