// A nondeterministic value takes each value of its type.
void reach_error(void);
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar();
  unsigned char b = __VERIFIER_nondet_uchar();
  if (a == 255 && b == 1)
    reach_error();
  return 0;
}
