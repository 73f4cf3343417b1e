// An assume discards the runs in which it fails.
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  _Bool b = __VERIFIER_nondet_bool();
  __VERIFIER_assume(a > 3 && a < 6 && b);
  assert((a == 4 || a == 5) && b);
  return 0;
}
