// The __sync builtins.
#include <assert.h>
int main(void) {
  int x = 5;
  assert(__sync_fetch_and_add(&x, 2) == 5 && x == 7);
  assert(__sync_sub_and_fetch(&x, 1) == 6);
  assert(__sync_fetch_and_or(&x, 1) == 6 && x == 7);
  assert(__sync_fetch_and_and(&x, 3) == 7 && x == 3);
  assert(__sync_fetch_and_xor(&x, 1) == 3 && x == 2);
  assert(__sync_bool_compare_and_swap(&x, 2, 9) && x == 9);
  assert(!__sync_bool_compare_and_swap(&x, 2, 1));
  assert(__sync_val_compare_and_swap(&x, 9, 4) == 9 && x == 4);
  assert(__sync_lock_test_and_set(&x, 1) == 4);
  __sync_lock_release(&x);
  assert(x == 0);
  return 0;
}
