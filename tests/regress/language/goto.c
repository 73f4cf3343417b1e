// goto forwards, backwards and into a loop.
#include <assert.h>
int main(void) {
  int i = 0, n = 0;
  goto middle;
  again:
  for (i = 0; i < 2; ++i) {
  middle:
    ++n;
  }
  if (n < 5)
    goto again;
  assert(n == 6 && i == 2);
  return 0;
}
