// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/histories/c_specification.h"

#include "driver/pipeline/pipeline.h"
#include "frontend/c/load.h"
#include "memory/machine/machine.h"
#include "object/scenarios/sequential_harness.h"
#include "program/run/interpreter.h"
#include "support/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace heddle::object {

namespace {

using history::ObjectState;
using history::Operation;
using memory::MachineState;
using program::FaultKind;

/// A call that takes more steps than this is taken for one that never returns. Each is up to 1000
/// steps of the program.
constexpr unsigned kMostTransitions = 10'000;

class InterpretedObject final : public history::SequentialObject {
public:
  InterpretedObject(driver::Prepared prepared,
                    std::vector<std::string> functions,
                    std::vector<unsigned> result_bits,
                    const history::ResultCodes& codes)
      : prepared_(std::move(prepared)), functions_(std::move(functions)),
        result_bits_(std::move(result_bits)), codes_(codes),
        interpreter_(prepared_.ground(), interpreter_options()),
        machine_(memory::Machine::make(memory::MachineKind::kSequential, interpreter_)) {
    for (const program::Object& object : prepared_.ground().objects)
      if (object.name == kSpecificationResult)
        result_address_ = prepared_.ground().space().base_of(object.unit);
    HEDDLE_CHECK(result_address_ != 0, "a specification without the cell of its results");
    MachineState state;
    if (!machine_->initial(state).is_none() || !run_to(state, kSpecificationOperation))
      refuse("the specification cannot be started", {});
    else
      initial_ = encode(state);
  }

  [[nodiscard]] ObjectState initial() const override { return initial_; }
  [[nodiscard]] std::optional<Error> error() const override { return error_; }

  [[nodiscard]] std::optional<ObjectState> apply(const ObjectState& before,
                                                 const Operation& operation) const override {
    if (error_)
      return std::nullopt;
    if (codes_.abort && has_returned_value(operation, *codes_.abort))
      return before;
    const auto function = std::ranges::find(functions_, operation.method);
    HEDDLE_CHECK(function != functions_.end(), "an operation that the specification does not have");
    const auto index = static_cast<std::size_t>(function - functions_.begin());
    MachineState state = decode(before);
    if (!tell(state, index) || !run_to(state, kSpecificationArgument) ||
        !tell(state, static_cast<std::uint64_t>(operation.argument.value_or(0))) ||
        !run_to(state, kSpecificationDone))
      return std::nullopt;
    const auto result = static_cast<std::int64_t>(
        interpreter_.read(state.core.memory, result_address_, sizeof(std::uint64_t)));
    if (operation.has_returned && operation.result && result_bits_[index] != 0 &&
        !is_result(operation, result, result_bits_[index]))
      return std::nullopt;
    if (!tell(state, 0) || !run_to(state, kSpecificationOperation))
      return std::nullopt;
    return encode(state);
  }

private:
  static program::InterpreterOptions interpreter_options() {
    program::InterpreterOptions options;
    options.reuse_freed_blocks = false; // so that an allocation can go one way only
    return options;
  }

  /// Is what the operation returned the result of the specification, which has that many bits? Of
  /// two types the narrower one counts; whether it has a sign is not known.
  static bool is_result(const Operation& operation, std::int64_t result, unsigned bits) {
    if (has_returned_value(operation, result))
      return true;
    const auto narrow = static_cast<std::uint64_t>(result);
    return bits < operation.result_bits &&
           has_returned_value(operation,
                              static_cast<std::int64_t>(narrow & ((std::uint64_t{1} << bits) - 1)));
  }

  // Memory, how much of it, and the only thread.
  static ObjectState encode(const MachineState& state) {
    ObjectState encoded = {static_cast<std::int64_t>(state.core.memory.words.size())};
    const auto append = [&](const std::vector<std::uint64_t>& words) {
      for (const std::uint64_t one : words)
        encoded.push_back(static_cast<std::int64_t>(one));
    };
    append(state.core.memory.words);
    append(state.core.threads.front().words);
    return encoded;
  }
  static MachineState decode(const ObjectState& encoded) {
    MachineState state;
    const auto memory = static_cast<std::size_t>(encoded.front());
    state.core.threads.resize(1);
    for (std::size_t i = 1; i < encoded.size(); ++i)
      (i <= memory ? state.core.memory.words : state.core.threads.front().words)
          .push_back(static_cast<std::uint64_t>(encoded[i]));
    return state;
  }

  void refuse(const std::string& why, SourceLoc loc) const {
    Error error{ErrorKind::kUnsupported, "HIS-004", why};
    if (loc.is_known()) {
      error.file = prepared_.module.files[loc.file];
      error.line = loc.line;
    }
    if (!error_)
      error_ = std::move(error);
  }

  /// The nondeterministic value at which the specification stands, if it does.
  [[nodiscard]] const program::Nondet* asked_for(const MachineState& state) const {
    const program::Request request = interpreter_.request(state.core, 0);
    return request.kind == program::Request::Kind::kNondet && request.edge != nullptr
               ? std::get_if<program::Nondet>(&request.edge->action)
               : nullptr;
  }

  /// False if the operation cannot happen here.
  bool tell(MachineState& state, std::uint64_t value) const {
    return take(state, {execution::Transition::Kind::kStep, 0, value});
  }
  bool take(MachineState& state, const execution::Transition& transition) const {
    const program::Fault fault = machine_->apply(state, transition);
    if (fault.is_none())
      return true;
    // What a specification assumes or asserts and is not so tells that the operation cannot happen.
    if (fault.kind != FaultKind::kDiscarded && fault.kind != FaultKind::kAssertion &&
        fault.kind != FaultKind::kErrorCall)
      refuse(fmt::format("the specification does not come to its end: {}{}{}",
                         program::to_string(fault.kind),
                         fault.what.empty() ? "" : ": ",
                         fault.what),
             fault.loc);
    return false;
  }

  /// False if the operation cannot happen here.
  bool run_to(MachineState& state, std::string_view stop) const {
    std::vector<execution::Transition> enabled;
    for (unsigned i = 0; i < kMostTransitions; ++i) {
      if (state.core.threads.size() != 1) {
        refuse("a sequential specification does not start threads", {});
        return false;
      }
      if (state.core.has_ended || !state.core.threads.front().is_live()) {
        refuse("the specification ended the program", {});
        return false;
      }
      const program::Nondet* const asked = asked_for(state);
      if (asked != nullptr && asked->origin == stop)
        return true;
      enabled.clear();
      machine_->enabled(state, enabled);
      if (enabled.empty())
        return false; // it waits for somebody else
      if (enabled.size() > 1) {
        const program::Request request = interpreter_.request(state.core, 0);
        refuse("a specification has one way to go: it reads a nondeterministic or uninitialised "
               "value here",
               request.edge != nullptr ? request.edge->loc : SourceLoc{});
        return false;
      }
      if (!take(state, enabled.front()))
        return false;
    }
    refuse("the specification does not come to its end", {});
    return false;
  }

  driver::Prepared prepared_;
  std::vector<std::string> functions_;
  std::vector<unsigned> result_bits_; // 0: it returns nothing
  history::ResultCodes codes_;
  program::Interpreter interpreter_;
  std::unique_ptr<memory::Machine> machine_;
  std::uint64_t result_address_ = 0;
  ObjectState initial_;
  mutable std::optional<Error> error_; // the first one; from then on nothing can happen
};

} // namespace

Status expect_numbers(const frontend::Loaded& loaded, const std::vector<std::string>& functions) {
  for (const std::string& name : functions) {
    const auto found = loaded.other_types.find(name);
    if (found == loaded.other_types.end())
      continue;
    Error error{ErrorKind::kInput,
                "HAR-005",
                fmt::format("'{}' {}; write a function around it with numbers or pointers",
                            name,
                            found->second)};
    if (const auto id = loaded.module.find_function(name)) {
      const SourceLoc loc = loaded.module.functions[*id].loc;
      error.file = loaded.module.files[loc.file];
      error.line = loc.line;
    }
    return error;
  }
  return Done{};
}

Result<CSpecification> load_specification(const std::string& file,
                                          const std::vector<std::string>& functions,
                                          const driver::Asked& asked,
                                          const driver::Options& options,
                                          const history::ResultCodes& codes) {
  driver::Asked sequential = asked;
  sequential.files = {file};
  sequential.load.entry.clear();
  sequential.load.keep = functions;
  sequential.model = *memory::find_model("sc");
  sequential.question = spec::Check{spec::Property::kReach};
  Result<frontend::Loaded> loaded = frontend::load(sequential.files, sequential.load);
  if (!loaded)
    return loaded.error();
  if (const Status usable = expect_numbers(*loaded, functions); !usable)
    return usable.error();
  CSpecification specification;
  specification.warnings = std::move(loaded->warnings);
  Result<ir::Module> harness = make_sequential_harness(loaded->module, functions);
  if (!harness)
    return harness.error();
  std::vector<unsigned> result_bits;
  for (const std::string& name : functions) {
    const ir::Function& function = loaded->module.functions[*loaded->module.find_function(name)];
    specification.methods.push_back({name,
                                     function.parameter_count == 0
                                         ? history::Method::Argument::kNone
                                         : history::Method::Argument::kUnique});
    result_bits.push_back(function.result.is_void() ? 0 : loaded->module.bits(function.result));
  }
  sequential.load.entry = kSpecificationEntry;
  driver::Options plain = options;
  plain.unwind = 0;
  plain.unwind_loops.clear();
  plain.inline_calls = false;
  Result<driver::Prepared> prepared =
      driver::prepare(std::move(*harness), sequential, plain, Budget{}, driver::Listener{});
  if (!prepared)
    return prepared.error();
  specification.object = std::make_unique<InterpretedObject>(
      std::move(*prepared), functions, std::move(result_bits), codes);
  if (std::optional<Error> error = specification.object->error())
    return *error;
  return specification;
}

} // namespace heddle::object
