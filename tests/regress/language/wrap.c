// Unsigned arithmetic wraps; signed overflow wraps unless overflow is asked.
#include <limits.h>
#include <assert.h>
int main(void) {
  volatile unsigned u = UINT_MAX;
  u = u + 1;
  assert(u == 0);
  volatile int i = INT_MAX;
  i = i + 1;
  assert(i == INT_MIN);
  return 0;
}
