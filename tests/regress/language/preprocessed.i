# 1 "original.c"
# 1 "<built-in>" 1
# 1 "original.c"
extern void reach_error(void);
int x = 1;
int main(void) {
  if (x != 1)
    reach_error();
  return 0;
}
