// The loop over the array stops in time.
int a[4];
int main(void) {
  for (int i = 0; i < 4; ++i)
    a[i] = i;
  return a[3] - 3;
}
