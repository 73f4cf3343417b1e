// free of something malloc did not return.
#include <stdlib.h>
int global;
int main(void) {
  int local = 0;
  int* p = &local;
  free(p);
  return 0;
}
