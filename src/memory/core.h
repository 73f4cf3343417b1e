// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// A memory model as data, free of any syntax: sets and relations over the events of an execution,
// defined from base ones by the operators of relation algebra, and the axioms over them. Whoever
// has a carrier (bit matrices, may/must bounds, solver literals) folds the core over it (fold.h).
// What only an enumeration of concrete executions can evaluate (an order chosen from a set of
// orders, a set of sets) stands here as a generator or an opaque node.
#pragma once

#include "support/id.h"
#include "support/result.h"
#include "support/source_loc.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle::relation {
class BitSet;
class BitMatrix;
} // namespace heddle::relation

namespace heddle::memory {

using NodeId = Id<struct NodeTag>;

enum class NodeOp : std::uint8_t {
  kBaseSet,      // `index` into Core::base_names
  kBaseRelation, // `index` into Core::base_names
  kEmptySet,
  kEmptyRelation,
  kUniverse, // the set of all events
  kIdentity, // the relation id
  // Two operands of one kind to that kind
  kUnion,
  kIntersection,
  kDifference,
  kComplement, // one operand
  // To relations
  kCompose,
  kProduct,    // of two sets
  kIdentityOn, // [set]
  kInverse,
  kOptional,       // r?
  kTransitive,     // r+
  kReflexiveTrans, // r*
  // To sets
  kDomain,
  kRange,
  /// One of the simultaneous least fixpoint Core::recursions[index]; `position` says which.
  kRecursive,
  /// The relation (or set) chosen by Core::generators[index].
  kGenerated,
  /// Core::opaques[index], computed on a concrete execution only.
  kOpaque,
};

struct Node {
  NodeOp op = NodeOp::kEmptyRelation;
  bool is_set = false;
  NodeId left = {};
  NodeId right = {};
  std::uint32_t index = 0;
  std::uint32_t position = 0;
  bool operator==(const Node&) const = default;
};

/// x_1, …, x_n := the least fixpoint of the bodies, which mention them as kRecursive nodes.
/// Iterated from empty: every body is monotone in them, or the variables through which it is not
/// only grow
/// (`x = x | …`), so that the iteration ends. Where it is not monotone the result depends on the
/// order: each round computes the bodies from first to last, each from the newest values.
struct Recursion {
  std::vector<NodeId> variables; // kRecursive nodes
  std::vector<NodeId> bodies;
  bool is_monotone = true;
};

/// Gives the concrete value of a node of the core on the execution at hand; for opaque
/// computations.
class ConcreteValues {
public:
  virtual ~ConcreteValues() = default;
  [[nodiscard]] virtual std::size_t event_count() const = 0;
  [[nodiscard]] virtual const relation::BitSet& set(NodeId node) const = 0;
  [[nodiscard]] virtual const relation::BitMatrix& relation(NodeId node) const = 0;

  /// A computation has found the model to make no sense on an execution: what it gives then means
  /// nothing, nor does what depends on it. The first error is kept; whoever evaluates asks for it
  /// before believing any value.
  void fail(Error error) const {
    if (!error_)
      error_ = std::move(error);
  }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

private:
  mutable std::optional<Error> error_;
};
using ConcreteValue = std::variant<std::shared_ptr<const relation::BitSet>,
                                   std::shared_ptr<const relation::BitMatrix>>;

/// Something that needs a concrete execution: classes of an equivalence, matching on the elements
/// of a set. `inputs` are all nodes it asks for.
struct Opaque {
  std::string what; // for messages: "classes at models/x.cat:12"
  std::vector<NodeId> inputs;
  std::function<ConcreteValue(const ConcreteValues&)> compute;
};

/// `with x from …`: an execution is completed by each of the values.
struct Generator {
  /// Each choice is the union, over the locations, of one total order of the writes in `writes` to
  /// it that extends `partial`. (What cos.cat says; co itself is made this way.)
  struct Coherence {
    NodeId writes;
    NodeId partial;
  };
  struct Listed {
    Opaque values;
    std::function<std::vector<ConcreteValue>(const ConcreteValues&)> choices;
  };
  std::string name;
  bool is_set = false;
  std::variant<Coherence, Listed> how;
};

struct Axiom {
  enum class Kind : std::uint8_t { kAcyclic, kIrreflexive, kEmpty };
  enum class Role : std::uint8_t {
    kRequire,         // executions without it do not exist
    kFlag,            // executions that satisfy the test are flagged with the name
    kUndefinedUnless, // an execution that fails it makes the program undefined; flagged
    kAssert,          // failing it is an error of the model or the test
  };
  Kind kind = Kind::kAcyclic;
  Role role = Role::kRequire;
  bool is_negated = false;
  NodeId node;
  std::string name; // "as name"; otherwise empty
  std::string text; // the expression in the model's own words
  SourceLoc loc = {};
  /// Can it only be broken, never be mended, by more edges of rf and co between the same events?
  /// Then it prunes partial executions. Set by analyse_core.
  bool is_monotone = false;
  /// The same for edges of co alone, once rf is chosen.
  bool is_monotone_in_co = false;
  /// By neither, nor by more events.
  bool is_monotone_in_events = false;
};

/// Nodes come after their operands, but for the variables of recursions. Equal nodes are one.
struct Core {
  std::string title;
  std::vector<std::string> files = {""};
  IdVector<NodeId, Node> nodes;
  std::vector<std::string> base_names;
  std::vector<Recursion> recursions;
  std::vector<Generator> generators; // in the order of the text
  std::vector<Opaque> opaques;
  std::vector<Axiom> axioms; // in the order of the text
  /// Definitions of the outermost level that are sets or relations, the last one of each name; for
  /// viewers and explanations.
  std::vector<std::pair<std::string, NodeId>> definitions;
  std::vector<std::string> shown; // `show`, in order, less `unshow`
  /// What the names in `shown` stand for where they are shown, in the same order (`show r as x`
  /// need not be the definition x).
  std::vector<std::pair<std::string, NodeId>> shown_nodes;
  bool computes_dependencies = false; // `catdep`: needs register events
  /// Definitions that use unknown names, but that nothing uses.
  std::vector<Error> warnings;
};

/// What a node's value depends on, besides the events themselves.
struct Dependence {
  bool rf = false;
  bool co = false;
  std::uint32_t generators = 0; // bit i: Core::generators[i]
};
/// One entry per node; co is asked for by the base relation of that name and by Coherence
/// generators.
[[nodiscard]] IdVector<NodeId, Dependence> dependences(const Core& core);
/// Sets Axiom::is_monotone; the loader has done so.
void analyse_core(Core& core);

} // namespace heddle::memory
