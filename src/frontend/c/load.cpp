// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "frontend/c/load.h"

#include "frontend/c/compile.h"
#include "frontend/c/complete.h"
#include "frontend/c/library.h"
#include "frontend/llvm/import.h"
#include "ir/link.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "support/budget_watch.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace heddle::frontend {

namespace {

enum class FileKind : std::uint8_t { kC, kBitcode, kText, kUnknown };

FileKind kind_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension == ".c" || extension == ".i") {
    return FileKind::kC;
  }
  if (extension == ".bc" || extension == ".ll") {
    return FileKind::kBitcode;
  }
  return extension == ".hir" ? FileKind::kText : FileKind::kUnknown;
}

Result<std::string> read_file(const std::string& path) {
  std::error_code failed;
  if (std::filesystem::is_directory(path, failed)) {
    return Error{ErrorKind::kInput, "LOAD-001", "is a folder, not a file", path};
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    return Error{
        ErrorKind::kInput, "LOAD-001", std::string("cannot read: ") + std::strerror(errno), path};
  }
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Where the runtime lies, of which the file is part: where it was built, or beside the program.
std::optional<std::filesystem::path> runtime_dir(const char* file) {
  std::error_code failed;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  std::vector<std::filesystem::path> candidates;
  if (!failed) {
    candidates.push_back(self.parent_path() / "../runtime");
    candidates.push_back(self.parent_path() / "../share/heddle/runtime");
  }
  candidates.emplace_back(HEDDLE_RUNTIME_DIR);
  for (const std::filesystem::path& candidate : candidates) {
    if (std::filesystem::exists(candidate / file, failed)) {
      return candidate.lexically_normal();
    }
  }
  return std::nullopt;
}

class Loader {
public:
  /// Clang does not know these functions of the library by itself.
  Loader(const Options& options, const Budget& budget, std::set<std::string> own_functions)
      : options_(options), budget_(budget), own_functions_(std::move(own_functions)),
        runtime_dir_(runtime_dir("heddle_runtime_64.bc")) {}

  /// Functions that the program defines and clang computes by itself wherever they are called.
  [[nodiscard]] std::set<std::string> defined_builtins() const {
    constexpr std::string_view kComputed[] = {
        "abs",     "labs",   "llabs",  "ffs",    "ffsl",  "ffsll", "memcpy", "mempcpy",
        "memmove", "memset", "bzero",  "bcopy",  "sqrt",  "fabs",  "floor",  "ceil",
        "trunc",   "round",  "rint",   "fmin",   "fmax",  "fmod",  "fabsf",  "sqrtf",
        "floorf",  "ceilf",  "truncf", "roundf", "rintf", "fminf", "fmaxf",  "alloca"};
    std::set<std::string> out;
    for (const Imported& one : imported_) {
      for (const std::string_view name : kComputed) {
        const auto id = one.module.find_function(std::string(name));
        if (id && !one.module.functions[*id].is_declaration()) {
          out.emplace(name);
        }
      }
    }
    return out;
  }

  Status add(const std::string& path) {
    const FileKind kind = kind_of(path);
    if (kind == FileKind::kUnknown) {
      return Error{ErrorKind::kUsage,
                   "LOAD-002",
                   "not a file name heddle knows: expected .c, .i, .bc, .ll or .hir for a program, "
                   ".litmus for a test",
                   path};
    }
    if (kind != FileKind::kText && !can_import_llvm()) {
      return Error{ErrorKind::kUnsupported,
                   "LLVM-004",
                   "this build of heddle has no LLVM and reads only .hir files",
                   path};
    }
    auto content = read_file(path);
    if (!content) {
      return content.error();
    }
    if (kind == FileKind::kText) {
      auto parsed = ir::parse(*content, path);
      if (!parsed) {
        return parsed.error();
      }
      return add(Imported{std::move(*parsed), {}, {}}, path);
    }
    if (kind == FileKind::kC) {
      CompileOptions compile_options;
      compile_options.data_model = options_.data_model.value_or(ir::DataModel::kLP64);
      compile_options.flags = options_.compiler_flags;
      for (const std::string& name : own_functions_) {
        compile_options.flags.push_back("-fno-builtin-" + name);
      }
      if (runtime_dir_) {
        compile_options.include_dirs.push_back((*runtime_dir_ / "include").string());
      }
      auto compiled = compile(path, compile_options, budget_);
      if (!compiled) {
        return compiled.error();
      }
      std::ranges::move(compiled->warnings, std::back_inserter(warnings_));
      *content = std::move(compiled->bitcode);
    }
    auto imported = import_bitcode(*content, path);
    if (!imported) {
      return imported.error();
    }
    return add(std::move(*imported), path);
  }

  Result<Loaded> finish() {
    drop_weak_duplicates();
    std::vector<ir::Module> modules;
    for (Imported& one : imported_) {
      modules.push_back(std::move(one.module));
    }
    auto linked = ir::link(std::move(modules));
    if (!linked) {
      return linked.error();
    }
    if (const auto entry = linked->find_function(options_.entry);
        !options_.entry.empty() && (!entry || linked->functions[*entry].is_declaration())) {
      return Error{ErrorKind::kInput,
                   "LOAD-003",
                   "no function '" + options_.entry +
                       "' to start with; name another one with --entry",
                   first_path_};
    }
    for (const std::string& name : options_.keep) {
      if (const auto function = linked->find_function(name);
          !function || linked->functions[*function].is_declaration()) {
        return Error{ErrorKind::kInput, "LOAD-007", "no function '" + name + "'", first_path_};
      }
    }
    if (options_.entry.empty() && !constructors_.empty()) {
      return Error{ErrorKind::kUnsupported,
                   "LOAD-008",
                   "constructors are run by an entry function, and there is none here",
                   first_path_};
    }
    const Status with_runtime = add_runtime(*linked);
    if (!with_runtime) {
      return with_runtime.error();
    }
    return complete(std::move(*linked));
  }

private:
  Status add(Imported imported, const std::string& path) {
    if (options_.data_model && imported.module.data_model != *options_.data_model) {
      return wrong_model(path, "the data model asked for");
    }
    if (!imported_.empty() && imported.module.data_model != imported_.front().module.data_model) {
      return wrong_model(path, "the data model of '" + first_path_ + "'");
    }
    if (imported_.empty()) {
      first_path_ = path;
    }
    other_types_.insert(imported.other_types.begin(), imported.other_types.end());
    // Constructors are called by name after linking, so static ones need names of their own.
    for (std::string& name : imported.constructors) {
      if (const auto id = imported.module.find_function(name)) {
        ir::Function& function = imported.module.functions[*id];
        name += ".constructor." + std::to_string(imported_.size());
        function.name = name;
        function.is_internal = false;
        constructors_.push_back(name);
      }
    }
    imported_.push_back(std::move(imported));
    return Done{};
  }

  static Error wrong_model(const std::string& path, const std::string& expected) {
    return Error{ErrorKind::kInput,
                 "LOAD-004",
                 "its pointers are not as wide as " + expected + " says",
                 path};
  }

  /// Functions defined at one place of one header are one function: C99 inline functions, which
  /// every file that includes the header defines (-fgnu89-inline keeps their bodies).
  void mark_header_functions() {
    std::map<std::string, std::string> places;
    for (Imported& one : imported_) {
      for (const ir::Function& function : one.module.functions) {
        if (function.is_declaration() || function.is_internal || !function.loc.is_known()) {
          continue;
        }
        const std::string place =
            one.module.files[function.loc.file] + ":" + std::to_string(function.loc.line);
        const auto [known, is_first] = places.try_emplace(function.name, place);
        if (!is_first && known->second == place) {
          one.weak.push_back(function.name);
        }
      }
    }
  }

  /// A weak definition gives way to a strong one, or else to the first.
  void drop_weak_duplicates() {
    mark_header_functions();
    std::set<std::string> strong;
    for (const Imported& one : imported_) {
      const std::set<std::string> weak(one.weak.begin(), one.weak.end());
      for (const ir::Function& function : one.module.functions) {
        if (!function.is_declaration() && !function.is_internal && !weak.contains(function.name)) {
          strong.insert(function.name);
        }
      }
      for (const ir::Global& global : one.module.globals) {
        if (!global.is_declaration && !global.is_internal && !weak.contains(global.name)) {
          strong.insert(global.name);
        }
      }
    }
    for (Imported& one : imported_) {
      for (const std::string& name : one.weak) {
        if (strong.insert(name).second) {
          continue; // the first weak one is as good as strong
        }
        if (const auto id = one.module.find_function(name)) {
          ir::Function& function = one.module.functions[*id];
          function.registers.resize(function.parameter_count);
          function.slots = {};
          function.blocks = {};
        } else if (const auto global = one.module.find_global(name)) {
          one.module.globals[*global].initial.clear();
          one.module.globals[*global].relocations.clear();
          one.module.globals[*global].is_declaration = true;
        }
      }
    }
  }

  Status add_runtime(ir::Module& module) const {
    // In this order: the others ask for functions of "runtime", and it asks for none of theirs.
    for (const std::string_view part : {"text", "floating", "runtime"}) {
      const bool is_needed =
          std::ranges::any_of(module.functions, [part](const ir::Function& function) {
            return function.is_declaration() && runtime_part(function.name) == part;
          });
      if (!is_needed || !can_import_llvm()) {
        continue;
      }
      const Status added = add_runtime_part(module, std::string(part));
      if (!added) {
        return added.error();
      }
    }
    return Done{};
  }

  Status add_runtime_part(ir::Module& module, const std::string& part) const {
    if (!runtime_dir_) {
      return Error{ErrorKind::kInput,
                   "LOAD-005",
                   std::string("the runtime is neither beside the program nor in ") +
                       HEDDLE_RUNTIME_DIR};
    }
    const std::string name = "heddle_" + part + "_" + std::to_string(module.pointer_bits()) + ".bc";
    const std::string path = (*runtime_dir_ / name).string();
    const auto content = read_file(path);
    if (!content) {
      return content.error();
    }
    auto imported = import_bitcode(*content, path);
    if (!imported) {
      return imported.error();
    }
    std::vector<ir::Module> both;
    both.push_back(std::move(module));
    both.push_back(std::move(imported->module));
    auto linked = ir::link(std::move(both));
    if (!linked) {
      return linked.error();
    }
    module = std::move(*linked);
    return Done{};
  }

  Result<Loaded> complete(ir::Module module) {
    make_atomic_functions(module);
    Library(module, options_).replace_calls();
    replace_error_functions(module, options_);
    pack_further_arguments(module);
    adapt_calls(module);
    call_constructors(module, options_.entry, constructors_);
    define_streams(module);
    drop_unreachable_blocks(module);
    join_assertions(module);
    add_key_destructors(module, options_.entry);
    expect_no_cleanup_handlers(module, options_.entry);
    std::vector<std::string> roots = options_.keep;
    if (!options_.entry.empty()) {
      roots.push_back(options_.entry);
    }
    Loaded loaded{ir::keep_reachable(module, roots), std::move(warnings_), std::move(other_types_)};
    const Status verified = ir::verify(loaded.module);
    if (!verified) {
      return verified.error();
    }
    return loaded;
  }

  const Options& options_;
  const Budget& budget_;
  std::set<std::string> own_functions_;
  std::optional<std::filesystem::path> runtime_dir_;
  std::vector<Imported> imported_;
  std::vector<std::string> constructors_;
  std::map<std::string, std::string> other_types_;
  std::vector<std::string> warnings_;
  std::string first_path_;
};

} // namespace

std::optional<std::string> abstraction_folder() {
  const std::optional<std::filesystem::path> folder = runtime_dir("sma/sma.h");
  if (!folder) {
    return std::nullopt;
  }
  return (*folder / "sma").string();
}

bool can_read_c() {
  return can_import_llvm();
}

Result<Loaded>
load(std::span<const std::string> files, const Options& options, const Budget& budget) {
  if (files.empty()) {
    return Error{ErrorKind::kUsage, "LOAD-006", "no input file"};
  }
  // Known after the files have been compiled once: then they are compiled again.
  std::set<std::string> own_functions;
  while (true) {
    Loader loader(options, budget, own_functions);
    for (const std::string& file : files) {
      if (budget.exhausted(0)) {
        return budget_used_up("files are read");
      }
      const Status added = loader.add(file);
      if (!added) {
        return added.error();
      }
    }
    std::set<std::string> defined = loader.defined_builtins();
    if (std::ranges::includes(own_functions, defined)) {
      return loader.finish();
    }
    own_functions = std::move(defined);
  }
}

} // namespace heddle::frontend
