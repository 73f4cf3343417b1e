// Initialised globals: pointers to others, into arrays, to strings, to functions; tentative definitions.
#include <assert.h>
int x = 5;
int* px = &x;
int a[3] = {1, 2};
int* pa = &a[1];
const char* text = "abc";
char copy[] = "xyz";
struct {
  int* p;
  int (*f)(void);
} s;
static int get(void) { return x; }
int tentative;
int tentative;
int** ppx = &px;
int main(void) {
  s.p = px;
  s.f = get;
  assert(*px == 5 && *pa == 2 && a[2] == 0 && text[2] == 'c' && sizeof copy == 4 && copy[3] == 0);
  **ppx = 6;
  assert(s.f() == 6 && *s.p == 6 && tentative == 0);
  return 0;
}
