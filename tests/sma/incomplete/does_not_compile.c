// One that is no C.
#include "sc.c"
unsigned no_end(void) { return 1
