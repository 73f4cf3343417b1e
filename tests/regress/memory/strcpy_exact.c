// strcpy of a string that fits with its terminator.
#include <assert.h>
#include <string.h>
char small[4];
int main(void) {
  strcpy(small, "abc");
  assert(strlen(small) == 3 && small[3] == 0);
  return 0;
}
