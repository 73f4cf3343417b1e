// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// The handle of a thread that has ended, and was joined or detached, may be that of a later one.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static void* work(void* unused) { return unused; }

#if defined(OTHER_JOINS)
static pthread_t first;
static void* join(void* unused) {
  pthread_join(first, NULL);
  return unused;
}
#elif defined(SELF)
static pthread_t last;
static void* tell(void* unused) {
  assert(!pthread_equal(last, pthread_self()));
  last = pthread_self();
  return unused;
}
#endif

int main(void) {
  pthread_t one, two;
#if defined(DETACHED)
  pthread_create(&one, NULL, work, NULL);
  pthread_detach(one);
  pthread_create(&two, NULL, work, NULL);
  assert(!pthread_equal(one, two));
#elif defined(OTHER_JOINS)
  pthread_create(&first, NULL, work, NULL);
  pthread_create(&one, NULL, join, NULL);
  pthread_create(&two, NULL, work, NULL);
  assert(!pthread_equal(first, two));
#elif defined(SELF)
  pthread_create(&one, NULL, tell, NULL);
  pthread_join(one, NULL);
  pthread_create(&two, NULL, tell, NULL);
  pthread_join(two, NULL);
#elif defined(OLDER)
  pthread_t three;
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  pthread_create(&three, NULL, work, NULL);
  assert(!pthread_equal(two, three));
#else // none is used again
  pthread_create(&one, NULL, work, NULL);
  pthread_create(&two, NULL, work, NULL);
  assert(!pthread_equal(one, two));
  pthread_join(one, NULL);
  pthread_join(two, NULL);
#endif
  return 0;
}
