// __VERIFIER_assert with the body SV-COMP programs give it.
void reach_error(void);
static void __VERIFIER_assert(int cond) {
  if (!(cond)) {
  ERROR: {
    reach_error();
  }
  }
  return;
}
int main(void) {
  volatile int x = 1;
  __VERIFIER_assert(x == 1);
  __VERIFIER_assert(x == 2);
  return 0;
}
