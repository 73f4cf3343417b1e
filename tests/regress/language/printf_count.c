// %n stores how much was printed, which is not known.
#include <assert.h>
#include <stdio.h>
int main(void) {
  int count = 0;
  printf("abc%n", &count);
  assert(count == 0);
  return 0;
}
