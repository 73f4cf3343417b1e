// A sum of even numbers stays even, however many there are.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned sum = 0;
  while (__VERIFIER_nondet_int()) {
    sum += 2u * (unsigned)__VERIFIER_nondet_int();
#ifdef BROKEN
    assert(sum != 40);
#else
    assert(sum % 2 == 0);
#endif
  }
  return 0;
}
