// A loop runs one element too far over a global array.
int a[4];
int main(void) {
  for (int i = 0; i <= 4; ++i)
    a[i] = i;
  return 0;
}
