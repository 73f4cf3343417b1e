// reach_error with its own body is still the error call.
#include <stdlib.h>
void reach_error(void) { abort(); }
int main(void) {
  volatile int x = 1;
  if (x)
    reach_error();
  return 0;
}
