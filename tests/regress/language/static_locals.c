// Static locals keep their value between calls and are shared by threads.
#include <assert.h>
static int next(void) {
  static int n = 3;
  return ++n;
}
static int other(void) {
  static int n;
  return ++n;
}
int main(void) {
  assert(next() == 4 && next() == 5 && other() == 1);
  return 0;
}
