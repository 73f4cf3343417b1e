// A violation found within the bound is certain.
void reach_error(void);
int main(void) {
  for (volatile int i = 0; i < 10; ++i)
    if (i == 2)
      reach_error();
  return 0;
}
