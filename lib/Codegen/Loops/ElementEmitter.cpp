//===- ElementEmitter.cpp - one element of a linalg op --------------------===//
#include "Loops/ElementEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

SmallVector<Value> jit::codegen::ElementEmitter::indices(OpOperand &operand, ValueRange point) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  SmallVector<Value> result;
  for (AffineExpr expr : map.getResults()) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
      result.push_back(point[dim.getPosition()]);
    } else if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
      result.push_back(arith::ConstantIndexOp::create(b, loc, constant.getValue()));
    } else {
      AffineMap single = AffineMap::get(map.getNumDims(), 0, expr);
      SmallVector<OpFoldResult> operands(point.begin(), point.end());
      result.push_back(getValueOrCreateConstantIndexOp(
          b, loc, affine::makeComposedFoldedAffineApply(b, loc, single, operands)));
    }
  }
  return result;
}

Value jit::codegen::ElementEmitter::load(OpOperand &operand, ValueRange point) {
  return memref::LoadOp::create(b, loc, operand.get(), indices(operand, point));
}

SmallVector<Value> jit::codegen::ElementEmitter::loadOutputs(ValueRange point) {
  SmallVector<Value> values;
  for (OpOperand &init : op.getDpsInitsMutable())
    values.push_back(load(init, point));
  return values;
}

void jit::codegen::ElementEmitter::store(ValueRange values, ValueRange point) {
  for (auto [value, init] : llvm::zip(values, op.getDpsInitsMutable()))
    memref::StoreOp::create(b, loc, value, init.get(), indices(init, point));
}

SmallVector<Value>
jit::codegen::ElementEmitter::emitBody(ValueRange point, ValueRange accumulators,
                                       llvm::function_ref<Value(OpOperand &)> read) {
  Block *body = op.getBlock();
  IRMapping map;
  unsigned firstOutput = op.getNumDpsInputs();
  for (OpOperand &operand : op->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    BlockArgument arg = body->getArgument(number);
    if (number >= firstOutput && !accumulators.empty())
      map.map(arg, accumulators[number - firstOutput]);
    else if (!isa<MemRefType>(operand.get().getType()))
      map.map(arg, operand.get());
    else if (!arg.use_empty())
      map.map(arg, read(operand));
  }
  for (Operation &nested : body->without_terminator()) {
    if (auto position = dyn_cast<linalg::IndexOp>(nested))
      map.map(position.getResult(), point[position.getDim()]);
    else
      b.clone(nested, map);
  }
  SmallVector<Value> yielded;
  for (Value value : body->getTerminator()->getOperands())
    yielded.push_back(map.lookupOrDefault(value));
  return yielded;
}
