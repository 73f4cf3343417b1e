// --unwind larger than needed: a full proof.
#include <assert.h>
int main(void) {
  int n = 0;
  for (volatile int i = 0; i < 4; ++i)
    ++n;
  assert(n == 4);
  return 0;
}
