// Another function than main is the entry.
void reach_error(void);
int main(void) {
  reach_error();
  return 0;
}
int start(void) { return 0; }
