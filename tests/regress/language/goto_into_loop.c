// Loops that are entered in the middle, too: what holds where one begins says nothing of who comes in there.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int i, n = 0, inner = 0;
#ifdef HEAD_LAST
  if (__VERIFIER_nondet_int())
    goto head;
  i = 5;
  n = 1;
  goto middle;
head:
#else
  if (__VERIFIER_nondet_int()) {
    i = 5;
    n = 1;
    goto middle;
  }
#endif
  i = 0;
  n = 2;
  while (i < 8) {
    for (int j = 0; j < n; j++)
      inner++;
    i++;
  middle:
#ifdef BEHIND
    for (int j = 0; j < n; j++)
      inner++;
#endif
#ifdef IN_TURN
    assert(i != 5 || n == 2);
#endif
  }
#if defined(FEW)
  assert(inner != 3);
#elif defined(FEW_BEHIND)
  assert(inner != 3 + 4);
#elif defined(MANY)
  assert(inner != 2 * 8);
#elif defined(MANY_BEHIND)
  assert(inner != 2 * 8 + 2 * 8);
#elif defined(BEHIND)
  assert(inner == (n == 1 ? 3 + 4 : 2 * 8 + 2 * 8));
#else
  assert(inner == (n == 1 ? 3 : 2 * 8));
#endif
  return 0;
}
