// A store of the whole word that is not made does not keep the stores of its bytes in order.
#include <assert.h>
#include <pthread.h>
unsigned which;
unsigned word;
static void* whole(void* unused) {
  word = 1;
  which = 1;
  return unused;
}
static void* bytes(void* unused) {
  if (which == 1)
    word = 1;
  else
    ((unsigned char*)&word)[3] = 1;
  ((unsigned char*)&word)[2] = 1;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, whole, 0);
  pthread_create(&b, 0, bytes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(word != 0x01000001);
  return 0;
}
