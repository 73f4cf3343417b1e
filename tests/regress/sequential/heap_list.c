// Blocks that several threads make and link; memory that is freed while it is used.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};
struct node *head;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *push(void *unused) {
  struct node *node = malloc(sizeof *node);
  node->value = 7;
#ifndef BROKEN
  pthread_mutex_lock(&mutex);
#endif
  node->next = head;
  head = node;
#ifndef BROKEN
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

#ifdef FREES
void *look(void *unused) {
  pthread_mutex_lock(&mutex);
  struct node *node = head;
#ifdef EARLY
  pthread_mutex_unlock(&mutex);
#endif
  if (node)
    node->value = 8;
#ifndef EARLY
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}
#endif

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, push, 0);
#ifdef FREES
  pthread_create(&second, 0, look, 0);
  pthread_join(first, 0);
  pthread_mutex_lock(&mutex);
  free(head);
  head = 0;
  pthread_mutex_unlock(&mutex);
  pthread_join(second, 0);
#else
  pthread_create(&second, 0, push, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  assert(head && head->next && head->value == 7);
#endif
  return 0;
}
