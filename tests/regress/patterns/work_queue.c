// Jobs with a function pointer in a linked list, a worker that waits for them.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct job {
  struct job* next;
  void (*run)(int);
  int arg;
};
struct queue {
  pthread_mutex_t m;
  pthread_cond_t c;
  struct job *first, **last;
};
static struct queue q = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, &q.first};
static int total;
static void add(int x) { total += x; }
static void submit(void (*f)(int), int arg) {
  struct job* j = malloc(sizeof *j);
  j->next = NULL;
  j->run = f;
  j->arg = arg;
  pthread_mutex_lock(&q.m);
  *q.last = j;
  q.last = &j->next;
  pthread_mutex_unlock(&q.m);
#ifndef NOSIGNAL
  pthread_cond_signal(&q.c);
#endif
}
static void* worker(void* unused) {
  for (;;) {
    pthread_mutex_lock(&q.m);
#ifdef IF
    if (!q.first)
      pthread_cond_wait(&q.c, &q.m);
#else
    while (!q.first)
      pthread_cond_wait(&q.c, &q.m);
#endif
    struct job* j = q.first;
    q.first = j->next;
    if (!q.first)
      q.last = &q.first;
    pthread_mutex_unlock(&q.m);
    void (*f)(int) = j->run;
    if (f)
      f(j->arg);
#ifdef LEAK
    if (!f)
#endif
      free(j);
    if (!f)
      return NULL;
  }
}
int main(void) {
  pthread_t w;
  pthread_create(&w, NULL, worker, NULL);
  submit(add, 3);
  submit(add, 4);
  submit(NULL, 0);
  pthread_join(w, NULL);
  assert(total == 7);
  return 0;
}
