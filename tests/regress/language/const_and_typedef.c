// typedef, const, sizeof, _Alignof, _Static_assert, _Generic.
#include <assert.h>
typedef unsigned char byte;
_Static_assert(sizeof(byte) == 1, "a byte");
static const byte table[] = {1, 2, 3};
int main(void) {
  volatile int i = 2;
  assert(table[i] == 3 && sizeof table == 3 && _Alignof(int) == 4);
  assert(_Generic(i, int: 1, default: 0) == 1);
  return 0;
}
