// switch with fall-through, default in the middle, a range and nested loops.
#include <assert.h>
static int f(int x) {
  int r = 0;
  switch (x) {
  case 1:
    r = 1;
  case 2:
    r += 10;
    break;
  default:
    r = -1;
    break;
  case 4 ... 6:
    for (;;) {
      r = 4;
      break;
    }
  }
  return r;
}
int main(void) {
  volatile int i = 1;
  assert(f(i) == 11 && f(i + 1) == 10 && f(i + 2) == -1 && f(i + 4) == 4 && f(-i) == -1);
  return 0;
}
