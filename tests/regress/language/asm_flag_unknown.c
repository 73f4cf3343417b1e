// bt leaves the overflow flag undefined; and incq writes no register.
#include <assert.h>
#include <stdbool.h>

int main(void) {
  long word = 1;
  bool flag;
#ifdef UNWRITTEN
  int output;
  __asm__ volatile("lock incq %0" : "+m"(word), "=r"(output));
  flag = output == 0;
#else
  __asm__ volatile("btq %2, %0" : "+m"(word), "=@cco"(flag) : "r"(0L));
#endif
  assert(!flag);
  return 0;
}
