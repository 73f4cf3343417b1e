// The last byte of a heap block plus one.
#include <stdlib.h>
int main(void) {
  char* p = malloc(3);
  p[3] = 1;
  free(p);
  return 0;
}
