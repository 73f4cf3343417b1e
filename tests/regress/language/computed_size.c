// An array of a size that is not known but bounded by an assumption; two threads look for the least element from both ends.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
static void assume_that(int condition) {
  if (!condition)
    abort();
}
static int *a, n, least_up, least_down;
static void* up(void* unused) {
  for (int i = 0; i < n; i++)
    if (a[i] < least_up)
      least_up = a[i];
  return unused;
}
static void* down(void* unused) {
  for (int i = n - 1; i >= 0; i--)
    if (a[i] < least_down)
      least_down = a[i];
  return unused;
}
int main(void) {
  int size = __VERIFIER_nondet_int();
  assume_that(size > 0 && size <= 2);
  n = size;
  a = malloc(sizeof(int) * size);
  for (int i = 0; i < size; i++)
    a[i] = __VERIFIER_nondet_int();
  least_up = least_down = a[0];
  pthread_t t, u;
  pthread_create(&t, 0, up, 0);
  pthread_create(&u, 0, down, 0);
#ifndef EARLY
  pthread_join(t, 0);
#endif
  pthread_join(u, 0);
  if (least_up != least_down)
    reach_error();
  return 0;
}
