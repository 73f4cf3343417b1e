// A strong compare-exchange does not fail for no reason.
#include <stdatomic.h>
#include <assert.h>
atomic_int x;
int main(void) {
  int expected = 0;
  assert(atomic_compare_exchange_strong(&x, &expected, 1));
  assert(x == 1);
  return 0;
}
