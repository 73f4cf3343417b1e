// A driver with operations behind function pointers and container_of.
#include <pthread.h>
#include <stdlib.h>
#include <stddef.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
#define container_of(p, T, m) ((T*)((char*)(p) - offsetof(T, m)))
#define likely(x) __builtin_expect(!!(x), 1)
struct list_head {
  struct list_head *next, *prev;
};
struct device {
  int id;
  struct device* parent;
};
struct my_data {
  pthread_mutex_t lock;
  struct device dev;
  struct list_head list;
  int open_count;
};
static struct list_head devices = {&devices, &devices};
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static inline void list_add(struct list_head* n, struct list_head* h) {
  n->next = h->next;
  n->prev = h;
  h->next->prev = n;
  h->next = n;
}
static inline void list_del(struct list_head* e) {
  e->prev->next = e->next;
  e->next->prev = e->prev;
  e->next = e->prev = NULL;
}
struct file_operations {
  int (*open)(struct device*);
  int (*release)(struct device*);
};
static int my_open(struct device* dev) {
  struct my_data* d = container_of(dev, struct my_data, dev);
  pthread_mutex_lock(&d->lock);
  d->open_count++;
  pthread_mutex_unlock(&d->lock);
  return 0;
}
static int my_release(struct device* dev) {
  struct my_data* d = container_of(dev, struct my_data, dev);
#ifndef BROKEN
  pthread_mutex_lock(&d->lock);
#endif
  d->open_count--;
#ifndef BROKEN
  pthread_mutex_unlock(&d->lock);
#endif
  return 0;
}
static const struct file_operations fops = {.open = my_open, .release = my_release};
static struct my_data* probe(void) {
  struct my_data* d = (struct my_data*)malloc(sizeof(struct my_data));
  if (!likely(d))
    return NULL;
  pthread_mutex_init(&d->lock, NULL);
  d->dev = (struct device){.id = 1};
  d->open_count = 0;
  pthread_mutex_lock(&list_lock);
  list_add(&d->list, &devices);
  pthread_mutex_unlock(&list_lock);
  return d;
}
static void remove_(struct my_data* d) {
  pthread_mutex_lock(&list_lock);
  list_del(&d->list);
  pthread_mutex_unlock(&list_lock);
  pthread_mutex_destroy(&d->lock);
  free(d);
}
static void* user(void* p) {
  struct device* dev = p;
  if (!fops.open(dev))
    fops.release(dev);
  return NULL;
}
int main(void) {
  struct my_data* d = probe();
  if (!d)
    return 0;
  pthread_t a, b;
  pthread_create(&a, NULL, user, &d->dev);
  pthread_create(&b, NULL, user, &d->dev);
#ifndef NOJOIN
  pthread_join(a, NULL);
#endif
  pthread_join(b, NULL);
#ifndef BROKEN
  assert(d->open_count == 0 || d->open_count == 1);
#endif
  remove_(d);
#ifdef NOJOIN
  pthread_join(a, NULL);
#endif
  assert(devices.next == &devices);
  return 0;
}
