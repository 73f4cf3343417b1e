// An int access whose last bytes lie outside of a heap block.
#include <stdlib.h>
int main(void) {
  char* p = malloc(6);
  *(int*)(p + 4) = 1;
  free(p);
  return 0;
}
