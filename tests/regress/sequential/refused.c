// What cannot be sequentialized is said with its place.
#include <pthread.h>
int x;
void *one(void *unused) {
  x = 1;
  return unused;
}
void *two(void *unused) {
  x = 2;
  return unused;
}
typedef void *function(void *);
function *volatile table[2] = {one, two};

int main(void) {
  table[x](0);
  return 0;
}
