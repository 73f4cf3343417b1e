// sem_trywait and sem_getvalue.
#include <errno.h>
#include <semaphore.h>
#include <assert.h>
#include <pthread.h>
sem_t s;
int main(void) {
  int value = 9;
  sem_init(&s, 0, 1);
  assert(sem_trywait(&s) == 0);
  assert(sem_trywait(&s) == -1);
  sem_post(&s);
  sem_post(&s);
  sem_getvalue(&s, &value);
  assert(value == 2);
  return 0;
}
