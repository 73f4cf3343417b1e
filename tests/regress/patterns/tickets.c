// Sellers look whether there are tickets left, and sell one.
#include <pthread.h>
#include <assert.h>
#define TICKETS 2
#define SELLERS 3
static int sold, stop;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void* sell(void* a) {
#ifdef LOCKED
  pthread_mutex_lock(&m);
#endif
  if (!stop) {
    sold++;
    if (sold >= TICKETS)
      stop = 1;
  }
#ifdef LOCKED
  pthread_mutex_unlock(&m);
#endif
  return 0;
}
int main(void) {
  pthread_t t[SELLERS];
  for (int i = 0; i < SELLERS; i++)
    pthread_create(&t[i], 0, sell, 0);
  for (int i = 0; i < SELLERS; i++)
    pthread_join(t[i], 0);
  assert(sold <= TICKETS);
}
