// Loops whose number of turns is known, with memory and threads in them, in front of what is asked: no bound may end a
// run before it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS 5

typedef struct {
  int* slots;
  int count;
} table_t;

static table_t tables[WORKERS];
static char page[300];
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void table_init(table_t* table, int count) {
  table->slots = malloc((size_t)count * sizeof(int));
  for (int i = 0; i < count; i++)
    table->slots[i] = i;
}

static unsigned mixed(unsigned seed, unsigned turns) {
  for (unsigned i = 0; i < turns; i++)
    seed = seed * 1664525U + 1013904223U;
  return seed;
}

static void clear(char* block, size_t size) { memset(block, 1, size); }

static void* worker(void* argument) {
  int step = 0;
  for (int bit = 1; bit < 512; bit *= 2)
    step++;
  pthread_mutex_lock(&lock);
  sum += step;
  pthread_mutex_unlock(&lock);
  return argument;
}

int main(void) {
  pthread_t threads[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    table_init(&tables[i], i + 2);
  clear(page, sizeof page / 10);
  unsigned number = mixed(7, 5000);
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&threads[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(threads[i], NULL);
#ifdef WRONG
  assert(sum != 45);
#endif
  assert(sum == 45 && page[29] == 1 && page[30] == 0 && number == mixed(mixed(7, 2500), 2500));
  assert(tables[4].slots[5] == 5);
  return 0;
}
