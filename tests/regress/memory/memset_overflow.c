// memset writes past the end of its target.
#include <string.h>
char small[4], large[8];
int main(void) {
  memset(small, 0, 5);
  return 0;
}
