// __builtin_add_overflow and kin tell about overflow without overflowing.
#include <limits.h>
#include <assert.h>
int main(void) {
  int r;
  volatile int big = INT_MAX;
  assert(__builtin_add_overflow(big, 1, &r) && r == INT_MIN);
  assert(!__builtin_sub_overflow(big, 1, &r) && r == INT_MAX - 1);
  assert(__builtin_mul_overflow(big, 2, &r));
  return 0;
}
