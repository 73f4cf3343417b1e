# Copyright (c) 2026 The Heddle authors.
# SPDX-License-Identifier: Apache-2.0
"""Programs that take longer than any limit in one part of the tool or another, for run_limits.py. Each is a function of no
arguments that gives the text; names are those of the files."""

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
"""


def threads(count, body, check="1", before=""):
    """That many threads at once, which are joined."""
    return (HEAD + before + "static void *worker(void *a) { (void)a; " + body + " return 0; }\n"
            f"int main(void) {{ pthread_t p[{count}]; for (int i = 0; i < {count}; i++) pthread_create(&p[i], 0, worker, 0);\n"
            f"  for (int i = 0; i < {count}; i++) pthread_join(p[i], 0); assert({check}); return 0; }}\n")


def endless_count():
    return "int x;\nint main(void) { while (1) x++; }\n"


def long_loop():
    return threads(1, "for (int i = 0; i < 100000; i++) x++;", "x == 5", "int x;\n")


def long_loop_and_race():
    return (HEAD + "int x, y;\nstatic void *w(void *a) { for (int i = 0; i < 30000; i++) x++; y = 1; return 0; }\n"
            "int main(void) { pthread_t p; pthread_create(&p, 0, w, 0); for (int i = 0; i < 30000; i++) atomic_thread_fence(5);\n"
            "  assert(y == 0 || x != 30000); return 0; }\n")


def long_loops_6_threads():
    return threads(6, "for (int i = 0; i < 100000; i++) x++;", "x <= 600000", "atomic_int x;\n")


def nested_loops():
    return threads(2, "for (int i = 0; i < 1000; i++) for (int j = 0; j < 1000; j++) x += i ^ j;", "x != 17", "atomic_int x;\n")


def loops_by_input():
    return threads(3, "unsigned n = __VERIFIER_nondet_uint(); for (unsigned i = 0; i < n; i++) { x++; y += x; }", "y != 77",
                   "atomic_int x; atomic_int y;\n")


def recursion():
    return (HEAD + "static unsigned count(unsigned n) { return n == 0 ? 0 : 1 + count(n - 1); }\n"
            "static void *w(void *a) { unsigned n = __VERIFIER_nondet_uint(); assert(count(n) == n); return 0; }\n"
            "int main(void) { pthread_t p, q; pthread_create(&p, 0, w, 0); pthread_create(&q, 0, w, 0); return 0; }\n")


def deep_recursion():
    return (HEAD + "int x;\nstatic int down(int n) { x++; return n == 0 ? 0 : 1 + down(n - 1); }\n"
            "int main(void) { assert(down(100000) == 100000); return 0; }\n")


def mutual_recursion():
    return (HEAD + "int x;\nint odd(unsigned n);\nint even(unsigned n) { x++; return n == 0 ? 1 : odd(n - 1); }\n"
            "int odd(unsigned n) { x--; return n == 0 ? 0 : even(n - 1); }\n"
            "static void *w(void *a) { even(__VERIFIER_nondet_uint()); return 0; }\n"
            "int main(void) { pthread_t p; pthread_create(&p, 0, w, 0); assert(even(__VERIFIER_nondet_uint()) || x); return 0; }\n")


def fibonacci():
    return (HEAD + "static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
            "int main(void) { assert(fib(30) == 832040); return 0; }\n")


def many_threads():
    return threads(200, "x++;", "x == 200", "atomic_int x;\n")


def many_threads_and_a_lock():
    return threads(30, "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);", "x == 30",
                   "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n")


def endless_threads():
    return (HEAD + "int x;\nstatic void *w(void *a) { x++; return 0; }\n"
            "int main(void) { while (1) { pthread_t p; pthread_create(&p, 0, w, 0); } }\n")


def big_array():
    return (HEAD + "int a[1 << 20];\nstatic void *w(void *p) { for (int i = 0; i < 1 << 20; i++) a[i] = i; return 0; }\n"
            "int main(void) { pthread_t p; pthread_create(&p, 0, w, 0); int i = __VERIFIER_nondet_int();\n"
            "  if (i >= 0 && i < 1 << 20) assert(a[i] == 0 || a[i] == i); return 0; }\n")


def initialised_array():
    return (HEAD + "int *a[1 << 18] = {(int *)a};\nint main(void) { for (int i = 0; i < 1 << 18; i++) a[i] = (int *)&a[i];\n"
            "  unsigned i = __VERIFIER_nondet_uint(); if (i < 1 << 18) assert(*a[i]); return 0; }\n")


def big_block():
    return (HEAD + "char *p;\nstatic void *w(void *a) { memset(p, 1, 1 << 22); return 0; }\n"
            "int main(void) { p = malloc(1 << 22); memset(p, 0, 1 << 22); pthread_t t; pthread_create(&t, 0, w, 0);\n"
            "  assert(p[__VERIFIER_nondet_uint() & 1023] < 2); return 0; }\n")


def barriers():
    return threads(6, "for (int i = 0; i < 20; i++) { u.n++; pthread_barrier_wait(&u.b); }", "1",
                   "union { pthread_barrier_t b; atomic_int n; } u;\n")


def barrier_phases():
    return threads(8, "for (int i = 0; i < 50; i++) { x++; if (n == 8) pthread_barrier_wait(&b); n = i; }", "x <= 400",
                   "pthread_barrier_t b; atomic_int x, n;\n")


def queue():
    return (HEAD + "#define N 16\nint ring[N]; atomic_uint head, tail;\n"
            "static int put(int v) { unsigned t = tail; if (t - head == N) return 0; ring[t % N] = v; tail = t + 1; return 1; }\n"
            "static int get(int *v) { unsigned h = head; if (h == tail) return 0; *v = ring[h % N]; head = h + 1; return 1; }\n"
            "static void *w(void *a) { for (int i = 1; i <= 100; i++) while (!put(i)) ; return 0; }\n"
            "int main(void) { pthread_t p; pthread_create(&p, 0, w, 0); int v;\n"
            "  for (int i = 1; i <= 100; i++) { while (!get(&v)) ; assert(v == i); } return 0; }\n")


def linked_queue():
    return (HEAD + "struct n { struct n *_Atomic next; int v; }; struct n *_Atomic top;\n"
            "static void *w(void *a) { for (int i = 0; i < 50; i++) { struct n *n = malloc(sizeof *n); n->v = i; struct n *t = top;\n"
            "  do n->next = t; while (!atomic_compare_exchange_weak(&top, &t, n)); } return 0; }\n"
            "int main(void) { pthread_t p, q; pthread_create(&p, 0, w, 0); pthread_create(&q, 0, w, 0);\n"
            "  for (struct n *n = top; n; n = n->next) assert(n->v < 50); return 0; }\n")


def spins():
    return threads(4, "for (int i = 0; i < 100; i++) { int e = 0; while (!atomic_compare_exchange_weak(&l, &e, 1)) e = 0; x++; l = 0; }",
                   "x == 400", "atomic_int l; int x;\n")


def straight_line():
    body = "\n".join(f"  x{i % 50} = x{(i * 7 + 3) % 50} + {i};" for i in range(6000))
    names = ", ".join(f"x{i}" for i in range(50))
    return threads(3, body, "x1 != 3", f"atomic_int {names};\n")


def branches():
    body = "\n".join(f"  if (x == {i}) y += {i}; else x++;" for i in range(300))
    return threads(3, body, "y != 99", "atomic_int x, y;\n")


def calls_of_calls():
    """Inlined there are 2 to the power of 24 calls."""
    text = HEAD + "atomic_int x;\nstatic void f0(void) { x++; }\n"
    for i in range(1, 25):
        text += f"static void f{i}(void) {{ f{i - 1}(); f{i - 1}(); }}\n"
    return text + ("static void *w(void *a) { f24(); return 0; }\n"
                   "int main(void) { pthread_t p; pthread_create(&p, 0, w, 0); f24(); assert(x); return 0; }\n")


def many_pointers():
    text = HEAD + "int *p[400]; int v[400];\n" + "".join(f"int *q{i};\n" for i in range(400))
    body = "".join(f"  q{i} = x == {i} ? p[{i}] : q{(i * 31 + 7) % 400}; *q{(i * 17) % 400} += 1;\n  p[{i}] = q{(i * 13) % 400};\n"
                   for i in range(400))
    return (text + "static void *w(void *a) { int x = __VERIFIER_nondet_int();\n" + body + "return 0; }\n"
            "int main(void) { for (int i = 0; i < 400; i++) p[i] = &v[i]; pthread_t t; pthread_create(&t, 0, w, 0); w(0); return 0; }\n")


def wide_inputs():
    body = "".join(f"  x{i} = __VERIFIER_nondet_int();\n" for i in range(12))
    checks = " + ".join(f"x{i} * x{(i + 1) % 12}" for i in range(12))
    return threads(2, body, f"{checks} != 12345", "int " + ", ".join(f"x{i}" for i in range(12)) + ";\n")


def multiplication():
    return (HEAD + "int main(void) { unsigned long a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();\n"
            "  if (a > 1 && b > 1) assert(a * b != 18446744030759878681ul); return 0; }\n")


def slow_to_compile():
    text = "".join(f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1}\n" for i in range(1, 13))
    return "#define A0 x++;\n" + text + "int x;\nint main(void) { A12 return x; }\n"


def deadlock():
    return (HEAD + "pthread_mutex_t m[8]; atomic_int x;\nstatic void *w(void *a) { for (int i = 0; i < 8; i++) {\n"
            "  pthread_mutex_lock(&m[(i + x) % 8]); x++; } for (int i = 0; i < 8; i++) pthread_mutex_unlock(&m[i]); return 0; }\n"
            "int main(void) { pthread_t p[5]; for (int i = 0; i < 8; i++) pthread_mutex_init(&m[i], 0);\n"
            "  for (int i = 0; i < 5; i++) pthread_create(&p[i], 0, w, 0); return 0; }\n")


def conditions():
    return (HEAD + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int n;\n"
            "static void *w(void *a) { for (int i = 0; i < 40; i++) { pthread_mutex_lock(&m); while (n > 3) pthread_cond_wait(&c, &m); n++;\n"
            "  pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); } return 0; }\n"
            "static void *r(void *a) { for (int i = 0; i < 40; i++) { pthread_mutex_lock(&m); while (n == 0) pthread_cond_wait(&c, &m); n--;\n"
            "  pthread_cond_broadcast(&c); pthread_mutex_unlock(&m); } return 0; }\n"
            "int main(void) { pthread_t p[4]; for (int i = 0; i < 4; i++) pthread_create(&p[i], 0, i & 1 ? w : r, 0);\n"
            "  for (int i = 0; i < 4; i++) pthread_join(p[i], 0); assert(n == 0); return 0; }\n")


def stack():
    """For linearizable: push and pop of a stack with a lock."""
    return (HEAD + "int s[64], n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
            "void push(int v) { pthread_mutex_lock(&m); s[n++] = v; pthread_mutex_unlock(&m); }\n"
            "int pop(void) { int v = -1; pthread_mutex_lock(&m); if (n) v = s[--n]; pthread_mutex_unlock(&m); return v; }\n")


def many_stores():
    """A litmus test with more coherence orders than anybody can list."""
    lines = ["X86 many", "{ }", " " + " | ".join(f"P{t}" for t in range(6)) + " ;"]
    for i in range(6):
        lines.append(" " + " | ".join(f"MOV [x],${6 * i + t + 1}" for t in range(6)) + " ;")
    return "\n".join(lines) + "\nexists (x=4)\n"


def many_reads():
    lines = ["C many", "{ }"]
    for t in range(6):
        body = " ".join(f"int r{i} = atomic_load_explicit({'xy'[(i + t) % 2]}, memory_order_relaxed); "
                        f"atomic_store_explicit({'yx'[(i + t) % 2]}, {i + 2}, memory_order_relaxed);" for i in range(4))
        lines.append(f"P{t}(atomic_int* x, atomic_int* y) {{ {body} }}")
    return "\n".join(lines) + "\nexists (0:r0=1)\n"


def lock_after_setup():
    """A long loop of accesses that others could see before there are others."""
    return (HEAD + "atomic_int n;\nstatic void *w(void *a) { (void)a; assert(0); return 0; }\n"
            "int main(void) { for (int i = 0; i < 1000 + n; i++) n = 0; pthread_t t; pthread_create(&t, 0, w, 0); return 0; }\n")


def exchange_lock():
    return threads(3, "for (int i = 0; i < 3; i++) { while (atomic_exchange(&l, 1)) x += 0; x++; atomic_store(&l, 0); }", "x >= 0",
                   "atomic_int l; int x;\n")


def fenced_lock():
    return threads(2, "for (;;) { while (atomic_exchange_explicit(&l, 1, 0)) atomic_thread_fence(2); atomic_thread_fence(5); x++; "
                   "atomic_thread_fence(5); atomic_store_explicit(&l, 0, 0); }", "1", "atomic_int l; int x;\n")


def fetch_or():
    return threads(2, "for (int i = 0; i < 50; i++) { while (atomic_fetch_or(&l, 1) & 1) n++; x++; atomic_fetch_and(&l, ~1); }", "1",
                   "atomic_int l, n; int x;\n")


def big_memset():
    return (HEAD + "char a[65536];\nint main(void) { for (;;) { memset(a, __VERIFIER_nondet_int() & 1, sizeof a); "
            "assert(a[7] < 2); } }\n")


def big_memcpy():
    return (HEAD + "char a[65536], b[65536];\nint main(void) { for (;;) { a[7] ^= 1; memcpy(b, a, sizeof a); assert(b[7] == a[7]); } }\n")


def threads_in_turn():
    return (HEAD + "int g;\nstatic void *t(void *a) { g++; return a; }\nint main(void) { unsigned n = __VERIFIER_nondet_uint() % 100;\n"
            "  for (unsigned i = 0; i < n; i++) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); }\n"
            "  assert(g == (int)n); return 0; }\n")


C_PROGRAMS = (endless_count, long_loop, long_loop_and_race, long_loops_6_threads, nested_loops, loops_by_input, recursion,
              deep_recursion, mutual_recursion, fibonacci, many_threads, many_threads_and_a_lock, endless_threads, big_array,
              initialised_array, big_block, barriers, barrier_phases, queue, linked_queue, spins, straight_line, branches,
              calls_of_calls, many_pointers, wide_inputs, multiplication, slow_to_compile, deadlock, conditions,
              lock_after_setup, exchange_lock, fenced_lock, fetch_or, big_memset, big_memcpy, threads_in_turn)
TESTS = (many_stores, many_reads)
