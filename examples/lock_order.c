// Two locks taken in opposite orders. heddle verify examples/lock_order.c --property deadlock
#include <pthread.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second = PTHREAD_MUTEX_INITIALIZER;
static int moved;

static void *there(void *unused) {
  pthread_mutex_lock(&first);
  pthread_mutex_lock(&second);
  moved++;
  pthread_mutex_unlock(&second);
  pthread_mutex_unlock(&first);
  return unused;
}

static void *back(void *unused) {
  pthread_mutex_lock(&second);
  pthread_mutex_lock(&first);
  moved--;
  pthread_mutex_unlock(&first);
  pthread_mutex_unlock(&second);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, there, 0);
  pthread_create(&b, 0, back, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
