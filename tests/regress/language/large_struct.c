// A struct too large for registers is passed and returned through memory.
#include <assert.h>
struct big {
  int a[8];
};
static struct big fill(struct big b, int n) {
  b.a[7] = n;
  return b;
}
int main(void) {
  struct big b = {{1, 2, 3}};
  struct big c = fill(b, 7);
  assert(c.a[7] == 7 && c.a[2] == 3 && b.a[7] == 0);
  return 0;
}
