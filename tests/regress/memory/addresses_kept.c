// What C says of addresses is no assumption: alignment, tags in the bits it frees, order and distance inside
// one object, equality, null and marks that are no address.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  int key;
  struct node* next;
};
static struct node nodes[2];
static _Atomic(uintptr_t) head;
#define REMOVED ((void*)-1)

static void push(struct node* one, int mark) {
  uintptr_t old = atomic_load(&head);
  do
    one->next = (struct node*)(old & ~(uintptr_t)1);
  while (!atomic_compare_exchange_weak(&head, &old, (uintptr_t)one | (mark != 0)));
}
static long sum(const int* from, const int* end) {
  long total = 0;
  for (; from < end; from++)
    total += *from;
  return total + (end - from);
}
static void* run(void* argument) {
  int number = (int)(intptr_t)argument;
  nodes[number].key = number;
  push(&nodes[number], number);
  return argument;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, (void*)1);
  run((void*)0);
  void* result;
  pthread_join(t, &result);
  assert(result == (void*)1);
  uintptr_t top = atomic_load(&head);
  struct node* p = (struct node*)(top & ~(uintptr_t)1);
  assert((top & 1) == (uintptr_t)(p->key != 0));
  assert(p == &nodes[0] || p == &nodes[1]);
  assert(p != REMOVED && p->next != 0 && p->next->next == 0);
  int* block = malloc(3 * sizeof(int));
  for (int i = 0; i < 3; i++)
    block[i] = i;
  assert(((uintptr_t)block & 15) == 0);
  assert(sum(block, block + 3) == 3);
  assert((char*)&p->next - (char*)p == 8);
  free(block);
  return 0;
}
