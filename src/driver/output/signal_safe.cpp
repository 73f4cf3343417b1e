// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/output/signal_safe.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace heddle::driver::signal_safe {

namespace {

constexpr int kPatienceMs = 500;

/// The beginning of a small file; nothing where it cannot be read.
template <std::size_t size>
std::string_view read_start(const char* path, std::array<char, size>& buffer) {
  const int descriptor = ::open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0)
    return {};
  const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
  ::close(descriptor);
  return {buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0};
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The number the text begins with, which is taken off, and the blanks behind it.
std::uint64_t take_number(std::string_view& text) {
  std::uint64_t value = 0;
  while (!text.empty() && is_digit(text.front())) {
    value = value * 10 + static_cast<std::uint64_t>(text.front() - '0');
    text.remove_prefix(1);
  }
  while (!text.empty() && !is_digit(text.front()))
    text.remove_prefix(1);
  return value;
}

void kill_all(std::string_view numbers) {
  while (!numbers.empty())
    if (const std::uint64_t process = take_number(numbers); process > 1)
      ::kill(static_cast<pid_t>(process), SIGKILL);
}

/// /proc/self/task/THREAD/children
void kill_children_of(const char* thread) {
  std::array<char, 64> path{};
  std::size_t length = 0;
  for (const char* part : {"/proc/self/task/", thread, "/children"})
    for (; *part != '\0' && length + 1 < path.size(); ++part)
      path[length++] = *part;
  std::array<char, 4096> children{};
  kill_all(read_start(path.data(), children));
}

} // namespace

std::uint64_t resident_bytes() {
  std::array<char, 128> buffer{};
  std::string_view text = read_start("/proc/self/statm", buffer);
  take_number(text);
  return take_number(text) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void write(int descriptor, std::string_view text) {
  while (!text.empty()) {
    // A reader that has stopped must not keep this process alive.
    pollfd ready{descriptor, POLLOUT, 0};
    const int count = ::poll(&ready, 1, kPatienceMs);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return;
    const std::size_t most = 4096; // a pipe that is ready takes so much
    const ssize_t written =
        ::write(descriptor, text.data(), text.size() < most ? text.size() : most);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_file(const char* path, const char* temporary, std::string_view text) {
  const bool is_direct = *temporary == '\0';
  const int flags = is_direct ? O_WRONLY : O_WRONLY | O_CREAT | O_EXCL;
  const int descriptor = ::open(is_direct ? path : temporary, flags | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return;
  const std::size_t length = text.size();
  std::size_t written = 0;
  if (is_direct) {
    write(descriptor, text);
  } else {
    while (written < length) {
      const ssize_t count = ::write(descriptor, text.data() + written, length - written);
      if (count < 0 && errno == EINTR)
        continue;
      if (count <= 0)
        break;
      written += static_cast<std::size_t>(count);
    }
  }
  ::close(descriptor);
  if (!is_direct && (written < length || ::rename(temporary, path) != 0))
    ::unlink(temporary);
}

void kill_children() {
  const int folder = ::open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0)
    return;
  alignas(dirent64) std::array<char, 2048> entries{};
  while (true) {
    // readdir allocates.
    const long count = ::syscall(SYS_getdents64, folder, entries.data(), entries.size());
    if (count <= 0)
      break;
    for (long at = 0; at < count;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      if (is_digit(entry->d_name[0]))
        kill_children_of(entry->d_name);
      at += entry->d_reclen;
    }
  }
  ::close(folder);
}

} // namespace heddle::driver::signal_safe
