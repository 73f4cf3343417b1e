// Structs by value: assignment, parameters, results, nesting, compound literals, designated initialisers.
#include <assert.h>
struct point {
  int x;
  char tag;
  long y;
};
struct line {
  struct point a, b;
};
static struct point swap(struct point p) {
  struct point q = {.x = (int)p.y, .tag = p.tag, .y = p.x};
  p.x = 99;
  return q;
}
static struct line lines[2] = {[1] = {.b = {.y = 9}}};
int main(void) {
  struct point p = {1, 'p', 2};
  struct point q = swap(p);
  assert(q.x == 2 && q.y == 1 && q.tag == 'p' && p.x == 1);
  struct line l = {p, q};
  lines[0] = l;
  assert(lines[0].b.x == 2 && lines[1].b.y == 9 && lines[1].a.x == 0);
  p = (struct point){.y = 5};
  assert(p.x == 0 && p.y == 5);
  return 0;
}
