// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/litmus/asm/assemble.h"

#include "frontend/litmus/shared/locations.h"
#include "frontend/litmus/shared/test_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

/// What has no type is an int, as in herd (docs/litmus.md, Sizes).
constexpr std::uint8_t kIntBits = 32;

bool is_zero(const ir::Operand& operand) {
  const auto* constant = std::get_if<ir::Constant>(&operand);
  return constant != nullptr && constant->value == 0;
}

std::uint64_t low_bits(std::uint64_t value, unsigned bits) {
  return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

class Assembler {
public:
  Assembler(const ParsedTest& parsed, const Dialect& dialect, const std::string& file)
      : parsed_(parsed), dialect_(dialect), file_(file), final_(parsed.final_section) {
    spread_symbolic_registers();
    for (const InitialEntry& entry : initial_)
      if (entry.value)
        hold_labels_of(*entry.value);
    for_each_place(final_, [&](Place& place) {
      if (place.thread && dialect_.find_register(place.name))
        place.name = dialect_.printed_register(place.name);
    });
  }

  std::variant<Test, Diagnostics> run() {
    // Once to see what is accessed (and what is wrong), once for good: how wide an access is
    // depends on the others.
    ir::Module scratch = fresh_module();
    ThreadBuilder::Footprint footprint;
    for (const CodeColumn& column : parsed_.threads) {
      ThreadBuilder builder(scratch, fmt::format("P{}", column.thread), dialect_.width());
      translate(column, builder, true);
      for (const std::string& label : builder.addressed_labels())
        held_[column.thread].insert(label);
      if (const Status closed = builder.close({}, {}); !closed)
        errors_.push_back(closed.error());
      footprint.merge(builder.footprint());
    }
    Test test;
    test.name = parsed_.header.name;
    test.architecture = parsed_.header.architecture;
    test.vocabulary = dialect_.vocabulary();
    test.metadata = parsed_.header.metadata;
    test.module = fresh_module();
    Locations locations(test.module, dialect_.width());
    locations.choose_cells(initial_, footprint);
    std::vector<const InitialEntry*> declared;
    for (const InitialEntry& entry : initial_) {
      if (const Status done = locations.declare(entry); done)
        declared.push_back(&entry);
      else
        errors_.push_back(done.error());
    }
    for (const InitialEntry* entry : declared)
      if (const Status done = locations.initialise(*entry); !done)
        errors_.push_back(done.error());
    if (errors_.empty())
      errors_ = expand_arrays(
          final_, [&](const Place& place) { return locations.shape(place.name).elements; });
    if (errors_.empty())
      build(test, locations);
    if (errors_.empty())
      return test;
    std::sort(errors_.begin(), errors_.end(), [](const Error& a, const Error& b) {
      return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
    });
    return Diagnostics{std::move(errors_)};
  }

private:
  using Registers = std::map<std::string, ir::Operand>;

  [[nodiscard]] ir::Module fresh_module() const {
    ir::Module module;
    module.data_model = dialect_.width() == 32 ? ir::DataModel::kILP32 : ir::DataModel::kLP64;
    module.files.push_back(file_);
    return module;
  }

  /// `%x=y` without a thread holds for the register of that name in every thread.
  void spread_symbolic_registers() {
    for (const InitialEntry& entry : parsed_.initial) {
      const bool is_register = !entry.place.thread && entry.place.name.starts_with('%') &&
                               dialect_.find_register(entry.place.name);
      if (!is_register) {
        initial_.push_back(entry);
        continue;
      }
      for (const CodeColumn& column : parsed_.threads) {
        initial_.push_back(entry);
        initial_.back().place.thread = column.thread;
      }
    }
  }

  /// The labels whose addresses this initial value has.
  void hold_labels_of(const LiteralValue& value) {
    if (const auto* list = std::get_if<std::vector<LiteralValue>>(&value.content)) {
      for (const LiteralValue& one : *list)
        hold_labels_of(one);
      return;
    }
    const auto* name = std::get_if<NameValue>(&value.content);
    const auto held = name != nullptr ? thread_and_label(name->name) : std::nullopt;
    if (!held)
      return;
    for (const CodeColumn& column : parsed_.threads) {
      const bool has_label =
          std::any_of(column.lines.begin(), column.lines.end(), [&](const CodeLine& line) {
            return std::find(line.labels.begin(), line.labels.end(), held->second) !=
                   line.labels.end();
          });
      if (has_label && held->first == fmt::format("P{}", column.thread)) {
        held_[column.thread].insert(held->second);
        return;
      }
    }
    errors_.push_back(
        error_at(value.loc,
                 "LIT-034",
                 fmt::format("no label '{}' in thread {}", held->second, held->first)));
  }

  void translate(const CodeColumn& column, ThreadBuilder& builder, bool reports) {
    builder.may_hold(held_[column.thread]);
    for (std::size_t i = 0; i < column.lines.size(); ++i) {
      const CodeLine& line = column.lines[i];
      const bool is_labelled_next =
          i + 1 < column.lines.size() && !column.lines[i + 1].labels.empty();
      builder.stands_before(is_labelled_next ? column.lines[i + 1].labels.front() : "");
      builder.at(line.text_loc);
      for (const std::string& label : line.labels) {
        if (!builder.has_label(label))
          builder.label(label);
        else if (reports)
          errors_.push_back(
              error_at(line.loc, "LIT-035", fmt::format("the label '{}' stands twice", label)));
      }
      if (line.text.empty())
        continue;
      const Status done = dialect_.translate(line.text, builder);
      if (done || !reports)
        continue;
      Error error = done.error();
      error.line = line.text_loc.line;
      error.column = line.text_loc.column + std::max(error.column, 1U) - 1;
      errors_.push_back(std::move(error));
    }
  }

  [[nodiscard]] bool has_thread(std::uint32_t thread) const {
    return std::any_of(parsed_.threads.begin(), parsed_.threads.end(), [&](const CodeColumn& c) {
      return c.thread == thread;
    });
  }

  [[nodiscard]] Result<RegisterView> register_of(const Place& place) const {
    if (!has_thread(*place.thread))
      return error_at(place.loc, "LIT-026", fmt::format("there is no thread P{}", *place.thread));
    const std::optional<RegisterView> view = dialect_.find_register(place.name);
    if (!view)
      return error_at(
          place.loc,
          "LIT-027",
          fmt::format("'{}' is no register of {}", place.name, parsed_.header.architecture));
    return *view;
  }

  // Values of registers at the start, by thread.
  std::map<std::uint32_t, Registers> initial_registers(Locations& locations) {
    std::map<std::uint32_t, Registers> result;
    for (const InitialEntry& entry : initial_) {
      if (!entry.place.thread)
        continue;
      const Result<RegisterView> view = register_of(entry.place);
      if (!view) {
        errors_.push_back(view.error());
        continue;
      }
      if (entry.type)
        register_types_[std::pair(*entry.place.thread, view->canonical)] = *entry.type;
      if (!entry.value)
        continue;
      const Result<ir::Operand> operand = initial_operand(*entry.value, *view, locations);
      if (operand && view->is_zero && !is_zero(*operand))
        errors_.push_back(error_at(
            entry.place.loc, "LIT-027", fmt::format("'{}' is always 0", entry.place.name)));
      else if (operand)
        result[*entry.place.thread][view->canonical] = *operand;
      else
        errors_.push_back(operand.error());
    }
    return result;
  }

  [[nodiscard]] Result<ir::Operand>
  initial_operand(const LiteralValue& value, const RegisterView& view, Locations& locations) const {
    const ir::Type type = ir::Type::integer(dialect_.width());
    if (const auto* number = std::get_if<NumberValue>(&value.content))
      return ir::Operand{
          ir::Constant{type, low_bits(number->bits(), std::min(view.bits, dialect_.width()))}};
    const auto* name = std::get_if<NameValue>(&value.content);
    if (name == nullptr)
      return error_at(value.loc, "LIT-022", "expected a number or an address, not a list");
    if (is_null(*name))
      return ir::Operand{ir::Constant{type, 0}};
    const Result<ir::GlobalAddress> address = locations.address(*name, value.loc);
    if (!address)
      return address.error();
    return ir::Operand{*address};
  }

  [[nodiscard]] ConditionMeaning meaning(ir::Module& module, Locations& locations) const {
    ConditionMeaning result;
    result.register_before = [this](const Place& a, const Place& b) {
      return dialect_.is_register_before(a.name, b.name);
    };
    result.observe = [this, &module, &locations](const Place& place) -> Result<Observed> {
      if (!place.thread)
        return observe_location(place, locations);
      return observe_register(place, module);
    };
    result.literal = [&locations](const LiteralValue& value,
                                  const Observed& observed) -> Result<Literal> {
      if (const auto* number = std::get_if<NumberValue>(&value.content))
        return Literal{low_bits(number->bits(), observed.bits)};
      const auto* name = std::get_if<NameValue>(&value.content);
      if (name == nullptr)
        return error_at(value.loc, "LIT-022", "expected a number or an address, not a list");
      if (is_null(*name))
        return Literal{std::uint64_t{0}};
      const Result<ir::GlobalAddress> address = locations.address(*name, value.loc);
      if (!address)
        return address.error();
      return Literal{*address};
    };
    return result;
  }

  [[nodiscard]] static Result<Observed> observe_location(const Place& place, Locations& locations) {
    Observed observed;
    observed.global = locations.find(place.name);
    const LocationShape& shape = locations.shape(place.name);
    if (place.index.value_or(0) >= shape.elements)
      return error_at(
          place.loc, "LIT-020", fmt::format("'{}' has no element {}", place.name, *place.index));
    observed.offset = place.index.value_or(0) * (shape.element.bits / 8);
    observed.bits = static_cast<std::uint8_t>(shape.element.bits);
    observed.is_signed = shape.element.is_signed;
    observed.type_bits = shape.has_type ? observed.bits : kIntBits;
    return observed;
  }

  [[nodiscard]] Result<Observed> observe_register(const Place& place, ir::Module& module) const {
    const Result<RegisterView> view = register_of(place);
    if (!view)
      return view.error();
    Observed observed;
    observed.bits = static_cast<std::uint8_t>(std::min(view->bits, dialect_.width()));
    observed.type_bits = kIntBits;
    if (const auto type = register_types_.find(std::pair(*place.thread, view->canonical));
        type != register_types_.end())
      if (const std::optional<ScalarType> scalar = find_scalar(type->second, dialect_.width())) {
        observed.is_signed = scalar->is_signed;
        observed.type_bits = static_cast<std::uint8_t>(scalar->bits);
      }
    ir::Global global;
    global.name = place.to_string();
    global.size = (observed.bits + 7U) / 8;
    global.align = 8;
    global.scalar_bits = observed.bits;
    global.scalar_signed = observed.is_signed;
    observed.global = module.globals.push_back(std::move(global));
    return observed;
  }

  void build(Test& test, Locations& locations) {
    const std::map<std::uint32_t, Registers> initial = initial_registers(locations);
    for (Error& error : resolve_final(final_, meaning(test.module, locations), test))
      errors_.push_back(std::move(error));
    if (!errors_.empty())
      return;
    const std::vector<Place> places =
        observed_places(final_, meaning(test.module, locations).register_before);
    std::vector<ir::FunctionId> functions;
    for (const CodeColumn& column : parsed_.threads) {
      ThreadBuilder builder(test.module, fmt::format("P{}", column.thread), dialect_.width());
      test.module.functions[builder.function()].loc = column.loc;
      builder.widen_accesses(locations.widened_bits());
      translate(column, builder, false);
      std::vector<ThreadBuilder::ObservedRegister> observed;
      for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].thread == column.thread)
          observed.push_back({dialect_.find_register(places[i].name)->canonical,
                              test.observed[i].bits,
                              test.observed[i].global});
      const auto registers = initial.find(column.thread);
      const Status closed =
          builder.close(observed, registers == initial.end() ? Registers{} : registers->second);
      if (!closed)
        errors_.push_back(closed.error());
      functions.push_back(builder.function());
      test.threads.push_back(text_of(column));
    }
    locations.finish();
    for (Error& error : find_name_clashes(test.module, parsed_.threads.front().loc))
      errors_.push_back(std::move(error));
    add_main(test.module, functions);
  }

  static ThreadText text_of(const CodeColumn& column) {
    ThreadText text;
    text.name = fmt::format("P{}", column.thread);
    for (const CodeLine& line : column.lines) {
      for (const std::string& label : line.labels)
        text.lines.push_back({label + ":", line.loc});
      if (!line.text.empty())
        text.lines.push_back({line.text, line.text_loc});
    }
    return text;
  }

  const ParsedTest& parsed_;
  const Dialect& dialect_;
  const std::string& file_;
  std::vector<InitialEntry> initial_; // with a thread for each register
  FinalSection final_;                // with the registers' names of logs
  std::vector<Error> errors_;
  std::map<std::pair<std::uint32_t, std::string>, TypeName> register_types_;
  /// By thread: its labels whose addresses are values.
  std::map<std::uint32_t, std::set<std::string>> held_;
};

} // namespace

std::variant<Test, Diagnostics>
assemble(const ParsedTest& parsed, const Dialect& dialect, const std::string& file) {
  return Assembler(parsed, dialect, file).run();
}

} // namespace heddle::frontend::litmus
