// A pointer to a local of a function that has returned.
static int* f(void) {
  int local = 1;
  int* p = &local;
  return p;
}
int main(void) {
  int* p = f();
  return *p;
}
