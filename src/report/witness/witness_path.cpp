// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
#include "report/witness/witness_path.h"

#include "support/check.h"
#include "support/overloaded.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace heddle::report {

namespace {

using execution::Frame;
using execution::Step;

constexpr std::string_view kNondetPrefix = "__VERIFIER_nondet_";
/// Library functions that are linked with the program; no validator sees their text.
constexpr std::string_view kRuntimePrefix = "__heddle_";

/// How C writes the value that a function returned, so that a comparison with it is right whatever
/// conversions C applies. Nothing where that takes more than the name and width of the value.
std::optional<std::string>
constant(const std::string& function, std::uint64_t value, unsigned width) {
  std::string_view type = function;
  const bool is_known = type.starts_with(kNondetPrefix);
  if (is_known)
    type.remove_prefix(kNondetPrefix.size());
  if (width == 0 || width > 64 || (is_known && (type == "float" || type == "double")))
    return std::nullopt;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  value &= mask;
  if (is_known && type == "pointer")
    return value == 0 ? "0" : fmt::format("(void *){}", value);
  const bool is_unsigned = is_known && (type.starts_with("u") || type.starts_with("U") ||
                                        type == "bool" || type == "size_t" || type == "sector_t");
  if (is_unsigned)
    return value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
               ? fmt::format("{}U", value)
               : fmt::format("{}", value);
  // Narrow types are extended before they are compared, and only the type says how. From int on a
  // negative constant is converted to an unsigned type as the value was.
  if (!is_known && width < 32)
    return std::nullopt;
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  const auto extended = static_cast<std::int64_t>((value ^ sign) - sign);
  if (extended == std::numeric_limits<std::int64_t>::min())
    return fmt::format("(-{} - 1)", std::numeric_limits<std::int64_t>::max());
  return fmt::format("{}", extended);
}

/// Does the step do something at a statement that another thread may notice?
bool is_at_statement(Step::What what) {
  switch (what) {
  case Step::What::kRead:
  case Step::What::kWrite:
  case Step::What::kReadModifyWrite:
  case Step::What::kFailedCompareExchange:
  case Step::What::kFence:
  case Step::What::kAllocate:
  case Step::What::kFree:
  case Step::What::kSynchronize:
  case Step::What::kAtomicBegin:
  case Step::What::kAtomicEnd:
    return true;
  case Step::What::kLocal:
  case Step::What::kNondet:
  case Step::What::kWakeUp:
  case Step::What::kReacquire:
  case Step::What::kLeaveBarrier:
  case Step::What::kThreadExit:
  case Step::What::kExit:
  case Step::What::kFlush:
    return false;
  }
  HEDDLE_CHECK(false, "no such step");
  return false;
}

/// The texts of the inputs, by the names of files in the program.
class Sources {
public:
  Sources(const program::Program& program, const WitnessTask& task) {
    for (const std::string& file : program.files)
      names_.push_back(input_named(file, task));
    for (const WitnessTask::Input& input : task.inputs)
      texts_.try_emplace(input.path, input.text);
  }

  /// As the task names the file.
  [[nodiscard]] const std::string& name(SourceLoc loc) const { return names_[loc.file]; }
  [[nodiscard]] const WitnessSource* text(SourceLoc loc) const {
    const auto found = texts_.find(name(loc));
    return found == texts_.end() ? nullptr : &found->second;
  }

private:
  /// Debug information may shorten a path: "examples/a.c" for "/home/examples/a.c".
  static std::string input_named(const std::string& file, const WitnessTask& task) {
    for (const WitnessTask::Input& input : task.inputs)
      if (input.path == file)
        return input.path;
    for (const WitnessTask::Input& input : task.inputs)
      if (!file.empty() && input.path.ends_with("/" + file))
        return input.path;
    return file;
  }

  std::vector<std::string> names_; // by number of the file
  std::map<std::string, WitnessSource> texts_;
};

/// Which statement each frame of a thread is in, from the outermost on, to tell a statement that is
/// reached from one that goes on.
struct Position {
  struct InFrame {
    program::ProcedureId procedure;
    std::optional<TextPlace> statement;
    std::uint32_t file = 0;
    bool operator==(const InFrame&) const = default;
  };
  std::vector<InFrame> frames = {};
};

class PathFinder {
public:
  PathFinder(const verdict::Violation& violation, const Subject& subject, const WitnessTask& task)
      : violation_(violation), program_(*subject.program), sources_(program_, task) {}

  Result<ViolationPath> run() {
    HEDDLE_CHECK(violation_.run.has_value(), "a witness of a violation that was not replayed");
    threads_[0] = 0;
    const auto* race = std::get_if<verdict::Race>(&violation_.kind);
    const std::vector<Step>& steps = violation_.run->steps;
    for (std::uint32_t i = 0; i < steps.size(); ++i) {
      // The two accesses of a race are one last item, in no order. What the first thread does after
      // its access cannot come before that; from there on nothing is told but creations.
      if (race != nullptr && i == race->first) {
        note_target(steps[i], steps[i].loc);
        continue;
      }
      if (race != nullptr && i == race->second) {
        note_target(steps[i], steps[i].loc);
        break;
      }
      if (race != nullptr && i > race->first &&
          steps[i].transition.thread == steps[race->first].transition.thread &&
          steps[i].what != Step::What::kFlush)
        is_silent_ = true;
      take(steps[i]);
    }
    std::visit(Overloaded{
                   [](const verdict::Race&) {},
                   [](const verdict::NotRobust&) {},
                   [this](const verdict::FaultReached&) { note_fault(); },
                   [this](const verdict::Deadlock&) { note_waiting(); },
               },
               violation_.kind);
    if (path_.targets.empty())
      return no_place("WIT-001", "it");
    if (has_unknown_creation_)
      return no_place("WIT-002", "the creation of a thread");
    drop_superfluous();
    return std::move(path_);
  }

private:
  static Error no_place(std::string code, std::string_view what) {
    return Error{ErrorKind::kUnsupported,
                 std::move(code),
                 fmt::format("the violation has no witness: where {} happens in the source is not "
                             "known",
                             what)};
  }

  unsigned thread_of(const Step& step) const { return threads_.at(step.transition.thread); }

  void take(const Step& step) {
    if (step.what == Step::What::kFlush) {
      ++path_.flushes;
      return;
    }
    const std::vector<Frame> stack = user_frames(step);
    if (step.created) {
      create(step, stack);
      return;
    }
    const bool is_new = move(step, stack);
    if (stack.empty())
      return;
    if (step.what == Step::What::kNondet)
      choose(step, stack);
    else if (is_new && is_at_statement(step.what) && path_.has_threads)
      add({PathItem::Kind::kStatement, thread_of(step), *statement_place(stack.front())});
  }

  /// Threads are numbered by their creations: these are told in any case.
  void add(PathItem item) {
    if (!is_silent_ || item.kind == PathItem::Kind::kCreate)
      path_.items.push_back(std::move(item));
  }

  /// Innermost first, without the library functions that the innermost ones are.
  std::vector<Frame> user_frames(const Step& step) const {
    std::vector<Frame> frames = step.stack;
    while (!frames.empty() &&
           program_.procedures[frames.front().procedure].name.starts_with(kRuntimePrefix))
      frames.erase(frames.begin());
    return frames;
  }

  std::optional<StatementPlace> statement_of(SourceLoc loc) const {
    const WitnessSource* source = loc.is_known() ? sources_.text(loc) : nullptr;
    return source == nullptr ? std::nullopt : source->statement_at(loc.line, loc.column);
  }

  std::optional<CallPlace> call_of(SourceLoc loc) const {
    const WitnessSource* source = loc.is_known() ? sources_.text(loc) : nullptr;
    return source == nullptr ? std::nullopt : source->call_at(loc.line, loc.column);
  }

  /// Notes where the thread stands. True if it has reached the innermost statement with this step.
  bool move(const Step& step, const std::vector<Frame>& stack) {
    Position now;
    std::optional<StatementPlace> innermost;
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
      innermost = statement_of(frame->loc);
      now.frames.push_back({frame->procedure,
                            innermost ? std::optional(innermost->start) : std::nullopt,
                            frame->loc.file});
    }
    Position& before = positions_[thread_of(step)];
    // The same statements in all frames: it goes on, or it is reached again in a loop, which need
    // not be told. An outer statement that calls is not reached when a call comes back to it.
    const bool goes_on = before.frames.size() >= now.frames.size() &&
                         std::equal(now.frames.begin(), now.frames.end(), before.frames.begin());
    before = std::move(now);
    return innermost && !innermost->is_loop_head && !goes_on;
  }

  void create(const Step& step, const std::vector<Frame>& stack) {
    const unsigned created = ++created_;
    const unsigned creator = thread_of(step);
    move(step, stack);
    threads_[*step.created] = created;
    positions_.erase(created);
    path_.has_threads = true;
    if (stack.empty() || !stack.front().loc.is_known()) {
      has_unknown_creation_ = true;
      return;
    }
    PathItem item{PathItem::Kind::kCreate, creator, call_place(stack.front())};
    item.created = created;
    item.function = started_function(*step.created, step);
    add(std::move(item));
  }

  /// What the thread in that slot runs: the outermost frame of its first step.
  std::string started_function(program::ThreadIndex slot, const Step& creation) const {
    const std::vector<Step>& steps = violation_.run->steps;
    for (auto i = static_cast<std::size_t>(&creation - steps.data()) + 1; i < steps.size(); ++i) {
      if (steps[i].created == slot)
        break;
      if (steps[i].transition.thread == slot && !steps[i].stack.empty())
        return program_.procedures[steps[i].stack.back().procedure].name;
    }
    return "";
  }

  void choose(const Step& step, const std::vector<Frame>& stack) {
    const auto* nondet =
        step.edge == nullptr ? nullptr : std::get_if<program::Nondet>(&step.edge->action);
    const Frame& frame = stack.front();
    if (nondet == nullptr || stack.size() != step.stack.size() || !frame.loc.is_known())
      return;
    const std::optional<CallPlace> call = call_of(frame.loc);
    if (!nondet->origin.starts_with(kNondetPrefix) && (!call || call->name != nondet->origin))
      return; // no call: a variable without a value
    const program::Local& local = program_.procedures[frame.procedure].locals[nondet->dest];
    const std::optional<std::string> value = constant(nondet->origin, step.value_read, local.width);
    if (!value)
      return;
    PathItem item{PathItem::Kind::kReturn, thread_of(step), call_place(frame)};
    item.function = nondet->origin;
    item.value = *value;
    add(std::move(item));
  }

  WitnessPlace line_place(const Frame& frame) const {
    return {sources_.name(frame.loc), frame.loc.line, 0, program_.procedures[frame.procedure].name};
  }

  std::optional<WitnessPlace> statement_place(const Frame& frame) const {
    const std::optional<StatementPlace> statement = statement_of(frame.loc);
    if (!statement)
      return std::nullopt;
    WitnessPlace place = line_place(frame);
    place.line = statement->start.line;
    place.column = statement->start.column;
    return place;
  }

  /// The closing parenthesis; the line alone where it says enough, since validators do not agree on
  /// the column of calls.
  WitnessPlace call_place(const Frame& frame) const {
    WitnessPlace place = line_place(frame);
    const std::optional<CallPlace> call = call_of(frame.loc);
    if (call && !(call->is_only_call_of_line && call->end.line == place.line)) {
      place.line = call->end.line;
      place.column = call->end.column;
    }
    return place;
  }

  void note_target(const Step& step, SourceLoc loc) {
    std::vector<Frame> stack = user_frames(step);
    if (stack.empty())
      return;
    if (stack.size() == step.stack.size())
      stack.front().loc = loc;
    add_target(thread_of(step), stack.front());
  }

  void add_target(unsigned thread, const Frame& frame) {
    if (frame.loc.is_known())
      path_.targets.push_back({thread, statement_place(frame).value_or(line_place(frame))});
  }

  /// The fault of the last step, or of the local actions after it.
  void note_fault() {
    const execution::Run& run = *violation_.run;
    if (run.steps.empty())
      return;
    const Step& last = run.steps.back();
    if (run.fault.loc.is_known() && run.fault.procedure.is_valid() &&
        !program_.procedures[run.fault.procedure].name.starts_with(kRuntimePrefix))
      add_target(thread_of(last), {run.fault.procedure, run.fault.loc});
    else
      note_target(last, last.loc);
  }

  void note_waiting() {
    for (const verdict::Waiting& waiting : violation_.evidence.waiting) {
      // The function is known from the thread's last step only if the frame is the same; places of
      // witnesses may leave it out.
      if (!waiting.loc.is_known())
        continue;
      WitnessPlace place{sources_.name(waiting.loc), waiting.loc.line, 0, ""};
      if (const std::optional<StatementPlace> statement = statement_of(waiting.loc)) {
        place.line = statement->start.line;
        place.column = statement->start.column;
      }
      path_.targets.push_back({threads_.at(waiting.thread), std::move(place)});
    }
  }

  /// A thread that stands at its target is not told to reach it before. Of the statements that a
  /// thread passes without another one moving, the first and the last say enough.
  void drop_superfluous() {
    std::vector<PathItem>& items = path_.items;
    for (const PathTarget& target : path_.targets) {
      const auto last = std::find_if(items.rbegin(), items.rend(), [&](const PathItem& item) {
        return item.thread == target.thread;
      });
      if (last != items.rend() && last->kind == PathItem::Kind::kStatement &&
          last->place == target.place)
        items.erase(std::next(last).base());
    }
    std::vector<PathItem> kept;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool is_first = i == 0 || items[i - 1].thread != items[i].thread;
      const bool is_last = i + 1 == items.size() || items[i + 1].thread != items[i].thread;
      if (is_first || is_last || items[i].kind != PathItem::Kind::kStatement)
        kept.push_back(items[i]);
    }
    items = std::move(kept);
  }

  const verdict::Violation& violation_;
  const program::Program& program_;
  Sources sources_;
  ViolationPath path_;
  /// The slot of a thread that was joined may serve again; witnesses number all threads.
  std::map<program::ThreadIndex, unsigned> threads_;
  std::map<unsigned, Position> positions_;
  unsigned created_ = 0;
  bool is_silent_ = false; // nothing more is told
  bool has_unknown_creation_ = false;
};

} // namespace

Result<ViolationPath> violation_path(const verdict::Violation& violation,
                                     const Subject& subject,
                                     const WitnessTask& task) {
  return PathFinder(violation, subject, task).run();
}

} // namespace heddle::report
