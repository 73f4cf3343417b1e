// Two threads count the lines of a file; nothing is known of the file.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int lines;
static void* count(void* path) {
  char c;
  int file = open(path, O_RDONLY);
  if (file < 0)
    return 0;
  if (read(file, &c, 1) == 1 && c == '\n') {
#ifndef UNLOCKED
    pthread_mutex_lock(&m);
#endif
    lines++;
#ifndef UNLOCKED
    pthread_mutex_unlock(&m);
#endif
  }
  close(file);
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, count, "a.txt");
  pthread_create(&u, 0, count, "b.txt");
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef NONE
  assert(lines == 0);
#endif
  char line[4];
  FILE* log = fopen("log.txt", "r");
  if (log) {
    if (fgets(line, sizeof line, log))
      assert(line[0] != 0);
    fclose(log);
  }
  return 0;
}
