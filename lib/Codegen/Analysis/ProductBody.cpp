//===- ProductBody.cpp - what a product does with two elements ------------===//

#include "Analysis/ProductBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace jit::codegen {

/// The two bf16 of a word, the lower half first.
static VectorType pairType(MLIRContext *context) {
  return VectorType::get({2}, BFloat16Type::get(context));
}

/// The argument that `factor` is, or is the widened value of.
static BlockArgument widenedArgument(Value factor) {
  if (auto widen = factor.getDefiningOp<arith::ExtFOp>())
    factor = widen.getIn();
  return dyn_cast<BlockArgument>(factor);
}

/// The argument whose two halves `factor` is.
static BlockArgument pairArgument(Value factor) {
  auto widen = factor.getDefiningOp<arith::ExtFOp>();
  auto pair = widen ? widen.getIn().getDefiningOp<vector::BitCastOp>() : vector::BitCastOp();
  auto word = pair ? pair.getSource().getDefiningOp<vector::BroadcastOp>() : vector::BroadcastOp();
  return word && pair.getType() == pairType(factor.getContext())
             ? dyn_cast<BlockArgument>(word.getSource())
             : BlockArgument();
}

static bool areTheInputs(Block &body, BlockArgument a, BlockArgument b) {
  return a && b && a.getOwner() == &body && b.getOwner() == &body &&
         a.getArgNumber() + b.getArgNumber() == 1;
}

/// The product that is added to the block's last argument, and nothing beside it.
static arith::MulFOp addedProduct(Block &body, Value total) {
  Value sum = body.getArguments().back();
  if (auto both = total.getDefiningOp<vector::ReductionOp>())
    return both.getKind() == vector::CombiningKind::ADD && both.getAcc() == sum
               ? both.getVector().getDefiningOp<arith::MulFOp>()
               : arith::MulFOp();
  auto add = total.getDefiningOp<arith::AddFOp>();
  Value term = !add ? Value() : add.getLhs() == sum ? add.getRhs() : add.getLhs();
  return add && (add.getLhs() == sum || add.getRhs() == sum) && term != sum
             ? term.getDefiningOp<arith::MulFOp>()
             : arith::MulFOp();
}

bool multipliesAndAdds(Block &body) {
  if (body.getNumArguments() != 3 || body.getTerminator()->getNumOperands() != 1)
    return false;
  Type element = body.getArgument(2).getType();
  arith::MulFOp product = addedProduct(body, body.getTerminator()->getOperand(0));
  if (!product || !(element.isF32() || element.isF64()))
    return false;
  bool ofPairs = isa<VectorType>(product.getType());
  auto argumentOf = ofPairs ? pairArgument : widenedArgument;
  return areTheInputs(body, argumentOf(product.getLhs()), argumentOf(product.getRhs()));
}

void buildProductBody(OpBuilder &builder, Location loc, ValueRange args) {
  bool ofPairs = args[0].getType().isInteger();
  Type wide = args[2].getType();
  if (ofPairs)
    wide = VectorType::get({2}, wide);
  auto factor = [&](Value value) -> Value {
    if (ofPairs) {
      Value word =
          vector::BroadcastOp::create(builder, loc, VectorType::get({1}, value.getType()), value);
      value = vector::BitCastOp::create(builder, loc, pairType(builder.getContext()), word);
    }
    return value.getType() == wide ? value
                                   : arith::ExtFOp::create(builder, loc, wide, value).getResult();
  };
  Value lhs = factor(args[0]), rhs = factor(args[1]);
  Value term = arith::MulFOp::create(builder, loc, lhs, rhs);
  Value sum =
      ofPairs ? vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD, term, args[2])
                    .getResult()
              : arith::AddFOp::create(builder, loc, args[2], term).getResult();
  linalg::YieldOp::create(builder, loc, sum);
}

} // namespace jit::codegen
