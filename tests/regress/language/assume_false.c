// A failed assume on every path: the proof is vacuous, and the report says that no run completes.
#include <assert.h>
void __VERIFIER_assume(int);
int main(void) {
  __VERIFIER_assume(0);
  assert(0);
  return 0;
}
