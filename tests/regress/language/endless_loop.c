// An endless loop with finitely many states is explored to its end.
#include <assert.h>
volatile int x;
int main(void) {
  for (;;) {
    x = !x;
    assert(x == 0 || x == 1);
  }
}
