// free of something malloc did not return.
#include <stdlib.h>
int global;
int main(void) {
  char* p = malloc(2);
  free(p + 1);
  return 0;
}
