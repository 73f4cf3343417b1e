// String constants, escapes, adjacent literals, wide sizes.
#include <assert.h>
int main(void) {
  const char* s = "a\n" "b";
  assert(s[1] == 10 && s[2] == 'b' && s[3] == 0 && sizeof "abc" == 4);
  return 0;
}
