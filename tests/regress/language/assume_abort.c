// assume_abort_if_not as SV-COMP programs define it.
extern void abort(void);
#include <assert.h>
unsigned char __VERIFIER_nondet_uchar(void);
void assume_abort_if_not(int cond) {
  if (!cond)
    abort();
}
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  assume_abort_if_not(a < 2);
  assert(a * a == a);
  return 0;
}
