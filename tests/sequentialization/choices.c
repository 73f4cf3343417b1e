// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Runs a program that `heddle translate --via lazy|eager --to c` made (compiled with -Dmain=generated) again and again, each
// time with other choices: choices COUNT SEED. The last line is `COUNT runs, N violations`. How likely a yes or a large number
// is differs from run to run, but not along a run.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int generated(int count, char **words);

enum { VIOLATED = 10, DISCARDED = 11 };

static unsigned long long state;
static unsigned one_of; // a yes is one of so many
static unsigned large;  // eighths of the numbers

static unsigned long long any(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state * 0x2545f4914f6cdd1dull;
}

static unsigned long long below(unsigned long long limit) { return (any() >> 32) % limit; }

// Small numbers count threads, cells and positions; larger ones are places of the program.
static unsigned long long number(unsigned bits) { return below(8) < large ? any() >> (64 - bits) : below(4); }

_Bool __VERIFIER_nondet_bool(void) { return below(one_of) == 0; }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)number(8); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)number(16); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)number(32); }
unsigned long long __VERIFIER_nondet_ulonglong(void) { return number(64); }
void __VERIFIER_assume(int condition) {
  if (!condition)
    _exit(DISCARDED);
}
void __VERIFIER_atomic_begin(void) {}
void __VERIFIER_atomic_end(void) {}
void reach_error(void) { _exit(VIOLATED); }

int main(int count, char **words) {
  if (count != 3)
    return 2;
  const unsigned long runs = strtoul(words[1], 0, 10);
  const unsigned long long seed = strtoull(words[2], 0, 10);
  unsigned long violations = 0;
  for (unsigned long run = 0; run < runs; ++run) {
    const pid_t child = fork();
    if (child < 0)
      return 2;
    if (child == 0) {
      state = (seed * 1000003 + run + 1) * 0x9e3779b97f4a7c15ull;
      any();
      one_of = 2u << below(5);
      large = (unsigned)below(9);
      generated(1, words);
      _exit(0);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
      printf("run %lu did not end\n", run);
      return 2;
    }
    violations += WEXITSTATUS(status) == VIOLATED;
    if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != VIOLATED && WEXITSTATUS(status) != DISCARDED) {
      printf("run %lu ended with %d\n", run, WEXITSTATUS(status));
      return 2;
    }
  }
  printf("%lu runs, %lu violations\n", runs, violations);
  return 0;
}
