// memmove writes past the end of its target.
#include <string.h>
char small[4], large[8];
int main(void) {
  memmove(small, large, 5);
  return 0;
}
