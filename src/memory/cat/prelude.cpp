// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "memory/cat/prelude.h"

namespace heddle::memory::cat {

std::string_view prelude() {
  return R"cat("prelude"
let partition = classes-loc
let tag2instrs = tag2events
let PoD = try B with emptyset
let BR = PoD

(* Parts of the basic relations *)
let po-loc = po & loc
let rfe = rf & ext
let rfi = rf & int

(* Where every coherence order begins and ends *)
let co0 = loc & (IW * (W \ IW) | (W \ FW) * FW)

(* Fences between the accesses before and after them *)
let fencerel(B) = po; [B]; po
let ctrlcfence(ctrl, B) = ctrl; [B]; po

(* Small tools *)
let toid(S) = [S]
let udr r = domain r | range r
let imply(A, B) = ~A | B
let nodetour(r, first, second) = r \ (first; second)
let singlestep(r) = nodetour(r, r, r)
let map f =
  let rec each S = match S with
  || {} -> {}
  || e ++ S -> f e ++ each S
  end in
  each

procedure subseteq(A, B) = empty A \ B end
procedure inclusion(r, s) = empty r \ s end
procedure total(r, S) = call inclusion(S * S, r | r^-1) end
)cat";
}

std::string_view prelude_cross() {
  return R"cat("cross"
(* The total orders of each set of `classes` that extend `partial` *)
let co_locs(partial, classes) =
  let rec each classes = match classes with
  || {} -> {}
  || one ++ others -> linearisations(one, partial) ++ each others
  end in
  each classes

(* All unions of one member of each set *)
let cross =
  let rec choose (done, sets) = match sets with
  || {} -> { done }
  || set ++ sets ->
    let rec each set = match set with
    || {} -> {}
    || one ++ others -> choose (one | done, sets) | each others
    end in
    each set
  end in
  fun sets -> choose (0, sets)

let generate_orders(S, partial) = cross (co_locs (partial, classes-loc S))
let generate_cos(partial) = generate_orders(W, partial)
)cat";
}

std::string_view prelude_cos() {
  return R"cat("cos"
include "cross.cat"
let invrf = rf^-1
with co from generate_cos(co0)
let coi = co & int
let coe = co & ext
let fr = (invrf; co) \ id
let fri = fr & int
let fre = fr & ext
let ca = fr | co
show co, fr
)cat";
}

namespace {

constexpr std::string_view kObserved = R"cat("pco"
let pco =
  let same = [Exp]; po & loc; [Exp]
  and first = loc & (IW * (W \ IW))
  and last = loc & ((W \ FW) * FW) in
  same & (W * W)
  | rf; (same & (R * W))
  | ((same & (W * R)); rf^-1) \ id
  | (rf; (same & (R * R)); rf^-1) \ id
  | first | last
)cat";

constexpr std::string_view kPlainPlaces = R"cat("NAL"
let NAL = IW \ domain([IW]; loc; [A])
)cat";

constexpr std::string_view kCompared = R"cat("casdep"
let casdep = [R]; iico_ctrl; [R & A]
)cat";

constexpr std::string_view kThroughRegisters = R"cat("rf-reg"
let rf-reg =
  let same = po & loc in
  [Wreg]; (same \ (same; [Wreg]; same)); [Rreg]
)cat";

} // namespace

std::string_view prelude_definition(std::string_view name) {
  if (name == "pco")
    return kObserved;
  if (name == "NAL")
    return kPlainPlaces;
  if (name == "casdep")
    return kCompared;
  if (name == "rf-reg")
    return kThroughRegisters;
  return {};
}

std::string_view whole_accesses() {
  return R"cat("whole accesses"
(* No two accesses that are both cut whose pieces do not agree on which of them comes first *)
irreflexive (let com = rf | co | rf^-1; co in com; (sm \ id); com; (sm \ id)) as whole-access
)cat";
}

} // namespace heddle::memory::cat
