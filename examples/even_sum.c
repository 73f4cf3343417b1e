// A sum of even numbers stays even, however many there are: no bound shows that, induction over the turns of the loop does.
//   heddle verify examples/even_sum.c --engine bounded
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned sum = 0;
  while (__VERIFIER_nondet_int()) {
    sum += 2u * (unsigned)__VERIFIER_nondet_int();
    assert(sum % 2 == 0);
  }
  return 0;
}
