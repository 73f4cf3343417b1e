// One byte too many in a flexible array member.
#include <stdlib.h>
struct buffer {
  int size;
  char data[];
};
int main(void) {
  struct buffer* b = malloc(sizeof *b + 2);
  b->data[2] = 'x';
  free(b);
  return 0;
}
