// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Fields of different sizes in one object: some are accessed as a whole by everybody, one (HALVES) also in halves, and
// in a packed structure one is not where its size would put it (PACKED).
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef PACKED
struct __attribute__((packed)) record {
  int32_t ready;
  int64_t wide;
};
#else
struct record {
  int64_t wide;
  int32_t ready;
};
#endif

static struct record records[2];
static atomic_int chosen;

#ifdef HALVES
typedef int32_t __attribute__((may_alias)) half;
#endif

static void *writer(void *argument) {
  (void)argument;
  struct record *const mine = &records[1];
#ifdef HALVES
  ((half *)&mine->wide)[0] = 1;
  ((half *)&mine->wide)[1] = 1;
#else
  mine->wide = 0x100000001;
#endif
  mine->ready = 7;
  atomic_store_explicit(&chosen, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  struct record *const seen = &records[atomic_load_explicit(&chosen, ORDER)];
  const int64_t wide = seen->wide;
  if (seen->ready == 7)
    assert(wide == 0x100000001);
  pthread_join(thread, 0);
  assert(records[0].wide == 0);
#ifdef WRONG
  assert(records[1].wide == 1);
#else
  assert(records[1].wide == 0x100000001);
#endif
}
