// Sizes of ILP32; long wraps at 32 bits.
void reach_error(void);
int main(void) {
  volatile unsigned long u = 0xffffffffUL;
  u = u + 1;
  if (sizeof(long) != 4 || sizeof(void*) != 4 || sizeof(long long) != 8 || u != 0)
    reach_error();
  int a[3] = {1, 2, 3};
  int* p = a;
  if (*(int*)((unsigned)p + 4) != 2)
    reach_error();
  return 0;
}
