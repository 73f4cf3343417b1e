// All functions without a definition are named at once.
int measure(void);
int adjust(int);
int never_called(int);

int main(void) {
  int value = measure();
  return adjust(value);
}
