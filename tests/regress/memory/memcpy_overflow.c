// memcpy writes past the end of its target.
#include <string.h>
char small[4], large[8];
int main(void) {
  memcpy(small, large, sizeof large);
  return 0;
}
