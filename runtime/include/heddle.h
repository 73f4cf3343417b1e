/* Copyright (c) 2026 The Heddle authors. */
/* SPDX-License-Identifier: Apache-2.0 */
/* */
/* What an analysed program may say to heddle. Every function here is known by name: no definition is needed, and a */
/* program that declares them itself need not include this file. */
#ifndef HEDDLE_H
#define HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Any value of the type. */
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern void *__VERIFIER_nondet_pointer(void);

/* A run in which the condition is false does not count. */
extern void __VERIFIER_assume(int condition);
/* The property "reach" is violated where the condition is false. */
extern void __VERIFIER_assert(int condition);
/* A call is the violation. */
extern void reach_error(void);

/* No other thread steps between the two. Functions named __VERIFIER_atomic_... run so from entry to return. */
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

/* The loop that follows runs at most that often. */
extern void __VERIFIER_loop_bound(unsigned bound);

/* One iteration of a waiting loop, which changes nothing but what it reads; `left` says whether the loop is left. */
extern void __VERIFIER_spin_start(void);
extern void __VERIFIER_spin_end(int left);
extern void __VERIFIER_loop_begin(void);

/* A number of the running thread, different from every other live thread's. */
extern int __VERIFIER_tid(void);

/* Waits while the condition, which must have no side effect, holds. */
#define await_while(condition)                                                                     \
  for (int heddle_waits = (__VERIFIER_loop_begin(), 0);                                            \
       (__VERIFIER_spin_start(), heddle_waits = !!(condition),                                     \
       __VERIFIER_spin_end(!heddle_waits), heddle_waits);)

#ifdef __cplusplus
}
#endif

#endif
