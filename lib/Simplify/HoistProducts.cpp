//===- HoistProducts.cpp - what need not be in a loop ---------------------===//

#include "TripSlices.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Simplify/Passes.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITHOISTPRODUCTS
#include "jit/Simplify/Passes.h.inc"

//===----------------------------------------------------------------------===//
// What is the same in each trip
//===----------------------------------------------------------------------===//

/// True for a tensor that is cheaper made anew: writes go into it, or it is a broadcast that its
/// users read as they go.
static bool isCheaperInside(Operation *op) {
  if (showsElementsAgain(op))
    return true;
  bool givesTensor = llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
  bool takesTensor = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType, ListType>);
  if (isa<SlotGetOp>(op) || !givesTensor)
    return false;
  return !takesTensor || splatOf(op->getResult(0));
}

static bool canLeaveLoop(Operation *op) {
  bool isPure = isMemoryEffectFree(op) && isSpeculatable(op);
  return op->getNumRegions() == 0 && (isPure || isa<SlotGetOp>(op)) && !isCheaperInside(op);
}

static void hoistInvariants(scf::ForOp loop) {
  moveLoopInvariantCode(
      &loop.getRegion(), [&](Value value, Region *) { return loop.isDefinedOutsideOfLoop(value); },
      [&](Operation *op, Region *) { return canLeaveLoop(op); },
      [&](Operation *op, Region *) { loop.moveOutOfLoop(op); });
}

//===----------------------------------------------------------------------===//
// Products of slices
//===----------------------------------------------------------------------===//

/// The operand of a product whose rows do not depend on each other, if all others are the same in
/// each trip: `rows @ w`, `linear(rows, w, b)`, `addmm(b, rows, w)`.
static OpOperand *rowsOperand(scf::ForOp loop, Operation &op) {
  auto product = dyn_cast<ProductOpInterface>(op);
  if (!product)
    return nullptr;
  auto [rowsNumber, weightNumber] = product.getRowsAndWeight();
  OpOperand *rows = &op.getOpOperand(rowsNumber);
  TensorType weight = staticType(op.getOperand(weightNumber));
  if (!weight || weight.getRank() != 2)
    return nullptr;
  for (OpOperand &operand : op.getOpOperands()) {
    bool isSame = operand.getOperandNumber() == weightNumber || isSameForRows(operand.get());
    if (&operand != rows && !(isSame && loop.isDefinedOutsideOfLoop(operand.get())))
      return nullptr;
  }
  return rows;
}

namespace {

struct HoistProductsPass : impl::JitHoistProductsBase<HoistProductsPass> {
  using JitHoistProductsBase::JitHoistProductsBase;

  void runOnOperation() override {
    getOperation().walk<WalkOrder::PostOrder>([&](scf::ForOp loop) {
      // Of no trip at all nothing would be needed.
      if (!tripCountOf(loop))
        return;
      hoistInvariants(loop);
      for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
        if (OpOperand *rows = rowsOperand(loop, op))
          hoistProduct(loop, op, *rows);
    });
  }

  void hoistProduct(scf::ForOp loop, Operation &op, OpOperand &rows) {
    auto slice = matchTripSlice(loop, rows.get());
    TensorType result = staticType(op.getResult(0));
    if (!slice || !result)
      return;
    TensorType whole = staticType(slice->base);
    int64_t width = whole.getSizes().back();
    // The dimension that is summed over has to be whole in each trip.
    if (slice->dim == whole.getRank() - 1)
      return;
    if (2 * slice->seen < whole.getSizes()[slice->dim] || width == 0 ||
        elementsOf(staticType(rows.get())) / width > maxRows)
      return;
    SmallVector<int64_t> sizes(whole.getSizes());
    sizes.back() = result.getSizes().back();
    auto type = TensorType::get(op.getContext(), ArrayRef<int64_t>(sizes), result.getDtype());
    if (bytesOf(type) > maxBytes)
      return;
    Value product = productOfAll(loop, op, rows.getOperandNumber(), slice->base, type);
    if (!product)
      return;
    OpBuilder inside(&op);
    IRMapping map;
    map.map(slice->base, product);
    Operation *part = inside.clone(*slice->op, map);
    part->getResult(0).setType(result);
    op.getResult(0).replaceAllUsesWith(part->getResult(0));
    op.erase();
  }

  /// The product with all of `whole` under each other in the place of one trip's rows.
  static Value productOfAll(scf::ForOp loop, Operation &op, unsigned operand, Value whole,
                            TensorType type) {
    OpBuilder before(loop);
    GraphBuilder build{before, op.getLoc()};
    int64_t width = staticType(whole).getSizes().back();
    int64_t rows = elementsOf(staticType(whole)) / width;
    SmallVector<Value> operands(op.getOperands());
    operands[operand] = viewed(Tensor(build, whole), {rows, width}).v;
    Operation *product = createInferred(before, op.getLoc(), op.getName(), operands);
    return product ? viewed(Tensor(build, product->getResult(0)), type.getSizes()).v : Value();
  }
};

} // namespace

} // namespace jit
