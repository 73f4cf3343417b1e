// Output is ignored.
#include <stdio.h>
#include <assert.h>
int main(void) {
  int x = 3;
  printf("x is %d\n", x);
  puts("text");
  fprintf(stderr, "%s\n", "error");
  putchar('c');
  fflush(stdout);
  assert(x == 3);
  return 0;
}
