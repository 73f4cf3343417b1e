// Recursion, also mutual.
#include <assert.h>
static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }
static int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
int main(void) {
  volatile int n = 5;
  assert(factorial(n) == 120 && odd(n) && !even(n));
  return 0;
}
