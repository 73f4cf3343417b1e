// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "object/invariants/operations_client.h"

#include "ir/link.h"
#include "object/invariants/locks_as_words.h"
#include "object/scenarios/harness_code.h"
#include "program/model/proof_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::object {

namespace {

using ir::kBit;
using ir::kInt;

class ClientBuilder {
public:
  ClientBuilder(const ir::Module& module, const ClientPlan& plan) : module_(module), plan_(plan) {}

  Result<ir::Module> run() {
    for (const EffectPlace& place : plan_.effects)
      if (const Status marked = mark(place, program::kEffectTag); !marked)
        return marked.error();
    for (std::size_t i = 0; i < plan_.auxiliary.size(); ++i)
      if (const Status marked =
              mark(plan_.auxiliary[i].place, fmt::format("{}.{}", kAuxiliaryTag, i));
          !marked)
        return marked.error();
    if (const Status locks = make_locks_words(module_); !locks)
      return locks.error();
    // What the names stand for, before anything is added.
    for (const ClientOperation& operation : plan_.operations) {
      const Result<ir::FunctionId> function = find(operation.function, 1);
      if (!function)
        return function.error();
      functions_.push_back(*function);
      if (operation.abstract.empty())
        continue;
      const Result<ir::FunctionId> abstract = find(operation.abstract, 1);
      if (!abstract)
        return abstract.error();
      if (const Status alike = check_alike(*function, *abstract); !alike)
        return alike.error();
      abstract_.push_back(*abstract);
    }
    for (const AuxiliaryUpdate& update : plan_.auxiliary) {
      const Result<ir::FunctionId> function = find(update.function, 0);
      if (!function)
        return function.error();
      auxiliary_.push_back(*function);
    }
    const Result<ir::FunctionId> invariant = find(plan_.invariant, 0);
    if (!invariant)
      return invariant.error();
    invariant_ = *invariant;
    if (module_.functions[invariant_].result.is_void())
      return refusal(
          invariant_, "HAR-002", "returns nothing, expected whether the invariant holds");

    std::vector<ir::FunctionId> threads;
    if (plan_.bounds) {
      for (std::uint32_t i = 0; i < plan_.bounds->threads; ++i)
        threads.push_back(module_.functions.push_back(thread(i)));
    } else {
      // Two stand for any number: what others can see does not depend on how many there are.
      threads.assign(2, module_.functions.push_back(thread(0)));
    }
    const ir::FunctionId specification = module_.functions.push_back(called_by_none());
    if (const Status made = entry(threads, specification); !made)
      return made.error();
    return ir::keep_reachable(module_, {kClientEntry});
  }

private:
  [[nodiscard]] Error
  refusal(ir::FunctionId id, std::string code, const std::string& message) const {
    const ir::Function& function = module_.functions[id];
    Error error{ErrorKind::kInput, std::move(code), fmt::format("'{}' {}", function.name, message)};
    if (function.loc.is_known()) {
      error.file = module_.files[function.loc.file];
      error.line = function.loc.line;
    }
    return error;
  }
  [[nodiscard]] Result<ir::FunctionId> find(const std::string& name, std::uint32_t most) const {
    const auto id = module_.find_function(name);
    if (!id || module_.functions[*id].is_declaration())
      return Error{ErrorKind::kInput, "HAR-001", fmt::format("no function '{}'", name)};
    const ir::Function& function = module_.functions[*id];
    if (function.is_variadic || function.parameter_count > most)
      return refusal(*id,
                     "HAR-002",
                     fmt::format("has {} parameters, expected {}; write a function that calls it",
                                 function.parameter_count,
                                 most == 0 ? "none" : "at most one"));
    if (function.parameter_count == 1 && function.registers[ir::RegisterId{0}].type.is_pointer())
      return refusal(*id, "HAR-002", "has a parameter that is a pointer, expected a number");
    return *id;
  }
  [[nodiscard]] Status check_alike(ir::FunctionId function, ir::FunctionId abstract) const {
    const ir::Function& one = module_.functions[function];
    const ir::Function& other = module_.functions[abstract];
    const bool same_parameter =
        one.parameter_count == other.parameter_count &&
        (one.parameter_count == 0 ||
         one.registers[ir::RegisterId{0}].type == other.registers[ir::RegisterId{0}].type);
    if (same_parameter && (other.result.is_void() || one.result == other.result))
      return Done{};
    return refusal(abstract,
                   "HAR-002",
                   fmt::format("has not the type of '{}', whose operation it specifies", one.name));
  }

  static ir::Access* access_of(ir::Operation& operation, EffectPlace::How how) {
    using Effect = EffectPlace::How;
    if (auto* load = std::get_if<ir::Load>(&operation); load != nullptr && how == Effect::kRead)
      return &load->access;
    if (auto* store = std::get_if<ir::Store>(&operation); store != nullptr && how == Effect::kFlush)
      return &store->access;
    if (auto* rmw = std::get_if<ir::ReadModifyWrite>(&operation);
        rmw != nullptr && how == Effect::kUpdate)
      return &rmw->access;
    if (auto* cas = std::get_if<ir::CompareExchange>(&operation);
        cas != nullptr && how == Effect::kUpdate)
      return &cas->access;
    return nullptr;
  }
  Status mark(const EffectPlace& place, const std::string& tag) {
    bool is_found = false;
    for (ir::Function& function : module_.functions) {
      if (function.name != place.function)
        continue;
      for (ir::Block& block : function.blocks)
        for (ir::Instruction& instruction : block.instructions) {
          if (instruction.loc.line != place.line)
            continue;
          if (ir::Access* access = access_of(instruction.operation, place.how)) {
            if (std::ranges::find(access->tags, tag) == access->tags.end())
              access->tags.insert(std::ranges::upper_bound(access->tags, tag), tag);
            is_found = true;
          }
        }
    }
    if (is_found)
      return Done{};
    return Error{ErrorKind::kInput,
                 "HAR-004",
                 fmt::format("there is no {} at line {} of '{}'",
                             place.how == EffectPlace::How::kFlush  ? "store"
                             : place.how == EffectPlace::How::kRead ? "load"
                                                                    : "atomic update",
                             place.line,
                             place.function)};
  }

  /// A number of the parameter's type: any, or that of the call.
  ir::Operand argument(Code& code, ir::Type type, std::uint64_t number) const {
    if (plan_.bounds) {
      const unsigned bits = module_.bits(type);
      return ir::Constant{type, bits >= 64 ? number : number & ((std::uint64_t{1} << bits) - 1)};
    }
    const ir::RegisterId any = code.make(type);
    code.emit(ir::Nondet{any, "argument"});
    return any;
  }
  void call(Code& code, ir::FunctionId id, const std::string* name, std::uint64_t number) const {
    const ir::Function& function = module_.functions[id];
    code.at(function.loc);
    ir::Call made{std::nullopt, ir::FunctionAddress{id}, {}};
    if (function.parameter_count == 1)
      made.arguments.push_back(argument(code, function.registers[ir::RegisterId{0}].type, number));
    if (!function.result.is_void())
      made.dest = code.make(function.result);
    const std::optional<ir::RegisterId> value = made.dest;
    if (name != nullptr)
      code.emit(ir::Hint{ir::Hint::Kind::kOperationBegin, *name, made.arguments});
    code.emit(std::move(made));
    if (name != nullptr) {
      std::vector<ir::Operand> result;
      if (value)
        result.emplace_back(*value);
      code.emit(ir::Hint{ir::Hint::Kind::kOperationEnd, *name, std::move(result)});
    }
  }

  /// Blocks: the entry; for each round one that chooses and one for each operation; the end, if
  /// there is one.
  [[nodiscard]] ir::Function thread(std::uint32_t index) const {
    Code code(fmt::format("{}.{}", kClientThread, index + 1), ir::Type::pointer(), {});
    code.parameter(ir::Type::pointer());
    const std::size_t count = plan_.operations.size();
    const std::uint32_t rounds = plan_.bounds ? plan_.bounds->calls : 1;
    code.emit(ir::Jump{ir::BlockId{1}});
    for (std::uint32_t round = 0; round < rounds; ++round) {
      const std::size_t start = 1 + round * (count + 1);
      code.start(fmt::format("choose{}", round));
      if (count == 1) {
        code.emit(ir::Jump{ir::BlockId{start + 1}});
      } else {
        const ir::Type choice = ir::Type::integer(static_cast<unsigned>(std::bit_width(count - 1)));
        const ir::RegisterId which = code.make(choice);
        code.emit(ir::Nondet{which, "operation"});
        ir::Switch choose{which, {}, ir::BlockId{start + count}};
        for (std::size_t i = 0; i + 1 < count; ++i)
          choose.cases.push_back({i, ir::BlockId{start + 1 + i}});
        code.emit(std::move(choose));
      }
      const ir::BlockId next{plan_.bounds ? start + count + 1 : 1};
      for (std::size_t i = 0; i < count; ++i) {
        code.start(fmt::format("call{}.{}", round, i));
        call(code, functions_[i], &plan_.operations[i].name, index * rounds + round + 1);
        code.emit(ir::Jump{next});
      }
    }
    if (plan_.bounds) {
      code.start("end");
      code.emit(ir::Return{ir::Constant{ir::Type::pointer(), 0}});
    }
    return std::move(code).finish();
  }

  /// Calls what is only called once steps are atomic, so that analyses of the program know of it.
  [[nodiscard]] ir::Function called_by_none() const {
    Code code("specification", ir::Type::pointer(), {});
    code.parameter(ir::Type::pointer());
    for (const ir::FunctionId abstract : abstract_)
      call(code, abstract, nullptr, 0);
    for (const ir::FunctionId auxiliary : auxiliary_)
      call(code, auxiliary, nullptr, 0);
    call(code, invariant_, nullptr, 0);
    code.emit(ir::Return{ir::Constant{ir::Type::pointer(), 0}});
    return std::move(code).finish();
  }

  Status entry(const std::vector<ir::FunctionId>& threads, ir::FunctionId specification) {
    Code code(kClientEntry, kInt, {});
    if (!plan_.init.empty()) {
      const Result<ir::FunctionId> init = find(plan_.init, 0);
      if (!init)
        return init.error();
      call(code, *init, nullptr, 0);
    }
    const ir::Function& invariant = module_.functions[invariant_];
    code.at(invariant.loc);
    const ir::RegisterId holds = code.make(invariant.result);
    code.emit(ir::Call{holds, ir::FunctionAddress{invariant_}, {}});
    const ir::RegisterId is_true =
        code.compute(kBit, ir::Op::kNe, {holds, ir::Constant{invariant.result, 0}});
    code.emit(
        ir::Assert{is_true, fmt::format("the invariant '{}' holds at the start", plan_.invariant)});
    const auto create = [&](ir::FunctionId function) {
      const ir::RegisterId handle = code.make(ir::Type::pointer());
      code.emit(
          ir::Synchronize{handle,
                          ir::SyncOp::kCreate,
                          {ir::FunctionAddress{function}, ir::Constant{ir::Type::pointer(), 0}}});
      return handle;
    };
    const ir::RegisterId never = code.make(kBit);
    code.emit(ir::Nondet{never, "never"});
    code.emit(ir::Branch{never, ir::BlockId{1}, ir::BlockId{2}});
    code.start("never");
    code.emit(ir::Assume{ir::Constant{kBit, 0}});
    create(specification);
    create(specification);
    code.emit(ir::Jump{ir::BlockId{2}});
    code.start("clients");
    std::vector<ir::RegisterId> handles;
    for (const ir::FunctionId function : threads)
      handles.push_back(create(function));
    for (const ir::RegisterId handle : handles)
      code.emit(ir::Synchronize{{}, ir::SyncOp::kJoin, {handle}});
    code.emit(ir::Return{ir::Constant{kInt, 0}});
    module_.functions.push_back(std::move(code).finish());
    return Done{};
  }

  ir::Module module_;
  const ClientPlan& plan_;
  std::vector<ir::FunctionId> functions_; // by operation
  std::vector<ir::FunctionId> abstract_;
  std::vector<ir::FunctionId> auxiliary_;
  ir::FunctionId invariant_;
};

} // namespace

Result<ir::Module> make_client(const ir::Module& module, const ClientPlan& plan) {
  return ClientBuilder(module, plan).run();
}

} // namespace heddle::object
