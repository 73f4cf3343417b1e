// An arbitrary value is kept: two reads agree.
#include <assert.h>
int main(void) {
  unsigned char x;
  unsigned char y = x;
  assert(x == y);
  assert(x == y);
  return 0;
}
