//===- LowerStructured.cpp - linalg on buffers to loops -------------------===//
#include "Analysis/LoopOrder.h"
#include "Loops/ElementEmitter.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"

namespace jit::codegen {
#define GEN_PASS_DEF_LOWERSTRUCTURED
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;
using jit::codegen::LoopOrder;

namespace {
/// Writes the loops of one op.
class LoopEmitter {
public:
  LoopEmitter(linalg::LinalgOp op, OpBuilder &b)
      : op(op), b(b), loc(op.getLoc()), sizes(op.getStaticLoopRanges()),
        order(jit::codegen::chooseLoopOrder(op)), element(op, b), ends(sizes.size()),
        ivs(sizes.size()) {}

  void emit();

private:
  void emitOuter();
  void emitReductions();
  /// The loops of `dims` from number `depth` on, then the body.
  void emitSerial(ArrayRef<unsigned> dims);
  SmallVector<Value> emitReductionLoop(ArrayRef<unsigned> dims, ValueRange accumulators);
  /// Where the loop of each dimension ends, ahead of all loops.
  void emitEnds();
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }

  linalg::LinalgOp op;
  OpBuilder &b;
  Location loc;
  SmallVector<int64_t> sizes;
  LoopOrder order;
  jit::codegen::ElementEmitter element;
  SmallVector<Value> ends, ivs;
};
} // namespace

void LoopEmitter::emitEnds() {
  if (llvm::none_of(sizes, ShapedType::isDynamic)) {
    for (auto [end, size] : llvm::zip(ends, sizes))
      end = index(size);
    return;
  }
  for (auto [end, range] : llvm::zip(ends, op.createLoopRanges(b, loc)))
    end = getValueOrCreateConstantIndexOp(b, loc, range.size);
}

SmallVector<Value> LoopEmitter::emitReductionLoop(ArrayRef<unsigned> dims,
                                                  ValueRange accumulators) {
  if (dims.empty())
    return element.emitBody(ivs, accumulators);
  auto loop = scf::ForOp::create(b, loc, index(0), ends[dims[0]], index(1), accumulators);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  ivs[dims[0]] = loop.getInductionVar();
  SmallVector<Value> inner = emitReductionLoop(dims.drop_front(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, loc, inner);
  return SmallVector<Value>(loop.getResults());
}

void LoopEmitter::emitSerial(ArrayRef<unsigned> dims) {
  OpBuilder::InsertionGuard guard(b);
  for (unsigned dim : dims) {
    auto loop = scf::ForOp::create(b, loc, index(0), ends[dim], index(1));
    b.setInsertionPointToStart(loop.getBody());
    ivs[dim] = loop.getInductionVar();
  }
  element.store(element.emitBody(ivs, {}), ivs);
}

/// Lets sums and products be reassociated: without it no reduction of floats vectorises. Which of
/// two zeros is the larger is left open, as in PyTorch's vectors: it would cost half of a maximum.
static void allowReassociation(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  auto outputs = op.getRegionOutputArgs();
  for (unsigned i = 0; i < outputs.size(); ++i) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(outputs, i, combiners))
      continue;
    auto flags = arith::FastMathFlagsAttr::get(
        op->getContext(), arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
    auto zeros = arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::nsz);
    for (Operation *combiner : combiners) {
      if (isa<arith::AddFOp, arith::MulFOp>(combiner))
        combiner->setAttr("fastmath", flags);
      else if (isa<arith::MaximumFOp, arith::MinimumFOp>(combiner))
        combiner->setAttr("fastmath", zeros);
    }
  }
}

void LoopEmitter::emitReductions() {
  SmallVector<unsigned> reductions(order.middle);
  reductions.push_back(*order.innermost);
  element.store(emitReductionLoop(reductions, element.loadOutputs(ivs)), ivs);
}

void LoopEmitter::emitOuter() {
  SmallVector<Value> lower, upper, step;
  int64_t work = std::max<int64_t>(1, op.getBlock()->getOperations().size());
  for (int64_t size : sizes)
    work *= jit::codegen::guessedSize(size);
  for (unsigned dim : order.outer) {
    lower.push_back(index(0));
    upper.push_back(ends[dim]);
    step.push_back(index(1));
  }
  auto loop = scf::ParallelOp::create(b, loc, lower, upper, step);
  loop->setAttr("jit.flops", b.getI64IntegerAttr(work));
  b.setInsertionPointToStart(loop.getBody());
  for (auto [dim, iv] : llvm::zip(order.outer, loop.getInductionVars()))
    ivs[dim] = iv;
}

void LoopEmitter::emit() {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(op);
  emitEnds();
  for (auto [iv, size] : llvm::zip(ivs, sizes))
    if (size == 1)
      iv = index(0);
  allowReassociation(op);
  if (!order.outer.empty())
    emitOuter();
  if (order.accumulates)
    return emitReductions();
  SmallVector<unsigned> serial(order.middle);
  if (order.innermost)
    serial.push_back(*order.innermost);
  emitSerial(serial);
}

static LogicalResult lowerOp(linalg::LinalgOp op, IRRewriter &rewriter) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("expected operands in memory");
  if (!llvm::is_contained(sizes, 0)) {
    op = jit::codegen::collapseContiguous(op, rewriter);
    LoopEmitter(op, rewriter).emit();
  }
  rewriter.eraseOp(op);
  return success();
}

/// Whether `buffer` is one piece of memory, and will still have a type that says so when sizes have
/// become known and casts are gone: a row of open size that becomes known is spelt as a stride.
static bool staysWhole(Value buffer) {
  while (auto cast = buffer.getDefiningOp<memref::CastOp>())
    buffer = cast.getSource();
  auto type = dyn_cast<MemRefType>(buffer.getType());
  return type && type.getLayout().isIdentity() &&
         (type.getRank() == 0 || !ShapedType::isDynamicShape(type.getShape().drop_front()));
}

/// LLVM copies whole buffers well; a copy between strided views needs loops.
static void lowerCopy(memref::CopyOp copy, IRRewriter &rewriter) {
  auto source = cast<MemRefType>(copy.getSource().getType());
  auto target = cast<MemRefType>(copy.getTarget().getType());
  if (llvm::is_contained(source.getShape(), 0) || llvm::is_contained(target.getShape(), 0))
    return rewriter.eraseOp(copy);
  if (staysWhole(copy.getSource()) && staysWhole(copy.getTarget()))
    return;
  rewriter.setInsertionPoint(copy);
  linalg::CopyOp::create(rewriter, copy.getLoc(), copy.getSource(), copy.getTarget());
  rewriter.eraseOp(copy);
}

namespace {
struct LowerStructured : jit::codegen::impl::LowerStructuredBase<LowerStructured> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp copy) { copies.push_back(copy); });
    for (memref::CopyOp copy : copies)
      lowerCopy(copy, rewriter);
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (failed(lowerOp(op, rewriter)))
        return signalPassFailure();
  }
};
} // namespace
