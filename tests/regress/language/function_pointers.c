// Calls through pointers: a table, a parameter, a struct member, an address-taken thread function.
#include <assert.h>
#include <pthread.h>
typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static operation table[] = {add, sub};
static int apply(operation f, int a, int b) { return f(a, b); }
struct object {
  operation f;
};
static int result;
static void* worker(void* p) {
  result = ((struct object*)p)->f(7, 2);
  return 0;
}
int main(void) {
  volatile int i = 1;
  struct object o = {sub};
  pthread_t t;
  assert(table[i](5, 3) == 2 && table[i - 1](5, 3) == 8);
  assert(apply(add, 1, 2) == 3);
  void* (*entry)(void*) = worker;
  pthread_create(&t, 0, entry, &o);
  pthread_join(t, 0);
  assert(result == 5);
  return 0;
}
