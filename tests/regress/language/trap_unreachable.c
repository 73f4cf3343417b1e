// An unknown external function behind a condition that never holds.
#include <assert.h>
int mystery(int);
int x;
int main(void) {
  if (x != 0)
    x = mystery(x);
  assert(x == 0);
  return 0;
}
