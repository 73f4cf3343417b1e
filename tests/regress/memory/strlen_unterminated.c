// strlen runs past an array without terminator.
#include <string.h>
char a[2] = {'a', 'b'};
int main(void) { return (int)strlen(a); }
