// A 32-bit nondeterministic value cannot be enumerated by the explicit engine: it says so instead of claiming a proof.
int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  assert(x * 0 == 0);
  if (x > 0)
    assert(x != 0);
  return 0;
}
