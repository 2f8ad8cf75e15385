//===- ExactCode.cpp - code whose values no optimiser decides -------------===//
#include "LLVM/ExactCode.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

bool jit::codegen::leavesChoices(mlir::LLVM::LLVMFuncOp function) {
  using mlir::LLVM::FastmathFlags;
  return function
      .walk([](mlir::LLVM::FastmathFlagsInterface op) {
        FastmathFlags flags = op.getFastmathAttr().getValue() & ~FastmathFlags::contract;
        return flags == FastmathFlags::none ? mlir::WalkResult::advance()
                                            : mlir::WalkResult::interrupt();
      })
      .wasInterrupted();
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// Intrinsics of floats that have one right result. Of the others, and of the C library's
/// functions, LLVM may compute some call while it compiles, or replace it by another's.
static bool isExactIntrinsic(Intrinsic::ID id) {
  switch (id) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
  case Intrinsic::sqrt:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::maximum:
  case Intrinsic::minimum:
  case Intrinsic::is_fpclass:
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::vector_insert:
  case Intrinsic::vector_extract:
    return true;
  default:
    return false;
  }
}

static bool isFloat(const Type *type) { return type->isFPOrFPVectorTy(); }

static bool isExactCall(const CallBase &call) {
  bool computes = isFloat(call.getType()) || any_of(call.args(), [](const Use &argument) {
                    return isFloat(argument->getType());
                  });
  return !computes || isExactIntrinsic(call.getIntrinsicID());
}

static bool isExact(const Instruction &instruction) {
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    if (!isExactCall(*call))
      return false;
  if (!isa<FPMathOperator>(instruction))
    return true;
  FastMathFlags flags = instruction.getFastMathFlags();
  flags.setAllowContract(false);
  return flags.none();
}

//===----------------------------------------------------------------------===//
// Contraction
//===----------------------------------------------------------------------===//

static Instruction *productIn(Value *operand) {
  auto *product = dyn_cast<Instruction>(operand);
  return product && product->getOpcode() == Instruction::FMul && product->hasOneUse() &&
                 product->hasAllowContract()
             ? product
             : nullptr;
}

/// Contracts one product of a sum or difference into it, where it has one. On a CPU without such an
/// instruction the intrinsic is a product and a sum.
static void contract(Instruction &sum) {
  if (!sum.hasAllowContract())
    return;
  Value *first = sum.getOperand(0), *second = sum.getOperand(1);
  bool isSecond = !productIn(first);
  Instruction *product = productIn(isSecond ? second : first);
  if (!product)
    return;
  IRBuilder<> builder(&sum);
  Value *factor = product->getOperand(0), *addend = isSecond ? first : second;
  if (sum.getOpcode() == Instruction::FSub)
    (isSecond ? factor : addend) = builder.CreateFNeg(isSecond ? factor : addend);
  sum.replaceAllUsesWith(builder.CreateIntrinsic(Intrinsic::fmuladd, {sum.getType()},
                                                 {factor, product->getOperand(1), addend}));
  sum.eraseFromParent();
  product->eraseFromParent();
}

static void contractIn(Function &function) {
  SmallVector<Instruction *> sums;
  for (Instruction &instruction : instructions(function))
    if (is_contained({Instruction::FAdd, Instruction::FSub}, instruction.getOpcode()))
      sums.push_back(&instruction);
  for (Instruction *sum : sums)
    contract(*sum);
  for (Instruction &instruction : instructions(function))
    if (isa<FPMathOperator>(instruction))
      instruction.copyFastMathFlags(FastMathFlags());
}

bool jit::codegen::makeExact(Module &module) {
  for (const Function &function : module)
    if (!all_of(instructions(function), isExact))
      return false;
  for (Function &function : module)
    contractIn(function);
  return true;
}
