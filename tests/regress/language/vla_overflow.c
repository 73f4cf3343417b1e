// One past the end of a variable-length array.
int main(void) {
  volatile int n = 4;
  int a[n];
  a[n] = 1;
  return 0;
}
