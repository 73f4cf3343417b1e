// Threads, locks, conditions, once and thread-specific data of C11.
#include <threads.h>
#include <stdlib.h>
#include <assert.h>
static mtx_t m;
static cnd_t c;
static once_flag once = ONCE_FLAG_INIT;
static tss_t key;
static int inits, done, destroyed;
static thread_local int mine;
static void init(void) { inits++; }
static void destroy(void* p) {
#ifndef BROKEN
  mtx_lock(&m);
#endif
  destroyed++;
#ifndef BROKEN
  mtx_unlock(&m);
#endif
  free(p);
}
int work(void* arg) {
  call_once(&once, init);
  int* p = malloc(sizeof(int));
  *p = 1;
  tss_set(key, p);
  mine = (int)(size_t)arg;
  mtx_lock(&m);
  done++;
  cnd_signal(&c);
  mtx_unlock(&m);
  return mine;
}
int main(void) {
  assert(mtx_init(&m, mtx_plain) == thrd_success);
  cnd_init(&c);
  tss_create(&key, destroy);
  thrd_t t[2];
  for (size_t i = 0; i < 2; i++)
    if (thrd_create(&t[i], work, (void*)(i + 5)) != thrd_success)
      abort();
  mtx_lock(&m);
  while (done < 2)
    cnd_wait(&c, &m);
  mtx_unlock(&m);
  int r0, r1;
  thrd_join(t[0], &r0);
  thrd_join(t[1], &r1);
  assert(r0 == 5 && r1 == 6 && mine == 0 && inits == 1);
  assert(destroyed == 2);
  tss_delete(key);
  cnd_destroy(&c);
  mtx_destroy(&m);
  return 0;
}
