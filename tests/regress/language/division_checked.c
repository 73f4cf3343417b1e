// The divisor is tested first.
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char d = __VERIFIER_nondet_uchar();
  volatile int x = 0;
  if (d != 0)
    x = 100 / d;
  (void)x;
  return 0;
}
