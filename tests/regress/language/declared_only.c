// A function only declared, or only address-taken, is no error.
#include <assert.h>
int never_called(int);
int (*pointer)(int) = never_called;
int main(void) {
  assert(pointer != 0);
  return 0;
}
