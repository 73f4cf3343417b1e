// A shift by the width of the type is undefined behaviour.
int main(void) {
  volatile int n = 32;
  volatile unsigned x = 1u << n;
  (void)x;
  return 0;
}
