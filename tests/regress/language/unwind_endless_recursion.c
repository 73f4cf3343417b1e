// Recursion without end: only a bound gives an answer.
volatile int depth;
static int endless(int n) {
  depth = n;
  return endless(n + 1) + 1;
}
int main(void) { return endless(0); }
