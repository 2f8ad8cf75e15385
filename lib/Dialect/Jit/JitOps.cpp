//===- JitOps.cpp - verifiers and folds of the jit dialect ----------------===//

#include "jit/Dialect/Jit/Jit.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "jit/Dialect/Jit/JitOps.cpp.inc"

namespace jit {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  if (isa<NoneType>(getType()) && isa<UnitAttr>(getValue()))
    return success();
  if (isa<StrType, DeviceType>(getType()) && isa<StringAttr>(getValue()))
    return success();
  return emitOpError()
         << "expected a string for !jit.str or !jit.device, or unit for !jit.none, got "
         << getValue() << " for " << getType();
}

LogicalResult ListUnpackOp::canonicalize(ListUnpackOp op, PatternRewriter &rewriter) {
  auto list = op.getList().getDefiningOp<ListOp>();
  if (!list)
    return rewriter.notifyMatchFailure(op, "expected a jit.list as operand");
  if (list.getNumOperands() != op.getNumResults())
    return rewriter.notifyMatchFailure(op, "expected as many elements as results");
  rewriter.replaceOp(op, list.getElements());
  return success();
}

LogicalResult TupleUnpackOp::canonicalize(TupleUnpackOp op, PatternRewriter &rewriter) {
  auto tuple = op.getTuple().getDefiningOp<TupleOp>();
  if (!tuple)
    return rewriter.notifyMatchFailure(op, "expected a jit.tuple as operand");
  if (tuple.getNumOperands() != op.getNumResults())
    return rewriter.notifyMatchFailure(op, "expected as many elements as results");
  rewriter.replaceOp(op, tuple.getElements());
  return success();
}

OpFoldResult TupleIndexOp::fold(FoldAdaptor) {
  auto tuple = getTuple().getDefiningOp<TupleOp>();
  if (!tuple || getIndex() >= tuple.getNumOperands())
    return {};
  return tuple.getElements()[getIndex()];
}

OpFoldResult DerefineOp::fold(FoldAdaptor) {
  return getValue().getType() == getType() ? getValue() : Value();
}

OpFoldResult UncheckedCastOp::fold(FoldAdaptor) {
  Value value = getValue();
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  // What is wrapped may be known better than the cast says, never worse.
  return isSubtype(value.getType(), getType()) ? value : Value();
}

LogicalResult ListAppendOp::canonicalize(ListAppendOp op, PatternRewriter &rewriter) {
  auto list = op.getList().getDefiningOp<ListOp>();
  if (!list)
    return rewriter.notifyMatchFailure(op, "expected a jit.list as operand");
  SmallVector<Value> elements(list.getElements());
  elements.push_back(op.getElement());
  rewriter.replaceOpWithNewOp<ListOp>(op, op.getType(), elements);
  return success();
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

LogicalResult GuardOp::canonicalize(GuardOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return rewriter.notifyMatchFailure(op, "expected a condition that is known to hold");
  rewriter.eraseOp(op);
  return success();
}

} // namespace jit
