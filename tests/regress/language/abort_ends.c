// abort ends the run without a violation.
#include <stdlib.h>
#include <assert.h>
int main(void) {
  volatile int x = 1;
  if (x)
    abort();
  assert(0);
  return 0;
}
