// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "export/build_system.h"

#include "export/builder.h"
#include "program/analyse/destroyed_locks.h"
#include "program/analyse/liveness.h"
#include "program/model/print_program.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>
#include <utility>

namespace heddle::exports {

using namespace program; // NOLINT: most of the family of actions is spelled out below

namespace {

/// Letters, digits and underscores only.
std::string identifier(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return out;
}

} // namespace

Builder::Builder(const Program& program, const SystemOptions& options, Layout layout)
    : program_(program), options_(options), layout_(std::move(layout)) {
  system_.terms = program.terms;
  system_.files = program.files;
}

Term Builder::fitted(Term term, unsigned width) {
  if (terms().sort(term).is_bool())
    term = terms().to_bit(term);
  const unsigned now = terms().sort(term).width;
  if (now > width)
    return terms().extract(term, 0, width);
  return now < width ? terms().zero_extend(term, width) : term;
}

Term Builder::own(Term term) {
  return terms().substitute(term, [&](std::uint64_t name, logic::Sort sort) {
    if (name == kSelfVariable)
      return terms().constant(thread_, sort.width);
    if (fixed_[name].is_valid())
      return fixed_[name];
    return terms().variable(locals_[name].value, sort);
  });
}

VariableId Builder::shared(std::string name, unsigned width) {
  return system_.variables.push_back(
      {std::move(name), static_cast<std::uint8_t>(width), std::nullopt, false});
}
VariableId Builder::local(std::string name, unsigned width) {
  return system_.variables.push_back({std::move(name),
                                      static_cast<std::uint8_t>(width),
                                      static_cast<std::uint32_t>(system_.processes.size()),
                                      false});
}
VariableId Builder::temporary(unsigned width, const char* name) {
  const VariableId made = local(fmt::format("{}_{}", name, system_.processes.size()), width);
  system_.variables[made].is_temporary = true;
  return made;
}

Statement Builder::assign(LocalId dest, Term value) {
  const VariableId variable = variable_of(dest);
  return set(variable, fitted(value, system_.variables[variable].width));
}
Statement Builder::fail(Fail::Kind kind, const std::string& what) const {
  return {Fail{kind, fmt::format("{}: {}", program_.place(loc_), what)}};
}
Statements Builder::failing(const std::string& what, Fail::Kind kind) const {
  Statements one;
  one.push_back(fail(kind, what));
  return one;
}
void Builder::append(Statements& to, Statements more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}
Error Builder::refusal(const char* code, const std::string& message) const {
  return refuse(program_, loc_, code, message);
}

Term Builder::go() {
  Term may_step = is(system_.halted, 0);
  if (has_sections_)
    may_step = terms().and_(may_step, terms().or_(is(section_, 0), is(section_, thread_ + 1ULL)));
  return may_step;
}

void Builder::add_variables() {
  for (const Thread& thread : layout_.threads)
    for (const Edge& edge : program_.procedures[thread.procedure].edges) {
      has_sections_ = has_sections_ || std::holds_alternative<AtomicBegin>(edge.action) ||
                      std::holds_alternative<AtomicEnd>(edge.action);
      has_free_ = has_free_ || std::holds_alternative<Free>(edge.action);
      const auto* sync = std::get_if<Synchronize>(&edge.action);
      detaches_ = detaches_ || (sync != nullptr && sync->op == SyncOp::kDetach);
      has_barriers_ = has_barriers_ || (sync != nullptr && sync->op == SyncOp::kBarrierWait);
    }
  may_be_destroyed_ = DestroyedLocks(program_).may_be_in(program_, {});
  system_.halted = shared("halted", 1);
  if (has_sections_) {
    section_ = shared("section", 8);
    depth_ = shared("depth", 8);
  }
  const bool is_partial = options_.machine == memory::MachineKind::kPartialStoreOrder;
  const auto length_bits = static_cast<unsigned>(std::bit_width(options_.buffer));
  for (std::size_t t = 0; t < layout_.threads.size(); ++t) {
    ThreadVariables made;
    made.status = shared(fmt::format("thread_{}", t), detaches_ ? 3 : 2);
    made.argument = shared(fmt::format("argument_{}", t), program_.pointer_bits());
    made.result = shared(fmt::format("result_{}", t), program_.pointer_bits());
    if (has_barriers_)
      made.waits_at = shared(fmt::format("waits_{}", t), 32);
    if (has_buffers()) {
      made.buffer.length = shared(fmt::format("pending_{}", t), length_bits);
      if (is_partial)
        made.buffer.fence = shared(fmt::format("fence_{}", t), 1);
      for (std::uint32_t n = 0; n < options_.buffer; ++n) {
        BufferEntry entry;
        entry.cell = shared(fmt::format("cell_{}_{}", t, n), 16);
        entry.value = shared(fmt::format("value_{}_{}", t, n), word_bits_);
        if (is_partial)
          entry.is_fenced = shared(fmt::format("fenced_{}_{}", t, n), 1);
        made.buffer.entries.push_back(entry);
      }
    }
    threads_.push_back(std::move(made));
  }
}

void Builder::add_memory() {
  Array memory{"memory", 32, {}};
  Array status{"status", 2, {}};
  for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
    const PlacedCell& cell = layout_.cells[c];
    if (cell.size == 8)
      word_bits_ = 64;
    memory.initial.push_back(cell.initial);
    if (c >= layout_.first_dynamic)
      status.initial.push_back(0);
    system_.cells.push_back(cell.name);
  }
  memory.width = static_cast<std::uint8_t>(word_bits_);
  if (memory.initial.empty())
    memory.initial.push_back(0);
  memory_ = system_.arrays.push_back(std::move(memory));
  if (!status.initial.empty())
    status_ = system_.arrays.push_back(std::move(status));
}

Status Builder::add_thread(std::uint32_t thread) {
  thread_ = thread;
  const Thread& what = layout_.threads[thread];
  procedure_ = &program_.procedures[what.procedure];
  locals_.clear();
  for (std::size_t i = 0; i < procedure_->locals.size(); ++i) {
    const Local& one = procedure_->locals[LocalId{i}];
    locals_.push_back(local(
        fmt::format("l{}_{}{}", thread, one.name.empty() ? "" : identifier(one.name) + "_", i),
        one.width));
  }
  find_fixed();
  at_ = temporary(32, "at");
  word_ = temporary(word_bits_, "word");
  state_ = temporary(2, "state");
  choice_ = temporary(1, "choice");

  Process process;
  process.name = identifier(what.name);
  second_steps_.clear();
  process.locations.resize(procedure_->locations.size() + 1);
  for (std::size_t l = 0; l < procedure_->locations.size(); ++l)
    for (const std::uint32_t index : procedure_->locations[LocationId{l}].out) {
      const Edge& edge = procedure_->edges[index];
      loc_ = edge.loc;
      Result<Step> step = step_of(edge, index);
      if (!step)
        return step.error();
      process.locations[l].push_back(std::move(*step));
    }
  // The location behind those of the procedure waits for the thread to be started.
  process.entry = static_cast<std::uint32_t>(procedure_->locations.size());
  Step start{is(threads_[thread].status, static_cast<std::uint64_t>(RunStatus::kRunning))};
  if (detaches_) // maybe before it does anything
    start.guard = terms().or_(
        start.guard, is(threads_[thread].status, static_cast<std::uint64_t>(RunStatus::kDetached)));
  if (thread == 0)
    start.guard = go();
  else
    start.guard = terms().and_(go(), start.guard);
  start.to = procedure_->entry.value;
  start.note = "starts";
  if (thread == 0)
    start.effects.push_back(
        set(threads_[0].status, static_cast<std::uint64_t>(RunStatus::kRunning)));
  else if (!procedure_->parameters.empty())
    start.effects.push_back(
        assign(procedure_->parameters.front(), value(threads_[thread].argument)));
  process.locations.back().push_back(std::move(start));
  for (Step& second : second_steps_) {
    process.locations.emplace_back();
    process.locations.back().push_back(std::move(second));
  }
  system_.processes.push_back(std::move(process));
  return Done{};
}

void Builder::find_fixed() {
  fixed_.assign(procedure_->locals.size(), Term{});
  std::vector<std::uint32_t> writes(procedure_->locals.size(), 0);
  for (const Edge& edge : procedure_->edges)
    for (const std::uint32_t written : local_use(program_.terms, edge.action).writes)
      ++writes[written];
  std::set<LocationId> seen;
  for (LocationId at = procedure_->entry; seen.insert(at).second;) {
    const std::vector<std::uint32_t>& out = procedure_->locations[at].out;
    if (out.size() != 1)
      return;
    const Edge& edge = procedure_->edges[out.front()];
    const auto* allocate = std::get_if<Allocate>(&edge.action);
    if (allocate == nullptr)
      return;
    const std::vector<std::uint32_t>& pool = layout_.threads[thread_].blocks.at(out.front());
    if (!layout_.blocks[pool.front()].is_pooled && writes[allocate->dest.index()] == 1)
      fixed_[allocate->dest.index()] =
          number(layout_.blocks[pool.front()].address, program_.pointer_bits());
    at = edge.to;
  }
}

Result<Step> Builder::step_of(const Edge& edge, std::uint32_t index) {
  Step step{terms().boolean(true)};
  step.to = edge.to.value;
  step.loc = edge.loc;
  step.note =
      fmt::format("{}: {}", program_.place(edge.loc), to_text(program_, *procedure_, edge.action));
  const auto visible = [&](bool drains) {
    step.guard = terms().and_(step.guard, go());
    if (drains && has_buffers())
      step.guard = terms().and_(step.guard, is_buffer_empty());
  };
  const auto ends_run = [&] { step.effects.push_back({Halt{}}); };
  const auto unless = [&](Term condition, Statement otherwise) {
    If branch{condition, {}, {}};
    branch.no.push_back(std::move(otherwise));
    step.effects.push_back({std::move(branch)});
  };
  const auto assign_all = [&](const std::vector<Assign>& all) {
    for (const Assign& one : all)
      step.effects.push_back(assign(one.dest, own(one.value)));
  };
  Status status = Done{};
  const auto take = [&](Result<Statements> made) {
    if (made)
      step.effects = std::move(*made);
    else
      status = made.error();
  };
  std::visit(
      Overloaded{
          [&](const Skip&) { step.is_local = true; },
          [&](const Assign& one) {
            step.is_local = true;
            assign_all({one});
          },
          [&](const AssignSequence& all) {
            step.is_local = true;
            assign_all(all.assignments);
          },
          [&](const Nondet& choice) {
            step.is_local = true;
            step.effects.push_back({Choose{variable_of(choice.dest)}});
          },
          [&](const Assume& assume) {
            if (assume.is_branch) {
              step.is_local = true;
              step.guard = own(assume.condition);
              return;
            }
            visible(false);
            unless(own(assume.condition), {Halt{}});
          },
          [&](const Check& check) {
            visible(false);
            const bool is_asserted = check.kind == CheckKind::kAssertion ||
                                     check.kind == CheckKind::kErrorCall ||
                                     check.kind == CheckKind::kSignedOverflow;
            unless(own(check.condition),
                   fail(is_asserted ? Fail::Kind::kAssertion : Fail::Kind::kUndefined, check.what));
          },
          [&](const CheckNeighbourhood& check) {
            // Every object is smaller than a unit here (layout.h), so it is the unit that counts.
            visible(false);
            const unsigned width = program_.pointer_bits();
            const Term shift = number(program_.space().unit_shift, width);
            const auto unit = [&](Term address) {
              return terms().binary(logic::Op::kLShr, own(address), shift);
            };
            const Term base = unit(check.base);
            unless(terms().equal(base, unit(check.result)),
                   fail(Fail::Kind::kUndefined, "a pointer leaves its object"));
          },
          [&](const Load& one) {
            visible(one.access.drains);
            step.effects = load(one);
          },
          [&](const Store& one) {
            visible(one.access.drains);
            take(store(one));
          },
          [&](const LoadExclusive&) { status = refusal("EXP-010", "a load-exclusive"); },
          [&](const StoreExclusive&) { status = refusal("EXP-010", "a store-exclusive"); },
          [&](const ReadModifyWrite& one) {
            visible(one.access.is_visible || one.access.drains);
            step.effects = update(one);
          },
          [&](const CompareExchange& one) {
            visible(one.access.is_visible || one.access.drains);
            step.effects = exchange(one);
          },
          [&](const Fence& fence) {
            if (!has_buffers() || fence.strength == Fence::Strength::kNone ||
                fence.strength == Fence::Strength::kMark) {
              step.is_local = true;
              return;
            }
            visible(fence.strength == Fence::Strength::kFull);
            const Buffer& buffer = threads_[thread_].buffer;
            if (fence.strength == Fence::Strength::kStoreStore && buffer.fence.is_valid())
              step.effects.push_back(
                  set(buffer.fence, fitted(terms().not_(is(buffer.length, 0)), 1)));
          },
          [&](const Allocate& one) {
            visible(false);
            take(allocate(one, index));
          },
          [&](const Free& one) {
            visible(false);
            take(free(one));
          },
          [&](const BlockSize&) { status = refusal("EXP-011", "the size of a block (realloc)"); },
          [&](const Call& call) {
            status =
                refusal("EXP-012",
                        call.targets.size() == 1
                            ? fmt::format("the call of '{}', which has locals with addresses or is "
                                          "recursive",
                                          program_.procedures[call.targets.front()].name)
                            : std::string("a call through a pointer"));
          },
          [&](const Return& one) {
            visible(true);
            if (thread_ == 0)
              ends_run();
            else
              step.effects = end_thread(one.value ? own(*one.value) : number(0, 1));
          },
          [&](const Synchronize& sync) {
            if (sync.op == SyncOp::kSelf)
              step.is_local = true;
            else
              visible(true);
            status = synchronize(sync, index, step);
          },
          [&](const AtomicBegin&) {
            visible(true);
            step.effects.push_back(set(section_, thread_ + 1ULL));
            step.effects.push_back(
                set(depth_, terms().binary(logic::Op::kAdd, value(depth_), number(1, 8))));
          },
          [&](const AtomicEnd&) {
            visible(true);
            If last{is(depth_, 1), {}, {}};
            last.yes.push_back(set(section_, 0));
            step.effects.push_back({std::move(last)});
            If open{is(depth_, 0), {}, {}};
            open.no.push_back(
                set(depth_, terms().binary(logic::Op::kSub, value(depth_), number(1, 8))));
            step.effects.push_back({std::move(open)});
          },
          [&](const Hint&) { step.is_local = true; },
          [&](const ThreadExit& one) {
            visible(true);
            step.effects = end_thread(one.value ? own(*one.value) : number(0, 1));
          },
          [&](const Exit&) {
            visible(false);
            ends_run();
          },
          [&](const Cut& cut) {
            visible(false);
            ends_run();
            system_.notes.push_back("BOUND: runs end here: " + cut.bound);
          },
          [&](const Trap& trap) {
            visible(false);
            step.effects = failing("unsupported: " + trap.what, Fail::Kind::kNotModelled);
          },
      },
      edge.action);
  if (!status)
    return status.error();
  return step;
}

Result<System> Builder::run() {
  add_memory();
  add_variables();
  for (std::uint32_t t = 0; t < layout_.threads.size(); ++t)
    if (const Status status = add_thread(t); !status)
      return status.error();
  if (has_buffers())
    for (std::uint32_t t = 0; t < layout_.threads.size(); ++t)
      add_memory_process(t);
  for (const Approximation& one : program_.approximations)
    system_.notes.push_back("NOTE: " + one.what);
  std::ranges::sort(system_.notes);
  system_.notes.erase(std::ranges::unique(system_.notes).begin(), system_.notes.end());
  return std::move(system_);
}

Result<System> build_system(const Program& program, const SystemOptions& options) {
  Result<Layout> layout = lay_out(program, options.pool);
  if (!layout)
    return layout.error();
  return Builder(program, options, std::move(*layout)).run();
}

} // namespace heddle::exports
