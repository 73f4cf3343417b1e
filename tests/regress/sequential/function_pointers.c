// Calls through pointers, in threads and with locals in memory.
#include <assert.h>
#include <pthread.h>

int x;
static void add_one(int *place) { *place = *place + 1; }
static void add_two(int *place) {
#ifdef UNDEFINED
  *place = *place + 2;
#else
  int parts[2] = {*place, 2};
  *place = parts[0] + parts[1];
#endif
}
typedef void step(int *);
step *steps[3] = {add_one, add_two};
int numbers[2] = {0, 1};

void *worker(void *argument) {
  steps[*(int *)argument](&x);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, &numbers[0]);
  pthread_create(&second, 0, worker, &numbers[1]);
#ifdef UNDEFINED
  numbers[1] = 2;
#endif
  pthread_join(first, 0);
  pthread_join(second, 0);
#ifdef BROKEN
  assert(x == 3);
#else
  assert(x >= 1 && x <= 3);
#endif
  return 0;
}
