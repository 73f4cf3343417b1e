// The only pointer to a block is overwritten.
#include <stdlib.h>
void* p;
int main(void) {
  p = malloc(1);
  p = 0;
  return 0;
}
