// strncpy writes past the end of its target.
#include <string.h>
char small[4], large[8];
int main(void) {
  strncpy(small, "a", 5);
  return 0;
}
