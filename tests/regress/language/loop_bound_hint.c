// __VERIFIER_loop_bound is only a hint: it does not cut the loop.
void __VERIFIER_loop_bound(int);
void reach_error(void);
int main(void) {
  int n = 0;
  __VERIFIER_loop_bound(2);
  for (volatile int i = 0; i < 4; ++i)
    ++n;
  if (n == 4)
    reach_error();
  return 0;
}
