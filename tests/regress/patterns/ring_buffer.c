// A ring buffer for one producer and one consumer.
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#ifdef RELAXED
#define REL memory_order_relaxed
#define ACQ memory_order_relaxed
#else
#define REL memory_order_release
#define ACQ memory_order_acquire
#endif
#define SIZE 2
struct ring {
  atomic_uint head, tail;
  int slot[SIZE];
};
static struct ring ring;
static int push(struct ring* r, int value) {
  unsigned head = atomic_load_explicit(&r->head, memory_order_relaxed);
  unsigned tail = atomic_load_explicit(&r->tail, ACQ);
#ifdef FULL
  if (head - tail > SIZE)
    return 0;
#else
  if (head - tail == SIZE)
    return 0;
#endif
  r->slot[head % SIZE] = value;
  atomic_store_explicit(&r->head, head + 1, REL);
  return 1;
}
static int pop(struct ring* r, int* value) {
  unsigned tail = atomic_load_explicit(&r->tail, memory_order_relaxed);
  unsigned head = atomic_load_explicit(&r->head, ACQ);
  if (head == tail)
    return 0;
  *value = r->slot[tail % SIZE];
  atomic_store_explicit(&r->tail, tail + 1, REL);
  return 1;
}
void* producer(void* arg) {
  for (int i = 1; i <= 3; i++)
    if (!push(&ring, i))
      break;
  return 0;
}
void* consumer(void* arg) {
  int expected = 1, value;
  for (int i = 0; i < 3; i++)
    if (pop(&ring, &value)) {
      assert(value == expected);
      expected++;
    }
  return 0;
}
int main(void) {
  pthread_t p, c;
  pthread_create(&p, 0, producer, 0);
  pthread_create(&c, 0, consumer, 0);
  pthread_join(p, 0);
  pthread_join(c, 0);
}
