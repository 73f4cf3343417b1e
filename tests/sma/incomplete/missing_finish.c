// One that says it is thread-asynchronous, and lacks what only those have.
#define sma_is_asynchronous by_another_name
#include "sc.c"
#undef sma_is_asynchronous
const unsigned sma_is_asynchronous = 1;
