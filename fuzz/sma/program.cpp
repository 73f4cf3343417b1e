// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "sma/program.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace heddle::sma {
namespace {

[[noreturn]] void fail(std::string_view what) {
  std::fprintf(stderr,
               "a program of the test cannot be read: %.*s\n",
               static_cast<int>(what.size()),
               what.data());
  std::abort();
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos)
      return parts;
    text.remove_prefix(end + separator.size());
  }
}

std::string without_spaces(std::string_view text) {
  std::string result(text);
  std::erase(result, ' ');
  return result;
}

bool is_number(const std::string& word) {
  return !word.empty() &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

unsigned number(const std::string& word) {
  if (!is_number(word))
    fail(word);
  return static_cast<unsigned>(std::strtoul(word.c_str(), nullptr, 10));
}

bool is_cell(const std::string& word) {
  return !word.empty() && (word[0] == 'x' || word[0] == 'y' || word[0] == 'z' || word[0] == 'm');
}

unsigned index_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end())
    return static_cast<unsigned>(found - names.begin());
  names.push_back(name);
  return static_cast<unsigned>(names.size() - 1);
}

class Reader {
public:
  explicit Reader(Program& program) : program_(program) {}

  Operation operation(const std::string& text) {
    Operation result;
    if (text == "F" || text == "S" || text == "[" || text == "]") {
      result.kind = text == "F"   ? Kind::Fence
                    : text == "S" ? Kind::StoreFence
                    : text == "[" ? Kind::SectionBegin
                                  : Kind::SectionEnd;
      return result;
    }
    for (const auto& [word, kind] : {std::pair{"unlock", Kind::Unlock}, {"lock", Kind::Lock}})
      if (text.starts_with(word)) {
        result.kind = kind;
        result.cell = cell(text.substr(std::string_view(word).size()));
        return result;
      }
    for (const auto& [word, kind] : {std::pair{"create", Kind::Create}, {"join", Kind::Join}})
      if (text.starts_with(word)) {
        result.kind = kind;
        result.thread = number(text.substr(std::string_view(word).size()));
        return result;
      }
    if (text.starts_with("assume")) {
      const std::vector<std::string> sides = split(text.substr(6), "==");
      result.kind = Kind::Assume;
      result.source = index_of(program_.registers, sides.at(0));
      result.value = number(sides.at(1));
      return result;
    }
    const std::vector<std::string> sides = split(text, "=");
    if (sides.size() != 2)
      fail(text);
    return assignment(sides[0], sides[1]);
  }

private:
  unsigned cell(const std::string& name) {
    if (!is_cell(name))
      fail(name);
    return index_of(program_.cells, name);
  }

  Operation assignment(const std::string& left, const std::string& right) {
    Operation result;
    const bool indirect_write = left.starts_with("*");
    if (indirect_write || is_cell(left)) {
      result.kind = indirect_write ? Kind::WriteIndirect : Kind::Write;
      result.cell = cell(indirect_write ? left.substr(1) : left);
      for (const std::string& term : split(right, "+")) {
        if (is_number(term))
          result.value = number(term);
        else
          result.source = index_of(program_.registers, term);
      }
      return result;
    }
    result.target = index_of(program_.registers, left);
    const bool exchange = right.starts_with("cas(");
    if (exchange || right.starts_with("add(")) {
      const std::vector<std::string> arguments = split(right.substr(4, right.size() - 5), ",");
      result.kind = exchange ? Kind::Exchange : Kind::Add;
      result.cell = cell(arguments.at(0));
      result.expected = exchange ? number(arguments.at(1)) : 0;
      result.value = number(arguments.at(exchange ? 2 : 1));
      return result;
    }
    const bool indirect = right.starts_with("*");
    result.kind = indirect ? Kind::ReadIndirect : Kind::Read;
    result.cell = cell(indirect ? right.substr(1) : right);
    return result;
  }

  Program& program_;
};

std::string final_name(std::string cell) {
  cell[0] = static_cast<char>(cell[0] - 'a' + 'A');
  return cell;
}

} // namespace

// A value never exceeds the largest constant plus all that is added anywhere, nor a mutex the
// number of threads.
void count_values(Program& program) {
  unsigned largest = 0;
  unsigned added = 0;
  bool locks = false;
  for (const auto& thread : program.threads)
    for (const Operation& operation : thread) {
      if (operation.kind == Kind::Add || operation.source != kNoRegister)
        added += operation.value;
      else
        largest = std::max(largest, operation.value);
      locks = locks || operation.kind == Kind::Lock;
    }
  program.values =
      std::max(largest + added, locks ? static_cast<unsigned>(program.threads.size()) : 0) + 1;
}

bool writes(const Operation& operation) {
  switch (operation.kind) {
  case Kind::Write:
  case Kind::WriteIndirect:
  case Kind::Lock:
  case Kind::Unlock:
  case Kind::Exchange:
  case Kind::Add:
    return true;
  case Kind::Read:
  case Kind::ReadIndirect:
  case Kind::Fence:
  case Kind::StoreFence:
  case Kind::SectionBegin:
  case Kind::SectionEnd:
  case Kind::Create:
  case Kind::Join:
  case Kind::Assume:
  case Kind::Terminate:
    return false;
  }
  return false;
}

bool may_not_write(const Operation& operation) {
  return operation.kind == Kind::Exchange;
}

unsigned count_writes(const Program& program) {
  unsigned count = 0;
  for (const auto& thread : program.threads)
    count += static_cast<unsigned>(std::count_if(thread.begin(), thread.end(), writes));
  return count;
}

unsigned most_writes_of_a_cell(const Program& program) {
  std::map<unsigned, unsigned> counts;
  unsigned most = 0;
  for (const auto& thread : program.threads)
    for (const Operation& operation : thread)
      if (writes(operation))
        most = std::max(most, ++counts[operation.cell]);
  return most;
}

unsigned most_writes_of_a_thread(const Program& program) {
  unsigned most = 0;
  for (const auto& thread : program.threads)
    most =
        std::max(most, static_cast<unsigned>(std::count_if(thread.begin(), thread.end(), writes)));
  return most;
}

unsigned count_writes_of(const Program& program, unsigned cell) {
  unsigned count = 0;
  for (const auto& thread : program.threads)
    for (const Operation& operation : thread)
      count += writes(operation) && operation.cell == cell ? 1 : 0;
  return count;
}

std::vector<unsigned> writers_of(const Program& program, unsigned cell) {
  std::vector<unsigned> result;
  for (unsigned t = 0; t < program.threads.size(); ++t)
    if (std::ranges::any_of(program.threads[t], [&](const Operation& operation) {
          return writes(operation) && operation.cell == cell;
        }))
      result.push_back(t);
  return result;
}

Program parse(std::string_view text, bool with_main) {
  Program program;
  program.text = text;
  Reader reader(program);
  if (!with_main)
    program.threads.emplace_back();
  for (const std::string& thread : split(text, "||")) {
    program.threads.emplace_back();
    for (const std::string& word : split(thread, ";"))
      if (const std::string operation = without_spaces(word); !operation.empty())
        program.threads.back().push_back(reader.operation(operation));
  }
  if (!with_main) {
    const auto count = static_cast<unsigned>(program.threads.size());
    for (const Kind kind : {Kind::Create, Kind::Join})
      for (unsigned thread = 1; thread < count; ++thread)
        program.threads[0].push_back({.kind = kind, .thread = thread});
    for (unsigned cell = 0; cell < program.cells.size(); ++cell)
      if (program.cells[cell][0] != 'm')
        program.threads[0].push_back(
            {.kind = Kind::Read,
             .cell = cell,
             .target = index_of(program.registers, final_name(program.cells[cell]))});
  }
  for (auto& thread : program.threads)
    thread.push_back({.kind = Kind::Terminate});
  count_values(program);
  return program;
}

} // namespace heddle::sma
