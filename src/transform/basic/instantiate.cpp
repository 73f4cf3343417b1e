// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// One copy of a thread's entry procedure per place that creates it, so that facts about one thread
// need not hold for the others. Procedures the thread calls are shared (inline them first to tell
// them apart), and so are allocation sites: what the alias analysis found out stays true. A create
// keeps its operands but for the address of the procedure, so schedules are kept (rewrite.h).
#include "transform/basic/rewrite.h"

#include <fmt/format.h>

namespace heddle::transform {

namespace {

using program::Procedure;
using program::ProcedureId;
using program::Synchronize;

class Instantiation {
public:
  explicit Instantiation(program::Program& program) : program_(program) {}

  void run() {
    // A procedure that is also called, or that the program starts with, keeps its original for
    // that.
    creations_ = IdVector<ProcedureId, unsigned>(program_.procedures.size(), 0);
    ++creations_[program_.templates[0].entry];
    for (const Procedure& procedure : program_.procedures)
      for (const program::Edge& edge : procedure.edges)
        if (const auto* call = std::get_if<program::Call>(&edge.action))
          for (const ProcedureId target : call->targets)
            creations_[target] = 1;
    const std::size_t count = program_.procedures.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t edges = program_.procedures[ProcedureId{i}].edges.size();
      for (std::size_t e = 0; e < edges; ++e)
        instantiate(ProcedureId{i}, e);
    }
  }

private:
  void instantiate(ProcedureId creator, std::size_t edge) {
    auto* sync = std::get_if<Synchronize>(&program_.procedures[creator].edges[edge].action);
    if (sync == nullptr || sync->op != program::SyncOp::kCreate || sync->targets.size() != 1 ||
        !program_.terms.is_constant(sync->operands[0]))
      return;
    const ProcedureId target = sync->targets[0];
    if (++creations_[target] == 1)
      return; // the first one takes the original
    Procedure copy = program_.procedures[target];
    copy.name = fmt::format("{}#{}", copy.name, creations_[target]);
    const std::string name = copy.name;
    const ProcedureId instance = program_.procedures.push_back(std::move(copy));
    // The vector of procedures may have moved.
    sync = std::get_if<Synchronize>(&program_.procedures[creator].edges[edge].action);
    sync->targets = {instance};
    sync->operands[0] = program_.terms.constant(program_.space().function_address(instance.value),
                                                program_.pointer_bits());
    program_.templates.push_back({instance, name});
  }

  program::Program& program_;
  IdVector<ProcedureId, unsigned> creations_;
};

class Instantiate final : public Transform {
public:
  [[nodiscard]] std::string_view name() const override { return "instantiate"; }
  [[nodiscard]] bool preserves(spec::Property) const override { return true; }
  [[nodiscard]] Result<Transformed> apply(const program::Program& source,
                                          const spec::Bounds&) const override {
    Transformed result{source, same_schedule(), {}};
    Instantiation(result.program).run();
    return result;
  }
};

} // namespace

std::unique_ptr<Transform> instantiate() {
  return std::make_unique<Instantiate>();
}

} // namespace heddle::transform
