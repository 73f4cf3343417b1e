// Flag outputs of inline assembly ("=@ccz" and its kin) are what the instructions leave in the flags.
#include <assert.h>
#include <stdbool.h>

#define AFTER(instruction, code, a, b)                                                               \
  ({                                                                                                 \
    bool holds;                                                                                      \
    int left = (a);                                                                                  \
    __asm__ volatile(instruction " %2, %1" : "=@cc" code(holds), "+r"(left) : "r"((int)(b)) : "cc"); \
    holds;                                                                                           \
  })
#define MIN (-2147483647 - 1)
#define MAX 2147483647

static int word;
static unsigned long bits;

static bool exchange(int *place, int old, int new) {
  bool done;
  __asm__ volatile("lock cmpxchgl %3, %0"
                   : "+m"(*place), "=@ccz"(done), "+a"(old)
                   : "q"(new)
                   : "memory", "cc");
  return done;
}

static bool exchange_is_below(int *place, int old, int new) {
  bool below;
  __asm__ volatile("lock cmpxchgl %3, %0"
                   : "+m"(*place), "=@ccb"(below), "+a"(old)
                   : "q"(new)
                   : "memory", "cc");
  return below;
}

static bool add_is_zero(int *place, int by) {
  bool zero;
  __asm__ volatile("lock addl %2, %0" : "+m"(*place), "=@ccz"(zero) : "ir"(by) : "memory", "cc");
  return zero;
}

static bool decrement_is_negative(int *place) {
  unsigned char sign;
  __asm__ volatile("lock decl %0; sets %b1" : "+m"(*place), "=q"(sign) : : "memory", "cc");
  return sign;
}

static bool fetch_add_overflows(int *place, int by) {
  bool overflows;
  __asm__ volatile("lock xaddl %2, %0"
                   : "+m"(*place), "=@cco"(overflows), "+r"(by)
                   :
                   : "memory", "cc");
  return overflows;
}

static bool test_and_set(unsigned long *place, long bit) {
  bool was_set;
  __asm__ volatile("lock btsq %2, %0"
                   : "+m"(*place), "=@ccc"(was_set)
                   : "r"(bit)
                   : "memory", "cc");
  return was_set;
}

int main(void) {
  assert(AFTER("sub", "z", 3, 3) && !AFTER("sub", "e", 3, 4));
  assert(AFTER("sub", "ne", 3, 4) && !AFTER("sub", "nz", 3, 3));
  assert(AFTER("sub", "c", 3, -1) && AFTER("sub", "b", 3, 4) && !AFTER("sub", "nae", 4, 3));
  assert(AFTER("sub", "ae", 4, 3) && AFTER("sub", "nb", 4, 4) && AFTER("sub", "nc", -1, 1));
  assert(AFTER("sub", "be", 3, 3) && AFTER("sub", "na", 2, 3) && AFTER("sub", "a", 4, 3));
  assert(!AFTER("sub", "nbe", 3, 3) && AFTER("sub", "s", 3, 4) && AFTER("sub", "ns", 4, 3));
  assert(AFTER("sub", "o", MIN, 1) && AFTER("sub", "no", 5, 1));
  assert(AFTER("sub", "p", 6, 3) && AFTER("sub", "np", 8, 1));
  assert(AFTER("sub", "l", -1, 0) && AFTER("sub", "nge", MIN, 1) && AFTER("sub", "ge", 0, -1));
  assert(AFTER("sub", "nl", 1, MIN) && AFTER("sub", "le", 0, 0) && AFTER("sub", "ng", -1, 0));
  assert(AFTER("sub", "g", 1, 0) && AFTER("sub", "nle", 1, MIN));
  assert(AFTER("add", "c", -1, 1) && !AFTER("add", "c", 1, 1) && AFTER("add", "z", -1, 1));
  assert(AFTER("add", "o", MAX, 1) && !AFTER("add", "o", -1, 1) && !AFTER("add", "l", MAX, 1));
  assert(AFTER("cmp", "l", -1, 1) && AFTER("test", "z", 4, 3) && !AFTER("test", "c", 4, 3));
  assert(AFTER("and", "s", -1, MIN) && AFTER("or", "nz", 0, 1) && AFTER("xor", "z", 5, 5));

  assert(!exchange(&word, 1, 2) && exchange(&word, 0, 2) && word == 2);
  assert(exchange_is_below(&word, 1, 5) && !exchange_is_below(&word, 3, 5));
  assert(!add_is_zero(&word, 1) && add_is_zero(&word, -3));
  assert(decrement_is_negative(&word) && word == -1);
  word = MAX;
  assert(fetch_add_overflows(&word, 1) && word == MIN);
  assert(!test_and_set(&bits, 5) && test_and_set(&bits, 5) && bits == 32);
  return 0;
}
