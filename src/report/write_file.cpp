// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/write_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle::report {

namespace {

Error failure(const std::string& path, int error) {
  return Error{
      ErrorKind::kInput, "OUT-001", fmt::format("cannot write {}: {}", path, std::strerror(error))};
}

/// 0, or the error number.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return errno;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

Status write_directly(const std::string& path, std::string_view content) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0)
    return failure(path, errno);
  const int error = write_all(descriptor, content);
  const int closed = ::close(descriptor) == 0 ? 0 : errno;
  if (error != 0 || closed != 0)
    return failure(path, error != 0 ? error : closed);
  return Done{};
}

} // namespace

Status write_file(const std::string& path, std::string_view content) {
  struct stat existing = {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode))
    return failure(path, EISDIR);
  if (exists && !S_ISREG(existing.st_mode))
    return write_directly(path, content);

  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkstemp(temporary.data());
  if (descriptor < 0)
    return failure(path, errno);
  // mkstemp's file is for its owner only; the target gets what any new file gets.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  int error = ::fchmod(descriptor, 0666 & ~mask) == 0 ? 0 : errno;
  if (error == 0)
    error = write_all(descriptor, content);
  if (::close(descriptor) != 0 && error == 0)
    error = errno;
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0)
    error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    return failure(path, error);
  }
  return Done{};
}

} // namespace heddle::report
