// What a processor's instruction gives is any value, also where its register held another before.
extern void reach_error(void);
int main(void) {
  unsigned a = 1, d = 0;
  __asm__ volatile("cpuid" : "+a"(a), "=d"(d) : : "ebx", "ecx");
  if (a != 1)
    reach_error();
  return 0;
}
