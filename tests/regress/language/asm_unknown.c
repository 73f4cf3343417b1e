// Other inline assembly is a trap: reaching it gives unknown, with its place.
int main(void) {
  int x = 0;
  __asm__ volatile("rdtsc" : "=a"(x) : : "edx");
  return 0;
}
