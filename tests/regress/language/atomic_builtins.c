// The __atomic builtins, several sizes.
#include <assert.h>
int main(void) {
  char c = 1;
  short s = 2;
  long long w = 3;
  int expected = 0, x = 1;
  assert(__atomic_fetch_add(&c, 1, __ATOMIC_RELAXED) == 1 && c == 2);
  assert(__atomic_add_fetch(&s, 5, __ATOMIC_ACQ_REL) == 7);
  assert(__atomic_exchange_n(&w, 9, __ATOMIC_SEQ_CST) == 3);
  __atomic_store_n(&x, 4, __ATOMIC_RELEASE);
  assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 4);
  assert(!__atomic_compare_exchange_n(&x, &expected, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && expected == 4);
  assert(__atomic_compare_exchange_n(&x, &expected, 8, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && x == 8);
  assert(__atomic_nand_fetch(&x, 8, __ATOMIC_SEQ_CST) == -9);
  assert(!__atomic_test_and_set(&c, __ATOMIC_SEQ_CST) == 0);
  __atomic_clear(&c, __ATOMIC_SEQ_CST);
  assert(c == 0);
  return 0;
}
