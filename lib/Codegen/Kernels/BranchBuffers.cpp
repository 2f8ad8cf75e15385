//===- BranchBuffers.cpp - buffers that branches give, at one place -------===//
#include "jit/Codegen/Kernels/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

namespace jit::codegen {
#define GEN_PASS_DEF_BRANCHBUFFERS
#include "jit/Codegen/Kernels/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Whether a buffer of these sizes can be made before the branch is, and be taken for the result.
static bool canBeMade(MemRefType type) {
  return type.hasStaticShape() &&
         memref::CastOp::areCastCompatible(MemRefType::get(type.getShape(), type.getElementType()),
                                           type);
}

/// Has one branch give its result number `index` in `buffer`: where it makes a buffer for it, that
/// is the one, else it is copied.
static void giveIn(Value buffer, scf::YieldOp yield, unsigned index, IRRewriter &rewriter) {
  Value given = yield.getOperand(index);
  auto made = given.getDefiningOp<memref::AllocOp>();
  bool isYieldedTwice = llvm::count(yield.getOperands(), given) > 1;
  if (made && made->getBlock() == yield->getBlock() && made.getType() == buffer.getType() &&
      !isYieldedTwice)
    return rewriter.replaceOp(made, buffer);
  rewriter.setInsertionPoint(yield);
  memref::CopyOp::create(rewriter, yield.getLoc(), given, buffer);
}

static Value bufferFor(scf::IfOp branch, unsigned index, IRRewriter &rewriter) {
  auto type = cast<MemRefType>(branch.getResult(index).getType());
  rewriter.setInsertionPoint(branch);
  Value buffer = memref::AllocOp::create(rewriter, branch.getLoc(),
                                         MemRefType::get(type.getShape(), type.getElementType()));
  for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
    giveIn(buffer, yield, index, rewriter);
  rewriter.setInsertionPointAfter(branch);
  return type == buffer.getType()
             ? buffer
             : memref::CastOp::create(rewriter, branch.getLoc(), type, buffer).getResult();
}

/// The branch without the results that have a buffer now.
static void dropResults(scf::IfOp branch, const llvm::BitVector &dropped, IRRewriter &rewriter) {
  SmallVector<Type> kept;
  for (OpResult result : branch.getResults())
    if (!dropped[result.getResultNumber()])
      kept.push_back(result.getType());
  for (scf::YieldOp yield : {branch.thenYield(), branch.elseYield()})
    yield->eraseOperands(dropped);
  rewriter.setInsertionPoint(branch);
  auto smaller = scf::IfOp::create(rewriter, branch.getLoc(), kept, branch.getCondition(),
                                   /*addThenBlock=*/false, /*addElseBlock=*/false);
  smaller->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  smaller.getThenRegion().takeBody(branch.getThenRegion());
  smaller.getElseRegion().takeBody(branch.getElseRegion());
  auto next = smaller.getResults().begin();
  for (OpResult result : branch.getResults())
    if (!dropped[result.getResultNumber()])
      rewriter.replaceAllUsesWith(result, *next++);
  rewriter.eraseOp(branch);
}

static void giveBuffers(scf::IfOp branch, IRRewriter &rewriter) {
  llvm::BitVector dropped(branch.getNumResults());
  for (OpResult result : branch.getResults()) {
    auto type = dyn_cast<MemRefType>(result.getType());
    if (!type || !canBeMade(type))
      continue;
    dropped.set(result.getResultNumber());
    rewriter.replaceAllUsesWith(result, bufferFor(branch, result.getResultNumber(), rewriter));
  }
  if (dropped.any())
    dropResults(branch, dropped, rewriter);
}

/// A choice between buffers is a branch that gives one of them.
static void branchFor(arith::SelectOp choice, IRRewriter &rewriter) {
  rewriter.setInsertionPoint(choice);
  auto branch = scf::IfOp::create(
      rewriter, choice.getLoc(), choice.getCondition(),
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, choice.getTrueValue()); },
      [&](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, choice.getFalseValue()); });
  rewriter.replaceOp(choice, branch);
}

namespace {
struct BranchBuffers : jit::codegen::impl::BranchBuffersBase<BranchBuffers> {
  using BranchBuffersBase::BranchBuffersBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](arith::SelectOp choice) {
      if (isa<MemRefType>(choice.getType()))
        branchFor(choice, rewriter);
    });
    // The outer ones first: what they copy, inner ones may give at once.
    SmallVector<scf::IfOp> branches;
    getOperation().walk<WalkOrder::PreOrder>([&](scf::IfOp branch) { branches.push_back(branch); });
    for (scf::IfOp branch : branches)
      giveBuffers(branch, rewriter);
  }
};
} // namespace
