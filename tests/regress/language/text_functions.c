// Numbers from text, tokens, classes of characters, sorting and searching.
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
static int by_value(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
static int by_name(const void* a, const void* b) { return strcmp(*(char* const*)a, *(char* const*)b); }
int main(void) {
  char text[] = " 10,20,,x";
  char *rest, *end;
  int sum = 0, tokens = 0;
  for (char* p = strtok_r(text, ",", &rest); p; p = strtok_r(NULL, ",", &rest)) {
    sum += atoi(p);
    tokens++;
  }
  assert(sum == 30 && tokens == 3);
  assert(strtol("-12z", &end, 10) == -12 && *end == 'z');
  assert(strtol("0x1f", NULL, 0) == 31 && strtol("017", NULL, 0) == 15 && strtoul("ff", NULL, 16) == 255);
  errno = 0;
  assert(strtol("99999999999999999999", NULL, 10) == LONG_MAX && errno == ERANGE);
  assert(strtol("word", &end, 10) == 0 && *end == 'w');
  assert(strspn("aab", "a") == 2 && strcspn("abc", "c") == 2 && *strpbrk("key=1", "=") == '=');
  assert(isxdigit('f') && !isxdigit('g') && ispunct('!') && isprint(' ') && !isgraph(' ') && isupper('Q') && isspace('\n'));
  int a[] = {3, 1, 2, 0};
  qsort(a, 4, sizeof a[0], by_value);
  for (int i = 0; i < 4; i++)
    assert(a[i] == i);
  int key = 2, missing = 9;
  assert(bsearch(&key, a, 4, sizeof a[0], by_value) == &a[2]);
  assert(bsearch(&missing, a, 4, sizeof a[0], by_value) == NULL);
  char* names[] = {"pear", "apple", "fig"};
  qsort(names, 3, sizeof names[0], by_name);
  assert(strcmp(names[0], "apple") == 0 && strcmp(names[2], "pear") == 0);
  return 0;
}
