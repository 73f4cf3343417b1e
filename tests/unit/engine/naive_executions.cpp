// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
#include "naive_executions.h"

#include "memory/bit_algebra.h"
#include "memory/execution_values.h"

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace heddle::engine_test {

namespace {

using execution::Event;
using Kind = NaiveStep::Kind;

constexpr std::array<const char*, 3> kPlaces = {"x", "y", "z"};

/// Any number below the bound, also in the first tests, which would otherwise all be alike.
int below(int bound) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, bound));
}
bool one_in(int n) {
  return below(n) == 0;
}

bool loads(const NaiveStep& step) {
  return step.kind == Kind::kLoad || step.kind == Kind::kSwap;
}
bool stores(const NaiveStep& step) {
  return step.kind == Kind::kStore || step.kind == Kind::kSwap;
}

/// One run of a thread.
struct Run {
  struct Happened {
    Event event;
    std::size_t step = 0;
    std::vector<std::size_t> addr = {}; // positions in the run
    std::vector<std::size_t> data = {};
    std::vector<std::size_t> ctrl = {};
    std::optional<std::size_t> update_of = {};
  };
  std::vector<Happened> events;
};

/// All runs, with every value up to the largest for every read.
class Runs {
public:
  Runs(const NaiveThread& thread, std::uint64_t most) : thread_(thread), most_(most) {
    std::vector<std::optional<std::size_t>> readers(thread.size());
    go(0, {}, readers, {});
  }
  std::vector<Run> all;

private:
  using Readers = std::vector<std::optional<std::size_t>>; // by register: the read it holds

  void go(std::size_t at, Run run, Readers readers, std::vector<std::size_t> decided) {
    if (at == thread_.size()) {
      all.push_back(std::move(run));
      return;
    }
    const NaiveStep& step = thread_[at];
    const auto add = [&](Event::Kind kind) -> Run::Happened& {
      Run::Happened happened;
      happened.event.kind = kind;
      happened.event.address = 100 + step.place;
      happened.event.instruction = static_cast<std::uint32_t>(at) + 1;
      happened.event.access = static_cast<std::uint32_t>(2 * at) + (kind == Event::Kind::kWrite);
      happened.step = at;
      happened.ctrl = decided;
      run.events.push_back(std::move(happened));
      return run.events.back();
    };
    const auto source = [&](int from, std::vector<std::size_t>& into) {
      if (from >= 0 && readers[static_cast<std::size_t>(from)])
        into.push_back(*readers[static_cast<std::size_t>(from)]);
    };
    if (step.kind == Kind::kFence) {
      Run::Happened& fence = add(Event::Kind::kFence);
      fence.event.address = 0;
      fence.event.tags = {"DMB.ISH"};
      go(at + 1, std::move(run), readers, decided);
      return;
    }
    if (step.kind == Kind::kSkipIf) {
      Run::Happened& branch = add(Event::Kind::kBranch);
      branch.event.address = 0;
      source(step.data_from, branch.data);
      const auto& read = readers[static_cast<std::size_t>(step.data_from)];
      const std::uint64_t looked_at = read ? run.events[*read].event.value : 0;
      const bool skips = (looked_at == 0) == step.skips_zero;
      if (read)
        decided.push_back(*read);
      go(std::min(at + (skips ? 2 : 1), thread_.size()), std::move(run), readers, decided);
      return;
    }
    for (std::uint64_t value = 0; value <= (loads(step) ? most_ : 0); ++value) {
      const Run before = run;
      const Readers readers_before = readers;
      if (loads(step)) {
        Run::Happened& read = add(Event::Kind::kRead);
        read.event.value = value;
        if (step.is_ordered && step.kind == Kind::kLoad)
          read.event.tags = {"A"};
        source(step.address_from, read.addr);
        readers[at] = run.events.size() - 1;
      }
      if (stores(step)) {
        Run::Happened& write = add(Event::Kind::kWrite);
        write.event.value = step.value;
        if (step.is_ordered && step.kind == Kind::kStore)
          write.event.tags = {"L"};
        source(step.address_from, write.addr);
        source(step.data_from, write.data);
        if (step.kind == Kind::kSwap)
          write.update_of = run.events.size() - 2;
      }
      go(at + 1, run, readers, decided);
      run = before;
      readers = readers_before;
    }
  }

  const NaiveThread& thread_;
  std::uint64_t most_;
};

class Naive {
public:
  Naive(const NaiveProgram& program, const memory::Core& core) : program_(program), core_(core) {}

  NaiveOutcomes run() {
    std::vector<std::vector<Run>> runs;
    for (const NaiveThread& thread : program_.threads)
      runs.push_back(Runs(thread, program_.most_value).all);
    std::vector<const Run*> chosen(runs.size());
    const std::function<void(std::size_t)> choose = [&](std::size_t thread) {
      if (thread == runs.size()) {
        build(chosen);
        return;
      }
      for (const Run& run : runs[thread]) {
        chosen[thread] = &run;
        choose(thread + 1);
      }
    };
    choose(0);
    return std::move(found_);
  }

private:
  void build(const std::vector<const Run*>& runs) {
    made_ = {};
    state_.clear();
    std::vector<bool> is_touched(program_.places, false);
    std::size_t count = 0;
    for (const Run* run : runs)
      for (const Run::Happened& one : run->events)
        if (one.event.address != 0)
          is_touched[one.event.address - 100] = true;
    for (unsigned place = 0; place < program_.places; ++place) {
      state_["[" + std::string(kPlaces[place]) + "]"] = 0;
      if (!is_touched[place])
        continue;
      Event event;
      event.kind = Event::Kind::kInitialWrite;
      event.address = 100 + place;
      made_.events.push_back(event);
    }
    std::vector<std::size_t> first;
    for (std::size_t t = 0; t < runs.size(); ++t) {
      first.push_back(made_.events.size());
      for (std::size_t i = 0; i < program_.threads[t].size(); ++i)
        if (loads(program_.threads[t][i]))
          state_[std::to_string(t) + ":X" + std::to_string(i)] = 0;
      for (const Run::Happened& one : runs[t]->events) {
        made_.events.push_back(one.event);
        made_.events.back().thread = static_cast<program::ThreadIndex>(t + 1);
        if (one.event.kind == Event::Kind::kRead)
          state_[std::to_string(t) + ":X" + std::to_string(one.step)] = one.event.value;
      }
    }
    count = made_.events.size();
    for (relation::BitMatrix* matrix : {&made_.po,
                                        &made_.rf,
                                        &made_.co,
                                        &made_.rmw,
                                        &made_.addr,
                                        &made_.data,
                                        &made_.ctrl,
                                        &made_.intra_data,
                                        &made_.intra_control})
      *matrix = relation::BitMatrix(count);
    for (std::size_t t = 0; t < runs.size(); ++t)
      for (std::size_t i = 0; i < runs[t]->events.size(); ++i) {
        const Run::Happened& one = runs[t]->events[i];
        for (std::size_t j = 0; j < i; ++j)
          made_.po.insert(first[t] + j, first[t] + i);
        for (const std::size_t from : one.addr)
          made_.addr.insert(first[t] + from, first[t] + i);
        for (const std::size_t from : one.data)
          made_.data.insert(first[t] + from, first[t] + i);
        for (const std::size_t from : one.ctrl)
          made_.ctrl.insert(first[t] + from, first[t] + i);
        if (one.update_of)
          made_.rmw.insert(first[t] + *one.update_of, first[t] + i);
      }
    choose_source(0);
  }

  void choose_source(std::size_t read) {
    const std::vector<Event>& events = made_.events;
    while (read < events.size() && events[read].kind != Event::Kind::kRead)
      ++read;
    if (read == events.size()) {
      choose_order(0);
      return;
    }
    for (std::size_t write = 0; write < events.size(); ++write) {
      // No update reads its own write.
      if (!is_write(events[write]) || events[write].address != events[read].address ||
          events[write].value != events[read].value || made_.rmw.contains(read, write))
        continue;
      made_.rf.insert(write, read);
      choose_source(read + 1);
      made_.rf.erase(write, read);
    }
  }

  void choose_order(unsigned place) {
    if (place == program_.places) {
      choose_generated(0, {});
      return;
    }
    std::vector<std::size_t> writes;
    std::optional<std::size_t> initial;
    for (std::size_t i = 0; i < made_.events.size(); ++i)
      if (made_.events[i].address == 100 + place) {
        if (made_.events[i].kind == Event::Kind::kInitialWrite)
          initial = i;
        else if (is_write(made_.events[i]))
          writes.push_back(i);
      }
    if (!initial) {
      choose_order(place + 1);
      return;
    }
    const relation::BitMatrix before = made_.co;
    do {
      std::size_t last = *initial;
      for (std::size_t i = 0; i < writes.size(); ++i) {
        made_.co.insert(*initial, writes[i]);
        for (std::size_t j = i + 1; j < writes.size(); ++j)
          made_.co.insert(writes[i], writes[j]);
        last = writes[i];
      }
      state_["[" + std::string(kPlaces[place]) + "]"] = made_.events[last].value;
      choose_order(place + 1);
      made_.co = before;
    } while (std::next_permutation(writes.begin(), writes.end()));
  }

  void choose_generated(std::size_t generator, std::vector<memory::ConcreteValue> chosen) {
    memory::BitAlgebra algebra(made_.events.size());
    for (std::size_t i = 0; i < core_.nodes.size(); ++i) {
      const memory::Node& node = core_.nodes[memory::NodeId{i}];
      if (node.op == memory::NodeOp::kBaseSet)
        algebra.give(core_.base_names[node.index],
                     memory::base_set(made_, core_.base_names[node.index]));
      if (node.op == memory::NodeOp::kBaseRelation)
        algebra.give(core_.base_names[node.index],
                     memory::base_relation(made_, core_.base_names[node.index]));
    }
    for (std::size_t i = 0; i < chosen.size(); ++i)
      algebra.choose(i, chosen[i]);
    memory::Fold<memory::BitAlgebra> fold(core_, algebra);
    const memory::FoldedValues<memory::BitAlgebra> values(fold, algebra);
    if (generator < core_.generators.size()) {
      const auto* listed = std::get_if<memory::Generator::Listed>(&core_.generators[generator].how);
      const std::vector<memory::ConcreteValue> choices =
          listed != nullptr ? listed->choices(values) : orders(generator, values);
      for (const memory::ConcreteValue& choice : choices) {
        std::vector<memory::ConcreteValue> next = chosen;
        next.push_back(choice);
        choose_generated(generator + 1, std::move(next));
      }
      return;
    }
    std::vector<std::string> flags;
    for (const memory::Axiom& axiom : core_.axioms) {
      const bool holds = memory::is_satisfied(core_, axiom, values);
      if (axiom.role == memory::Axiom::Role::kRequire && !holds)
        return;
      if (axiom.role == memory::Axiom::Role::kFlag && holds)
        flags.push_back(axiom.name);
      if (axiom.role == memory::Axiom::Role::kUndefinedUnless && !holds)
        flags.emplace_back("*undef*");
    }
    ++found_.states[state_];
    for (const std::string& flag : flags)
      ++found_.flags[flag];
  }

  /// The order of the writes at hand, if it extends what the generator asks for.
  std::vector<memory::ConcreteValue> orders(std::size_t generator,
                                            const memory::ConcreteValues& values) const {
    const auto& how = std::get<memory::Generator::Coherence>(core_.generators[generator].how);
    const relation::BitMatrix& partial = values.relation(how.partial);
    for (std::size_t i = 0; i < made_.events.size(); ++i)
      for (std::size_t j = 0; j < made_.events.size(); ++j)
        if (partial.contains(i, j) && is_write(made_.events[i]) && is_write(made_.events[j]) &&
            made_.events[i].address == made_.events[j].address && !made_.co.contains(i, j))
          return {};
    return {std::make_shared<const relation::BitMatrix>(made_.co)};
  }

  const NaiveProgram& program_;
  const memory::Core& core_;
  execution::Execution made_;
  std::map<std::string, std::uint64_t> state_;
  NaiveOutcomes found_;
};

} // namespace

NaiveOutcomes enumerate_naively(const NaiveProgram& program, const memory::Core& core) {
  return Naive(program, core).run();
}

NaiveProgram random_naive_program() {
  NaiveProgram program;
  program.places = static_cast<unsigned>(1 + below(2));
  const int threads = 2 + below(2);
  int left = 4 + below(4); // memory events
  for (int t = 0; t < threads; ++t) {
    NaiveThread thread;
    const int most = t + 1 == threads ? left : 1 + below(left);
    std::vector<int> loaded;
    const auto some_load = [&](int odds) {
      return loaded.empty() || !one_in(odds)
                 ? -1
                 : loaded[static_cast<std::size_t>(below(static_cast<int>(loaded.size())))];
    };
    for (int used = 0; used < most && thread.size() < 6;) {
      NaiveStep step;
      const int kind = below(10);
      step.kind = kind < 4   ? Kind::kLoad
                  : kind < 8 ? Kind::kStore
                  : kind < 9 ? Kind::kSwap
                             : Kind::kFence;
      if (!loaded.empty() && one_in(5))
        step.kind = Kind::kSkipIf;
      if (step.kind == Kind::kSwap && used + 2 > most)
        step.kind = Kind::kStore;
      step.place = static_cast<unsigned>(below(static_cast<int>(program.places)));
      step.value = static_cast<std::uint64_t>(1 + below(2));
      step.is_ordered = one_in(4);
      if (step.kind == Kind::kLoad || step.kind == Kind::kStore)
        step.address_from = step.is_ordered ? -1 : some_load(4);
      if (stores(step))
        step.data_from = some_load(4);
      if (step.kind == Kind::kSkipIf) {
        step.data_from = some_load(1);
        step.skips_zero = one_in(2);
      }
      if (loads(step))
        loaded.push_back(static_cast<int>(thread.size()));
      used += (loads(step) ? 1 : 0) + (stores(step) ? 1 : 0);
      thread.push_back(step);
    }
    left = std::max(1, left - most);
    program.threads.push_back(std::move(thread));
  }
  return program;
}

std::string print_litmus(const NaiveProgram& program) {
  std::string text = "AArch64 random\n{\n";
  std::string observed;
  std::vector<std::vector<std::string>> columns;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const std::string name = std::to_string(t);
    for (unsigned place = 0; place < program.places; ++place)
      text += name + ":X2" + std::to_string(place) + "=" + kPlaces[place] + ";";
    text += "\n";
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < program.threads[t].size(); ++i) {
      const NaiveStep& step = program.threads[t][i];
      const std::string own = "W" + std::to_string(i);
      std::string address = "[X2" + std::to_string(step.place) + "]";
      if (step.address_from >= 0) {
        const std::string from = "W" + std::to_string(step.address_from);
        lines.push_back("EOR W14," + from + "," + from);
        address = "[X2" + std::to_string(step.place) + ",W14,SXTW]";
      }
      if (stores(step)) {
        const std::string value = "#" + std::to_string(step.value);
        if (step.data_from >= 0) {
          const std::string from = "W" + std::to_string(step.data_from);
          lines.push_back("EOR W15," + from + "," + from);
          lines.push_back("ADD W16,W15," + value);
        } else {
          lines.push_back("MOV W16," + value);
        }
      }
      switch (step.kind) {
      case Kind::kLoad:
        lines.push_back((step.is_ordered ? "LDAR " : "LDR ") + own + "," + address);
        break;
      case Kind::kStore:
        lines.push_back(std::string(step.is_ordered ? "STLR" : "STR") + " W16," + address);
        break;
      case Kind::kSwap:
        lines.push_back("SWP W16," + own + "," + address);
        break;
      case Kind::kFence:
        lines.emplace_back("DMB ISH");
        break;
      case Kind::kSkipIf:
        lines.push_back((step.skips_zero ? "CBZ W" : "CBNZ W") + std::to_string(step.data_from) +
                        ",L" + std::to_string(i));
        break;
      }
      // The label of a branch comes after the instruction that it skips.
      if (i > 0 && program.threads[t][i - 1].kind == Kind::kSkipIf)
        lines.push_back("L" + std::to_string(i - 1) + ":");
      if (step.kind == Kind::kSkipIf && i + 1 == program.threads[t].size())
        lines.push_back("L" + std::to_string(i) + ":");
      if (loads(step))
        observed += name + ":X" + std::to_string(i) + "; ";
    }
    columns.push_back(std::move(lines));
  }
  text += "}\n";
  std::size_t rows = 0;
  for (std::size_t t = 0; t < columns.size(); ++t) {
    text += (t == 0 ? " P" : " | P") + std::to_string(t);
    rows = std::max(rows, columns[t].size());
  }
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < columns.size(); ++t)
      text += (t == 0 ? " " : " | ") + (row < columns[t].size() ? columns[t][row] : "");
    text += " ;\n";
  }
  text += "locations [";
  for (unsigned place = 0; place < program.places; ++place)
    text += std::string(kPlaces[place]) + "; ";
  return text + observed + "]\nexists (true)\n";
}

namespace {

std::string random_relation(int depth) {
  static const std::vector<std::string> leaves = {
      "po",      "rf",        "co",   "fr",           "(po & loc)",
      "rfe",     "coe",       "fre",  "[W]",          "[R]",
      "[A]",     "[L]",       "loc",  "int",          "ext",
      "addr",    "data",      "ctrl", "rmw",          "(R * W)",
      "(W * R)", "[DMB.ISH]", "[IW]", "[domain(rf)]", "(po; [F]; po)",
      "[FW]"};
  if (depth == 0 || one_in(4))
    return leaves[static_cast<std::size_t>(below(static_cast<int>(leaves.size())))];
  const auto a = [depth] { return random_relation(depth - 1); };
  switch (below(9)) {
  case 0:
  case 1:
    return "(" + a() + " | " + a() + ")";
  case 2:
    return "(" + a() + " & " + a() + ")";
  case 3:
    return "(" + a() + " \\ " + a() + ")";
  case 4:
  case 5:
    return "(" + a() + "; " + a() + ")";
  case 6:
    return "(" + a() + ")^-1";
  case 7:
    return one_in(2) ? "(" + a() + ")+" : "(" + a() + ")?";
  default:
    return "~(" + a() + ")";
  }
}

} // namespace

std::string random_model_text() {
  std::string text = "\"random\"\n";
  const std::string parts =
      "let fr = rf^-1; co\nlet rfe = rf & ext\nlet coe = co & ext\nlet fre = fr & ext\n";
  if (one_in(4))
    text +=
        "include \"cross.cat\"\nwith co from generate_cos(co0 | (po & loc & (W * W)))\n" + parts;
  else if (one_in(2))
    text += "include \"cos.cat\"\n";
  else
    text += parts;
  if (one_in(2))
    text += one_in(3) ? "irreflexive po; (rf | co | fr)* as coherence\n"
                      : "acyclic po & loc | rf | co | fr as coherence\n";
  if (one_in(5))
    text += "acyclic po | rf as grounded\n";
  if (one_in(3))
    text += "empty rmw & (fre; coe) as atomic\n";
  if (one_in(4))
    text += "acyclic po \\ (W * R) | rfe | co | fr as buffers\n";
  if (one_in(4))
    text += "let rec hb = " + random_relation(1) + " | (hb; " + random_relation(1) +
            ")\nirreflexive hb; " + random_relation(1) + " as recursive\n";
  if (one_in(6))
    text += "with order from linearisations(W \\ IW, [W \\ IW]; (" +
            std::string(one_in(2) ? "co" : "po & loc") + "); [W \\ IW])\nacyclic order | " +
            random_relation(1) + " as generated\n";
  const int axioms = below(4);
  for (int i = 0; i < axioms; ++i) {
    static const std::vector<std::string> tests = {"acyclic", "irreflexive", "empty"};
    static const std::vector<std::string> roles = {"", "", "", "flag ", "undefined_unless "};
    text += roles[static_cast<std::size_t>(below(5))] + (one_in(4) ? "~" : "") +
            tests[static_cast<std::size_t>(below(3))] + " " + random_relation(3) + " as a" +
            std::to_string(i) + "\n";
  }
  return text;
}

} // namespace heddle::engine_test
