// Unions, nested and anonymous.
#include <assert.h>
union number {
  int i;
  unsigned char bytes[4];
  struct {
    short low, high;
  };
};
int main(void) {
  union number n;
  n.i = 0x00020001;
  assert(n.low == 1 && n.high == 2 && n.bytes[2] == 2);
  n.high = -1;
  assert(n.i == (int)0xffff0001);
  return 0;
}
