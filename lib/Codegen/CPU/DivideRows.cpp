//===- DivideRows.cpp - one reciprocal for all quotients of a row ---------===//
//
// A machine divides ten times slower than it multiplies. With r = 1/s rounded, q = a*r is off by a
// unit in the last place at most, e = a - q*s is exact in a fused multiply-add, and q + e*r is the
// rounded quotient (Markstein, IBM J. Res. Dev. 34, 1990).
//
//===----------------------------------------------------------------------===//
#include "jit/Codegen/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit {
#define GEN_PASS_DEF_DIVIDEROWS
#include "jit/Codegen/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// Quotients from which on a second copy of the loop pays.
static constexpr int64_t leastQuotients = 64;

/// Whether every iteration reads one and the same element of the operand.
static bool isOneElement(linalg::GenericOp op, OpOperand &operand) {
  return llvm::all_of(op.getMatchingIndexingMap(&operand).getResults(),
                      llvm::IsaPred<AffineConstantExpr>);
}

/// The divisions of `op` by an input that is one number.
static SmallVector<arith::DivFOp> divisionsByOne(linalg::GenericOp op) {
  SmallVector<arith::DivFOp> found;
  for (auto division : op.getBody()->getOps<arith::DivFOp>()) {
    auto divisor = dyn_cast<BlockArgument>(division.getRhs());
    bool isWide = division.getType().isF32() || division.getType().isF64();
    if (isWide && divisor && divisor.getOwner() == op.getBody() &&
        int64_t(divisor.getArgNumber()) < op.getNumDpsInputs() &&
        isOneElement(op, op->getOpOperand(divisor.getArgNumber())))
      found.push_back(division);
  }
  return found;
}

static bool isWorthIt(linalg::GenericOp op) {
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  int64_t count = 1;
  for (int64_t range : ranges) {
    if (ShapedType::isDynamic(range))
      return false;
    count *= range;
  }
  return count >= leastQuotients && op.hasPureBufferSemantics() &&
         op.getNumParallelLoops() == ranges.size();
}

/// The element that `operand` of `op` is.
static Value loadOne(OpBuilder &b, linalg::GenericOp op, OpOperand &operand) {
  Value value = operand.get();
  if (!isa<MemRefType>(value.getType()))
    return value;
  SmallVector<Value> indices;
  for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults())
    indices.push_back(
        arith::ConstantIndexOp::create(b, op.getLoc(), cast<AffineConstantExpr>(expr).getValue()));
  return memref::LoadOp::create(b, op.getLoc(), value, indices);
}

/// Whether the reciprocal of `divisor` is no infinity: zero and what is denormal are left to the
/// division itself.
static Value isInvertible(OpBuilder &b, Location loc, Value divisor) {
  auto type = cast<FloatType>(divisor.getType());
  Value least = arith::ConstantOp::create(
      b, loc, b.getFloatAttr(type, APFloat::getSmallestNormalized(type.getFloatSemantics())));
  Value size = math::AbsFOp::create(b, loc, divisor);
  return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGE, size, least);
}

/// The rounded quotient, where `reciprocal` is the rounded 1 / divisor.
static Value quotient(OpBuilder &b, Location loc, Value dividend, Value divisor, Value reciprocal) {
  Type type = dividend.getType();
  Value first = arith::MulFOp::create(b, loc, dividend, reciprocal);
  Value negated = arith::NegFOp::create(b, loc, first);
  Value error = math::FmaOp::create(b, loc, negated, divisor, dividend);
  Value better = math::FmaOp::create(b, loc, error, reciprocal, first);
  // No error: `first` has the sign of a zero. No number: infinities are what `first` says.
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  Value corrects = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ONE, error, zero);
  return arith::SelectOp::create(b, loc, corrects, better, first);
}

/// `op` with its divisions as products, and as it was where the divisor is too small for that.
static void multiply(linalg::GenericOp op, BlockArgument divisor) {
  Location loc = op.getLoc();
  OpBuilder b(op);
  Value number = loadOne(b, op, op->getOpOperand(divisor.getArgNumber()));
  Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(number.getType(), 1.0));
  Value reciprocal = arith::DivFOp::create(b, loc, one, number);
  auto branch = scf::IfOp::create(b, loc, isInvertible(b, loc, number), /*withElseRegion=*/true);
  b.setInsertionPoint(branch.elseBlock()->getTerminator());
  b.clone(*op);
  op->moveBefore(branch.thenBlock()->getTerminator());
  for (arith::DivFOp division : divisionsByOne(op)) {
    if (division.getRhs() != divisor)
      continue;
    b.setInsertionPoint(division);
    division.replaceAllUsesWith(quotient(b, loc, division.getLhs(), divisor, reciprocal));
    division.erase();
  }
}

namespace {
struct DivideRows : jit::impl::DivideRowsBase<DivideRows> {
  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops) {
      if (!isWorthIt(op))
        continue;
      SmallVector<arith::DivFOp> divisions = divisionsByOne(op);
      // One divisor: with several the copies would multiply.
      if (!divisions.empty() && llvm::all_of(divisions, [&](arith::DivFOp division) {
            return division.getRhs() == divisions.front().getRhs();
          }))
        multiply(op, cast<BlockArgument>(divisions.front().getRhs()));
    }
  }
};
} // namespace
