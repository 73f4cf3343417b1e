// An error before the division is still found.
void reach_error(void);
int main(void) {
  volatile int zero = 0;
  if (!zero)
    reach_error();
  volatile int x = 1 % zero;
  (void)x;
  return 0;
}
