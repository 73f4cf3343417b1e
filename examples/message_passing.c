// A value and a flag that says it is there. Nothing reorders the two writes under sc and tso; under pso the flag can reach
// memory first: heddle verify examples/message_passing.c --model pso
#include <assert.h>
#include <pthread.h>

volatile int data;
volatile int ready;

static void *producer(void *unused) {
  data = 42;
  ready = 1;
  return unused;
}

static void *consumer(void *unused) {
  if (ready)
    assert(data == 42);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, producer, 0);
  pthread_create(&b, 0, consumer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
