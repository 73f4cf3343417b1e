// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/compile.h"

#include "frontend/c/process.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

namespace heddle::frontend {

namespace {

/// "file:line:column: severity: message"
struct Diagnostic {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string severity;
  std::string message;
};

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::optional<Diagnostic> parse_diagnostic(std::string_view line) {
  for (const std::string_view severity : {"fatal error", "error", "warning"}) {
    const std::string mark = std::string(severity) + ": ";
    const std::size_t at = line.find(mark);
    if (at == std::string_view::npos) {
      continue;
    }
    Diagnostic out;
    out.severity = severity;
    out.message = line.substr(at + mark.size());
    std::string_view place = line.substr(0, at);
    if (place.ends_with(": ")) {
      place.remove_suffix(2);
    }
    const std::size_t second = place.rfind(':');
    const std::size_t first =
        second == std::string_view::npos ? second : place.rfind(':', second - 1);
    if (first != std::string_view::npos) {
      const auto row = number(place.substr(first + 1, second - first - 1));
      const auto column = number(place.substr(second + 1));
      if (row && column) {
        out.file = place.substr(0, first);
        out.line = *row;
        out.column = *column;
      }
    }
    return out;
  }
  return std::nullopt;
}

std::vector<std::string> command_line(const std::string& path, const CompileOptions& options) {
  std::vector<std::string> out = {"clang-19",
                                  "-c",
                                  "-O0",
                                  "-Xclang",
                                  "-disable-O0-optnone",
                                  "-Xclang",
                                  "-disable-llvm-passes",
                                  "-g",
                                  "-emit-llvm",
                                  "-fgnu89-inline",
                                  "-fno-discard-value-names",
                                  "-fno-color-diagnostics",
                                  "-fno-caret-diagnostics",
                                  "-fno-stack-protector",
                                  // Each operation rounds, as on processors without fused ones.
                                  "-ffp-contract=off",
                                  // Memory is checked by object: arrays inside one need this.
                                  "-fsanitize=array-bounds",
                                  "-fsanitize-trap=array-bounds",
                                  // Tells signed shifts from others (frontend/llvm/shift_checks.h).
                                  "-fsanitize=shift-base",
                                  "-fsanitize-trap=shift-base",
                                  "-ferror-limit=1",
                                  // Legacy C is accepted; what it does wrongly is only a warning.
                                  "-Wno-error=implicit-function-declaration",
                                  "-Wno-error=int-conversion",
                                  "-Wno-error=implicit-int",
                                  "-Wno-error=incompatible-function-pointer-types",
                                  "-Wno-error=incompatible-pointer-types",
                                  "-Wno-error=return-type",
                                  "-Wno-error=return-mismatch",
                                  "-Wno-error=deprecated-non-prototype",
                                  "-Wno-ignored-attributes",
                                  "-Wno-unknown-attributes",
                                  "-Wno-builtin-requires-header",
                                  "-Wno-incompatible-library-redeclaration",
                                  "-Wno-unknown-warning-option",
                                  "-Wno-unused-command-line-argument"};
  out.emplace_back(options.data_model == ir::DataModel::kILP32 ? "-m32" : "-m64");
  out.insert(out.end(), options.flags.begin(), options.flags.end());
  for (const std::string& folder : options.include_dirs) {
    out.push_back("-I" + folder);
  }
  out.insert(out.end(), {"-o", "-", "--", path});
  return out;
}

/// The name of a function that clang knows by itself, and that the program has as something else.
std::optional<std::string> taken_builtin(const Error& error) {
  constexpr std::string_view kFront = "redefinition of '";
  constexpr std::string_view kBack = "' as different kind of symbol";
  const std::string_view text = error.message;
  if (!text.starts_with(kFront) || !text.ends_with(kBack)) {
    return std::nullopt;
  }
  return std::string(text.substr(kFront.size(), text.size() - kFront.size() - kBack.size()));
}

Result<Compiled>
compile_once(const std::string& path, const CompileOptions& options, const Budget& budget) {
  const std::vector<std::string> arguments = command_line(path, options);
  auto finished = run_program(arguments, budget);
  if (!finished) {
    return finished.error();
  }
  Compiled out;
  std::istringstream lines(finished->messages);
  std::string first_line;
  for (std::string line; std::getline(lines, line);) {
    if (first_line.empty()) {
      first_line = line;
    }
    const auto diagnostic = parse_diagnostic(line);
    if (!diagnostic) {
      continue;
    }
    if (diagnostic->severity == "warning") {
      out.warnings.push_back(line);
      continue;
    }
    Error error{ErrorKind::kInput, "C-002", diagnostic->message, diagnostic->file};
    error.line = diagnostic->line;
    error.column = diagnostic->column;
    if (error.file.empty()) {
      error.file = path;
    }
    return error;
  }
  if (finished->exit_code != 0 || finished->output.empty()) {
    return Error{ErrorKind::kInput,
                 "C-003",
                 "clang ended with code " + std::to_string(finished->exit_code) +
                     (first_line.empty() ? std::string{} : ": " + first_line),
                 path};
  }
  out.bitcode = std::move(finished->output);
  return out;
}

} // namespace

/// A name of the library that the program uses for something of its own is not clang's then. If a
/// header of the library declares it, the second error is the same.
Result<Compiled>
compile(const std::string& path, const CompileOptions& options, const Budget& budget) {
  CompileOptions how = options;
  while (true) {
    Result<Compiled> compiled = compile_once(path, how, budget);
    const auto name = compiled ? std::nullopt : taken_builtin(compiled.error());
    const std::string flag = "-fno-builtin-" + name.value_or("");
    if (!name || std::ranges::find(how.flags, flag) != how.flags.end()) {
      return compiled;
    }
    how.flags.push_back(flag);
  }
}

} // namespace heddle::frontend
