// Numbers, characters and words are read from text in memory.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  int a = 0, b = 0, n;
  unsigned char small = 0;
  long long large = 0;
  char c = 0, word[8];
  n = sscanf(" 42 -7", "%d %d", &a, &b);
  assert(n == 2 && a == 42 && b == -7);
  n = sscanf("0x1f,300", "%i,%hhu", &a, &small);
  assert(n == 2 && a == 31 && small == 44);
  n = sscanf("12345678901 z", "%lld %c", &large, &c);
  assert(n == 2 && large == 12345678901ll && c == 'z');
  n = sscanf("key=value x", "key=%3s%*s%s", word, word + 4);
  assert(n == 2 && strcmp(word, "val") == 0 && word[4] == 'x');
  assert(sscanf("", "%d", &a) == -1);
  assert(sscanf("x", "%d", &a) == 0);
  assert(sscanf("5;6", "%d,%d", &a, &b) == 1);
#ifdef UNKNOWN
  float f;
  sscanf("2.5", "%f", &f);
#endif
#ifdef WRONG
  assert(a == 6);
#endif
  return 0;
}
