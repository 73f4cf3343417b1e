// Locks in heap objects, reached through pointers.
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct account {
  pthread_mutex_t lock;
  int balance;
  struct account* next;
};
static struct account *A, *B;
static struct account* mk(void) {
  struct account* a = malloc(sizeof *a);
  pthread_mutex_init(&a->lock, NULL);
  a->balance = 0;
  a->next = NULL;
  return a;
}
static void deposit(struct account* a, pthread_mutex_t* l) {
  pthread_mutex_lock(l);
  a->balance += 10;
  pthread_mutex_unlock(l);
}
void* t1(void* x) {
  deposit(A, &A->lock);
  return 0;
}
void* t2(void* x) {
#ifdef DIFF
  deposit(A, &B->lock);
#elif defined NONDET
  deposit(A, __VERIFIER_nondet_int() ? &A->lock : &B->lock);
#else
  deposit(A, &A->lock);
#endif
  return 0;
}
int main(void) {
  A = mk();
  B = mk();
  A->next = B;
  pthread_t x, y;
  pthread_create(&x, NULL, t1, NULL);
  pthread_create(&y, NULL, t2, NULL);
  pthread_join(x, NULL);
  pthread_join(y, NULL);
  free(A);
  free(B);
  return 0;
}
