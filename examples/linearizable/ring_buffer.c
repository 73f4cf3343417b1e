// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A ring buffer of two places for one producer and one consumer (Lamport 1977). put says whether
// there was room. With FENCE nothing is delayed past a return; without PSO_FENCE the index may reach
// memory before the element. With BROKEN the index is raised before the element is written.
//
//   heddle linearizable ring_buffer.c --object queue --functions enqueue=put,dequeue=get
//     --roles enqueue/dequeue --capacity 2
#include <stdatomic.h>
#include <stdbool.h>

#define PLACES 2U
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&(x), (v), memory_order_relaxed)

static atomic_int elements[PLACES];
static atomic_uint first; // written by the consumer
static atomic_uint next;  // written by the producer

static void end(void) {
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
}

bool put(int value) {
  const unsigned place = LOAD(next);
  if (place - LOAD(first) == PLACES)
    return false;
#ifdef BROKEN
  STORE(next, place + 1);
  STORE(elements[place % PLACES], value);
#else
  STORE(elements[place % PLACES], value);
#ifdef PSO_FENCE
  atomic_thread_fence(memory_order_release);
#endif
  STORE(next, place + 1);
#endif
  end();
  return true;
}

int get(void) {
  const unsigned place = LOAD(first);
  if (place == LOAD(next))
    return -1;
  const int value = LOAD(elements[place % PLACES]);
  STORE(first, place + 1);
  end();
  return value;
}
