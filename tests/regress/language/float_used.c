// Floating point that is reached gives unknown.
volatile double d = 1.5;
int main(void) {
  d = d * 2;
  return 0;
}
