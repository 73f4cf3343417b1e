// realloc keeps the old content and frees the old block.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int* p = malloc(2 * sizeof(int));
  p[0] = 1;
  p[1] = 2;
  p = realloc(p, 4 * sizeof(int));
  p[3] = 4;
  assert(p[0] == 1 && p[1] == 2);
  p = realloc(p, sizeof(int));
  assert(p[0] == 1);
  free(p);
  p = realloc(0, 1);
  free(p);
  return 0;
}
