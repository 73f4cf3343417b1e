// An error that is found before an unknown function is reached.
int mystery(int);
void reach_error(void);
int x;
int main(void) {
  if (x == 0)
    reach_error();
  x = mystery(x);
  return 0;
}
