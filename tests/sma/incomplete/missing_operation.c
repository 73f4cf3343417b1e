// One that lacks sma_store_fence.
#define sma_store_fence by_another_name
#include "sc.c"
