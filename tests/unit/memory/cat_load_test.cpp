// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the constructs of CAT mean, on small models and small executions; and what is refused.
// docs/cat-support.md names these tests.
#include "cat_helpers.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::memory {
namespace {

/// Four events: 0 initial write, 1 a write, 2 a read from 1, 3 a write.
Evaluated evaluated(const std::string& text) {
  Evaluated made(load_core(text), 4);
  BitAlgebra& algebra = made.algebra();
  algebra.give("M", bits(4, {0, 1, 2, 3}));
  algebra.give("W", bits(4, {0, 1, 3}));
  algebra.give("R", bits(4, {2}));
  algebra.give("IW", bits(4, {0}));
  algebra.give("po", matrix(4, {{2, 3}}));
  algebra.give("rf", matrix(4, {{1, 2}}));
  algebra.give("co", matrix(4, {{0, 1}, {1, 3}, {0, 3}}));
  algebra.give(
      "loc",
      matrix(4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}, {1, 0}, {0, 2}, {2, 0}, {1, 2}, {2, 1}}));
  return made;
}

bool says(const std::vector<Error>& errors, const std::string& code, std::uint32_t line) {
  return std::any_of(errors.begin(), errors.end(), [&](const Error& error) {
    return error.code == code && error.line == line && error.file == "test.cat";
  });
}

TEST(CatLoad, Operators) {
  Evaluated e = evaluated(R"(
let union = rf | po
let inter = co & loc
let diff = co \ loc
let comp = ~(_ * W)
let seq = rf; po
let prod = IW * R
let ids = [R]
let inv = rf^-1
let opt = rf?
let plus = (rf | po)+
let star = rf*
let dom = domain co
let ran = range(co)
let none = 0
let sets = W \ IW | R
let all = _
)");
  EXPECT_EQ(e.pairs("union"), (Pairs{{1, 2}, {2, 3}}));
  EXPECT_EQ(e.pairs("inter"), (Pairs{{0, 1}}));
  EXPECT_EQ(e.pairs("diff"), (Pairs{{0, 3}, {1, 3}}));
  EXPECT_EQ(e.pairs("comp"), (Pairs{{0, 2}, {1, 2}, {2, 2}, {3, 2}}));
  EXPECT_EQ(e.pairs("seq"), (Pairs{{1, 3}}));
  EXPECT_EQ(e.pairs("prod"), (Pairs{{0, 2}}));
  EXPECT_EQ(e.pairs("ids"), (Pairs{{2, 2}}));
  EXPECT_EQ(e.pairs("inv"), (Pairs{{2, 1}}));
  EXPECT_EQ(e.pairs("opt"), (Pairs{{0, 0}, {1, 1}, {1, 2}, {2, 2}, {3, 3}}));
  EXPECT_EQ(e.pairs("plus"), (Pairs{{1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(e.pairs("star"), (Pairs{{0, 0}, {1, 1}, {1, 2}, {2, 2}, {3, 3}}));
  EXPECT_EQ(e.elements("dom"), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(e.elements("ran"), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(e.elements("sets"), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(e.elements("all"), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(CatLoad, FunctionsTuplesAndCurrying) {
  Evaluated e = evaluated(R"(
let both(r, s) = r; s
let nothing () = rf & po
let twice f x = f (f x)
let grow r = r | r; r
let swap (a, b) = (b, a)
let (p, q) = swap (rf, po)
let ap = both (rf, po)
let z = nothing ()
let tw = twice grow (rf | po | co)
let lam = (fun r -> r^-1) 
let inverted = lam rf
let inner = let r = rf and s = po in s | r
)");
  EXPECT_EQ(e.pairs("ap"), (Pairs{{1, 3}}));
  EXPECT_EQ(e.pairs("p"), (Pairs{{2, 3}}));
  EXPECT_EQ(e.pairs("q"), (Pairs{{1, 2}}));
  EXPECT_TRUE(e.pairs("z").empty());
  EXPECT_EQ(e.pairs("inverted"), (Pairs{{2, 1}}));
  EXPECT_EQ(e.pairs("inner"), (Pairs{{1, 2}, {2, 3}}));
}

TEST(CatLoad, ScopeIsLexicalAndDefinitionsShadow) {
  Evaluated e = evaluated("let a = rf\nlet f x = a | x\nlet a = po\nlet b = f 0\nlet a = a | co");
  EXPECT_EQ(e.pairs("b"), (Pairs{{1, 2}}));
  EXPECT_EQ(e.pairs("a"), (Pairs{{0, 1}, {0, 3}, {1, 3}, {2, 3}}));
}

TEST(CatLoad, ProceduresDoNotLeak) {
  Evaluated e = evaluated(R"(
let r = rf
procedure check(r, s) =
  let t = r & s
  empty t as disjoint
end
call check(rf, po)
call check(rf, rf | co) as again
let t = r
)");
  ASSERT_EQ(e.core().axioms.size(), 2U);
  EXPECT_TRUE(e.holds(0));
  EXPECT_FALSE(e.holds(1));
  EXPECT_EQ(e.core().axioms[0].name, "disjoint");
  EXPECT_EQ(e.pairs("t"), (Pairs{{1, 2}}));
}

TEST(CatLoad, Checks) {
  Evaluated e = evaluated(R"(
acyclic rf | po as one
acyclic co | co^-1
irreflexive rf; rf^-1
irreflexive rf
empty rf & po
empty W
~empty rf
~acyclic rf
~irreflexive [R]
flag ~empty rf as flagged
undefined_unless empty rf
assert empty 0
)");
  const std::vector<bool> expected = {
      true, false, false, true, true, false, true, false, true, true, false, true};
  ASSERT_EQ(e.core().axioms.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(e.holds(i), expected[i]) << i;
  EXPECT_EQ(e.core().axioms[0].name, "one");
  EXPECT_EQ(e.core().axioms[0].text, "rf | po");
  EXPECT_EQ(e.core().axioms[0].loc.line, 2U);
  EXPECT_EQ(e.core().axioms[9].role, Axiom::Role::kFlag);
  EXPECT_EQ(e.core().axioms[10].role, Axiom::Role::kUndefinedUnless);
  EXPECT_EQ(e.core().axioms[11].role, Axiom::Role::kAssert);
}

TEST(CatLoad, RecursionIsTheLeastFixpoint) {
  Evaluated e = evaluated(R"(
let base = rf | po | co
let rec p = base | p; p
let rec q = base | q; base
let rec a = rf | b; po
and b = a | rf
let rec even = [IW] | odd; co
and odd = even; co
)");
  EXPECT_EQ(e.pairs("p"), (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(e.pairs("q"), e.pairs("p"));
  EXPECT_EQ(e.pairs("a"), (Pairs{{1, 2}, {1, 3}}));
  EXPECT_EQ(e.pairs("even"), (Pairs{{0, 0}, {0, 3}}));
  EXPECT_EQ(e.pairs("odd"), (Pairs{{0, 1}, {0, 3}}));
}

TEST(CatLoad, RecursionMayUseAnotherNegatively) {
  // Not in a cycle: s is computed when r is done.
  Evaluated e = evaluated("let rec r = rf | po | r; r\nand s = (co \\ r) | s; s");
  EXPECT_EQ(e.pairs("s"), (Pairs{{0, 1}, {0, 3}}));
}

TEST(CatLoad, RecursionThatGrowsMatchesNestedPairs) {
  // Brackets ( ( ) ) at 0 1 2 3: the inner pair first, then the outer one.
  Evaluated e(load_core(R"(
let matching = let rec
      open = R \ domain(matched)
  and close = W \ range(matched)
  and left = open | close
  and between = [left]; po; [left]
  and candidates = [open]; po; [close]
  and matched = matched | (candidates \ (between; between))
  in matched
)"),
              4);
  e.algebra().give("R", bits(4, {0, 1}));
  e.algebra().give("W", bits(4, {2, 3}));
  e.algebra().give("po", matrix(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(e.pairs("matching"), (Pairs{{0, 3}, {1, 2}}));
}

TEST(CatLoad, RecursionThroughAbsenceIsRefused) {
  EXPECT_TRUE(says(load_errors("\nlet rec r = rf | ~r"), "CAT-018", 2));
  EXPECT_TRUE(says(load_errors("let rec r = rf \\ s and s = po \\ r; r"), "CAT-018", 1));
  EXPECT_TRUE(says(load_errors("let rec f x = f x\nlet y = f rf"), "CAT-013", 1));
}

TEST(CatLoad, WhenGuardsARecursion) {
  Evaluated e = evaluated("let rec r = co | r; r when acyclic r as order");
  ASSERT_EQ(e.core().axioms.size(), 1U);
  EXPECT_EQ(e.core().axioms[0].name, "order");
  EXPECT_TRUE(e.holds(0));
}

TEST(CatLoad, TryTakesTheOtherWhereANameIsUnknown) {
  Evaluated e = evaluated(R"(
let a = try SOME-FENCE with W
let b = try rf with po
let later = UNKNOWN | W
let c = try later with R
)");
  EXPECT_EQ(e.elements("a"), (std::vector<std::size_t>{0, 1, 3}));
  EXPECT_EQ(e.pairs("b"), (Pairs{{1, 2}}));
  EXPECT_EQ(e.elements("c"), (std::vector<std::size_t>{2}));
  ASSERT_EQ(e.core().warnings.size(), 1U);
  EXPECT_EQ(e.core().warnings[0].code, "CAT-010");
}

TEST(CatLoad, VariantsAndConditions) {
  const std::string text = R"(
let a = if "x" && not "y" then rf else po
let b = if "y" || "x" then rf else po
let c = if 'p = 'q then rf else po
let d = if {'p} subset {'q, 'p} then rf else po
let f = if 'p in {'q} then rf else po
if "x" let g = rf else let g = po end
)";
  cat::LoadOptions options = options_for(Vocabulary::kX86);
  const auto name_of = [](const Core& core, const std::string& name) {
    for (const auto& [known, node] : core.definitions)
      if (known == name)
        return core.base_names[core.nodes[node].index];
    return std::string("none");
  };
  Core without = load_core(text, options);
  EXPECT_EQ(name_of(without, "a"), "po");
  EXPECT_EQ(name_of(without, "b"), "po");
  EXPECT_EQ(name_of(without, "c"), "po");
  EXPECT_EQ(name_of(without, "d"), "rf");
  EXPECT_EQ(name_of(without, "f"), "po");
  EXPECT_EQ(name_of(without, "g"), "po");
  options.variants = {"x"};
  Core with = load_core(text, options);
  EXPECT_EQ(name_of(with, "a"), "rf");
  EXPECT_EQ(name_of(with, "b"), "rf");
  EXPECT_EQ(name_of(with, "g"), "rf");
}

TEST(CatLoad, EnumsAndTags) {
  Core core = load_core(R"(
enum Order = 'acq || 'rel
instructions R[{'acq}]
default W[Order]
let strength t = match t with 'acq -> rf || _ -> po end
let a = strength 'acq
let b = strength 'rel
let c = tag2set('acq)
let d = Acq
forall o in Order do empty [tag2set(o)] & rf as disjoint end
match 'rel with 'acq -> let e = rf || 'rel -> let e = po end
)",
                        options_for(Vocabulary::kC11));
  Evaluated e(core, 2);
  e.algebra().give("rf", matrix(2, {{0, 1}}));
  e.algebra().give("ACQ", bits(2, {1}));
  EXPECT_EQ(e.pairs("a"), (Pairs{{0, 1}}));
  EXPECT_TRUE(e.pairs("b").empty());
  EXPECT_EQ(e.elements("c"), (std::vector<std::size_t>{1}));
  EXPECT_EQ(e.elements("d"), (std::vector<std::size_t>{1}));
  EXPECT_TRUE(e.pairs("e").empty());
  EXPECT_EQ(e.core().axioms.size(), 2U);
}

TEST(CatLoad, SetsOfRelationsAndMatching) {
  Evaluated e = evaluated(R"(
let rec sum S = match S with
|| {} -> 0
|| r ++ S -> r | sum S
end
let all = sum ({rf, po} | {co})
let more = sum (rf ++ {po})
let mapped = sum (map (fun r -> r^-1) {rf, po})
forall r in {rf, po, co} do acyclic r as each end
)");
  EXPECT_EQ(e.pairs("all"), (Pairs{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(e.pairs("more"), (Pairs{{1, 2}, {2, 3}}));
  EXPECT_EQ(e.pairs("mapped"), (Pairs{{2, 1}, {3, 2}}));
  EXPECT_EQ(e.core().axioms.size(), 3U);
}

TEST(CatLoad, MatchingOnEventsIsDoneOnTheExecution) {
  Evaluated e = evaluated(R"(
let rec cover S = match S with
|| {} -> 0
|| e ++ S -> ([e]; co) | cover S
end
let covered = rf | cover IW
let rec firsts r = match r with
|| {} -> {}
|| p ++ r -> domain (p ++ 0) | firsts r
end
let starts = IW | firsts co
let pairs = rf | (match IW with || {} -> 0 || e ++ S -> (e, e) ++ 0 end)
forall w in W do empty [w]; rf; [w] as never end
forall w in W do empty [w]; rf as sometimes end
)");
  EXPECT_EQ(e.pairs("covered"), (Pairs{{0, 1}, {0, 3}, {1, 2}}));
  EXPECT_EQ(e.elements("starts"), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(e.pairs("pairs"), (Pairs{{0, 0}, {1, 2}}));
  ASSERT_EQ(e.core().axioms.size(), 2U);
  EXPECT_TRUE(e.holds(0));
  EXPECT_FALSE(e.holds(1));
  EXPECT_FALSE(e.core().opaques.empty());
}

TEST(CatLoad, ClassesAndBisimulation) {
  Evaluated e = evaluated(R"(
let rec pairs S = match S with || {} -> 0 || c ++ S -> (c * c) | pairs S end
let same-place = (0 & rf) | pairs (classes-loc M)
let same-class = (0 & rf) | pairs (classes (loc & (W * W)))
let bisim = rf | bisimulation(po, M * M)
)");
  EXPECT_EQ(
      e.pairs("same-place"),
      (Pairs{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}, {3, 3}}));
  EXPECT_EQ(e.pairs("same-class"), (Pairs{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {3, 3}}));
  // 2 has a step, the others have none.
  const Pairs bisim = e.pairs("bisim");
  EXPECT_EQ(std::count(bisim.begin(), bisim.end(), std::pair<std::size_t, std::size_t>(2, 2)), 1);
  EXPECT_EQ(std::count(bisim.begin(), bisim.end(), std::pair<std::size_t, std::size_t>(2, 0)), 0);
  EXPECT_EQ(std::count(bisim.begin(), bisim.end(), std::pair<std::size_t, std::size_t>(0, 3)), 1);
}

TEST(CatLoad, CoherenceIsAGenerator) {
  const Core core = load_core("include \"cos.cat\"\nacyclic po | rf | fr | co as sc");
  ASSERT_EQ(core.generators.size(), 1U);
  EXPECT_EQ(core.generators[0].name, "co");
  const auto* how = std::get_if<Generator::Coherence>(&core.generators[0].how);
  ASSERT_NE(how, nullptr);
  EXPECT_EQ(core.base_names[core.nodes[how->writes].index], "W");
  EXPECT_TRUE(core.opaques.empty());
  const IdVector<NodeId, Dependence> found = dependences(core);
  EXPECT_TRUE(found[core.axioms[0].node].co);
  EXPECT_TRUE(found[core.axioms[0].node].rf);
  EXPECT_EQ(found[core.axioms[0].node].generators, 1U);
  EXPECT_FALSE(found[how->writes].rf);
}

TEST(CatLoad, OwnFunctionsOfThatNameMeanWhatTheySay) {
  const Core core = load_core("let generate_cos(p) = {p}\nwith co from generate_cos(rf)\nempty co");
  EXPECT_TRUE(core.generators.empty());
  EXPECT_EQ(core.base_names[core.nodes[core.axioms[0].node].index], "rf");
}

TEST(CatLoad, LinearisationsAreListed) {
  Evaluated e = evaluated("with S from linearisations(W, [IW]; co)\nempty S \\ S as x");
  ASSERT_EQ(e.core().generators.size(), 1U);
  const auto* how = std::get_if<Generator::Listed>(&e.core().generators[0].how);
  ASSERT_NE(how, nullptr);
  const std::vector<ConcreteValue> choices = how->choices(e.values());
  ASSERT_EQ(choices.size(), 2U); // 0 first, then 1 and 3 in either order
  for (const ConcreteValue& choice : choices)
    EXPECT_EQ(std::get<1>(choice)->size(), 3U);
  Evaluated cyclic = evaluated("with S from linearisations(W, co | co^-1)\nempty S");
  const auto& none = std::get<Generator::Listed>(cyclic.core().generators[0].how);
  EXPECT_TRUE(none.choices(cyclic.values()).empty());
}

TEST(CatLoad, KnownChoicesAreListedOnce) {
  Evaluated e = evaluated("with x from {rf, po, (rf \\ 0) | (rf & po)}\nempty x");
  const auto& how = std::get<Generator::Listed>(e.core().generators[0].how);
  EXPECT_EQ(how.choices(e.values()).size(), 2U);
  const Core one = load_core("with x from {rf}\nempty x");
  EXPECT_TRUE(one.generators.empty());
}

TEST(CatLoad, WhatIsNeverThereFoldsAway) {
  const Core core = load_core(R"(
let dead = [TLBI]; po; [DC.CVAU] | rf; [NExp]; po
acyclic po | dead
empty dead; po & (PTE * M)
)",
                              options_for(Vocabulary::kAArch64));
  ASSERT_EQ(core.axioms.size(), 2U);
  EXPECT_EQ(core.nodes[core.axioms[0].node].op, NodeOp::kBaseRelation);
  EXPECT_EQ(core.nodes[core.axioms[1].node].op, NodeOp::kEmptyRelation);
}

TEST(CatLoad, EqualNodesAreOne) {
  const Core core = load_core("let a = rf; po\nlet b = rf; po\nlet c = po | rf\nlet d = rf | po");
  NodeId a;
  NodeId b;
  NodeId c;
  NodeId d;
  for (const auto& [name, node] : core.definitions) {
    a = name == "a" ? node : a;
    b = name == "b" ? node : b;
    c = name == "c" ? node : c;
    d = name == "d" ? node : d;
  }
  EXPECT_EQ(a, b);
  EXPECT_EQ(c, d);
}

TEST(CatLoad, ShowAndUnshow) {
  const Core core = load_core("let a = rf\nshow a, po, no-such-name\nshow rf; po as seq\n"
                              "show missing as gone\nunshow a");
  EXPECT_EQ(core.shown, (std::vector<std::string>{"po", "seq"}));
  ASSERT_EQ(core.shown_nodes.size(), 2U);
  EXPECT_EQ(core.nodes[core.shown_nodes[1].second].op, NodeOp::kCompose);
}

TEST(CatLoad, AliasesOfBaseNames) {
  const Core core = load_core("empty [mfence]");
  const Node& identity = core.nodes[core.axioms[0].node];
  ASSERT_EQ(identity.op, NodeOp::kIdentityOn);
  EXPECT_EQ(core.base_names[core.nodes[identity.left].index], "MFENCE");
}

TEST(CatLoad, DifferentValues) {
  Evaluated e = evaluated("let d = different-values(rf | co)");
  e.algebra().give("different-values", matrix(4, {{0, 1}, {1, 0}}));
  EXPECT_EQ(e.pairs("d"), (Pairs{{0, 1}}));
}

TEST(CatLoad, WhatIsWrongIsSaidAllOfIt) {
  const std::vector<Error> errors = load_errors(R"(acyclic W
empty rf & W
let f(x, y) = x
empty f rf
empty rf rf
acyclic nothing-called-so
irreflexive [rf]
empty rf; W
call nobody(rf)
let later = unknown
empty later
)");
  EXPECT_TRUE(says(errors, "CAT-011", 1));
  EXPECT_TRUE(says(errors, "CAT-011", 2));
  EXPECT_TRUE(says(errors, "CAT-012", 4));
  EXPECT_TRUE(says(errors, "CAT-015", 5));
  EXPECT_TRUE(says(errors, "CAT-010", 6));
  EXPECT_TRUE(says(errors, "CAT-011", 7));
  EXPECT_TRUE(says(errors, "CAT-011", 8));
  EXPECT_TRUE(says(errors, "CAT-010", 9));
  EXPECT_TRUE(says(errors, "CAT-010", 10));
  EXPECT_EQ(errors.size(), 9U);
}

TEST(CatLoad, AnUnknownNameSaysWhoHasIt) {
  const std::vector<Error> errors =
      load_errors("empty [AQ]; po\nempty po; [zork]", options_for(Vocabulary::kC11));
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].message,
            "nothing is called 'AQ' here: programs for bpf have it, programs for c11 do not");
  EXPECT_EQ(errors[1].message, "nothing is called 'zork' here");
}

TEST(CatLoad, TheObservedPartOfCoherence) {
  // All to one place: the initial write 0, the write 1, and in another thread a read 2 of 1
  // followed by the write 3.
  Evaluated e(load_core("let order = 0 | pco"), 4);
  BitAlgebra& a = e.algebra();
  a.give("Exp", bits(4, {0, 1, 2, 3}));
  a.give("W", bits(4, {0, 1, 3}));
  a.give("R", bits(4, {2}));
  a.give("IW", bits(4, {0}));
  a.give("FW", bits(4, {3}));
  a.give("po", matrix(4, {{2, 3}}));
  a.give("rf", matrix(4, {{1, 2}}));
  a.give("loc", relation::BitMatrix(4).complement());
  // The first and the last, and that 3 follows a read of 1.
  EXPECT_EQ(e.pairs("order"), (Pairs{{0, 1}, {0, 3}, {1, 3}}));
}

TEST(CatLoad, UnsupportedIsSaid) {
  const std::vector<Error> errors = load_errors("\nscopes 'wg || 'sys\nlet s = tag2scope('wg)");
  EXPECT_TRUE(says(errors, "CAT-016", 2));
  EXPECT_EQ(errors[0].kind, ErrorKind::kUnsupported);
}

TEST(CatLoad, NamesInDeferredCodeAreChecked) {
  EXPECT_TRUE(
      says(load_errors("let rec f S = match S with || {} -> 0 || e ++ S ->\n typo | f S end\n"
                       "acyclic f W"),
           "CAT-010",
           2));
}

TEST(CatLoad, DeferredCodeUsesTryAndEmptiness) {
  Evaluated e = evaluated(R"(
let later = UNKNOWN
let rec f S = match S with
|| {} -> 0
|| e ++ S -> (let g x = try x; UNKNOWN with try (let y = x in [e]; y) with 0 in g co) | (try later with 0) | f S
end
let covered = rf | f IW
empty classes-loc W as no-class
empty classes (0 & rf) as none
with C from classes-loc W
empty C
)");
  EXPECT_EQ(e.pairs("covered"), (Pairs{{0, 1}, {0, 3}, {1, 2}}));
  EXPECT_FALSE(e.holds(0));
  EXPECT_TRUE(e.holds(1));
  ASSERT_EQ(e.core().generators.size(), 1U);
  EXPECT_TRUE(e.core().generators[0].is_set);
  const auto& how = std::get<Generator::Listed>(e.core().generators[0].how);
  EXPECT_EQ(how.choices(e.values()).size(), 2U);
  EXPECT_TRUE(says(load_errors("let later = UNKNOWN\nlet rec f S = match S with\n"
                               "|| {} -> 0 || e ++ S -> later | f S end\nacyclic f W"),
                   "CAT-010",
                   1));
}

/// A folder with the given files, gone with it.
class Folder {
public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::path(testing::TempDir()) / ("heddle-cat-" + name)) {
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

TEST(CatLoad, APartOfModelsNamesThem) {
  const Folder folder("parts");
  const std::filesystem::path part = folder.write("part.cat", "acyclic given | po");
  const cat::LoadOptions options = options_for(Vocabulary::kX86);
  const auto alone = cat::load(part, options);
  ASSERT_TRUE(std::holds_alternative<cat::Diagnostics>(alone));
  EXPECT_EQ(std::get<cat::Diagnostics>(alone).errors.size(), 1U); // nobody includes it
  folder.write("b.cat", "let given = rf\ninclude \"part.cat\"");
  folder.write("a.cat", "let given = co\ninclude \"part.cat\"");
  folder.write("c.cat", "(* include \"part.cat\" *)");
  const auto included = cat::load(part, options);
  ASSERT_TRUE(std::holds_alternative<cat::Diagnostics>(included));
  const std::vector<Error>& errors = std::get<cat::Diagnostics>(included).errors;
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[1].code, "CAT-022");
  EXPECT_EQ(errors[1].message,
            "part.cat is included by a.cat, b.cat, and may be a part of that and no model by "
            "itself");
  EXPECT_EQ(errors[1].line, 1U);
  EXPECT_TRUE(std::holds_alternative<Core>(cat::load(folder.path() / "a.cat", options)));
}

TEST(CatLoad, Includes) {
  const std::vector<Error> missing = load_errors("include \"no-such-file.cat\"\nempty po");
  EXPECT_TRUE(says(missing, "CAT-020", 1));

  const Folder folder("includes");
  folder.write("library/shared.cat", "let shared = rf\ninclude \"beside.cat\"");
  folder.write("library/beside.cat", "let beside = shared | po");
  folder.write("one.cat", "include \"two.cat\"");
  const std::filesystem::path model = folder.write(
      "model.cat", "Name\ninclude \"own.cat\"\ninclude \"shared.cat\"\nacyclic beside | own");
  folder.write("own.cat", "let own = co");
  cat::LoadOptions options = options_for(Vocabulary::kX86);
  options.search_path = {folder.path() / "library"};
  const auto loaded = cat::load(model, options);
  ASSERT_TRUE(std::holds_alternative<Core>(loaded));
  EXPECT_EQ(std::get<Core>(loaded).title, "Name");
  EXPECT_EQ(std::get<Core>(loaded).axioms.size(), 1U);

  folder.write("two.cat", "let a = rf\ninclude \"one.cat\"");
  const auto cyclic = cat::load(folder.path() / "one.cat", options);
  ASSERT_TRUE(std::holds_alternative<cat::Diagnostics>(cyclic));
  const Error& error = std::get<cat::Diagnostics>(cyclic).errors[0];
  EXPECT_EQ(error.code, "CAT-021");
  EXPECT_EQ(error.line, 2U);
  EXPECT_TRUE(error.file.ends_with("two.cat"));
  EXPECT_TRUE(std::holds_alternative<cat::Diagnostics>(
      cat::load(folder.path() / "no-such-file.cat", options)));
}

TEST(CatLoad, TheLibraryBesideTheModelComesFirst) {
  const Folder folder("library");
  folder.write("stdlib.cat", "let po-loc = rf");
  const std::filesystem::path model = folder.write("model.cat", "empty po-loc\nempty Srcu");
  const std::filesystem::path bell = folder.write("model.bell", "let Srcu = R");
  const auto loaded = cat::load(model, options_for(Vocabulary::kX86), bell.string());
  ASSERT_TRUE(std::holds_alternative<Core>(loaded));
  const Core& core = std::get<Core>(loaded);
  EXPECT_EQ(core.base_names[core.nodes[core.axioms[0].node].index], "rf");
  EXPECT_EQ(core.base_names[core.nodes[core.axioms[1].node].index], "R");
}

} // namespace
} // namespace heddle::memory
