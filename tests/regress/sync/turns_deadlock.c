// Pairs of threads that take two locks, 40 threads in all. BROKEN: the last pair takes them in
// opposite orders.
#include <pthread.h>

#define N 20

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *one_way(void *unused) {
  (void)unused;
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return 0;
}

static void *other_way(void *unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return 0;
}

int main(void) {
  for (int i = 0; i < N; i++) {
    pthread_t one, two;
    pthread_create(&one, 0, one_way, 0);
#ifdef BROKEN
    pthread_create(&two, 0, i == N - 1 ? other_way : one_way, 0);
#else
    pthread_create(&two, 0, one_way, 0);
#endif
    pthread_join(one, 0);
    pthread_join(two, 0);
  }
  (void)other_way;
  return 0;
}
