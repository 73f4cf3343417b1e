// Read-write locks, pthread_once and barriers order what they order, and no more: readers do not order one another.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int data, counted;

static void initialise(void) { data = 1; }

static void* reader(void* unused) {
#ifdef ONCE
  pthread_once(&once, initialise);
  return data == 1 ? unused : 0;
#else
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  const int seen = data;
  pthread_rwlock_unlock(&lock);
  counted += seen; // still inside
  pthread_rwlock_unlock(&lock);
  return unused;
#endif
}
static void* writer(void* unused) {
#ifdef ONCE
  pthread_once(&once, initialise);
#else
#ifdef LOCKED
  pthread_rwlock_wrlock(&lock);
  data = 1;
  counted = 0;
  pthread_rwlock_unlock(&lock);
#else
  pthread_rwlock_rdlock(&lock);
  counted = 1;
  pthread_rwlock_unlock(&lock);
#endif
#endif
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, writer, 0);
#ifdef TRIED
  if (pthread_rwlock_trywrlock(&lock) == 0) {
    data = 2;
    pthread_rwlock_unlock(&lock);
  }
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
