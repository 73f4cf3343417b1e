// A loop that no other thread sees, without an end: one step of the machine is a million of its
// iterations, and the limit of time has to hold all the same.
int x;
int main(void) {
  while (1)
    x++;
}
