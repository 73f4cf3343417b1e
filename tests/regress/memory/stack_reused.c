// A pointer to a local of a function that has returned is used while another function's local may lie at its place.
int* p;
static void f(void) {
  int local = 1;
  p = &local;
}
static int g(void) {
  int other = 2;
  int* q = &other;
  return *q + *p;
}
int main(void) {
  f();
  return g();
}
