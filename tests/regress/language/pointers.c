// Pointer arithmetic, comparison, differences, casts through integers and back.
#include <stdint.h>
#include <assert.h>
int a[5] = {0, 1, 2, 3, 4};
int main(void) {
  int* p = a + 1;
  int* q = &a[4];
  assert(q - p == 3 && p < q && *(q - 2) == 2 && p[-1] == 0);
  uintptr_t u = (uintptr_t)p;
  int* back = (int*)u;
  assert(back == p && *back == 1);
  char* c = (char*)p;
  assert(*(int*)(c + 4) == 2);
  void* v = q;
  assert((int*)v == q && v != 0);
  return 0;
}
