// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "frontend/litmus/c/c_test.h"

#include "frontend/litmus/c/c_emit.h"
#include "frontend/litmus/c/c_locations.h"
#include "frontend/litmus/c/c_macros.h"
#include "frontend/litmus/c/c_parser.h"
#include "frontend/litmus/c/c_vocabulary.h"
#include "frontend/litmus/shared/condition.h"
#include "frontend/litmus/shared/initial_state.h"
#include "frontend/litmus/shared/locations.h"
#include "frontend/litmus/shared/test_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

/// Of an array; no test needs more.
constexpr std::uint64_t kMaximumElements = 4096;

/// "P0", "P17".
bool is_thread_name(const Token& token) {
  return token.kind == Token::Kind::kName && token.text.size() > 1 && token.text.size() < 6 &&
         token.text[0] == 'P' && token.text.find_first_not_of("0123456789", 1) == std::string::npos;
}

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// The lines of the body, for people.
ThreadText text_of(const CThread& thread, std::string_view text) {
  ThreadText result;
  result.name = "P" + std::to_string(thread.number);
  SourceLoc loc = thread.body_loc;
  ++loc.column; // after the brace
  const std::string_view body =
      text.substr(thread.extent.first, thread.extent.second - thread.extent.first);
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t newline = std::min(body.find('\n', begin), body.size());
    const std::string_view line = body.substr(begin, newline - begin);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos) {
      const std::size_t last = line.find_last_not_of(" \t\r");
      SourceLoc place = loc;
      place.column += static_cast<std::uint32_t>(first);
      result.lines.push_back({std::string(line.substr(first, last - first + 1)), place});
    }
    begin = newline + 1;
    ++loc.line;
    loc.column = 1;
  }
  return result;
}

class CTestBuilder {
public:
  CTestBuilder(const Header& header, const std::string& file) : header_(header), file_(file) {}

  void parse(Lexer& lexer, const ParseOptions& options) {
    Result<std::vector<InitialEntry>> initial = parse_initial_state(lexer);
    if (!initial) {
      errors_.push_back(initial.error());
      return;
    }
    initial_ = std::move(*initial);
    parse_threads(lexer);
    if (!errors_.empty())
      return;
    Result<FinalSection> final_section = parse_final(lexer);
    if (!final_section) {
      errors_.push_back(final_section.error());
      return;
    }
    final_ = std::move(*final_section);
    expand(options);
  }

  std::variant<Test, Diagnostics> build(std::string_view text) {
    for (const bool is_wide : {false, true}) {
      if (!errors_.empty())
        break;
      Test test;
      test.name = header_.name;
      test.architecture = header_.architecture;
      test.vocabulary = vocabulary_;
      test.metadata = header_.metadata;
      test.module.files.push_back(file_);
      CLocations locations(test.module, is_wide);
      build(test, locations);
      if (locations.wants_wide()) {
        errors_.clear();
        continue;
      }
      if (!errors_.empty())
        break;
      if (is_wide)
        test.module.approximations.push_back(
            {Approximation::Kind::kAssumed,
             "every integer has 64 bits (the test mixes addresses and integers)",
             {}});
      for (const CThread& thread : threads_)
        test.threads.push_back(text_of(thread, text));
      return test;
    }
    std::sort(errors_.begin(), errors_.end(), [](const Error& a, const Error& b) {
      return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
    });
    return Diagnostics{std::move(errors_)};
  }

private:
  void append(std::vector<Error> errors) {
    for (Error& error : errors)
      errors_.push_back(std::move(error));
  }

  void parse_threads(Lexer& lexer) {
    std::set<unsigned> seen;
    while (is_thread_name(lexer.peek())) {
      const SourceLoc loc = lexer.peek().loc;
      CParser parser(CLexer(lexer.text(), lexer.peek().begin, loc), file_);
      threads_.push_back(parser.parse_thread());
      append(parser.errors());
      lexer.move_to(parser.lexer().taken_end());
      if (!seen.insert(threads_.back().number).second)
        errors_.push_back(
            error_at(loc, "LIT-260", fmt::format("there are two threads P{}", *seen.rbegin())));
    }
    if (threads_.empty() && errors_.empty())
      errors_.push_back(lexer.expected("a thread, 'P0 (…) { … }'", "LIT-261"));
  }

  void expand(const ParseOptions& options) {
    CMacros macros;
    append(add_macros(options.macros, "<macros>", macros));
    vocabulary_ = find_c_vocabulary(threads_, initial_, macros);
    if (vocabulary_ == "lkmm")
      append(add_macros(linux_definitions(), "<lkmm.def>", macros));
    for (CThread& thread : threads_)
      append(expand_macros(thread.body, macros, file_));
  }

  // Every location that something speaks of.
  void declare_locations(CLocations& locations) {
    const std::function<void(const LiteralValue&)> mention = [&](const LiteralValue& value) {
      if (const auto* name = std::get_if<NameValue>(&value.content); name && !is_null(*name))
        locations.mention(name->name);
      if (const auto* list = std::get_if<std::vector<LiteralValue>>(&value.content))
        for (const LiteralValue& element : *list)
          mention(element);
    };
    for (const InitialEntry& entry : initial_) {
      if (entry.value)
        mention(*entry.value);
      if (entry.place.thread)
        continue;
      std::uint64_t elements = entry.elements.value_or(entry.place.index.value_or(0) + 1);
      if (entry.value)
        if (const auto* list = std::get_if<std::vector<LiteralValue>>(&entry.value->content))
          elements = std::max<std::uint64_t>(elements, list->size());
      if (elements > kMaximumElements) {
        errors_.push_back(error_at(
            entry.place.loc,
            "LIT-262",
            fmt::format("'{}' has more than {} elements", entry.place.name, kMaximumElements)));
        continue;
      }
      const bool is_array = entry.elements.has_value() || entry.place.index.has_value();
      if (const std::optional<CType> type = type_of(entry))
        locations.declare(entry.place.name, *type, elements, is_array);
      else
        locations.mention(entry.place.name);
      locations.enlarge(entry.place.name, elements, is_array);
    }
    for (const CThread& thread : threads_)
      for (const CParameter& parameter : thread.parameters)
        if (parameter.type.is_pointer())
          locations.declare(parameter.name, parameter.type.pointee(), 1, false);
    for (const Place& place : observed_places(final_, before))
      if (!place.thread) {
        locations.mention(place.name);
        if (place.index)
          locations.enlarge(place.name, 1, true);
      }
    mention_literals(final_.condition, mention);
    if (final_.filter)
      mention_literals(*final_.filter, mention);
  }

  static void mention_literals(const Formula& formula,
                               const std::function<void(const LiteralValue&)>& mention) {
    if (const auto* literal = std::get_if<LiteralValue>(&formula.right))
      mention(*literal);
    for (const Formula& operand : formula.operands)
      mention_literals(operand, mention);
  }

  static std::optional<CType> type_of(const InitialEntry& entry) {
    if (!entry.type)
      return std::nullopt;
    CType type;
    if (const std::optional<ScalarType> scalar = find_scalar({entry.type->words, 0}, 64))
      type = {scalar->bits, scalar->is_signed, 0};
    else if (const std::optional<CType> known = find_type(entry.type->words))
      type = *known;
    type.pointers = entry.type->stars;
    return type;
  }

  static bool before(const Place& a, const Place& b) { return a.name < b.name; }

  void initialise(CLocations& locations, std::map<unsigned, CEmitter>& emitters) {
    for (const InitialEntry& entry : initial_) {
      if (!entry.value)
        continue;
      if (!entry.place.thread) {
        const Status status =
            entry.place.index
                ? locations.initialise_element(entry.place.name, *entry.place.index, *entry.value)
                : locations.initialise(entry.place.name, *entry.value);
        if (!status)
          errors_.push_back(status.error());
        continue;
      }
      const auto emitter = emitters.find(*entry.place.thread);
      if (emitter == emitters.end()) {
        errors_.push_back(no_thread(entry.place));
        continue;
      }
      const Result<ir::Operand> value = locations.operand(*entry.value);
      if (!value)
        errors_.push_back(value.error());
      else
        emitter->second.set_initial(entry.place.name, *value);
    }
  }

  static Error no_thread(const Place& place) {
    return error_at(place.loc, "LIT-026", fmt::format("there is no thread P{}", *place.thread));
  }

  void build(Test& test, CLocations& locations) {
    declare_locations(locations);
    if (!errors_.empty())
      return;
    locations.make_globals();
    append(expand_arrays(final_, [&](const Place& place) {
      return std::uint64_t{locations.find(place.name)->elements};
    }));
    std::map<unsigned, CEmitter> emitters;
    for (const CThread& thread : threads_)
      emitters.emplace(thread.number, CEmitter(test.module, locations, thread, file_));
    initialise(locations, emitters);

    const std::vector<Place> places = observed_places(final_, before);
    for (const Place& place : places) {
      if (!place.thread)
        continue;
      if (const auto emitter = emitters.find(*place.thread); emitter != emitters.end())
        emitter->second.mention_local(place.name);
    }
    std::map<unsigned, std::vector<CEmitter::ObservedLocal>> observed;
    ConditionMeaning meaning;
    meaning.register_before = before;
    meaning.observe = [&](const Place& place) -> Result<Observed> {
      if (!place.thread)
        return observe_location(place, locations);
      const auto emitter = emitters.find(*place.thread);
      if (emitter == emitters.end())
        return no_thread(place);
      const Observed result =
          observe_local(place, emitter->second.type_of(place.name), test.module);
      observed[*place.thread].push_back({place.name, result.global});
      return result;
    };
    meaning.literal = [&](const LiteralValue& value, const Observed& place) -> Result<Literal> {
      const Result<ir::Operand> operand = locations.operand(value);
      if (!operand)
        return operand.error();
      if (const auto* address = std::get_if<ir::GlobalAddress>(&*operand)) {
        if (place.bits != 64)
          locations.demand_wide();
        return Literal{*address};
      }
      return Literal{low_bits(std::get<ir::Constant>(*operand).value, place.bits)};
    };
    append(resolve_final(final_, meaning, test));

    std::vector<ir::FunctionId> functions;
    for (auto& [number, emitter] : emitters) {
      functions.push_back(emitter.emit(observed[number]));
      append(emitter.errors());
    }
    append(find_name_clashes(test.module, threads_.front().body_loc));
    add_main(test.module, functions);
  }

  static Result<Observed> observe_location(const Place& place, const CLocations& locations) {
    const CLocation* location = locations.find(place.name);
    HEDDLE_CHECK(location != nullptr, "an observed location that was not declared");
    if (place.index.value_or(0) >= location->elements)
      return error_at(
          place.loc, "LIT-020", fmt::format("'{}' has no element {}", place.name, *place.index));
    Observed result;
    result.global = location->global;
    result.offset = place.index.value_or(0) * location->type.bytes();
    result.bits = static_cast<std::uint8_t>(location->type.width());
    result.is_signed = location->type.is_signed && !location->type.is_pointer();
    return result;
  }

  static Observed observe_local(const Place& place, CType type, ir::Module& module) {
    Observed result;
    result.bits = static_cast<std::uint8_t>(type.width());
    result.is_signed = type.is_signed && !type.is_pointer();
    ir::Global global;
    global.name = place.to_string();
    global.size = type.bytes();
    global.align = static_cast<std::uint32_t>(type.bytes());
    global.scalar_bits = result.bits;
    global.scalar_signed = result.is_signed;
    result.global = module.globals.push_back(std::move(global));
    return result;
  }

  const Header& header_;
  const std::string& file_;
  std::vector<Error> errors_;
  std::vector<InitialEntry> initial_;
  std::vector<CThread> threads_;
  FinalSection final_;
  std::string vocabulary_;
};

} // namespace

std::variant<Test, Diagnostics> parse_c_test(const Header& header,
                                             Lexer& lexer,
                                             const std::string& file,
                                             const ParseOptions& options) {
  CTestBuilder builder(header, file);
  builder.parse(lexer, options);
  return builder.build(lexer.text());
}

} // namespace heddle::frontend::litmus
