#define _GNU_SOURCE
// External functions that real programs call.
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

int __VERIFIER_load_await_aint(atomic_int *from, int condition, int argument);
int __VERIFIER_xchg_await_aint(atomic_int *at, int stored, int condition, int argument);

static atomic_int flag;

static void *raise(void *argument) {
  flag = 1;
  return argument;
}

int main(void) {
  assert(ffs(0) == 0 && ffs(8) == 4 && ffsll(1LL << 40) == 41);
  assert(htons(0x1234) == 0x3412 && ntohl(1) == 0x01000000);
  double root = sqrt(2.25);
  assert(root == 1.5 && sqrt(2) * 1e6 > 1414213 && difftime(7, 9) == -2);
  double below = -0.5;
  assert(fabs(below) == 0.5 && fabs(root) == 1.5);
  prctl(PR_SET_NAME, "thread");
  char buffer[2] = "a";
  struct pollfd waiting = {0, POLLIN, 0};
  int found = poll(&waiting, 1, 10);
  assert(found <= 1);
  fd_set ready;
  FD_ZERO(&ready);
  FD_SET(0, &ready);
  assert(select(1, &ready, 0, 0, 0) <= 3);
  assert(ppoll(&waiting, 1, 0, 0) <= 1);
  int flags = fcntl(0, F_GETFL);
  fcntl(0, F_SETFL, flags | O_NONBLOCK);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) == 0)
    assert(ends[0] >= 0 && ends[1] >= 0);
  madvise(buffer, 1, MADV_NORMAL);
  struct sockaddr address = {0};
  int descriptor = socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor >= 0 && bind(descriptor, &address, sizeof address) == 0 && listen(descriptor, 1) == 0) {
    int other = accept(descriptor, 0, 0);
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(other, SOL_SOCKET, SO_ERROR, &error, &size);
    send(other, buffer, 1, 0);
    assert(recv(other, buffer, 2, 0) <= 2);
  }
  pthread_t thread;
  pthread_create(&thread, 0, raise, 0);
  assert(__VERIFIER_load_await_aint(&flag, 2, 1) == 1);
  assert(__VERIFIER_xchg_await_aint(&flag, 5, 9, 0) == 1 && flag == 5);
  pthread_join(thread, 0);
  return 0;
}
