// The body of a C99 inline function without external definition is used.
#include <assert.h>
inline int twice(int x) { return 2 * x; }
int main(void) {
  volatile int i = 21;
  assert(twice(i) == 42);
  return 0;
}
