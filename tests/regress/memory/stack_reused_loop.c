// A pointer to a local of an earlier call of the same function.
int* p;
static int f(int first) {
  int local = first;
  if (first) {
    p = &local;
    return 0;
  }
  p[0] = 5;
  int* q = &local;
  return *q;
}
int main(void) {
  f(1);
  return f(0);
}
