// for, while, do, break, continue, comma, conditional.
#include <assert.h>
int main(void) {
  int sum = 0;
  for (int i = 0, j = 10; i < j; ++i, --j) {
    if (i == 2)
      continue;
    sum += i < 3 ? i : 1;
  }
  int k = 0;
  do
    ++k;
  while (k < 3);
  while (1) {
    if (++k > 5)
      break;
  }
  assert(sum == 3 && k == 6);
  return 0;
}
