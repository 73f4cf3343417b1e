// The same for a local whose address is never taken.
void reach_error(void);
int __VERIFIER_nondet_int(void);
static int get(int set) {
  unsigned char x;
  if (set)
    x = 1;
  return x;
}
int main(void) {
  if (get(0) == 2)
    reach_error();
  return 0;
}
