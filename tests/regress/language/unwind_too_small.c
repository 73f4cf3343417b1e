// A loop cut by --unwind: what holds so far holds within bounds only.
#include <assert.h>
int main(void) {
  int n = 0;
  for (volatile int i = 0; i < 10; ++i)
    ++n;
  assert(n == 10);
  return 0;
}
