// What is printed is read: it must be there, and text must have an end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char full[3] = {'a', 'b', 'c'};
int main(void) {
  char* text = malloc(4);
  strcpy(text, "ab");
#if defined(PUTS)
  free(text);
  puts(text);
#elif defined(FORMAT)
  free(text);
  printf("%5d %-8s|%p\n", 3, text, (void*)full);
#elif defined(BEHIND)
  free(text);
  fprintf(stderr, "%*d%.*s", 4, 7, 2, text);
#elif defined(VARIABLE_FORMAT)
  free(text);
  printf(text);
#elif defined(UNENDED)
  printf("%s", full);
  free(text);
#elif defined(BLOCKS)
  fwrite(full, 1, 4, stdout);
  free(text);
#elif defined(BLOCK)
  write(1, full, 4);
  free(text);
#elif defined(ABSENT)
  fputs(getchar() == 3 ? text : NULL, stdout);
  free(text);
#else
  printf("%s %.3s %.*s %d%% %f\n", text, full, 2, full, 3, 2.5);
  fprintf(stderr, "%s", __func__);
  puts(text);
  write(1, full, sizeof full);
  fwrite(full, 1, sizeof full, stdout);
  perror(NULL);
  free(text);
#endif
  return 0;
}
