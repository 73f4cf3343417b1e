// snprintf and sprintf write what they say, and no more than fits where a size is given.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
static char name[2][8];
static void label(char* to, size_t size, const char* format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(to, size, format, list);
  va_end(list);
}
static void* run(void* index) {
  int i = (int)(long)index;
#ifdef TOO_LONG
  sprintf(name[i], "thread-%d", i);
#else
  label(name[i], sizeof name[i], "t%d:%s", i, "end");
#endif
  return 0;
}
int main(void) {
  pthread_t t[2];
  for (long i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, (void*)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
#ifndef TOO_LONG
  assert(strcmp(name[1], "t1:end") == 0);
  char text[12];
  assert(snprintf(text, sizeof text, "%05d|%-3u|%x", -42, 7u, 255) == 12 && strcmp(text, "-0042|7  |f") == 0);
  assert(snprintf(0, 0, "%c%s%%", 'x', "yz") == 4);
#endif
  return 0;
}
