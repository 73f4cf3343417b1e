// A left shift of a signed number overflows if the number times the power of two does. Unsigned
// numbers and the parts of structures that take fewer bits than a byte lose bits as they should.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);

struct parts {
  int low : 5;
  int high : 7;
};

int main(void) {
  int amount = __VERIFIER_nondet_int();
  __VERIFIER_assume(0 <= amount && amount <= MOST);
  int three = 3 << amount;
  int negative = -1;
  negative <<= amount;
  unsigned all = 0xffffffffu << amount;
  unsigned char byte = (unsigned char)(200 << (amount & 7));
  long wide = 1L << (amount + 30);
  struct parts parts = {-3, 60};
  parts.low = parts.high;
  return (three ^ negative ^ (int)(all & 1u) ^ byte ^ (int)(wide & 1) ^ parts.low) == 0;
}
