// An index beyond an array that is inside a larger object: the bytes are the object's, but C gives the access no meaning, so
// that what it overwrites violates no assertion.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

struct queue {
  int element[4];
  int head;
};
static struct queue queue[2];
static int* last; // nothing of an array's bounds is known behind a pointer

struct message {
  int length;
  int text[1]; // as long as the memory is
};
static union {
  struct message message;
  int space[8];
} buffer;

static void* put(void* unused) {
#ifdef BEYOND
  queue[0].element[4] = 7;
#elif defined BEFORE
  int place = __VERIFIER_nondet_int();
  if (place >= -1 && place < 4)
    queue[1].element[place] = 7;
#else
  int place = __VERIFIER_nondet_int();
  if (place >= 0 && place < 4)
    queue[1].element[place] = 7;
  buffer.message.text[3] = 5;
  last = &queue[0].element[4]; // may be pointed at
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, put, 0);
  pthread_join(other, 0);
  assert(queue[0].head == 0);
#if !defined BEYOND && !defined BEFORE
  assert(buffer.space[4] == 5);
  assert(last == (int*)&queue[0] + 4);
#endif
  return 0;
}
