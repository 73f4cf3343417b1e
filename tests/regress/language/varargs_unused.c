// A variadic function that does not look at its further arguments.
#include <assert.h>
static int first(int n, ...) { return n; }
int main(void) {
  assert(first(3, 4, 5) == 3);
  return 0;
}
