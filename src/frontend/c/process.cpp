// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/process.h"

#include "support/budget_watch.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

extern char** environ;

namespace heddle::frontend {

namespace {

/// A pipe that closes what is still open of it.
class Pipe {
public:
  Pipe() { is_open_ = pipe2(ends_.data(), O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    if (is_open_) {
      close_write();
      ::close(ends_[0]);
    }
  }
  [[nodiscard]] bool is_open() const { return is_open_; }
  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_write() {
    if (ends_[1] >= 0) {
      ::close(ends_[1]);
      ends_[1] = -1;
    }
  }

private:
  std::array<int, 2> ends_{-1, -1};
  bool is_open_ = false;
};

Error cannot_run(const std::string& program, int reason) {
  return Error{ErrorKind::kInput,
               "C-001",
               "cannot run '" + program + "': " + std::strerror(reason) +
                   " (install the package clang-19)"};
}

/// So often the budget is looked at.
constexpr int kMillisecondsBetweenLooks = 50;

/// Reads both pipes to their ends, whichever has something first. False if the budget was used up
/// before.
bool drain(const Pipe& out, const Pipe& messages, const Budget& budget, Finished& finished) {
  std::array<pollfd, 2> waiting{{{out.read_end(), POLLIN, 0}, {messages.read_end(), POLLIN, 0}}};
  std::array<char, 65536> buffer{};
  while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
    const int ready = poll(waiting.data(), waiting.size(), kMillisecondsBetweenLooks);
    if (ready < 0 && errno != EINTR) {
      return true;
    }
    if (ready <= 0) {
      if (budget.exhausted(0)) {
        return false;
      }
      continue;
    }
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) {
        continue;
      }
      const ssize_t count = read(waiting[i].fd, buffer.data(), buffer.size());
      if (count > 0) {
        (i == 0 ? finished.output : finished.messages)
            .append(buffer.data(), static_cast<std::size_t>(count));
      } else if (count == 0 || errno != EINTR) {
        waiting[i].fd = -1;
      }
    }
  }
  return true;
}

} // namespace

Result<Finished> run_program(std::span<const std::string> arguments, const Budget& budget) {
  Pipe out;
  Pipe messages;
  if (!out.is_open() || !messages.is_open()) {
    return cannot_run(arguments[0], errno);
  }
  std::vector<std::string> copies(arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& argument : copies) {
    pointers.push_back(argument.data());
  }
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, messages.write_end(), STDERR_FILENO);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    return cannot_run(arguments[0], failed);
  }
  out.close_write();
  messages.close_write();
  Finished finished;
  const bool is_drained = drain(out, messages, budget, finished);
  if (!is_drained) {
    kill(child, SIGKILL);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  // An interrupt from a terminal ends both.
  if (!is_drained || (WIFSIGNALED(status) && budget.exhausted(0))) {
    return budget_used_up(arguments[0] + " runs");
  }
  finished.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return finished;
}

} // namespace heddle::frontend
