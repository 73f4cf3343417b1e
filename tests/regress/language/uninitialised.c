// An uninitialised local is one arbitrary value.
void reach_error(void);
int main(void) {
  unsigned char x;
  unsigned char* p = &x;
  if (*p == 42)
    reach_error();
  return 0;
}
