// Reference counts: who drops the last reference frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object {
#ifdef PLAIN
  volatile int refs;
#else
  atomic_int refs;
#endif
  int data;
};
static void get(struct object* o) {
#ifdef PLAIN
  o->refs++;
#else
  atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
#endif
}
static void put(struct object* o) {
#ifdef PLAIN
  if (--o->refs == 0)
    free(o);
#else
#ifdef NOACQ
  if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_relaxed) == 1) {
#else
  if (atomic_fetch_sub_explicit(&o->refs, 1, memory_order_release) == 1) {
    atomic_thread_fence(memory_order_acquire);
#endif
    o->data = 0;
    free(o);
  }
#endif
}
void* user(void* arg) {
  struct object* o = arg;
#ifdef LATE
  get(o);
#endif
  int x = o->data;
  put(o);
  return 0;
}
int main(void) {
  struct object* o = malloc(sizeof *o);
  o->refs = 1;
  o->data = 42;
  pthread_t a, b;
#ifndef LATE
  get(o);
#endif
  pthread_create(&a, 0, user, o);
#ifndef LATE
  get(o);
#endif
  pthread_create(&b, 0, user, o);
  put(o);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
