// Fields of a packed structure and bit-fields that share a word.
#include <pthread.h>
#include <stdint.h>
#include <assert.h>
#include <stddef.h>
struct __attribute__((packed)) frame {
  uint8_t kind;
  uint32_t length;
  uint16_t crc : 12;
  uint16_t flags : 4;
};
static struct frame f;
void* a(void* x) {
  f.kind = 3;
  f.length = 0x01020304;
  f.crc = 0xabc;
  return 0;
}
void* b(void* x) {
#ifdef SEPARATE
  return 0;
#else
  f.flags = 5;
#endif
  return 0;
}
int main(void) {
  _Static_assert(sizeof(struct frame) == 7, "packed");
  _Static_assert(offsetof(struct frame, length) == 1, "packed");
  pthread_t t, u;
  pthread_create(&t, 0, a, 0);
  pthread_create(&u, 0, b, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(f.kind == 3 && f.length == 0x01020304);
  uint8_t* p = (uint8_t*)&f;
  assert(p[1] == 4 && p[4] == 1);
  assert(f.crc == 0xabc || f.crc == 0);
}
