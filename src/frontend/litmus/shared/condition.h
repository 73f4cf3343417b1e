// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What stands after the code of a test: locations [ … ], filter, and exists / ~exists / forall with
// a proposition; as written, and then (resolve_final) in terms of the observed things of a Test.
#pragma once

#include "frontend/litmus/shared/initial_state.h"
#include "frontend/litmus/shared/litmus_lexer.h"
#include "frontend/litmus/shared/test.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace heddle::frontend::litmus {

/// A proposition as written. /\ and \/ have any number of operands.
struct Formula {
  Proposition::Kind kind = Proposition::Kind::kTrue;
  Place left = {}; // kEquals, kNotEquals
  std::variant<LiteralValue, Place> right = LiteralValue{};
  std::vector<Formula> operands = {};
};

struct FinalSection {
  /// Of `locations [x; 0:EAX;]`; types there are read over.
  std::vector<Place> locations = {};
  std::optional<Formula> filter = {};
  Quantifier quantifier = Quantifier::kNone;
  Formula condition = {};
  SourceLoc loc = {}; // of the quantifier
};

/// All up to the end of the file. `final P` is `exists P`. No condition at all is allowed.
[[nodiscard]] Result<FinalSection> parse_final(Lexer& lexer);

/// Puts all elements in the place of an array: `locations [a;]`, `a={1,2}`. `elements` says how
/// many a location has, 1 if it is no array. Returns what is wrong, nothing if all is well.
[[nodiscard]] std::vector<Error>
expand_arrays(FinalSection& section, const std::function<std::uint64_t(const Place&)>& elements);

/// Changes each place that is spoken of.
void for_each_place(FinalSection& section, const std::function<void(Place&)>& change);

/// With as few parentheses as possible: "0:EAX=0 /\ ([x]=1 \/ [x]=2)".
[[nodiscard]] std::string to_string(const Formula& formula);
/// "exists (0:EAX=0)"; empty without a quantifier.
[[nodiscard]] std::string to_string(Quantifier quantifier, const Formula& formula);
[[nodiscard]] std::string print_final(const FinalSection& section);

/// How the words of a condition are understood in one test.
struct ConditionMeaning {
  /// The global (and offset, width) behind a place; the name need not be filled in.
  std::function<Result<Observed>(const Place&)> observe;
  /// A number or an address compared with that place.
  std::function<Result<Literal>(const LiteralValue&, const Observed&)> literal;
  /// The order of two registers of one thread in logs.
  std::function<bool(const Place&, const Place&)> register_before;
};

/// Fills in observed, quantifier, condition, condition_text and filter of `test`. Returns what is
/// wrong, nothing if all is well.
[[nodiscard]] std::vector<Error>
resolve_final(const FinalSection& section, const ConditionMeaning& meaning, Test& test);

/// All places of the section, each once, in the order logs print them.
[[nodiscard]] std::vector<Place>
observed_places(const FinalSection& section,
                const std::function<bool(const Place&, const Place&)>& register_before);

} // namespace heddle::frontend::litmus
