// What <genmc.h> says of threads and of exchanges that help.
#include <assert.h>
#include <genmc.h>
#include <stdatomic.h>

static atomic_int tail;

static void *advance(void *argument) {
  int seen = tail;
  __VERIFIER_helping_CAS(atomic_compare_exchange_strong(&tail, &seen, seen + 1););
  return argument;
}

int main(void) {
  __VERIFIER_thread_t one = __VERIFIER_spawn(advance, 0);
  __VERIFIER_thread_t other = __VERIFIER_spawn_symmetric(advance, &tail, one);
  __VERIFIER_join(one);
  assert(__VERIFIER_join(other) == &tail);
#ifdef WRONG
  assert(tail == 2);
#else
  assert(tail == 1 || tail == 2);
#endif
  return 0;
}
