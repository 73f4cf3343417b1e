// && and || evaluate the right side only when needed.
#include <assert.h>
static int calls;
static int f(int r) {
  ++calls;
  return r;
}
int main(void) {
  assert(!(f(0) && f(1)) && calls == 1);
  assert((f(1) || f(0)) && calls == 2);
  return 0;
}
