// __VERIFIER_error is an error call.
void __VERIFIER_error(void);
int main(void) {
  volatile int x = 1;
  if (x)
    __VERIFIER_error();
  return 0;
}
