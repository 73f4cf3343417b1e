// Bytes of an int seen through a union and a char pointer (little-endian).
#include <assert.h>
union {
  unsigned word;
  unsigned char byte[4];
} u;
int main(void) {
  u.word = 0x04030201;
  assert(u.byte[0] == 1 && u.byte[3] == 4);
  u.byte[1] = 9;
  assert(u.word == 0x04030901);
  assert(*((unsigned char*)&u.word + 1) == 9);
  return 0;
}
