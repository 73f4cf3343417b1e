// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Atomic accesses of a word and of its halves. Who acquires a part of what was released knows all of it, and a word
// that is read at once is read after all that one of its halves was released after. seq_cst reads of whole words
// agree on the order of seq_cst writes to halves.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union word {
  uint32_t whole;
  uint16_t half[2];
};
static union word shared;

#define LOAD(place) __atomic_load_n(&(place), READ)
#define STORE(place, value) __atomic_store_n(&(place), value, WRITE)

static void *write(void *argument) {
  (void)argument;
#if defined(PARTS)
  __atomic_store_n(&shared.half[0], 1, __ATOMIC_RELAXED);
  STORE(shared.half[1], 1);
#elif defined(ORDER)
  STORE(shared.half[0], 1);
#else
  STORE(shared.whole, 0x00010001);
#endif
  return 0;
}

#ifdef ORDER
static uint32_t seen[2];

static void *write_other(void *argument) {
  (void)argument;
  STORE(shared.half[1], 1);
  return 0;
}

static void *read_first(void *argument) {
  (void)argument;
  seen[0] = LOAD(shared.whole);
  return 0;
}

static void *read_second(void *argument) {
  (void)argument;
  seen[1] = LOAD(shared.whole);
  return 0;
}
#endif

int main(void) {
  pthread_t writer;
  pthread_create(&writer, 0, write, 0);
#if defined(PARTS)
  const uint32_t word = LOAD(shared.whole);
  assert(word != 0x00010000);
#elif defined(ORDER)
  pthread_t other, first, second;
  pthread_create(&other, 0, write_other, 0);
  pthread_create(&first, 0, read_first, 0);
  pthread_create(&second, 0, read_second, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(!(seen[0] == 0x00000001 && seen[1] == 0x00010000));
#else
  const uint16_t one = LOAD(shared.half[FIRST]);
  const uint16_t two = LOAD(shared.half[1 - FIRST]);
  assert(!(one == 1 && two == 0));
#endif
}
