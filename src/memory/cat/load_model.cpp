// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/cat/load_model.h"

#include "memory/cat/cat_text.h"
#include "memory/cat/evaluate.h"
#include "memory/cat/prelude.h"
#include "memory/cat/token.h"
#include "memory/register_use.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

namespace heddle::memory::cat {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> read(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error))
    return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in)
    return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// The models in the same folder that include the file, by name.
std::vector<std::string> files_that_include(const fs::path& file) {
  const std::string wanted = file.filename().string();
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path& other = entry->path();
    if (other.extension() != ".cat" || other.filename() == wanted)
      continue;
    std::vector<Error> ignored;
    const std::vector<Token> tokens = tokenize(read(other).value_or(""), "", ignored);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
      if (tokens[i].is(TokenKind::kKeyword, "include") &&
          tokens[i + 1].is(TokenKind::kString, wanted)) {
        found.push_back(other.filename().string());
        break;
      }
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string join(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names)
    all += (all.empty() ? "" : ", ") + name;
  return all;
}

class Loader {
public:
  explicit Loader(const LoadOptions& options)
      : options_(options), session_(std::make_shared<Session>()),
        evaluator_(session_, builder_, options_, errors_) {
    session_->files = {""};
    session_->variants.assign(options.variants.begin(), options.variants.end());
    evaluator_.set_include(
        [this](const std::string& name, SourceLoc loc) { return include(name, loc); },
        [this] { open_.pop_back(); });
  }

  std::variant<Core, Diagnostics> load_file(const fs::path& file, const std::string& bell) {
    const std::optional<std::string> text = read(file);
    if (!text)
      return Diagnostics{
          {Error{ErrorKind::kInput, "CAT-020", "cannot read the model", file.string()}}};
    folder_ = file.parent_path();
    run_library(file.filename() == "stdlib.cat");
    if (!bell.empty()) {
      const std::optional<std::string> bell_text = read(bell);
      if (bell_text)
        run_text(*bell_text, bell);
      else
        errors_.push_back({ErrorKind::kInput, "CAT-020", "cannot read the tags", bell});
    }
    const File& tree = run_text(*text, file.string());
    name_includers(file);
    if (options_.keeps_accesses_whole && !knows_pieces())
      run_text(std::string(whole_accesses()), "whole accesses");
    return finish(tree, file.stem().string());
  }

  std::variant<Core, Diagnostics> load_string(const std::string& text, const std::string& name) {
    run_library(false);
    const File& tree = run_text(text, name);
    return finish(tree, name);
  }

private:
  [[nodiscard]] bool knows_pieces() {
    const std::vector<std::string>& names = builder_.core().base_names;
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
      return name == "sm" || name == "si";
    });
  }

  /// The definitions that come before every model.
  void run_library(bool is_library_itself) {
    if (is_library_itself)
      return;
    if (const std::optional<fs::path> found = find_file("stdlib.cat", folder_)) {
      const std::optional<std::string> text = read(*found);
      run_text(text.value_or(""), found->string());
      return;
    }
    run_text(std::string(prelude()), "prelude");
  }

  const File& run_text(const std::string& text, const std::string& name) {
    const File& tree = parse_once(text, name);
    open_.push_back(name);
    evaluator_.run(tree.statements);
    open_.pop_back();
    return tree;
  }

  const File& parse_once(const std::string& text, const std::string& name) {
    const auto known = trees_.find(name);
    if (known != trees_.end())
      return *known->second;
    const auto index = static_cast<std::uint32_t>(session_->files.size());
    session_->files.push_back(name);
    Parsed parsed = parse(text, name, index);
    for (Error& error : parsed.errors)
      errors_.push_back(std::move(error));
    session_->trees.push_back(std::make_unique<File>(std::move(parsed.file)));
    const File& tree = *session_->trees.back();
    trees_.emplace(name, &tree);
    if (std::find(tree.options.begin(), tree.options.end(), "catdep") != tree.options.end())
      builder_.core().computes_dependencies = true;
    return tree;
  }

  [[nodiscard]] std::optional<fs::path> find_file(const std::string& name,
                                                  const fs::path& folder) const {
    std::error_code error;
    const fs::path beside = folder / name;
    if (fs::is_regular_file(beside, error))
      return beside;
    for (const fs::path& place : options_.search_path)
      if (fs::is_regular_file(place / name, error))
        return place / name;
    return std::nullopt;
  }

  const File* include(const std::string& name, SourceLoc loc) {
    const fs::path folder = open_.empty() ? folder_ : fs::path(open_.back()).parent_path();
    const std::optional<fs::path> found = find_file(name, folder);
    std::string path;
    std::optional<std::string> text;
    if (found) {
      path = found->string();
      if (trees_.contains(path))
        text = "";
      else
        text = read(*found);
    } else if (name == "cross.cat" || name == "cos.cat" || name == "cos-opt.cat") {
      path = name;
      text = std::string(name == "cross.cat" ? prelude_cross() : prelude_cos());
    }
    if (!text) {
      evaluator_.complain(loc, "CAT-020", "cannot find '" + name + "' to include");
      return nullptr;
    }
    if (std::find(open_.begin(), open_.end(), path) != open_.end()) {
      evaluator_.complain(loc, "CAT-021", "'" + name + "' includes itself");
      return nullptr;
    }
    const File& tree = parse_once(*text, path);
    open_.push_back(path);
    return &tree;
  }

  /// A file that uses names nobody defines may be a part of others: says of which.
  void name_includers(const fs::path& file) {
    const auto unknown = std::find_if(
        errors_.begin(), errors_.end(), [](const Error& error) { return error.code == "CAT-010"; });
    if (unknown == errors_.end())
      return;
    const std::vector<std::string> includers = files_that_include(file);
    if (includers.empty())
      return;
    Error hint = *unknown;
    hint.code = "CAT-022";
    hint.message = file.filename().string() + " is included by " + join(includers) +
                   ", and may be a part of that and no model by itself";
    errors_.push_back(std::move(hint));
  }

  std::variant<Core, Diagnostics> finish(const File& tree, const std::string& fallback) {
    evaluator_.complain_of_kinds();
    if (!errors_.empty())
      return Diagnostics{std::move(errors_)};
    evaluator_.finish();
    Core& core = builder_.core();
    core.title = tree.title.empty() ? fallback : tree.title.back();
    core.files = session_->files;
    session_->is_set.reserve(core.nodes.size());
    for (const Node& node : core.nodes)
      session_->is_set.push_back(node.is_set);
    Core made = std::move(builder_).finish(session_->numbers);
    analyse_core(made);
    made.computes_dependencies = made.computes_dependencies || asked_of_registers(made).registers;
    return made;
  }

  const LoadOptions& options_;
  std::vector<Error> errors_;
  std::shared_ptr<Session> session_;
  CoreBuilder builder_;
  Evaluator evaluator_;
  fs::path folder_;
  std::map<std::string, const File*> trees_;
  std::vector<std::string> open_;
};

} // namespace

std::variant<Core, Diagnostics>
load(const fs::path& file, const LoadOptions& options, const std::string& bell) {
  return Loader(options).load_file(file, bell);
}

std::variant<Core, Diagnostics>
load_text(const std::string& text, const std::string& name, const LoadOptions& options) {
  return Loader(options).load_string(text, name);
}

} // namespace heddle::memory::cat
