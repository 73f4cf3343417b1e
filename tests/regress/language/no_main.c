// There is no entry function.
int other(void) { return 0; }
