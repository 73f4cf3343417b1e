// Producers claim cells of an array by an atomic counter.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdbool.h>
struct cell {
  atomic_bool full;
  int data;
};
static struct cell cells[2];
static atomic_int ticket;
#ifdef BROKEN
static int plain_ticket;
#endif
void* producer(void* arg) {
  int v = (int)(long)arg;
#ifdef BROKEN
  int t = plain_ticket;
  plain_ticket = t + 1;
#else
  int t = atomic_fetch_add_explicit(&ticket, 1, memory_order_relaxed);
#endif
  cells[t].data = v;
  atomic_store_explicit(&cells[t].full, true, memory_order_release);
  return NULL;
}
int main(void) {
  pthread_t p[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&p[i], NULL, producer, (void*)(i + 1));
  int sum = 0;
  for (int i = 0; i < 2; i++)
    if (atomic_load_explicit(&cells[i].full, memory_order_acquire)) {
      assert(cells[i].data == 1 || cells[i].data == 2);
      sum += cells[i].data;
    }
  assert(sum <= 3);
  for (int i = 0; i < 2; i++)
    pthread_join(p[i], NULL);
  assert(cells[0].full && cells[1].full);
  assert(cells[0].data + cells[1].data == 3);
}
