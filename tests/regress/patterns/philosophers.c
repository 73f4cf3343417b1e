// Dining philosophers.
#include <pthread.h>
#define N 3
static pthread_mutex_t fork_[N];
static int plate[N];
static void* phil(void* arg) {
  int i = (int)(long)arg, l = i, r = (i + 1) % N;
#ifdef ORDER
  if (l > r) {
    int t = l;
    l = r;
    r = t;
  }
#endif
#ifdef TRY
  pthread_mutex_lock(&fork_[l]);
  if (pthread_mutex_trylock(&fork_[r]) == 0) {
    plate[i]++;
    pthread_mutex_unlock(&fork_[r]);
  }
  pthread_mutex_unlock(&fork_[l]);
#else
  pthread_mutex_lock(&fork_[l]);
  pthread_mutex_lock(&fork_[r]);
  plate[i]++;
  pthread_mutex_unlock(&fork_[r]);
  pthread_mutex_unlock(&fork_[l]);
#endif
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_[i], 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, phil, (void*)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
