// A constructor runs before main.
#include <assert.h>
static int ready;
__attribute__((constructor)) static void init(void) { ready = 1; }
int main(void) {
  assert(ready == 1);
  return 0;
}
