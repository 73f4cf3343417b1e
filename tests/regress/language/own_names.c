// Names of the library that the program uses for something of its own.
#include <assert.h>

int free;
int log = 3;
static int index[2];
int read(int value) { return value + 1; }
int abs(int value) { return value - 5; }

int main(void) {
  free = 1;
  index[1] = free + log;
  assert(index[1] == 4 && read(2) == 3 && abs(-1) == -6);
  return 0;
}
