// An empty endless loop is no error.
int main(void) {
  for (;;)
    ;
}
