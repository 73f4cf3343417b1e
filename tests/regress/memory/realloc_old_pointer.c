// The old pointer is used after realloc.
#include <stdlib.h>
int main(void) {
  int* p = malloc(sizeof(int));
  int* q = realloc(p, 100 * sizeof(int));
  *p = 1;
  free(q);
  return 0;
}
