// The content of a fresh block is arbitrary.
#include <stdlib.h>
void reach_error(void);
int main(void) {
  unsigned char* p = malloc(1);
  if (*p == 42)
    reach_error();
  free(p);
  return 0;
}
