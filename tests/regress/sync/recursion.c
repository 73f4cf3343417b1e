// Recursion in two threads at once, on a shared result.
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
static atomic_int leaves;
static void tree(int depth) {
  if (depth == 0) {
    atomic_fetch_add(&leaves, 1);
    return;
  }
  tree(depth - 1);
  tree(depth - 1);
}
static void* worker(void* unused) {
  tree(1);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(leaves == 4);
  return 0;
}
