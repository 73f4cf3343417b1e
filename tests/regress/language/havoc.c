// --havoc accepts an external function: it returns anything and touches nothing.
#include <assert.h>
unsigned char mystery(int);
int x;
int main(void) {
  unsigned char r = mystery(x);
  assert(x == 0);
  (void)r;
  return 0;
}
