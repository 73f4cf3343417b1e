// Statement expressions and __typeof__, as kernel-style code uses them.
#include <assert.h>
#define MAX(a, b) ({ __typeof__(a) x = (a); __typeof__(b) y = (b); x > y ? x : y; })
int main(void) {
  volatile int i = 3;
  assert(MAX(i, 2) == 3 && MAX(i - 5, 2) == 2);
  return 0;
}
