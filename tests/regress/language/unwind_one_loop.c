// Two loops: the bound of one is enough, that of all others is not. How often the first goes round is in memory.
#include <assert.h>
volatile int first, second;
int main(void) {
  for (int i = first; i < 6; ++i)
    first = first + 1;
  for (int i = 0; i < 2; ++i)
    second = second + 1;
  assert(first == 6);
  return 0;
}
