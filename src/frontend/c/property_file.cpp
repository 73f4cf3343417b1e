// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Property files of SV-COMP: CHECK( init(main()), LTL(G ! call(reach_error())) ), one or several
// per file.
#include "frontend/c/task_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace heddle::frontend {

namespace {

/// Reads CHECK after CHECK, and keeps where it is for messages.
class PropertyParser {
public:
  PropertyParser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Result<PropertyFile> run() {
    PropertyFile out;
    bool is_first = true;
    for (skip_space(); at_ < text_.size(); skip_space()) {
      const Status one = parse_check(out, is_first);
      if (!one) {
        return one.error();
      }
      is_first = false;
    }
    if (is_first) {
      return fail("expected CHECK( init(main()), LTL(…) )");
    }
    return out;
  }

private:
  [[nodiscard]] Error fail(const std::string& message) const {
    Error error{ErrorKind::kInput, "PRP-001", message, std::string(file_)};
    error.line = 1;
    error.column = 1;
    for (const char c : text_.substr(0, at_)) {
      error.line += c == '\n' ? 1 : 0;
      error.column = c == '\n' ? 1 : error.column + 1;
    }
    return error;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      if (std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else if (text_.substr(at_).starts_with("//")) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  bool accept(std::string_view token) {
    skip_space();
    if (!text_.substr(at_).starts_with(token)) {
      return false;
    }
    at_ += token.size();
    return true;
  }

  std::string word() {
    skip_space();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '-' || text_[at_] == '$')) {
      ++at_;
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  Status expect(std::string_view token) {
    if (accept(token)) {
      return Done{};
    }
    return fail("expected '" + std::string(token) + "'");
  }

  /// Several tokens in a row.
  Status expect_all(std::initializer_list<std::string_view> tokens) {
    for (const std::string_view token : tokens) {
      Status one = expect(token);
      if (!one) {
        return one;
      }
    }
    return Done{};
  }

  Status parse_check(PropertyFile& out, bool is_first) {
    if (Status head = expect_all({"CHECK", "(", "init", "("}); !head) {
      return head;
    }
    out.entry = word();
    if (out.entry.empty()) {
      return fail("expected the name of the entry function");
    }
    if (Status middle = expect_all({"(", ")", ")", ",", "LTL", "("}); !middle) {
      return middle;
    }
    const std::size_t formula_at = at_;
    PropertyFile found = out;
    if (Status formula = parse_formula(found); !formula) {
      return formula;
    }
    if (!is_first &&
        (found.property != out.property || found.property != TaskProperty::kValidMemsafety)) {
      at_ = formula_at;
      return fail("expected one property in the file; only valid-free, valid-deref and "
                  "valid-memtrack may stand together");
    }
    out = found;
    return expect_all({")", ")"});
  }

  Status parse_formula(PropertyFile& out) {
    if (accept("F")) {
      if (word() != "end") {
        return fail("expected 'end' after F");
      }
      out.property = TaskProperty::kTermination;
      return Done{};
    }
    if (!accept("G")) {
      return fail("expected G or F");
    }
    const bool negated = accept("!");
    const std::string atom = word();
    if (negated && atom == "call") {
      if (Status open = expect("("); !open) {
        return open;
      }
      out.property = TaskProperty::kUnreachCall;
      out.error_function = word();
      if (out.error_function.empty()) {
        return fail("expected the name of a function");
      }
      return expect_all({"(", ")", ")"});
    }
    if (negated && atom == "data-race") {
      out.property = TaskProperty::kNoDataRace;
    } else if (negated && atom == "overflow") {
      out.property = TaskProperty::kNoOverflow;
    } else if (negated && atom == "deadlock") {
      out.property = TaskProperty::kNoDeadlock;
    } else if (!negated && atom == "valid-memcleanup") {
      out.property = TaskProperty::kValidMemcleanup;
    } else if (!negated &&
               (atom == "valid-free" || atom == "valid-deref" || atom == "valid-memtrack")) {
      out.property = TaskProperty::kValidMemsafety;
      out.parts.push_back(atom);
    } else {
      return fail("'" + std::string(negated ? "! " : "") + atom + "' is no property heddle knows");
    }
    return Done{};
  }

  std::string_view text_;
  std::string_view file_;
  std::size_t at_ = 0;
};

} // namespace

std::string_view name(TaskProperty property) {
  switch (property) {
  case TaskProperty::kUnreachCall:
    return "unreach-call";
  case TaskProperty::kNoDataRace:
    return "no-data-race";
  case TaskProperty::kNoOverflow:
    return "no-overflow";
  case TaskProperty::kValidMemsafety:
    return "valid-memsafety";
  case TaskProperty::kValidMemcleanup:
    return "valid-memcleanup";
  case TaskProperty::kTermination:
    return "termination";
  case TaskProperty::kNoDeadlock:
    return "no-deadlock";
  }
  return "";
}

Result<PropertyFile> parse_property(std::string_view text, std::string_view file_name) {
  return PropertyParser(text, file_name).run();
}

Result<PropertyFile> read_property_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error{
        ErrorKind::kInput, "PRP-002", std::string("cannot read: ") + std::strerror(errno), path};
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return parse_property(text, path);
}

} // namespace heddle::frontend
