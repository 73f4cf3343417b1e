// Variable arguments that are read: by name and through a pointer, of several types, twice by va_copy, in two threads.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
static long sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  long total = 0;
  for (int i = 0; i < count; i++)
    total += va_arg(list, int);
  for (int i = 0; i < count; i++)
    total += va_arg(again, int);
  va_end(again);
  va_end(list);
  return total;
}
static long apply(const char* types, va_list list) {
  long total = 0;
  for (; *types; types++)
    switch (*types) {
    case 'i': total += va_arg(list, int); break;
    case 'l': total += va_arg(list, long long); break;
    case 'p': total += *va_arg(list, int*); break;
    case 'd': total += (long)va_arg(list, double); break;
    }
  return total;
}
static long mixed(const char* types, ...) {
  va_list list;
  va_start(list, types);
  long total = apply(types, list);
  va_end(list);
  return total;
}
static long (*through)(const char*, ...) = mixed;
static int cell = 7;
static long first, second;
static void* run(void* unused) {
  first = through("ilpd", 1, 200LL, &cell, 3.9);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  second = sum(3, 1, 2, (char)3) + sum(0);
  pthread_join(t, 0);
  assert(first == 211);
  assert(second == 12);
  assert(mixed("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, (short)-8) == 20);
  return 0;
}
