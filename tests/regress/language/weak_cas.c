// A weak compare-exchange may fail for no reason.
#include <stdatomic.h>
void reach_error(void);
atomic_int x;
int main(void) {
  int expected = 0;
  if (!atomic_compare_exchange_weak(&x, &expected, 1))
    reach_error();
  return 0;
}
