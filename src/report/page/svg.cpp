// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/page/svg.h"

#include "report/page/dot.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace heddle::report {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

/// A file without a name, gone when it is closed.
File temporary() {
  return File(std::tmpfile());
}

std::string content_of(std::FILE* file) {
  std::string content;
  std::rewind(file);
  char buffer[4096];
  for (std::size_t got = 0; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;)
    content.append(buffer, got);
  return content;
}

Error failure(const std::string& message) {
  return Error{ErrorKind::kUnsupported, "OUT-003", message};
}

} // namespace

Result<std::string> svg(const Picture& picture, const std::string& program) {
  return svg_of_dot(dot(picture), program);
}

Result<std::string> svg_of_dot(const std::string& text, const std::string& program) {
  // Files, not pipes: the program may read and write in any order.
  const File in = temporary();
  const File out = temporary();
  const File err = temporary();
  if (!in || !out || !err)
    return failure(fmt::format("cannot make a temporary file: {}", std::strerror(errno)));
  if (std::fwrite(text.data(), 1, text.size(), in.get()) != text.size() ||
      std::fflush(in.get()) != 0)
    return failure(fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
  std::rewind(in.get());

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in.get()), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err.get()), STDERR_FILENO);
  std::string name = program;
  std::string format = "-Tsvg";
  char* const arguments[] = {name.data(), format.data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    return failure(fmt::format("SVG needs Graphviz, and its program {} is not there; install the "
                               "package graphviz, or write DOT or HTML instead",
                               program));
  if (error != 0)
    return failure(fmt::format("cannot run {}: {}", program, std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return failure(fmt::format("cannot wait for {}: {}", program, std::strerror(errno)));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return failure(fmt::format("{} failed: {}", program, content_of(err.get())));
  return content_of(out.get());
}

} // namespace heddle::report
