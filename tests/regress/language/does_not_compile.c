// A file that does not compile: one message with its place.
int main(void) { return undeclared_variable; }
