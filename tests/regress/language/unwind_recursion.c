// Recursion is cut like a loop.
#include <assert.h>
volatile int deepest;
static void down(int n) {
  deepest = n;
  if (n < 4)
    down(n + 1);
}
int main(void) {
  down(0);
  assert(deepest == 4);
  assert(deepest != 4);
  return 0;
}
