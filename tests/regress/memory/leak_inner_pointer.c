// A pointer into the middle of a block keeps it reachable; the block is freed through it.
#include <stdlib.h>
char* p;
int main(void) {
  p = malloc(4);
  p = p + 2;
  free(p - 2);
  return 0;
}
