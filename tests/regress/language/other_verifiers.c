// Headers of other verifiers are there.
#ifdef GENMC
#include <genmc.h>
#else
#include <dat3m.h>
#endif
#include <assert.h>
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3 && x < 6);
  __VERIFIER_loop_bound(3);
  for (int i = 0; i < 2; ++i)
    ++x;
  assert(x == 6 || x == 7);
  return 0;
}
