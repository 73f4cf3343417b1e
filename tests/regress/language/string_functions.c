// String and memory functions.
#include <string.h>
#include <assert.h>
int main(void) {
  char b[16];
  assert(strlen("hello") == 5);
  strcpy(b, "abc");
  strcat(b, "de");
  assert(strcmp(b, "abcde") == 0 && strcmp(b, "abd") < 0 && strncmp(b, "abx", 2) == 0);
  assert(strchr(b, 'c') == b + 2 && strchr(b, 'x') == 0);
  memset(b, 7, 4);
  assert(b[3] == 7 && b[4] == 'e');
  memcpy(b, "xy", 3);
  assert(memcmp(b, "xy", 3) == 0);
  strncpy(b, "q", 4);
  assert(b[0] == 'q' && b[1] == 0 && b[3] == 0);
  return 0;
}
