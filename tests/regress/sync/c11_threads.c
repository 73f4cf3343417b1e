// C11 threads: create, join with a result, mutex, condition, call_once.
#include <assert.h>
#include <threads.h>
static mtx_t lock;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static int ready, runs;
static void init(void) { runs = runs + 1; }
static int producer(void* unused) {
  (void)unused;
  call_once(&flag, init);
  mtx_lock(&lock);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  return 7;
}
int main(void) {
  thrd_t t;
  int result = 0;
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  assert(thrd_create(&t, producer, 0) == thrd_success);
  call_once(&flag, init);
  mtx_lock(&lock);
  while (!ready)
    cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  thrd_join(t, &result);
  assert(result == 7 && runs == 1);
  mtx_destroy(&lock);
  cnd_destroy(&changed);
  return 0;
}
