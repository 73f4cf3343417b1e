// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A thread that parks until another one has unparked it, as in a runtime's scheduler: a permit that is looked at without the
// lock first. D. Dice, "A race in LockSupport park() arising from weak memory models", 2009. Under TSO the permit that is
// taken back can still be in the store buffer when the condition for which the thread waits is read, so that it parks with
// nobody to wake it.
#include <assert.h>
#include <pthread.h>

volatile int permit;
volatile int condition;
volatile int parked, released;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void unpark(void) {
  pthread_mutex_lock(&lock);
  int had = permit;
  permit = 1;
  if (!had)
    released = 1;
  pthread_mutex_unlock(&lock);
}

/// True: it would wait.
static int park(void) {
  if (permit) {
    permit = 0;
    return 0; // an early return, without the fence that the lock would be
  }
  pthread_mutex_lock(&lock);
  int waits = !permit;
  permit = 0;
  pthread_mutex_unlock(&lock);
  return waits;
}

static void *waiter(void *unused) {
  for (int i = 0; i < 2; i++) {
    if (condition)
      return unused;
    released = 0;
    if (park()) {
      parked = 1;
      return unused;
    }
  }
  return unused;
}

static void *waker(void *unused) {
  condition = 1;
  unpark();
  return unused;
}

int main(void) {
  pthread_t a, b;
  permit = 1; // left over from an earlier wake-up
  pthread_create(&a, 0, waiter, 0);
  pthread_create(&b, 0, waker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(parked && !permit && !released));
  return 0;
}
