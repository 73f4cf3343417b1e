// free of something malloc did not return.
#include <stdlib.h>
int global;
int main(void) {
  free(&global);
  return 0;
}
