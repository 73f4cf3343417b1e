// Variable-length arrays, also two-dimensional, and alloca.
#include <alloca.h>
#include <assert.h>
static int sum(int n) {
  int a[n];
  for (int i = 0; i < n; ++i)
    a[i] = i;
  int s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}
int main(void) {
  volatile int n = 4;
  assert(sum(n) == 6 && sum(1) == 0);
  int m[n][2];
  m[3][1] = 5;
  assert(m[3][1] == 5 && sizeof m == 32);
  char* p = alloca(n);
  p[3] = 1;
  assert(p[3] == 1);
  return 0;
}
