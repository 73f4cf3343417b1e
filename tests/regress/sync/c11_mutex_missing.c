// C11 threads without a lock lose an update.
#include <threads.h>
void reach_error(void);
static int counter;
static int worker(void* unused) {
  (void)unused;
  counter = counter + 1;
  return 0;
}
int main(void) {
  thrd_t a, b;
  thrd_create(&a, worker, 0);
  thrd_create(&b, worker, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  if (!(counter == 2))
    reach_error();
  return 0;
}
