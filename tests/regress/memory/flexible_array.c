// A struct with a flexible array member on the heap.
#include <stdlib.h>
struct buffer {
  int size;
  char data[];
};
int main(void) {
  struct buffer* b = malloc(sizeof *b + 2);
  b->size = 2;
  for (int i = 0; i < b->size; ++i)
    b->data[i] = 'x';
  free(b);
  return 0;
}
