// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/abstraction.h"

#include "frontend/c/load.h"
#include "program/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>

namespace heddle::driver {

namespace {

/// The ones that come with Heddle.
struct Shipped {
  std::string_view name;
  std::string_view model;
  bool is_asynchronous = false;
};
constexpr std::array kShipped = {
    Shipped{"sc", "sc"},
    Shipped{"tso", "tso"},
    Shipped{"pso", "pso"},
    Shipped{"etso", "tso"},
    Shipped{"epso", "pso"},
    Shipped{"mu", "sc", true},
    Shipped{"mu-implicit", "sc", true},
    Shipped{"mu-hybrid", "sc", true},
    Shipped{"mu-coarse", "sc", true},
    Shipped{"mu-coarse-tso", "tso", true},
    Shipped{"mu-coarse-pso", "pso", true},
    Shipped{"imu-sc", "sc", true},
    Shipped{"imu-tso", "tso", true},
    Shipped{"imu-pso", "pso", true},
};

const Shipped* find_shipped(std::string_view name) {
  const auto found = std::ranges::find(kShipped, name, &Shipped::name);
  return found == kShipped.end() ? nullptr : &*found;
}

Error usage(const char* code, std::string message) {
  return Error{ErrorKind::kUsage, code, std::move(message)};
}

// The numbers sma_exceeded is given (runtime/sma/sma.h).
constexpr std::uint32_t kBoundWrites = 1;
constexpr std::uint32_t kBoundQueue = 2;
constexpr std::uint32_t kBoundClock = 3;
constexpr std::uint32_t kBoundCells = 4;
/// What sma_is_asynchronous says of a coarse one.
constexpr std::uint8_t kCoarse = 2;

/// An operation that is not defined is named.
Error explain(Error error, const std::string& file) {
  if (error.code == "LOAD-007" || error.code == "LOAD-003") {
    error.kind = ErrorKind::kUnsupported;
    error.code = "SEQ-015";
    error.message = "the shared-memory abstraction lacks something: " + error.message;
    error.file = file;
  }
  return error;
}

} // namespace

bool is_users_abstraction(const std::string& name) {
  return std::filesystem::path(name).extension() == ".c";
}

bool uses_abstraction(const Options& options) {
  return options.via == "eager" || !options.sma.empty();
}

Result<std::string> choose_abstraction(const Options& options, const memory::Model& model) {
  if (options.via != "lazy" && options.via != "eager")
    return usage("USE-031",
                 "--sma is about sequentializations: expected --via lazy or --via eager");
  if (options.sma.empty())
    return "imu-" + model.name;
  if (is_users_abstraction(options.sma))
    return options.sma;
  const Shipped* const shipped = find_shipped(options.sma);
  if (shipped == nullptr) {
    std::string names;
    for (const Shipped& one : kShipped)
      names += std::string(one.name) + ", ";
    return usage("USE-032",
                 fmt::format("unknown shared-memory abstraction '{}'; expected {}or a .c file",
                             options.sma,
                             names));
  }
  if (shipped->model != model.name)
    return usage("USE-033",
                 fmt::format("the shared-memory abstraction '{}' is one of {}, and the model is {}",
                             shipped->name,
                             shipped->model,
                             model.name));
  return options.sma;
}

Result<std::shared_ptr<const transform::Abstraction>>
make_abstraction(const std::string& name,
                 const Options& options,
                 const transform::AbstractionSizes& sizes,
                 ir::DataModel data_model) {
  const std::optional<std::string> runtime = frontend::runtime_folder();
  if (!runtime)
    return Error{ErrorKind::kInput, "LOAD-005", "the runtime is not beside the program"};
  const std::filesystem::path folder = std::filesystem::path(*runtime) / "sma";
  const std::string file = is_users_abstraction(name) ? name : (folder / (name + ".c")).string();

  frontend::Options load;
  load.data_model = data_model;
  load.entry = "sma_init";
  load.keep = {"sma_exceeded", "sma_nondet_content", "sma_asks_kind"};
  load.compiler_flags = {fmt::format("-I{}", folder.string()),
                         fmt::format("-DSMA_THREADS={}u", sizes.threads),
                         fmt::format("-DSMA_CELLS={}u", sizes.cells),
                         fmt::format("-DSMA_ROUNDS={}u", options.rounds),
                         fmt::format("-DSMA_WRITES={}u", options.writes),
                         fmt::format("-DSMA_QUEUE={}u", options.queue),
                         fmt::format("-DSMA_CLOCK={}u", options.clock)};
  const bool is_eager = options.via == "eager";
  for (const std::string& operation : transform::abstraction_operations())
    load.keep.push_back(operation);
  const std::vector<std::string> files{file, (folder / "given.c").string()};
  Result<frontend::Loaded> loaded = frontend::load(files, load);
  if (!loaded)
    return explain(loaded.error(), file);
  const std::optional<ir::GlobalId> kind = loaded->module.find_global("sma_is_asynchronous");
  if (!kind || loaded->module.globals[*kind].is_declaration)
    return Error{ErrorKind::kUnsupported,
                 "SEQ-015",
                 "the shared-memory abstraction lacks something: no constant 'sma_is_asynchronous'",
                 file};
  const std::vector<std::uint8_t>& bytes = loaded->module.globals[*kind].initial;
  const bool is_asynchronous =
      std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; });
  const bool is_coarse = !bytes.empty() && bytes.front() == kCoarse;
  if (is_asynchronous != is_eager)
    return usage("USE-034",
                 fmt::format("the shared-memory abstraction '{}' is thread-{}, which --via {} does "
                             "not allow: expected --via {}",
                             name,
                             is_asynchronous ? "asynchronous" : "synchronous",
                             options.via,
                             is_asynchronous ? "eager" : "lazy"));
  if (is_asynchronous) { // these have more operations
    for (const std::string& operation : transform::asynchronous_operations())
      load.keep.push_back(operation);
    loaded = frontend::load(files, load);
    if (!loaded)
      return explain(loaded.error(), file);
  }

  program::BuildOptions build;
  build.entry = "sma_init";
  build.keep = load.keep;
  build.first_unit = sizes.first_unit;
  Result<program::Program> built = program::build(loaded->module, build);
  if (!built)
    return built.error();
  auto abstraction = std::make_shared<transform::Abstraction>();
  abstraction->name = name;
  abstraction->program = std::move(*built);
  abstraction->is_asynchronous = is_asynchronous;
  abstraction->is_coarse = is_coarse;
  abstraction->bounds = {{kBoundWrites, fmt::format("--writes {}", options.writes)},
                         {kBoundQueue, fmt::format("--queue {}", options.queue)},
                         {kBoundClock, fmt::format("--clock {}", options.clock)},
                         {kBoundCells, fmt::format("{} cells of shared memory", sizes.cells)}};
  return std::shared_ptr<const transform::Abstraction>(std::move(abstraction));
}

Options with_abstraction_bounds(const Options& options, const std::string& name) {
  Options first = options;
  const bool is_individual =
      name.starts_with("imu") || (name.empty() && options.via == "eager"); // the default
  if (options.writes == 0)
    first.writes = is_individual ? 3 : name.starts_with("mu-coarse") ? 2 : 5;
  if (options.queue == 0)
    first.queue = 2;
  if (options.clock == 0)
    first.clock = is_individual ? 6 : 2;
  return first;
}

} // namespace heddle::driver
