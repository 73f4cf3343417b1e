// What the verdict assumes of the world: no environment, no signals.
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
static volatile sig_atomic_t stopped;
static void stop(int number) { stopped = number; }
int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = stop;
  sigemptyset(&action.sa_mask);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGINT, stop);
  const char* level = getenv("LEVEL");
  assert(level == NULL && !stopped);
  return 0;
}
