// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// Loads, stores, exclusives, atomic instructions and barriers of AArch64 (Arm ARM, C6.2). Tags: A
// acquire, Q acquire in the weaker sense of LDAPR, L release, EX exclusives, X both halves of
// atomic instructions, NoRet a read whose value goes nowhere.
#include "frontend/litmus/asm/aarch64_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::frontend::litmus {

namespace {

using Value = ThreadBuilder::Value;
using Marks = ThreadBuilder::Marks;
using ir::Op;

struct Access {
  std::string name;  // the mnemonic without size
  unsigned bits = 0; // 0: by the register
  bool is_signed = false;
};

// LDRB is LDR of 8 bits, LDRSH a signed LDR of 16.
Access split_size(const std::string& mnemonic) {
  const auto ends = [&](std::string_view end) { return mnemonic.ends_with(end); };
  const auto without = [&](std::size_t count) {
    return mnemonic.substr(0, mnemonic.size() - count);
  };
  if (mnemonic == "LDRSB" || mnemonic == "LDURSB")
    return {without(2), 8, true};
  if (mnemonic == "LDRSH" || mnemonic == "LDURSH")
    return {without(2), 16, true};
  if (mnemonic == "LDRSW" || mnemonic == "LDURSW")
    return {without(2), 32, true};
  if (ends("B"))
    return {without(1), 8, false};
  if (ends("H"))
    return {without(1), 16, false};
  return {mnemonic, 0, false};
}

Value address_of(ThreadBuilder& out, const A64Memory& memory) {
  const Value base = get_a64(out, memory.base);
  if (memory.index)
    return out.compute(Op::kAdd, base, shifted_a64(out, *memory.index, memory.shift, 64));
  if (memory.offset == 0)
    return base;
  return out.compute(Op::kAdd, base, out.constant(static_cast<std::uint64_t>(memory.offset), 64));
}

// Where operand i of `in` points to, and what is left to do to its base register afterwards.
class Target {
public:
  static Result<Target> find(const A64Text& in, std::size_t i, bool is_plain) {
    const auto* memory = in.find<A64Memory>(i);
    if (memory == nullptr)
      return in.refuse(i, fmt::format("operand {} must be memory", i + 1));
    if (is_plain && !memory->is_plain())
      return in.refuse(i, "expected an address without an offset");
    const auto* post = in.find<A64Immediate>(i + 1);
    const std::size_t count = i + (post != nullptr ? 2 : 1);
    if (in.size() != count || (post != nullptr && is_plain))
      return in.refuse(count, "there are too many operands");
    if (post != nullptr && !memory->is_plain())
      return in.refuse(i + 1, "the address is written back already");
    if (memory->writes_back && memory->index)
      return in.refuse(i, "an index cannot be written back");
    return Target(*memory, post != nullptr ? std::optional(post->value) : std::nullopt);
  }

  Value begin(ThreadBuilder& out) {
    address_ = address_of(out, memory_);
    return address_;
  }
  void end(ThreadBuilder& out) const {
    if (memory_.writes_back)
      set_a64(out, memory_.base, address_);
    else if (post_)
      set_a64(
          out,
          memory_.base,
          out.compute(Op::kAdd, address_, out.constant(static_cast<std::uint64_t>(*post_), 64)));
  }

private:
  Target(A64Memory memory, std::optional<std::int64_t> post)
      : memory_(std::move(memory)), post_(post) {}

  A64Memory memory_;
  std::optional<std::int64_t> post_;
  Value address_ = {};
};

Result<A64Register> register_at(const A64Text& in, std::size_t i, unsigned size) {
  const auto* found = in.find<A64Register>(i);
  if (found == nullptr)
    return in.refuse(i, fmt::format("operand {} must be a register", i + 1));
  if (found->canonical == "SP")
    return in.refuse(i, "SP cannot be used here");
  if (size != 0 && size < 32 && found->bits != 32)
    return in.refuse(i, "expected a W register");
  return *found;
}

Marks marks_of_load(const std::string& name) {
  if (name == "LDAR")
    return {ir::Order::kAcquire, {"A"}};
  if (name == "LDAPR" || name == "LDAPUR")
    return {ir::Order::kAcquire, {"Q"}};
  if (name == "LDXR")
    return {ir::Order::kRelaxed, {"EX"}};
  if (name == "LDAXR")
    return {ir::Order::kAcquire, {"A", "EX"}};
  return {};
}

Status emit_load(const A64Text& in, const Access& access, ThreadBuilder& out) {
  const unsigned least = access.is_signed ? 0 : access.bits;
  const Result<A64Register> target = register_at(in, 0, least);
  if (!target)
    return target.error();
  if (access.bits == 32 && target->bits != 64)
    return in.refuse(0, "expected an X register");
  const bool is_plain = access.name != "LDR" && access.name != "LDUR" && access.name != "LDAPUR";
  Result<Target> memory = Target::find(in, 1, is_plain);
  if (!memory)
    return memory.error();
  const unsigned bits = access.bits != 0 ? access.bits : target->bits;
  const Marks marks = marks_of_load(access.name);
  const Value address = memory->begin(out);
  const bool is_exclusive = access.name == "LDXR" || access.name == "LDAXR";
  const Value value =
      is_exclusive ? out.load_exclusive(address, bits, marks) : out.load(address, bits, marks);
  memory->end(out);
  set_a64(out, *target, access.is_signed ? out.sign_extend(value, target->bits) : value);
  return Done{};
}

Status emit_store(const A64Text& in, const Access& access, ThreadBuilder& out) {
  const Result<A64Register> source = register_at(in, 0, access.bits);
  if (!source)
    return source.error();
  const bool is_release = access.name == "STLR" || access.name == "STLUR";
  Result<Target> memory = Target::find(in, 1, access.name == "STLR");
  if (!memory)
    return memory.error();
  const Value address = memory->begin(out);
  const Value value = get_a64(out, *source, access.bits != 0 ? access.bits : source->bits);
  out.store(address, value, is_release ? Marks{ir::Order::kRelease, {"L"}} : Marks{});
  memory->end(out);
  return Done{};
}

Marks marks_of_store_exclusive(bool is_release) {
  return is_release ? Marks{ir::Order::kRelease, {"EX", "L"}} : Marks{ir::Order::kRelaxed, {"EX"}};
}

Status emit_store_exclusive(const A64Text& in, const Access& access, ThreadBuilder& out) {
  const Result<A64Register> status = register_at(in, 0, 8);
  if (!status)
    return status.error();
  const Result<A64Register> source = register_at(in, 1, access.bits);
  if (!source)
    return source.error();
  Result<Target> memory = Target::find(in, 2, true);
  if (!memory)
    return memory.error();
  const Value address = memory->begin(out);
  const Value value = get_a64(out, *source, access.bits != 0 ? access.bits : source->bits);
  const Value success =
      out.store_exclusive(address, value, marks_of_store_exclusive(access.name == "STLXR"));
  set_a64(out, *status, out.zero_extend(out.compute(Op::kXor, success, out.constant(1, 1)), 32));
  return Done{};
}

// LDP, STP and kin: two accesses in no order. Those of LDAP acquire and those of STLP release.
struct Pair {
  std::string_view name;
  bool is_load;
  bool is_ordered; // one access is before the other
  ir::Order order = ir::Order::kRelaxed;
  std::string_view tag = {};

  [[nodiscard]] Marks marks() const {
    return tag.empty() ? Marks{} : Marks{order, {std::string(tag)}};
  }
};
constexpr std::array<Pair, 9> kPairs = {{
    {"LDP", true, false},
    {"LDPSW", true, false},
    {"LDNP", true, false},
    {"STP", false, false},
    {"STNP", false, false},
    {"LDAP", true, false, ir::Order::kAcquire, "A"},
    {"STLP", false, false, ir::Order::kRelease, "L"},
    {"LDIAPP", true, true, ir::Order::kAcquire, "Q"},
    {"STILP", false, true, ir::Order::kRelease, "L"},
}};

const Pair* find_pair(std::string_view name) {
  const auto* found = std::find_if(
      kPairs.begin(), kPairs.end(), [&](const Pair& known) { return known.name == name; });
  return found == kPairs.end() ? nullptr : found;
}

Status check_pair_address(const A64Text& in, const Pair& pair) {
  const auto* memory = in.find<A64Memory>(2);
  if (memory == nullptr)
    return Done{}; // said elsewhere
  if (memory->index)
    return in.refuse(2, "expected an address without an index");
  const bool is_post = in.find<A64Immediate>(3) != nullptr;
  if (pair.name == "LDAP" || pair.name == "STLP") {
    if (!memory->is_plain() || is_post)
      return in.refuse(2, "expected an address without an offset");
  } else if (pair.name == "LDIAPP") {
    if (!memory->is_plain())
      return in.refuse(2, "expected an address without an offset, or one written back afterwards");
  } else if (pair.name == "STILP") {
    if (is_post || (memory->offset != 0 && !memory->writes_back))
      return in.refuse(2, "expected an address without an offset, or one written back before");
  }
  const bool is_written_back = pair.is_ordered && (memory->writes_back || is_post);
  for (std::size_t i = 0; i < 2 && is_written_back; ++i)
    if (in.find<A64Register>(i)->canonical == memory->base.canonical)
      return in.refuse(i, "the register of the address is written back");
  return Done{};
}

// LDIAPP reads the lower half first. STILP writes it first, too, but where the address is written
// back it begins with the upper half (Arm ARM, as in herd). Each half is an instruction of its own,
// so that program order keeps them; it takes what it needs from registers itself.
Status emit_ordered_pair(const A64Text& in, const Pair& pair, Target& memory, ThreadBuilder& out) {
  const A64Register& first = *in.find<A64Register>(0);
  const A64Register& second = *in.find<A64Register>(1);
  const A64Memory& where = *in.find<A64Memory>(2);
  const Value bytes = out.constant(first.bits / 8, 64);
  if (pair.is_load) {
    // The first half may overwrite the register of the address.
    static const std::string kKept = "PAIR";
    const bool is_overwritten = first.canonical == where.base.canonical;
    const Value low = memory.begin(out);
    if (is_overwritten)
      out.set(kKept, low);
    set_a64(out, first, out.load(low, first.bits, pair.marks()));
    out.next_part();
    const Value again = is_overwritten ? out.get(kKept, 64) : memory.begin(out);
    const Value value = out.load(out.compute(Op::kAdd, again, bytes), first.bits, pair.marks());
    memory.end(out);
    set_a64(out, second, value);
    return Done{};
  }
  const auto store = [&](bool is_upper) {
    const Value low = memory.begin(out);
    const Value address = is_upper ? out.compute(Op::kAdd, low, bytes) : low;
    const Value value = get_a64(out, is_upper ? second : first);
    out.store(address, value, pair.marks());
  };
  store(where.writes_back);
  out.next_part();
  store(!where.writes_back);
  memory.end(out);
  return Done{};
}

Status emit_pair(const A64Text& in, const Pair& pair, ThreadBuilder& out) {
  const Result<A64Register> first = register_at(in, 0, 0);
  if (!first)
    return first.error();
  const Result<A64Register> second = register_at(in, 1, 0);
  if (!second)
    return second.error();
  if (first->bits != second->bits)
    return in.refuse(1, "the registers have different widths");
  if (const Status checked = check_pair_address(in, pair); !checked)
    return checked;
  Result<Target> memory = Target::find(in, 2, false);
  if (!memory)
    return memory.error();
  const bool is_signed = in.mnemonic == "LDPSW"; // words, to X registers
  if (is_signed && first->bits != 64)
    return in.refuse(0, "expected X registers");
  const unsigned bits = is_signed ? 32 : first->bits;
  const unsigned bytes = bits / 8;
  out.note_extent(std::uint64_t{2} * bytes);
  if (pair.is_ordered)
    return emit_ordered_pair(in, pair, *memory, out);
  const Value low = memory->begin(out);
  const Value high = out.compute(Op::kAdd, low, out.constant(bytes, 64));
  if (pair.is_load) {
    const Value a = out.load(low, bits, pair.marks());
    const Value b = out.load(high, bits, pair.marks());
    memory->end(out);
    set_a64(out, *first, is_signed ? out.sign_extend(a, 64) : a);
    set_a64(out, *second, is_signed ? out.sign_extend(b, 64) : b);
    return Done{};
  }
  const Value a = get_a64(out, *first);
  const Value b = get_a64(out, *second);
  out.store(low, a, pair.marks());
  out.store(high, b, pair.marks());
  memory->end(out);
  return Done{};
}

// Exclusive pairs and CASP of W registers are single accesses of a doubleword, the first register
// its lower half. Those of X registers have 128 bits, which no value here has.

constexpr unsigned kPairBits = 64;

Status check_pair(const A64Text& in, std::size_t first) {
  for (std::size_t i = first; i < first + 2; ++i) {
    const Result<A64Register> found = register_at(in, i, 0);
    if (!found)
      return found.error();
    if (found->bits != kPairBits / 2) {
      Error error = in.refuse(i, "pairs of X registers are not supported");
      error.kind = ErrorKind::kUnsupported;
      error.code = "LIT-033";
      return error;
    }
  }
  return Done{};
}

Value get_pair(const A64Text& in, std::size_t first, ThreadBuilder& out) {
  const Value low = out.zero_extend(get_a64(out, *in.find<A64Register>(first)), kPairBits);
  const Value high = out.zero_extend(get_a64(out, *in.find<A64Register>(first + 1)), kPairBits);
  const Value moved = out.compute(Op::kShl, high, out.constant(kPairBits / 2, kPairBits));
  return out.compute(Op::kOr, low, moved);
}

void set_pair(const A64Text& in, std::size_t first, Value value, ThreadBuilder& out) {
  const Value high = out.compute(Op::kLShr, value, out.constant(kPairBits / 2, kPairBits));
  set_a64(out, *in.find<A64Register>(first), out.truncate(value, kPairBits / 2));
  set_a64(out, *in.find<A64Register>(first + 1), out.truncate(high, kPairBits / 2));
}

// LDXP, LDAXP
Status emit_load_exclusive_pair(const A64Text& in, ThreadBuilder& out) {
  if (const Status checked = check_pair(in, 0); !checked)
    return checked;
  if (*in.find<A64Register>(0) == *in.find<A64Register>(1))
    return in.refuse(1, "expected two different registers");
  Result<Target> memory = Target::find(in, 2, true);
  if (!memory)
    return memory.error();
  out.note_extent(kPairBits / 8);
  const Value address = memory->begin(out);
  const Marks marks = marks_of_load(in.mnemonic == "LDAXP" ? "LDAXR" : "LDXR");
  set_pair(in, 0, out.load_exclusive(address, kPairBits, marks), out);
  return Done{};
}

// STXP, STLXP
Status emit_store_exclusive_pair(const A64Text& in, ThreadBuilder& out) {
  const Result<A64Register> status = register_at(in, 0, 8);
  if (!status)
    return status.error();
  if (const Status checked = check_pair(in, 1); !checked)
    return checked;
  Result<Target> memory = Target::find(in, 3, true);
  if (!memory)
    return memory.error();
  out.note_extent(kPairBits / 8);
  const Value address = memory->begin(out);
  const Value success = out.store_exclusive(
      address, get_pair(in, 1, out), marks_of_store_exclusive(in.mnemonic == "STLXP"));
  set_a64(out, *status, out.zero_extend(out.compute(Op::kXor, success, out.constant(1, 1)), 32));
  return Done{};
}

// Atomic instructions

struct Ordering {
  bool acquires = false;
  bool releases = false;
};

// The suffix A, L or AL behind a name.
std::optional<Ordering> ordering_of(std::string_view suffix) {
  if (suffix.empty())
    return Ordering{};
  if (suffix == "A")
    return Ordering{true, false};
  if (suffix == "L")
    return Ordering{false, true};
  if (suffix == "AL")
    return Ordering{true, true};
  return std::nullopt;
}

Marks atomic_marks(Ordering ordering, bool has_no_result) {
  Marks marks{ir::Order::kRelaxed, {"X"}};
  const bool acquires = ordering.acquires && !has_no_result;
  if (acquires)
    marks.tags.emplace_back("R:A");
  if (ordering.releases)
    marks.tags.emplace_back("W:L");
  if (has_no_result)
    marks.tags.emplace_back("R:NoRet");
  if (acquires)
    marks.order = ordering.releases ? ir::Order::kAcqRel : ir::Order::kAcquire;
  else if (ordering.releases)
    marks.order = ir::Order::kRelease;
  return marks;
}

struct AtomicOperation {
  std::string_view name;
  ir::RmwOp op;
  bool is_negated; // of the operand's bits
};
constexpr std::array<AtomicOperation, 8> kAtomics = {{
    {"ADD", ir::RmwOp::kAdd, false},
    {"CLR", ir::RmwOp::kAnd, true},
    {"EOR", ir::RmwOp::kXor, false},
    {"SET", ir::RmwOp::kOr, false},
    {"SMAX", ir::RmwOp::kMax, false},
    {"SMIN", ir::RmwOp::kMin, false},
    {"UMAX", ir::RmwOp::kUMax, false},
    {"UMIN", ir::RmwOp::kUMin, false},
}};

struct Atomic {
  AtomicOperation operation;
  Ordering ordering;
  bool is_store = false; // ST<op>: no register for the old value
};

std::optional<Atomic> find_atomic(std::string_view name) {
  if (name.starts_with("SWP"))
    if (const std::optional<Ordering> ordering = ordering_of(name.substr(3)))
      return Atomic{{"SWP", ir::RmwOp::kExchange, false}, *ordering, false};
  if (!name.starts_with("LD") && !name.starts_with("ST"))
    return std::nullopt;
  const bool is_store = name.starts_with("ST");
  for (const AtomicOperation& operation : kAtomics) {
    if (!name.substr(2).starts_with(operation.name))
      continue;
    const std::optional<Ordering> ordering = ordering_of(name.substr(2 + operation.name.size()));
    if (ordering && !(is_store && ordering->acquires))
      return Atomic{operation, *ordering, is_store};
  }
  return std::nullopt;
}

Status
emit_atomic(const A64Text& in, const Access& access, const Atomic& atomic, ThreadBuilder& out) {
  const Result<A64Register> source = register_at(in, 0, access.bits);
  if (!source)
    return source.error();
  A64Register target{{}, source->bits};
  if (!atomic.is_store) {
    const Result<A64Register> written = register_at(in, 1, access.bits);
    if (!written)
      return written.error();
    target = *written;
  }
  if (target.bits != source->bits)
    return in.refuse(1, "the registers have different widths");
  Result<Target> memory = Target::find(in, atomic.is_store ? 1 : 2, true);
  if (!memory)
    return memory.error();
  const Value address = memory->begin(out);
  const unsigned bits = access.bits != 0 ? access.bits : source->bits;
  Value operand = get_a64(out, *source, bits);
  if (atomic.operation.is_negated)
    operand = out.compute(Op::kXor, operand, out.constant(~std::uint64_t{0}, bits));
  // Arm ARM: without a register for the old value an atomic instruction does not acquire.
  const Value old = out.read_modify_write(
      atomic.operation.op, address, operand, atomic_marks(atomic.ordering, target.is_zero()));
  set_a64(out, target, old);
  return Done{};
}

Status emit_compare_and_swap(const A64Text& in,
                             const Access& access,
                             Ordering ordering,
                             ThreadBuilder& out) {
  const Result<A64Register> compared = register_at(in, 0, access.bits);
  if (!compared)
    return compared.error();
  const Result<A64Register> source = register_at(in, 1, access.bits);
  if (!source)
    return source.error();
  if (compared->bits != source->bits)
    return in.refuse(1, "the registers have different widths");
  Result<Target> memory = Target::find(in, 2, true);
  if (!memory)
    return memory.error();
  const Value address = memory->begin(out);
  const unsigned bits = access.bits != 0 ? access.bits : source->bits;
  const Value expected = get_a64(out, *compared, bits);
  const Value desired = get_a64(out, *source, bits);
  const ThreadBuilder::Exchanged done =
      out.compare_exchange(address, expected, desired, atomic_marks(ordering, compared->is_zero()));
  set_a64(out, *compared, done.old_value);
  return Done{};
}

// CASP Ws,Ws+1,Wt,Wt+1,[Xn]: each pair begins with an even register.
Status emit_compare_and_swap_pair(const A64Text& in, Ordering ordering, ThreadBuilder& out) {
  for (const std::size_t first : {std::size_t{0}, std::size_t{2}}) {
    if (const Status checked = check_pair(in, first); !checked)
      return checked;
    const std::optional<unsigned> low = in.find<A64Register>(first)->number();
    const std::optional<unsigned> high = in.find<A64Register>(first + 1)->number();
    if (!low || !high || *low % 2 != 0 || *high != *low + 1)
      return in.refuse(first, "expected an even register and the next one");
  }
  Result<Target> memory = Target::find(in, 4, true);
  if (!memory)
    return memory.error();
  out.note_extent(kPairBits / 8);
  const Value address = memory->begin(out);
  const Value expected = get_pair(in, 0, out);
  const Value desired = get_pair(in, 2, out);
  const ThreadBuilder::Exchanged done =
      out.compare_exchange(address, expected, desired, atomic_marks(ordering, false));
  set_pair(in, 0, done.old_value, out);
  return Done{};
}

Status emit_barrier(const A64Text& in, ThreadBuilder& out) {
  static constexpr std::array<std::string_view, 4> kDomains = {"", "ISH", "NSH", "OSH"};
  const auto* option = in.find<A64Name>(0);
  if (in.mnemonic == "ISB") {
    if (in.size() > 1 || (in.size() == 1 && (option == nullptr || option->upper != "SY")))
      return in.refuse(0, "expected no operand, or SY");
    out.fence({ir::Order::kRelaxed, {"ISB"}});
    return Done{};
  }
  if (in.size() != 1 || option == nullptr)
    return in.refuse(0, "expected an option: SY, LD, ST, ISH, …");
  const std::string tag = in.mnemonic + "." + option->upper;
  for (const std::string_view domain : kDomains) {
    const std::string full = domain.empty() ? "SY" : std::string(domain);
    ir::Order order = ir::Order::kNone;
    if (option->upper == full)
      order = ir::Order::kSeqCst;
    else if (option->upper == std::string(domain) + "LD")
      order = ir::Order::kAcquire;
    else if (option->upper == std::string(domain) + "ST")
      order = ir::Order::kRelease;
    else
      continue;
    out.fence({order, {tag}});
    return Done{};
  }
  return in.refuse(0, fmt::format("there is no option '{}'", option->name));
}

} // namespace

std::optional<Status> translate_a64_memory(const A64Text& in, ThreadBuilder& out) {
  static constexpr std::array<std::string_view, 7> kLoads = {
      "LDR", "LDUR", "LDAR", "LDAPR", "LDAPUR", "LDXR", "LDAXR"};
  static constexpr std::array<std::string_view, 4> kStores = {"STR", "STUR", "STLR", "STLUR"};
  const std::string& mnemonic = in.mnemonic;
  if (mnemonic == "DMB" || mnemonic == "DSB" || mnemonic == "ISB")
    return emit_barrier(in, out);
  if (const Pair* pair = find_pair(mnemonic))
    return emit_pair(in, *pair, out);
  if (mnemonic == "LDXP" || mnemonic == "LDAXP")
    return emit_load_exclusive_pair(in, out);
  if (mnemonic == "STXP" || mnemonic == "STLXP")
    return emit_store_exclusive_pair(in, out);
  if (mnemonic.starts_with("CASP"))
    if (const std::optional<Ordering> ordering = ordering_of(mnemonic.substr(4)))
      return emit_compare_and_swap_pair(in, *ordering, out);
  const Access access = split_size(mnemonic);
  if (std::find(kLoads.begin(), kLoads.end(), access.name) != kLoads.end())
    return emit_load(in, access, out);
  if (std::find(kStores.begin(), kStores.end(), access.name) != kStores.end())
    return emit_store(in, access, out);
  if (access.name == "STXR" || access.name == "STLXR")
    return emit_store_exclusive(in, access, out);
  if (const std::optional<Atomic> atomic = find_atomic(access.name))
    return emit_atomic(in, access, *atomic, out);
  if (access.name.starts_with("CAS"))
    if (const std::optional<Ordering> ordering = ordering_of(access.name.substr(3)))
      return emit_compare_and_swap(in, access, *ordering, out);
  return std::nullopt;
}

} // namespace heddle::frontend::litmus
