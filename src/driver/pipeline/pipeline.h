// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// From files to a checked verdict: load, build, lower, annotate, transform, search, confirm,
// settle. Prints nothing but what it is asked to dump; every stage is kept, so that a violation can
// be carried back through all of them.
#pragma once

#include "driver/options/options.h"
#include "driver/pipeline/question.h"
#include "engine/engine.h"
#include "ir/ir.h"
#include "transform/basic/transform.h"
#include "verdict/verdict.h"

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace heddle::driver {

/// Where the pipeline tells what it does; each may be empty.
struct Listener {
  std::function<void(const std::string& line)> warn;
  std::function<void(const std::string& line)> tell;                           // with -v
  std::function<void(const std::string& stage, const std::string& text)> dump; // --dump-after
  std::function<void(const std::string& line)> progress;
  /// The input has been read: no other program is run any more.
  std::function<void()> loaded = {};
  /// A violation that has been confirmed; what follows only makes it smaller.
  std::function<void(const verdict::Verdict& verdict, const program::Program& ground)> found = {};
  /// What holds within bounds that were gone through, while larger ones are tried.
  std::function<void(const verdict::Verdict& verdict, const program::Program& ground)> established =
      {};
};

/// A program and all it went through. Stage 0 is the lowered, annotated one: the ground violations
/// are replayed on.
struct Prepared {
  ir::Module module;
  std::vector<std::unique_ptr<transform::Transformed>> stages;
  std::vector<std::string> stage_names;
  std::vector<memory::Model> stage_models; // what each stage's program is to be run under
  Approximations approximations; // of the front end and all transforms, and what the options assume
  [[nodiscard]] const program::Program& ground() const { return stages.front()->program; }
};
/// A budget that is used up on the way is an error of its own (is_budget_used_up).
[[nodiscard]] Result<Prepared>
prepare(const Asked& asked, const Options& options, const Budget& budget, const Listener& listener);
/// The same for a module that has been loaded already.
[[nodiscard]] Result<Prepared> prepare(ir::Module module,
                                       const Asked& asked,
                                       const Options& options,
                                       const Budget& budget,
                                       const Listener& listener);

/// The task on one stage's program.
[[nodiscard]] spec::Task
make_task(const Asked& asked, const Options& options, const program::Program& program);

/// A violation that could not be confirmed: our bug, with what is needed to look into it.
struct Unconfirmed {
  std::string message;
  execution::Schedule schedule;
  bool lacks_room = false; // check::kLacksRoom: a limit, no bug
};
/// Runs the engine, and checks what it says.
[[nodiscard]] Result<std::variant<verdict::Verdict, Unconfirmed>> answer(const Asked& asked,
                                                                         const Options& options,
                                                                         const Prepared& prepared,
                                                                         const Budget& budget,
                                                                         const Listener& listener);

} // namespace heddle::driver
