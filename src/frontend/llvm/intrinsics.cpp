// Copyright (c) 2026 The Heddle authors.
// SPDX-License-Identifier: Apache-2.0
//
// LLVM's intrinsic functions: block copies, bit counting, checked arithmetic, and those that mean
// nothing here.
#include "frontend/llvm/function_importer.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace heddle::frontend {

namespace {

ir::Fence x86_fence(const char* tag, ir::Order order) {
  return ir::Fence{{ir::AccessKind::kAtomic, order, {tag}}};
}

} // namespace

void FunctionImporter::import_intrinsic(const llvm::IntrinsicInst& call) {
  if (const auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&call)) {
    return import_copy(*copy);
  }
  if (const auto* fill = llvm::dyn_cast<llvm::MemSetInst>(&call)) {
    return import_fill(*fill);
  }
  if (const auto* overflow = llvm::dyn_cast<llvm::WithOverflowInst>(&call)) {
    return import_overflow(*overflow);
  }
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::dbg_declare:
  case llvm::Intrinsic::dbg_value:
  case llvm::Intrinsic::dbg_label:
  case llvm::Intrinsic::dbg_assign:
  case llvm::Intrinsic::lifetime_start:
  case llvm::Intrinsic::lifetime_end:
  case llvm::Intrinsic::stackrestore: // blocks of a frame live until it returns
  case llvm::Intrinsic::assume:
  case llvm::Intrinsic::prefetch:
  case llvm::Intrinsic::donothing:
  case llvm::Intrinsic::sideeffect:
  case llvm::Intrinsic::var_annotation:
  case llvm::Intrinsic::vaend:
  case llvm::Intrinsic::x86_sse2_pause:
    return;
  case llvm::Intrinsic::stacksave:
    return pass_on(call, {ir::Constant{ir::Type::pointer(), 0}});
  case llvm::Intrinsic::expect:
  case llvm::Intrinsic::expect_with_probability:
  case llvm::Intrinsic::threadlocal_address:
  case llvm::Intrinsic::annotation:
  case llvm::Intrinsic::ptr_annotation:
    return pass_on(call, operands_of(call.getArgOperand(0)));
  case llvm::Intrinsic::is_constant:
    return pass_on(call, {ir::Constant{ir::Type::integer(1), 0}});
  case llvm::Intrinsic::objectsize: {
    const bool smallest = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
    const ir::Type type = *module_.scalar(call.getType());
    const std::uint64_t all = type.bits == 64 ? ~std::uint64_t{0} : 0xffffffffU;
    return pass_on(call, {ir::Constant{type, smallest ? 0 : all}});
  }
  case llvm::Intrinsic::readcyclecounter:
    return emit(ir::Nondet{register_of(call), "cycle counter"});
  case llvm::Intrinsic::x86_sse2_mfence:
    return emit(x86_fence("Mfence", ir::Order::kSeqCst));
  case llvm::Intrinsic::x86_sse_sfence:
    return emit(x86_fence("Sfence", ir::Order::kRelease));
  case llvm::Intrinsic::x86_sse2_lfence:
    return emit(x86_fence("Lfence", ir::Order::kAcquire));
  case llvm::Intrinsic::experimental_guard: // index_checks.h
    return emit(ir::Assert{operand(call.getArgOperand(0)), {}, true});
  case llvm::Intrinsic::trap:
  case llvm::Intrinsic::debugtrap:
  case llvm::Intrinsic::ubsantrap:
    emit(ir::Exit{});
    block_ = new_block("after.trap");
    return;
  case llvm::Intrinsic::vastart:
    return import_variadic_start(call);
  case llvm::Intrinsic::vacopy:
    return import_variadic_copy(call);
  case llvm::Intrinsic::returnaddress: {
    // Where code lies says nothing about the program: programs only log it.
    const ir::RegisterId any = new_register(module_.word());
    emit(ir::Nondet{any, "return address"});
    pass_on(call, {convert(any, ir::Type::pointer())});
    return;
  }
  case llvm::Intrinsic::frameaddress:
    return unsupported(call, "the address of the running frame");
  default:
    if (!import_bit_intrinsic(call) && !import_rounding(call)) {
      unsupported(call, "the intrinsic function " + call.getCalledFunction()->getName().str());
    }
  }
}

bool FunctionImporter::import_bit_intrinsic(const llvm::IntrinsicInst& call) {
  const auto type = module_.scalar(call.getType());
  if (!type || call.arg_size() == 0) {
    return false;
  }
  const unsigned bits = module_.module().bits(*type);
  const ir::Type wide = ir::Type::integer(64);
  const auto runtime = [&](const char* name, const ir::Operand& value) -> ir::Operand {
    const ir::FunctionId callee = module_.runtime_function(name, wide, {wide});
    const ir::RegisterId dest = new_register(wide);
    emit(ir::Call{dest, ir::FunctionAddress{callee}, {value}});
    return dest;
  };
  const auto smaller = [&](ir::Op less, bool maximum) {
    const ir::Operand a = operand(call.getArgOperand(0));
    const ir::Operand b = operand(call.getArgOperand(1));
    const ir::Operand is_less = compute(ir::Type::integer(1), less, {a, b});
    compute_into(register_of(call), ir::Op::kSelect, {is_less, maximum ? b : a, maximum ? a : b});
  };
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::ctpop:
    pass_on(
        call,
        {convert(runtime("__heddle_ctpop", convert(operand(call.getArgOperand(0)), wide)), *type)});
    return true;
  case llvm::Intrinsic::ctlz: {
    const ir::Operand zeros =
        runtime("__heddle_ctlz", convert(operand(call.getArgOperand(0)), wide));
    pass_on(call,
            {convert(compute(wide, ir::Op::kSub, {zeros, ir::Constant{wide, 64 - bits}}), *type)});
    return true;
  }
  case llvm::Intrinsic::cttz: {
    ir::Operand value = convert(operand(call.getArgOperand(0)), wide);
    if (bits < 64) {
      value = compute(wide, ir::Op::kOr, {value, ir::Constant{wide, std::uint64_t{1} << bits}});
    }
    pass_on(call, {convert(runtime("__heddle_cttz", value), *type)});
    return true;
  }
  case llvm::Intrinsic::bswap: {
    const ir::Operand value = operand(call.getArgOperand(0));
    std::optional<ir::Operand> swapped;
    for (unsigned byte = 0; byte < bits / 8; ++byte) {
      ir::Operand piece = compute(*type, ir::Op::kLShr, {value, ir::Constant{*type, 8 * byte}});
      piece = compute(*type, ir::Op::kAnd, {piece, ir::Constant{*type, 255}});
      piece = compute(*type, ir::Op::kShl, {piece, ir::Constant{*type, bits - 8 - 8 * byte}});
      swapped = swapped ? compute(*type, ir::Op::kOr, {*swapped, piece}) : piece;
    }
    pass_on(call, {*swapped});
    return true;
  }
  case llvm::Intrinsic::abs: {
    const ir::Operand value = operand(call.getArgOperand(0));
    const ir::Constant zero{*type, 0};
    const ir::Operand is_negative = compute(ir::Type::integer(1), ir::Op::kSLt, {value, zero});
    const ir::RegisterId negated = new_register(*type);
    const bool overflows = llvm::cast<llvm::ConstantInt>(call.getArgOperand(1))->isOne();
    emit(ir::Compute{negated, ir::Op::kSub, {zero, value}, overflows});
    compute_into(register_of(call), ir::Op::kSelect, {is_negative, negated, value});
    return true;
  }
  case llvm::Intrinsic::smin:
    smaller(ir::Op::kSLt, false);
    return true;
  case llvm::Intrinsic::smax:
    smaller(ir::Op::kSLt, true);
    return true;
  case llvm::Intrinsic::umin:
    smaller(ir::Op::kULt, false);
    return true;
  case llvm::Intrinsic::umax:
    smaller(ir::Op::kULt, true);
    return true;
  case llvm::Intrinsic::fshl:
    import_funnel_shift(call, true);
    return true;
  case llvm::Intrinsic::fshr:
    import_funnel_shift(call, false);
    return true;
  case llvm::Intrinsic::fabs:
    compute_into(register_of(call),
                 ir::Op::kAnd,
                 {operand(call.getArgOperand(0)),
                  ir::Constant{*type, (std::uint64_t{1} << (bits - 1)) - 1}});
    return true;
  default:
    return false;
  }
}

void FunctionImporter::import_funnel_shift(const llvm::IntrinsicInst& call, bool left) {
  const ir::Type type = *module_.scalar(call.getType());
  const ir::Constant width{type, type.bits};
  const ir::Operand high = operand(call.getArgOperand(0));
  const ir::Operand low = operand(call.getArgOperand(1));
  const ir::Operand amount = compute(type, ir::Op::kURem, {operand(call.getArgOperand(2)), width});
  const ir::Operand is_zero =
      compute(ir::Type::integer(1), ir::Op::kEq, {amount, ir::Constant{type, 0}});
  // A shift by the whole width is not defined, so the other amount is 0 where this one is.
  const ir::Operand rest =
      compute(type,
              ir::Op::kSelect,
              {is_zero, ir::Constant{type, 0}, compute(type, ir::Op::kSub, {width, amount})});
  const ir::Operand up = compute(type, ir::Op::kShl, {high, left ? amount : rest});
  const ir::Operand down = compute(type, ir::Op::kLShr, {low, left ? rest : amount});
  const ir::Operand both = compute(type, ir::Op::kOr, {up, down});
  compute_into(register_of(call), ir::Op::kSelect, {is_zero, left ? high : low, both});
}

void FunctionImporter::import_overflow(const llvm::WithOverflowInst& call) {
  const auto type = module_.scalar(call.getLHS()->getType());
  if (!type) {
    return unsupported(call, "checked arithmetic on integers wider than 64 bits");
  }
  const ir::Type bit = ir::Type::integer(1);
  const ir::Operand a = operand(call.getLHS());
  const ir::Operand b = operand(call.getRHS());
  const ir::Constant zero{*type, 0};
  const auto test = [&](ir::Op op, const ir::Operand& x, const ir::Operand& y) {
    return compute(bit, op, {x, y});
  };
  const auto make = [&](ir::Op op, const ir::Operand& x, const ir::Operand& y) {
    return compute(*type, op, {x, y});
  };
  const auto choose = [&](const ir::Operand& c, const ir::Operand& x, const ir::Operand& y) {
    return compute(type_of(x), ir::Op::kSelect, {c, x, y});
  };
  ir::Operand result;
  ir::Operand overflow;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::uadd_with_overflow:
    result = make(ir::Op::kAdd, a, b);
    overflow = test(ir::Op::kULt, result, a);
    break;
  case llvm::Intrinsic::usub_with_overflow:
    result = make(ir::Op::kSub, a, b);
    overflow = test(ir::Op::kULt, a, b);
    break;
  case llvm::Intrinsic::sadd_with_overflow:
    // Both operands have the sign the result has not.
    result = make(ir::Op::kAdd, a, b);
    overflow =
        test(ir::Op::kSLt,
             make(ir::Op::kAnd, make(ir::Op::kXor, a, result), make(ir::Op::kXor, b, result)),
             zero);
    break;
  case llvm::Intrinsic::ssub_with_overflow:
    result = make(ir::Op::kSub, a, b);
    overflow = test(ir::Op::kSLt,
                    make(ir::Op::kAnd, make(ir::Op::kXor, a, b), make(ir::Op::kXor, a, result)),
                    zero);
    break;
  default: {
    const bool is_signed = call.getIntrinsicID() == llvm::Intrinsic::smul_with_overflow;
    result = make(ir::Op::kMul, a, b);
    if (type->bits <= 32) {
      const ir::Type twice = ir::Type::integer(2U * type->bits);
      const ir::Op extend = is_signed ? ir::Op::kSExt : ir::Op::kZExt;
      const ir::Operand full =
          compute(twice, ir::Op::kMul, {compute(twice, extend, {a}), compute(twice, extend, {b})});
      overflow = test(ir::Op::kNe, full, compute(twice, extend, {result}));
      break;
    }
    // r / a is b exactly if nothing overflowed; the divisors that must not be used are replaced
    // by 1.
    const std::uint64_t all =
        type->bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << type->bits) - 1;
    const ir::Constant one{*type, 1};
    const ir::Constant minus_one{*type, all};
    const ir::Constant smallest{*type, std::uint64_t{1} << (type->bits - 1U)};
    const ir::Constant no{bit, 0};
    const ir::Operand is_zero = test(ir::Op::kEq, a, zero);
    ir::Operand divisor = choose(is_zero, one, a);
    if (!is_signed) {
      overflow = choose(is_zero, no, test(ir::Op::kNe, make(ir::Op::kUDiv, result, divisor), b));
      break;
    }
    const ir::Operand is_minus_one = test(ir::Op::kEq, a, minus_one);
    divisor = choose(is_minus_one, one, divisor);
    overflow = choose(is_zero, no, test(ir::Op::kNe, make(ir::Op::kSDiv, result, divisor), b));
    overflow = choose(is_minus_one, test(ir::Op::kEq, b, smallest), overflow);
    break;
  }
  }
  pass_on(call, {result, overflow});
}

} // namespace heddle::frontend
