// C as it was written before C89: implicit int, old-style parameters, undeclared functions, mixed int and pointer.
counter;
add(n) int n;
{
  counter = counter + n;
  return counter;
}
main() {
  int *p;
  int address;
  p = &counter;
  add(2);
  later(3);
  if (*p != 5)
    reach_error();
  address = 0;
  p = address;
  if (p)
    reach_error();
  return 0;
}
later(n) { return add(n); }
