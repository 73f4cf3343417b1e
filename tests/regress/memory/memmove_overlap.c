// memmove copies overlapping ranges as if through a buffer.
#include <assert.h>
#include <string.h>
char a[5] = "abcd";
int main(void) {
  memmove(a + 1, a, 3);
  assert(a[0] == 'a' && a[1] == 'a' && a[2] == 'b' && a[3] == 'c' && a[4] == 0);
  return 0;
}
