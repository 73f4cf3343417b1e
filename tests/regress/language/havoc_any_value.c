// --havoc: the result may be any value.
#include <assert.h>
unsigned char mystery(int);
void reach_error(void);
int main(void) {
  if (mystery(1) == 77)
    reach_error();
  return 0;
}
