// An unknown external function that is reached: unknown, with its name and place.
#include <assert.h>
int mystery(int);
int x;
int main(void) {
  if (x == 0)
    x = mystery(x);
  return 0;
}
