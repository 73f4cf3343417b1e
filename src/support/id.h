// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dense ids that cannot be mixed up, and tables indexed by them.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace heddle {

/// The number of a thing of kind `Tag`. A default-made id is no id: `is_valid` says so.
template <class Tag>
struct Id {
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value(static_cast<std::uint32_t>(index)) {}
  [[nodiscard]] constexpr bool is_valid() const { return value != kNone; }
  [[nodiscard]] constexpr std::size_t index() const { return value; }
  constexpr auto operator<=>(const Id&) const = default;
};

/// A vector indexed by one kind of id.
template <class IdType, class Element>
class IdVector {
public:
  IdVector() = default;
  explicit IdVector(std::size_t count, Element value = Element{}) : elements_(count, value) {}

  IdType push_back(Element element) {
    elements_.push_back(std::move(element));
    return IdType{elements_.size() - 1};
  }
  [[nodiscard]] decltype(auto) operator[](IdType id) { return elements_[id.index()]; }
  [[nodiscard]] decltype(auto) operator[](IdType id) const { return elements_[id.index()]; }
  [[nodiscard]] std::size_t size() const { return elements_.size(); }
  [[nodiscard]] bool empty() const { return elements_.empty(); }
  void resize(std::size_t count, Element value = Element{}) {
    elements_.resize(count, std::move(value));
  }
  [[nodiscard]] IdType next_id() const { return IdType{elements_.size()}; }
  [[nodiscard]] IdType last_id() const { return IdType{elements_.size() - 1}; }
  [[nodiscard]] auto begin() { return elements_.begin(); }
  [[nodiscard]] auto end() { return elements_.end(); }
  [[nodiscard]] auto begin() const { return elements_.begin(); }
  [[nodiscard]] auto end() const { return elements_.end(); }
  [[nodiscard]] Element& back() { return elements_.back(); }
  [[nodiscard]] const Element& back() const { return elements_.back(); }
  [[nodiscard]] const std::vector<Element>& raw() const { return elements_; }
  bool operator==(const IdVector&) const = default;

private:
  std::vector<Element> elements_;
};

} // namespace heddle

template <class Tag>
struct std::hash<heddle::Id<Tag>> {
  std::size_t operator()(heddle::Id<Tag> id) const noexcept {
    return std::hash<std::uint32_t>{}(id.value);
  }
};
