//===- HostSizes.cpp - numbers that follow from a call's sizes ------------===//
#include "Analysis/HostSizes.h"

#include "Buffers/OpenBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using jit::runtime::SizeOperation;

static std::optional<SizeOperation> comparison(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return SizeOperation::Equal;
  case arith::CmpIPredicate::ne:
    return SizeOperation::NotEqual;
  case arith::CmpIPredicate::slt:
    return SizeOperation::Less;
  case arith::CmpIPredicate::sle:
    return SizeOperation::LessEqual;
  case arith::CmpIPredicate::sgt:
    return SizeOperation::Greater;
  case arith::CmpIPredicate::sge:
    return SizeOperation::GreaterEqual;
  default:
    return std::nullopt;
  }
}

std::optional<SizeOperation> jit::codegen::sizeOperationOf(Operation *op) {
  using Found = std::optional<SizeOperation>;
  return llvm::TypeSwitch<Operation *, Found>(op)
      .Case([](arith::AddIOp) { return SizeOperation::Add; })
      .Case([](arith::SubIOp) { return SizeOperation::Subtract; })
      .Case([](arith::MulIOp) { return SizeOperation::Multiply; })
      .Case([](arith::DivSIOp) { return SizeOperation::Divide; })
      .Case([](arith::FloorDivSIOp) { return SizeOperation::FloorDivide; })
      .Case([](arith::CeilDivSIOp) { return SizeOperation::CeilDivide; })
      .Case([](arith::RemSIOp) { return SizeOperation::Remainder; })
      .Case([](arith::MinSIOp) { return SizeOperation::Minimum; })
      .Case([](arith::MaxSIOp) { return SizeOperation::Maximum; })
      .Case([](arith::AndIOp) { return SizeOperation::And; })
      .Case([](arith::OrIOp) { return SizeOperation::Or; })
      .Case([](arith::XOrIOp) { return SizeOperation::Xor; })
      .Case([](arith::CmpIOp compare) { return comparison(compare.getPredicate()); })
      .Default(Found());
}

bool jit::codegen::isSizeConversion(Operation *op) {
  return isa<arith::IndexCastOp>(op) && !op->getOperand(0).getType().isInteger(1);
}

/// Numbers of all their bits, and conditions.
static bool hasHostType(Value value) {
  Type type = value.getType();
  return type.isIndex() || type.isInteger(64) || type.isInteger(1);
}

/// True for the size of an argument, or of memory that the runtime gives.
static bool isOpenSize(Operation *op) {
  auto dim = dyn_cast<memref::DimOp>(op);
  if (!dim || !dim.getConstantIndex())
    return false;
  auto argument = dyn_cast<BlockArgument>(dim.getSource());
  return argument ? isa<func::FuncOp>(argument.getOwner()->getParentOp())
                  : jit::codegen::isOpenBuffer(dim.getSource().getDefiningOp(),
                                               jit::codegen::openResultAttr) ||
                        jit::codegen::isOpenBuffer(dim.getSource().getDefiningOp(),
                                                   jit::codegen::openScratchAttr);
}

/// True for what a plan has in a word without computing it.
static bool isGiven(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<func::FuncOp, scf::ForOp>(argument.getOwner()->getParentOp());
  return value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

llvm::DenseSet<Value> jit::codegen::findHostSizes(func::FuncOp func) {
  llvm::DenseSet<Value> sizes;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isComputed =
        isSizeConversion(op) || isa<arith::SelectOp>(op) || sizeOperationOf(op).has_value();
    bool isSize =
        isComputed && llvm::all_of(op->getResults(), hasHostType) &&
        llvm::all_of(op->getOperands(),
                     [&](Value value) {
                       return hasHostType(value) && (sizes.contains(value) || isGiven(value));
                     }) &&
        llvm::any_of(op->getOperands(), [&](Value value) { return sizes.contains(value); });
    if (isSize || isOpenSize(op))
      sizes.insert(op->result_begin(), op->result_end());
  });
  return sizes;
}
