// Access beyond a block made smaller.
#include <stdlib.h>
int main(void) {
  char* p = malloc(8);
  p = realloc(p, 4);
  p[4] = 1;
  free(p);
  return 0;
}
