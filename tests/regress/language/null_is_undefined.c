// A null dereference when memory safety is not asked: nothing is proved.
int* volatile p;
int main(void) {
  *p = 1;
  return 0;
}
