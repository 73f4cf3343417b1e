// A null pointer is read through.
#include <stddef.h>
int* p;
int main(void) { return *p; }
