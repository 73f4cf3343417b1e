// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads small models and evaluates them on small executions, given by their relations.
#pragma once

#include "memory/bit_algebra.h"
#include "memory/cat/load_model.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::memory {

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

inline relation::BitMatrix matrix(std::size_t bound, const Pairs& pairs) {
  relation::BitMatrix made(bound);
  for (const auto& [from, to] : pairs)
    made.insert(from, to);
  return made;
}
inline relation::BitSet bits(std::size_t bound, std::initializer_list<std::size_t> elements) {
  relation::BitSet made(bound);
  for (const std::size_t element : elements)
    made.insert(element);
  return made;
}

inline cat::LoadOptions options_for(Vocabulary vocabulary) {
  cat::LoadOptions options;
  options.base_names = &base_names(vocabulary);
  return options;
}

/// The core of a text that must load.
inline Core load_core(const std::string& text, const cat::LoadOptions& options) {
  std::variant<Core, cat::Diagnostics> loaded = cat::load_text(text, "test.cat", options);
  if (const auto* wrong = std::get_if<cat::Diagnostics>(&loaded)) {
    for (const Error& error : wrong->errors)
      ADD_FAILURE() << error.to_string();
    return {};
  }
  return std::get<Core>(std::move(loaded));
}
inline Core load_core(const std::string& text) {
  return load_core(text, options_for(Vocabulary::kX86));
}

/// What is wrong with a text that must not load.
inline std::vector<Error> load_errors(const std::string& text, const cat::LoadOptions& options) {
  std::variant<Core, cat::Diagnostics> loaded = cat::load_text(text, "test.cat", options);
  if (const auto* wrong = std::get_if<cat::Diagnostics>(&loaded))
    return wrong->errors;
  ADD_FAILURE() << "loaded, but is wrong: " << text;
  return {};
}
inline std::vector<Error> load_errors(const std::string& text) {
  return load_errors(text, options_for(Vocabulary::kX86));
}

/// A core with the values of one execution.
class Evaluated {
public:
  Evaluated(Core core, std::size_t events) : core_(std::move(core)), algebra_(events) {}

  BitAlgebra& algebra() { return algebra_; }
  const Core& core() const { return core_; }
  NodeId node(const std::string& name) const {
    for (const auto& [known, id] : core_.definitions)
      if (known == name)
        return id;
    ADD_FAILURE() << "no definition " << name;
    return NodeId{std::size_t{0}};
  }
  Pairs pairs(const std::string& name) { return fold_.relation(node(name)).pairs(); }
  std::vector<std::size_t> elements(const std::string& name) {
    return fold_.set(node(name)).elements();
  }
  bool holds(std::size_t axiom) { return is_satisfied(core_, core_.axioms[axiom], values_); }
  const ConcreteValues& values() const { return values_; }
  /// What the values asked for so far have shown to be wrong.
  const std::optional<Error>& error() const { return fold_.error(); }

private:
  Core core_;
  BitAlgebra algebra_;
  Fold<BitAlgebra> fold_{core_, algebra_};
  FoldedValues<BitAlgebra> values_{fold_, algebra_};
};

} // namespace heddle::memory
