// A 32-bit nondeterministic value cannot be enumerated by the explicit engine, and by itself it says so; a solver proves it.
int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x * 0 == 0);
  if (x > 0)
    assert(x != 0);
  return 0;
}
