// A failing assert is a violation.
#include <assert.h>
int main(void) {
  volatile int x = 1;
  assert(x == 2);
  return 0;
}
