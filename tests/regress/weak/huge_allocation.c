// An allocation of a size that no block has: the run is cut there under every model. What followed was
// proved under models with axioms, or ended in an internal error.
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc((size_t)-2);
  assert(p != 0);
  return 0;
}
