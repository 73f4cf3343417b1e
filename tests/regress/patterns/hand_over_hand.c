// A list with a lock in each node, taken hand over hand.
#include <pthread.h>
#include <stdlib.h>
#include <assert.h>
struct node {
  pthread_mutex_t m;
  int key;
  struct node* next;
};
static struct node* mk(int k, struct node* n) {
  struct node* x = malloc(sizeof *x);
  pthread_mutex_init(&x->m, 0);
  x->key = k;
  x->next = n;
  return x;
}
static struct node* head;
static int del(int k) {
  struct node* p = head;
  pthread_mutex_lock(&p->m);
  struct node* c = p->next;
  while (c) {
#ifndef BROKEN
    pthread_mutex_lock(&c->m);
#endif
    if (c->key == k) {
      p->next = c->next;
#ifndef BROKEN
      pthread_mutex_unlock(&c->m);
#endif
      pthread_mutex_unlock(&p->m);
      free(c);
      return 1;
    }
    pthread_mutex_unlock(&p->m);
#ifdef BROKEN
    pthread_mutex_lock(&c->m);
#endif
    p = c;
    c = c->next;
  }
  pthread_mutex_unlock(&p->m);
  return 0;
}
static void* a(void* x) {
  assert(del(1));
  return 0;
}
static void* b(void* x) {
  assert(del(2));
  return 0;
}
int main(void) {
  head = mk(0, mk(1, mk(2, 0)));
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(head->next == 0);
  free(head);
  return 0;
}
