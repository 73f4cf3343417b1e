// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "driver/pipeline/abstraction.h"

#include "driver/pipeline/usage.h"
#include "frontend/c/load.h"
#include "ir/link.h"
#include "program/build/build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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

// The numbers sma_exceeded is given (runtime/sma/sma.h).
constexpr std::uint32_t kBoundWrites = 1;
constexpr std::uint32_t kBoundQueue = 2;
constexpr std::uint32_t kBoundClock = 3;
constexpr std::uint32_t kBoundCells = 4;
/// What sma_is_asynchronous says of a coarse one.
constexpr std::uint8_t kCoarse = 2;

} // namespace

bool is_users_abstraction(const std::string& name) {
  const std::filesystem::path extension = std::filesystem::path(name).extension();
  return extension == ".c" || extension == ".hir";
}

std::uint32_t cells_of(const Options& options, const transform::AbstractionSizes& sizes) {
  return options.cells == 0 ? sizes.cells
                            : std::min(sizes.cells, static_cast<std::uint32_t>(options.cells));
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
    return usage(
        "USE-032",
        fmt::format("unknown shared-memory abstraction '{}'; expected {}or a .c or .hir file",
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

namespace {

/// What an abstraction is compiled with, or what is set in its text, in the order of sma_most
/// (runtime/sma/ir/operations.c).
struct Size {
  std::string name; // in lower case
  std::uint64_t value = 0;
};

std::vector<Size> sizes_for(const Options& options, const transform::AbstractionSizes& sizes) {
  return {{"threads", sizes.threads},
          {"cells", cells_of(options, sizes)},
          {"writes", options.writes},
          {"queue", options.queue},
          {"clock", options.clock},
          {"rounds", options.rounds}};
}

/// Where an abstraction comes from: C that is compiled for these sizes, or text whose arrays are
/// large enough for many.
struct Source {
  std::vector<std::string> files;
  bool is_text = false;
  std::string folder; // of what it may include
  std::vector<Size> sizes;
};

Source find_source(const std::string& name, const std::string& folder, std::vector<Size> sizes) {
  const std::filesystem::path in(folder);
  Source source{{}, false, folder, std::move(sizes)};
  const bool is_given = is_users_abstraction(name);
  source.is_text =
      is_given ? std::filesystem::path(name).extension() == ".hir" : !frontend::can_read_c();
  if (is_given)
    source.files = {name};
  else if (source.is_text)
    source.files = {(in / "ir" / (name + ".hir")).string()};
  else
    source.files = {(in / (name + ".c")).string()};
  if (!source.is_text)
    source.files.push_back((in / "given.c").string());
  return source;
}

Error lacks(const std::string& what, const std::string& file) {
  return Error{ErrorKind::kUnsupported,
               "SEQ-015",
               "the shared-memory abstraction lacks something: " + what,
               file};
}

Result<ir::Module>
load(const Source& source, ir::DataModel data_model, const std::vector<std::string>& operations) {
  frontend::Options options;
  options.data_model = data_model;
  options.entry = "sma_init";
  options.keep = operations;
  options.keep.emplace_back("sma_exceeded");
  // Something has to mention the constants that are asked for.
  options.keep.emplace_back(source.is_text ? "sma_every_operation" : "sma_asks_kind");
  options.compiler_flags.push_back(fmt::format("-I{}", source.folder));
  // It is believed to be what memory is: only whole objects are checked.
  options.compiler_flags.emplace_back("-fno-sanitize=array-bounds");
  for (const Size& size : source.sizes) {
    std::string name = size.name;
    std::ranges::transform(
        name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    options.compiler_flags.push_back(fmt::format("-DSMA_{}={}u", name, size.value));
  }
  Result<frontend::Loaded> loaded = frontend::load(source.files, options);
  if (loaded)
    return std::move(loaded->module);
  const Error& error = loaded.error();
  if (error.code == "LOAD-007" || error.code == "LOAD-003") // an operation that is not defined
    return lacks(error.message, source.files.front());
  return error;
}

unsigned bits_of(ir::Type type, const ir::Module& module) {
  return type.is_void() ? 0 : type.is_pointer() ? module.pointer_bits() : type.bits;
}

/// The transform passes what sma.h says; an operation that takes something else is named.
Status check_signatures(const ir::Module& module,
                        const std::vector<std::string>& operations,
                        const std::string& file) {
  for (const std::string& name : operations) {
    const ir::Function& function = module.functions[*module.find_function(name)];
    const transform::OperationShape& shape = transform::shape_of_operation(name);
    std::vector<unsigned> given;
    for (std::uint32_t i = 0; i < function.parameter_count; ++i)
      given.push_back(bits_of(function.registers[ir::RegisterId{std::size_t{i}}].type, module));
    const unsigned result = bits_of(function.result, module);
    // A truth value may be any number.
    if (given == shape.parameters && (result == shape.result || (shape.result == 1 && result != 0)))
      continue;
    Error error{ErrorKind::kUnsupported,
                "SEQ-017",
                fmt::format("'{}' is not declared as in sma.h: expected {} parameters ({} bits) "
                            "and a result of {} bits, found {} parameters ({} bits) and {} bits",
                            name,
                            shape.parameters.size(),
                            fmt::join(shape.parameters, ", "),
                            shape.result,
                            given.size(),
                            fmt::join(given, ", "),
                            result),
                file};
    error.line = function.loc.line;
    return error;
  }
  return Done{};
}

/// Loads of the constant are its value: loops over it end where they should.
void replace_loads(ir::Module& module, ir::GlobalId constant, std::uint64_t value) {
  for (ir::Function& function : module.functions)
    for (ir::Block& block : function.blocks)
      for (ir::Instruction& instruction : block.instructions)
        if (const auto* load = std::get_if<ir::Load>(&instruction.operation))
          if (const auto* address = std::get_if<ir::GlobalAddress>(&load->address);
              address != nullptr && address->global == constant && address->offset == 0) {
            const ir::RegisterId dest = load->dest;
            instruction.operation = ir::Compute{
                dest, ir::Op::kCopy, {ir::Constant{function.registers[dest].type, value}}};
          }
}

/// Gives the constants of a text their values.
Status set_sizes(ir::Module& module, const Source& source) {
  const std::optional<ir::GlobalId> most = module.find_global("sma_most");
  if (!most || module.globals[*most].is_declaration)
    return lacks("no constant 'sma_most', which says what there is room for", source.files.front());
  const std::vector<std::uint8_t> room = module.globals[*most].initial;
  for (std::size_t i = 0; i < source.sizes.size(); ++i) {
    const Size& size = source.sizes[i];
    const std::optional<ir::GlobalId> constant = module.find_global("sma_" + size.name);
    if (!constant)
      continue; // it does not depend on it
    std::uint64_t limit = 0;
    for (std::size_t byte = 0; byte < 4 && 4 * i + byte < room.size(); ++byte)
      limit |= std::uint64_t{room[4 * i + byte]} << (8 * byte);
    if (size.value > limit)
      return Error{ErrorKind::kUnsupported,
                   "SEQ-018",
                   fmt::format("the text of the shared-memory abstraction has room for {} {}, and "
                               "{} are needed; a build with LLVM compiles one for any number",
                               limit,
                               size.name,
                               size.value),
                   source.files.front()};
    ir::Global& global = module.globals[*constant];
    global.is_declaration = false;
    global.initial.assign(4, 0);
    for (std::size_t byte = 0; byte < 4; ++byte)
      global.initial[byte] = static_cast<std::uint8_t>(size.value >> (8 * byte));
    replace_loads(module, *constant, size.value);
  }
  return Done{};
}

} // namespace

Result<std::shared_ptr<const transform::Abstraction>>
make_abstraction(const std::string& name,
                 const Options& options,
                 const transform::AbstractionSizes& sizes,
                 ir::DataModel data_model) {
  const std::optional<std::string> folder = frontend::abstraction_folder();
  if (!folder)
    return Error{ErrorKind::kInput, "LOAD-005", "the runtime is not beside the program"};
  const Source source = find_source(name, *folder, sizes_for(options, sizes));
  Result<ir::Module> module = load(source, data_model, transform::abstraction_operations());
  if (!module)
    return module.error();
  const std::optional<ir::GlobalId> kind = module->find_global("sma_is_asynchronous");
  if (!kind || module->globals[*kind].is_declaration)
    return lacks("no constant 'sma_is_asynchronous'", source.files.front());
  const std::vector<std::uint8_t> bytes = module->globals[*kind].initial;
  const bool is_asynchronous =
      std::ranges::any_of(bytes, [](std::uint8_t byte) { return byte != 0; });
  const bool is_coarse = !bytes.empty() && bytes.front() == kCoarse;
  if (is_asynchronous != (options.via == "eager"))
    return usage("USE-034",
                 fmt::format("the shared-memory abstraction '{}' is thread-{}, which --via {} does "
                             "not allow: expected --via {}",
                             name,
                             is_asynchronous ? "asynchronous" : "synchronous",
                             options.via,
                             is_asynchronous ? "eager" : "lazy"));
  std::vector<std::string> operations = transform::abstraction_operations();
  if (is_asynchronous) { // these have more operations
    std::ranges::copy(transform::asynchronous_operations(), std::back_inserter(operations));
    module = load(source, data_model, operations);
    if (!module)
      return module.error();
  }
  if (const Status status = check_signatures(*module, operations, source.files.front()); !status)
    return status.error();
  if (source.is_text) {
    if (const Status status = set_sizes(*module, source); !status)
      return status.error();
  }

  operations.emplace_back("sma_exceeded");
  program::BuildOptions build;
  build.entry = "sma_init";
  build.keep = operations;
  build.first_unit = sizes.first_unit;
  Result<program::Program> built = program::build(ir::keep_reachable(*module, operations), build);
  if (!built)
    return built.error();
  const std::uint32_t cells = cells_of(options, sizes);
  auto abstraction = std::make_shared<transform::Abstraction>();
  abstraction->name = name;
  abstraction->program = std::move(*built);
  abstraction->is_asynchronous = is_asynchronous;
  abstraction->is_coarse = is_coarse;
  abstraction->bounds = {{kBoundWrites, fmt::format("--writes {}", options.writes)},
                         {kBoundQueue, fmt::format("--queue {}", options.queue)},
                         {kBoundClock, fmt::format("--clock {}", options.clock)},
                         {kBoundCells, fmt::format("--cells {}", cells)}};
  if (cells < sizes.cells)
    abstraction->cells = cells;
  if (options.allocations != 0)
    abstraction->allocations = static_cast<std::uint32_t>(options.allocations);
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
  // Enough for all writes of two scalars, and a few where more of them are written less often.
  if (options.clock == 0)
    first.clock = is_individual ? std::max<std::uint64_t>(6, 2 * (first.writes - 1) + 1) : 2;
  return first;
}

} // namespace heddle::driver
