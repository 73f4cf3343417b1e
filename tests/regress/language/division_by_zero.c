// Division by zero is undefined behaviour: nothing after it is proved.
int main(void) {
  volatile int zero = 0;
  volatile int x = 1 / zero;
  (void)x;
  return 0;
}
