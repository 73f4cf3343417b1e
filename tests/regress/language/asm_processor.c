// Assembly of drivers that memory does not notice: interrupts off and on, ports, the time stamp.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int counter;
static unsigned long save(void) {
  unsigned long flags;
  __asm__ volatile("# saved\n\tpushf ; pop %0" : "=rm"(flags) : : "memory");
  return flags;
}
static void restore(unsigned long flags) {
  __asm__ volatile("push %0 ; popf" : : "g"(flags) : "memory", "cc");
}
static unsigned char in(unsigned short port) {
  unsigned char value;
  __asm__ volatile("inb %w1, %b0" : "=a"(value) : "Nd"(port));
  return value;
}
static void* worker(void* unused) {
  const unsigned long flags = save();
  __asm__ volatile("cli" : : : "memory");
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  __asm__ volatile("outb %b0, %w1" : : "a"((unsigned char)1), "Nd"((unsigned short)0x80));
  restore(flags);
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(counter == 2);
  __asm__ volatile("sti" : : : "memory");
  return in(0x60) == 1;
}
