// The older and the newer atomic built-in functions of GCC.
#include <pthread.h>
#include <assert.h>
static int lock;
static int counter;
static long total;
static char c;
static void take(void) {
  while (__sync_lock_test_and_set(&lock, 1))
    while (__atomic_load_n(&lock, __ATOMIC_RELAXED))
      ;
}
static void give(void) { __sync_lock_release(&lock); }
void* work(void* a) {
#ifndef BROKEN
  take();
#endif
  counter++;
#ifndef BROKEN
  give();
#endif
  __sync_fetch_and_add(&total, 5);
  __sync_add_and_fetch(&total, -2L);
  __atomic_or_fetch(&c, 1, __ATOMIC_SEQ_CST);
  __sync_bool_compare_and_swap(&c, 1, 3);
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(t + i, 0, work, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(counter == 2 && total == 6 && c == 3);
  assert(__sync_val_compare_and_swap(&counter, 2, 10) == 2);
  long e = 6, d = 8;
  assert(__atomic_compare_exchange(&total, &e, &d, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  long out;
  __atomic_load(&total, &out, __ATOMIC_ACQUIRE);
  assert(out == 8 && __atomic_test_and_set(&lock, __ATOMIC_ACQUIRE) == 0);
  __atomic_clear(&lock, __ATOMIC_RELEASE);
  assert(__atomic_nand_fetch(&counter, 2, __ATOMIC_SEQ_CST) == ~(10 & 2));
}
