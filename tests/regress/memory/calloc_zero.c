// calloc gives zeroed bytes, malloc arbitrary ones.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int* p = calloc(3, sizeof(int));
  assert(p[0] == 0 && p[2] == 0);
  free(p);
  return 0;
}
