// With --malloc-may-fail a checked result is fine.
#include <stdlib.h>
int main(void) {
  char* p = malloc(1);
  if (p)
    *p = 1;
  free(p);
  return 0;
}
