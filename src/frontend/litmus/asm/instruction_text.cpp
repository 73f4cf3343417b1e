// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/asm/instruction_text.h"

#include "ir/names.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using ir::is_digit;

constexpr std::string_view kBadText = "LIT-100";      // not mnemonic and operands
constexpr std::string_view kBadOperands = "LIT-101";  // not the operands it takes
constexpr std::string_view kUnknown = "LIT-102";      // no such instruction
constexpr std::string_view kNotSupported = "LIT-103"; // a form we refuse

constexpr unsigned kMostRegisters = 32;

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool starts_name(char c) {
  return is_letter(c) || c == '_' || c == '$' || c == '%' || c == '.';
}
bool continues_name(char c) {
  return starts_name(c) || is_digit(c);
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return result;
}

class Reader {
public:
  Reader(std::string_view text, const Dialect& dialect) : text_(text), dialect_(dialect) {}

  Result<InstructionText> read() {
    skip_space();
    in_.column = column();
    const std::size_t begin = position_;
    while (!at_end() && !is_space(text_[position_]))
      ++position_;
    in_.mnemonic = lower(text_.substr(begin, position_ - begin));
    if (in_.mnemonic.empty())
      return Error{
          ErrorKind::kInput, std::string(kBadText), "an instruction was expected", {}, 0, 1};
    skip_space();
    while (!at_end() && !failed_) {
      read_argument();
      skip_space();
      if (failed_ || at_end())
        break;
      if (!take(','))
        fail("`,` or the end of the instruction was expected");
      else if (skip_space(); at_end())
        fail("an operand was expected after `,`");
    }
    if (failed_)
      return *failed_;
    return std::move(in_);
  }

private:
  std::string_view text_;
  const Dialect& dialect_;
  std::size_t position_ = 0;
  InstructionText in_;
  std::optional<Error> failed_;

  [[nodiscard]] bool at_end() const { return position_ >= text_.size(); }
  [[nodiscard]] char next() const { return at_end() ? '\0' : text_[position_]; }
  [[nodiscard]] std::uint32_t column() const { return static_cast<std::uint32_t>(position_ + 1); }
  void skip_space() {
    while (!at_end() && is_space(text_[position_]))
      ++position_;
  }
  bool take(char c) {
    skip_space();
    if (next() != c)
      return false;
    ++position_;
    return true;
  }
  void fail(const std::string& message, std::string_view code = kBadText) {
    if (!failed_) {
      failed_ = instruction_error(in_, column(), message);
      failed_->code = code;
      if (code == kNotSupported)
        failed_->kind = ErrorKind::kUnsupported;
    }
  }
  void expect(char c) {
    if (!take(c))
      fail(std::string("`") + c + "` was expected");
  }

  [[nodiscard]] bool at_number() const {
    const bool has_sign = next() == '-' || next() == '+';
    const std::size_t digit = position_ + (has_sign ? 1 : 0);
    return digit < text_.size() && is_digit(text_[digit]);
  }

  std::int64_t read_number() {
    skip_space();
    if (!at_number()) {
      fail("a number was expected");
      return 0;
    }
    const std::size_t begin = position_;
    const bool is_negative = next() == '-';
    if (next() == '-' || next() == '+')
      ++position_;
    int base = 10;
    if (text_.substr(position_, 2) == "0x" || text_.substr(position_, 2) == "0X") {
      base = 16;
      position_ += 2;
    }
    std::uint64_t magnitude = 0;
    const char* const first = text_.data() + position_;
    const char* const last = text_.data() + text_.size();
    const auto [end, problem] = std::from_chars(first, last, magnitude, base);
    const bool is_too_large = is_negative && magnitude > (std::uint64_t{1} << 63);
    if (problem != std::errc() || is_too_large || (end != last && continues_name(*end))) {
      position_ = begin;
      fail("this is not a number of 64 bits");
      return 0;
    }
    position_ += static_cast<std::size_t>(end - first);
    return static_cast<std::int64_t>(is_negative ? 0 - magnitude : magnitude);
  }

  std::string_view read_name() {
    skip_space();
    const std::size_t begin = position_;
    if (starts_name(next()))
      while (continues_name(next()))
        ++position_;
    return text_.substr(begin, position_ - begin);
  }

  std::string read_register() {
    skip_space();
    const std::size_t begin = position_;
    const std::string_view name = read_name();
    const std::optional<RegisterView> view = dialect_.find_register(name);
    if (view)
      return view->canonical;
    position_ = begin;
    fail("a register was expected");
    return {};
  }

  void read_argument() {
    Argument argument;
    argument.column = column();
    const std::size_t begin = position_;
    if (take('#')) {
      argument.kind = Argument::Kind::kImmediate;
      argument.value = read_number();
    } else if (at_number()) {
      argument.kind = Argument::Kind::kImmediate;
      argument.value = read_number();
      if (!failed_ && take('('))
        finish_parenthesis(argument);
    } else if (take('(')) {
      finish_parenthesis(argument);
    } else if (take('[')) {
      finish_bracket(argument);
    } else if (take('{')) {
      finish_list(argument);
    } else if (starts_name(next())) {
      const std::string_view name = read_name();
      const std::optional<RegisterView> view = dialect_.find_register(name);
      argument.kind = view ? Argument::Kind::kRegister : Argument::Kind::kName;
      argument.name = view ? view->canonical : std::string(name);
      argument.is_written_back = view && next() == '!';
      if (argument.is_written_back)
        ++position_;
    } else {
      fail("an operand was expected");
    }
    argument.text = text_.substr(begin, position_ - begin);
    in_.arguments.push_back(std::move(argument));
  }

  void finish_list(Argument& argument) {
    argument.kind = Argument::Kind::kList;
    do {
      argument.registers.push_back(read_register());
      if (!failed_ && take('-'))
        read_range(argument);
    } while (!failed_ && take(','));
    expect('}');
  }

  /// All from the last one on to the one that follows; their names end with their numbers.
  void read_range(Argument& argument) {
    skip_space();
    const std::uint32_t at = column();
    const std::string first = argument.registers.back();
    const std::string last = read_register();
    if (failed_)
      return;
    const std::size_t digits = first.find_first_of("0123456789");
    const std::string prefix = first.substr(0, digits);
    const std::optional<unsigned> from = numbered_register(first, prefix, kMostRegisters);
    const std::optional<unsigned> to = numbered_register(last, prefix, kMostRegisters);
    if (!from || !to || *from > *to) {
      fail("a register after " + first + " was expected");
      failed_->column = at;
      return;
    }
    for (unsigned number = *from + 1; number <= *to; ++number)
      argument.registers.push_back(prefix + std::to_string(number));
  }

  void finish_parenthesis(Argument& argument) {
    argument.kind = Argument::Kind::kMemory;
    argument.name = read_register();
    expect(')');
  }

  void finish_bracket(Argument& argument) {
    argument.kind = Argument::Kind::kMemory;
    argument.name = read_register();
    if (!failed_ && take(',')) {
      skip_space();
      if (take('#') || at_number())
        argument.value = read_number();
      else
        read_index(argument);
    }
    expect(']');
    if (!failed_ && (skip_space(), next() == '!'))
      fail("writing back the address is not supported", kNotSupported);
  }

  void read_index(Argument& argument) {
    argument.index = read_register();
    if (failed_ || !take(','))
      return;
    skip_space();
    const std::size_t begin = position_;
    if (lower(read_name()) != "lsl") {
      position_ = begin;
      fail("`LSL` was expected");
      return;
    }
    take('#');
    const std::int64_t amount = read_number();
    if (!failed_ && (amount < 0 || amount > 31))
      fail("a shift by 0 to 31 was expected");
    else
      argument.index_shift = static_cast<unsigned>(amount);
  }
};

std::string_view describe(char letter) {
  switch (letter) {
  case 'r':
    return "a register";
  case 'i':
    return "a number";
  case 'v':
    return "a register or a number";
  case 'z':
    return "a register or 0";
  case 'm':
  case 'x':
    return "memory";
  case 'a':
    return "memory without an offset";
  case 'w':
    return "a register, or one that is written back";
  case 'l':
    return "a list of registers";
  default:
    return "a name";
  }
}

bool fits(char letter, const Argument& argument) {
  using Kind = Argument::Kind;
  const bool is_register = argument.kind == Kind::kRegister && !argument.is_written_back;
  const bool is_number = argument.kind == Kind::kImmediate;
  const bool is_memory = argument.kind == Kind::kMemory;
  switch (letter) {
  case 'r':
    return is_register;
  case 'i':
    return is_number;
  case 'v':
    return is_register || is_number;
  case 'z':
    return is_register || (is_number && argument.value == 0);
  case 'm':
    return is_memory && argument.index.empty();
  case 'x':
    return is_memory;
  case 'a':
    return is_memory && argument.index.empty() && argument.value == 0;
  case 'w':
    return argument.kind == Kind::kRegister;
  case 'l':
    return argument.kind == Kind::kList;
  default:
    return is_register || argument.kind == Kind::kName;
  }
}

/// The first operand that does not fit, or nothing.
std::optional<std::size_t> find_misfit(std::string_view shape, const InstructionText& in) {
  const std::size_t common = std::min(shape.size(), in.arguments.size());
  for (std::size_t i = 0; i < common; ++i)
    if (!fits(shape[i], in.arguments[i]))
      return i;
  if (shape.size() != in.arguments.size())
    return common;
  return std::nullopt;
}

Error misfit_error(std::string_view shape, std::size_t misfit, const InstructionText& in) {
  std::string takes;
  for (const char letter : shape)
    takes += (takes.empty() ? " takes " : ", ") + std::string(describe(letter));
  if (shape.empty())
    takes = " takes no operands";
  const bool is_missing = misfit >= in.arguments.size();
  const std::string found = is_missing ? "operand " + std::to_string(misfit + 1) + " is missing"
                                       : "operand " + std::to_string(misfit + 1) + " is `" +
                                             in.arguments[misfit].text + "`";
  const std::uint32_t column = is_missing ? in.column : in.arguments[misfit].column;
  Error error = instruction_error(in, column, "");
  error.message = "`" + in.mnemonic + "`" + takes + "; " + found;
  return error;
}

} // namespace

bool InstructionText::has_suffix(std::string_view suffix) const {
  return std::find(suffixes.begin(), suffixes.end(), suffix) != suffixes.end();
}

Result<InstructionText> read_instruction(std::string_view text, const Dialect& dialect) {
  return Reader(text, dialect).read();
}

Status emit_by_form(std::span<const Form> forms, const InstructionText& in, ThreadBuilder& out) {
  const Form* nearest = nullptr;
  std::size_t nearest_misfit = 0;
  for (const Form& form : forms) {
    if (form.mnemonic != in.mnemonic)
      continue;
    const std::optional<std::size_t> misfit = find_misfit(form.shape, in);
    if (!misfit) {
      form.emit(in, out);
      return Done{};
    }
    if (nearest == nullptr || *misfit > nearest_misfit) {
      nearest = &form;
      nearest_misfit = *misfit;
    }
  }
  if (nearest != nullptr)
    return misfit_error(nearest->shape, nearest_misfit, in);
  Error error = instruction_error(in, in.column, "this instruction is not known");
  error.code = kUnknown;
  error.kind = ErrorKind::kUnsupported;
  return error;
}

bool has_form(std::span<const Form> forms, std::string_view mnemonic) {
  return std::any_of(
      forms.begin(), forms.end(), [&](const Form& form) { return form.mnemonic == mnemonic; });
}

Error instruction_error(const InstructionText& in,
                        std::uint32_t column,
                        const std::string& message) {
  return Error{ErrorKind::kInput,
               std::string(kBadOperands),
               "`" + in.mnemonic + "`: " + message,
               {},
               0,
               column};
}

Error unsupported_instruction(const InstructionText& in, const std::string& message) {
  Error error = instruction_error(in, in.column, message);
  error.kind = ErrorKind::kUnsupported;
  error.code = kNotSupported;
  return error;
}

std::optional<unsigned>
numbered_register(std::string_view name, std::string_view prefix, unsigned count) {
  if (name.size() <= prefix.size() || name.substr(0, prefix.size()) != prefix)
    return std::nullopt;
  const std::string_view digits = name.substr(prefix.size());
  if (digits.size() > 2 || (digits.size() == 2 && digits[0] == '0'))
    return std::nullopt;
  unsigned number = 0;
  for (const char c : digits) {
    if (!is_digit(c))
      return std::nullopt;
    number = number * 10 + static_cast<unsigned>(c - '0');
  }
  return number < count ? std::optional(number) : std::nullopt;
}

std::uint64_t low_bits(std::int64_t value, unsigned bits) {
  const auto all = static_cast<std::uint64_t>(value);
  return bits >= 64 ? all : all & ((std::uint64_t{1} << bits) - 1);
}

} // namespace heddle::frontend::litmus
