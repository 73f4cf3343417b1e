// An index below zero.
int a[4];
int i = -1;
int main(void) { return a[i]; }
