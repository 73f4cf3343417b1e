// One that does not say which schedule it is for.
#define sma_is_asynchronous by_another_name
#include "sc.c"
