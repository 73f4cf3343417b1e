// Elements and fields are shown as C writes them.
#include <pthread.h>
struct node {
  int value;
  struct node* next;
};
struct node list[2];
int grid[2][3];
static void* first(void* unused) {
  list[1].next = &list[1];
#ifdef GRID
  grid[1][2] = -1;
#endif
  return unused;
}
static void* second(void* unused) {
#ifdef GRID
  grid[1][2] = 2;
#else
  list[1].next = &list[0];
#endif
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
