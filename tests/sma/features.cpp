// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Programs that each need one thing of the contract: creation, joins, atomic updates, atomic sections, addresses, interruption.
#include "checker.h"

#include <algorithm>

namespace heddle::sma {
namespace {

struct Feature {
  const char* what;
  const char* text;
  bool with_main;
  const char* forbidden;  // registers that no run has under any model; "" if there is none
};

constexpr Feature kFeatures[] = {
    {"two updates lose nothing", "a=add(x,1) || b=add(x,1)", false, "a=0 b=0"},
    {"three updates", "a=add(x,1) || b=add(x,1) || c=add(x,1)", false, "X=2"},
    {"one exchange of two succeeds", "a=cas(x,0,1) || b=cas(x,0,1)", false, "a=0 b=0"},
    {"a counter by exchanges", "a=cas(x,0,1);b=cas(x,1,2) || c=cas(x,0,1);d=cas(x,1,2)", false, "a=0 c=0"},
    {"updates are fences", "x=1;a=add(z,1);b=y || y=1;c=add(z,1);d=x", false, "b=0 d=0"},
    {"updates of different cells are fences", "x=1;a=add(z,1);b=y || y=1;c=add(z1,1);d=x", false, "b=0 d=0"},
    {"a failed exchange is a fence", "x=1;a=cas(z,1,1);b=y || y=1;c=cas(z,1,1);d=x", false, "b=0 d=0"},
    {"an update sees a pending write of its own", "x=1;a=add(x,1) || b=x", false, "a=0"},
    {"an update beside a write", "a=add(x,1);b=x || x=2;c=x", false, ""},
    {"sections are atomic", "[;a=x;x=a+1;] || [;b=x;x=b+1;]", false, "a=0 b=0"},
    {"a section sees no change", "[;a=x;b=x;] || x=1", false, "a=0 b=1"},
    {"a section shows no half", "[;x=1;y=1;] || a=y;b=x", false, "a=1 b=0"},
    {"a section shows no half to another", "[;x=1;y=1;] || [;a=x;b=y;]", false, "a=1 b=0"},
    {"nothing is between two writes of a section", "[;x=1;x=2;] || a=x", false, "a=1"},
    {"sections are fences", "x=1;[;];a=y || y=1;[;];b=x", false, "a=0 b=0"},
    {"a section with an exchange", "[;a=cas(x,0,1);y=1;] || b=cas(x,0,2);c=y", false, "a=2 b=1"},
    {"sections that cross", "[;a=x;y=1;] || [;b=y;x=1;]", false, "a=1 b=1"},
    {"sections that store and read", "[;x=1;a=y;] || [;y=1;b=x;]", false, "a=0 b=0"},
    {"a pending write beside a section", "x=1;a=y || [;y=1;b=x;]", false, ""},
    {"a child sees what its parent wrote", "x=1;create 1 || a=x", true, ""},
    {"a parent has not seen its child", "a=x;create 1 || x=1", true, "a=1"},
    {"nor what comes after the child", "a=x;create 1 || x=1;create 2 || x=2", true, "a=2"},
    {"the joiner sees all", "create 1;join 1;a=x;b=y || x=1;y=1", true, ""},
    {"a thread joined by another child", "create 1;create 2;join 2 || x=1;a=x || join 1;b=x", true, ""},
    {"a grandchild", "create 1;a=x;join 1;b=x || create 2;x=1;join 2 || x=2", true, ""},
    {"two join the same", "create 1;create 2;create 3;join 1;a=x || x=1 || join 1;b=x || c=x", true, ""},
    {"a child that is stuck", "create 1;a=x;b=x || x=1;c=y;assume c==1;x=2", true, "b=2"},
    {"a child that may be stuck", "create 1;y=1;a=x || x=1;b=y;assume b==1;x=2", true, ""},
    {"a lock that is not given back", "create 1;lock m;a=x || lock m;x=1", true, ""},
    {"a lock that is", "create 1;lock m;a=x;unlock m || lock m;x=1;x=2;unlock m", true, "a=1"},
    {"by address", "*x=1;a=*y || y=1;b=x", false, ""},
    {"by address and by name", "x=1;a=*x;*x=2;b=x || c=*x", false, "b=1"},
    {"values that depend on reads", "a=x;y=a+1 || b=y;x=b+1", false, "a=2 b=2"},
    {"store fences in groups", "x=1;S;y=1;S;x=2 || a=x;b=y", false, "a=2 b=0"},
    {"a store fence and a lock", "x=1;S;y=1;lock m;a=z || z=1;F;b=y;c=x", false, "b=1 c=0"},
};

}  // namespace

void check_features(Checker& checker) {
  for (const Feature& feature : kFeatures) {
    const Program program = parse(feature.text, feature.with_main);
    const std::string forbidden = feature.forbidden;
    for (const Model model : kModels)
      for (const bool complete : {true, false}) {
        const Outcomes& expected = checker.expected(program, model, complete);
        if (!forbidden.empty() && complete)
          checker.expect(!contains(expected, program, forbidden), std::string(feature.what) + ": the reference allows it");
        for (const std::string& name : abstractions_of(model)) {
          if (!checker.tries(name))
            continue;
          const Abstraction& abstraction = checker.abstraction(name);
          Sizes sizes = enough(abstraction, program);
          if (!abstraction.is_asynchronous)
            sizes.clock = std::min(sizes.clock, 4u);
          for (const bool main_first : {false, true}) {
            if (main_first && !abstraction.is_asynchronous)
              continue;
            std::vector<unsigned> order;
            for (unsigned t = 0; main_first && t < program.threads.size(); ++t)
              order.push_back(t);
            const Answer answer = explore(abstraction, {.program = program, .sizes = sizes, .complete = complete, .order = order});
            const std::string what = std::string(feature.what) + " (" + feature.text + ") by " + name;
            checker.expect(answer.outcomes == expected, what + (complete ? ": outcomes" : ": states"));
            checker.expect(answer.bounds.empty(), what + ": a bound was exceeded");
          }
        }
      }
  }
}

}  // namespace heddle::sma
