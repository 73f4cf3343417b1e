// <stdatomic.h>: all operations on one thread.
#include <stdatomic.h>
#include <assert.h>
int main(void) {
  atomic_int x;
  atomic_init(&x, 5);
  assert(atomic_fetch_sub(&x, 1) == 5 && atomic_fetch_or(&x, 3) == 4 && atomic_fetch_and(&x, 6) == 7 && atomic_fetch_xor(&x, 1) == 6);
  assert(atomic_load(&x) == 7 && atomic_exchange(&x, 2) == 7);
  int e = 2;
  assert(atomic_compare_exchange_strong(&x, &e, 3) && x == 3);
  x += 4;
  ++x;
  assert(x == 8);
  atomic_flag f = ATOMIC_FLAG_INIT;
  assert(!atomic_flag_test_and_set(&f) && atomic_flag_test_and_set(&f));
  atomic_flag_clear(&f);
  assert(!atomic_flag_test_and_set(&f));
  _Atomic _Bool b = 0;
  assert(!atomic_exchange(&b, 1) && b);
  return 0;
}
