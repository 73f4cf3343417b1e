// A block that a global still points to at the end is tracked, but not cleaned up.
#include <stdlib.h>
void* p;
int main(void) {
  p = malloc(1);
  return 0;
}
