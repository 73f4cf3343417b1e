// A computed goto (an extension of C).
#include <assert.h>
int main(void) {
  static void* const labels[] = {&&one, &&two};
  volatile int i = 1;
  int r = 0;
  goto* labels[i];
  one:
  r += 1;
  two:
  r += 2;
  assert(r == 2);
  return 0;
}
