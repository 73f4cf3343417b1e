// strcpy writes past the end of its target.
#include <string.h>
char small[4], large[8];
int main(void) {
  strcpy(small, "long");
  return 0;
}
