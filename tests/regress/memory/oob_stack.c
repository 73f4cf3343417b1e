// One past the end of a local array.
static int get(int* a, int i) { return a[i]; }
int main(void) {
  int a[2] = {1, 2};
  return get(a, 2);
}
