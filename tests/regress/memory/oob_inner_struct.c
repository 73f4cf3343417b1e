// One past the end of a struct: the neighbour object must not be found there.
struct pair {
  int a, b;
} first, second;
int main(void) {
  int* p = &first.b;
  return p[1];
}
