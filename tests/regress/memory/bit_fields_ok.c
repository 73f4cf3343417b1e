// Bit-fields in a heap struct: neighbours keep their values.
#include <assert.h>
#include <stdlib.h>
struct bits {
  unsigned a : 3, b : 5, c : 9;
  signed d : 4;
};
int main(void) {
  struct bits* p = calloc(1, sizeof *p);
  p->a = 5;
  p->b = 17;
  p->c = 300;
  p->d = -3;
  assert(p->a == 5 && p->b == 17 && p->c == 300 && p->d == -3);
  p->b = 40; // modulo 32
  assert(p->a == 5 && p->b == 8 && p->c == 300 && p->d == -3);
  free(p);
  return 0;
}
