// A lock that sleeps in the kernel: 0 free, 1 taken, 2 taken with waiters.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
static int word, count;
static void lock(void) {
  int seen = __sync_val_compare_and_swap(&word, 0, 1);
  while (seen != 0) {
    if (seen == 2 || __sync_val_compare_and_swap(&word, 1, 2) != 0)
      syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
    seen = __sync_val_compare_and_swap(&word, 0, 2);
  }
}
static void unlock(void) {
#ifdef NO_WAKE
  __sync_lock_release(&word);
#else
  if (__sync_fetch_and_sub(&word, 1) != 1) {
    __sync_lock_release(&word);
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
#endif
}
static void* worker(void* p) {
  lock();
  ++count;
  unlock();
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  assert(count == 2);
#ifdef OTHER
  syscall(SYS_getppid);
#endif
  return 0;
}
