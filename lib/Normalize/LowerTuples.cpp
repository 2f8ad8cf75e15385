//===- LowerTuples.cpp - tuples and complex numbers become their elements -===//

#include "jit/Normalize/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_LOWERTUPLESPASS
#include "jit/Normalize/Passes.h.inc"

/// A value of `type` made from its flattened elements, of which it takes as many as it needs.
static Value pack(OpBuilder &builder, Location loc, Type type, ValueRange &flat) {
  auto take = [&] {
    Value next = flat.front();
    flat = flat.drop_front();
    return next;
  };
  if (isa<ComplexType>(type)) {
    Value re = take(), im = take();
    return ComplexOp::create(builder, loc, re, im);
  }
  auto tuple = dyn_cast<TupleType>(type);
  if (!tuple)
    return take();
  SmallVector<Value> elements;
  for (Type element : tuple.getTypes())
    elements.push_back(pack(builder, loc, element, flat));
  return TupleOp::create(builder, loc, type, elements);
}

static void unpack(OpBuilder &builder, Location loc, Value value, SmallVectorImpl<Value> &flat) {
  if (isa<ComplexType>(value.getType())) {
    llvm::append_range(flat, ComplexPartsOp::create(builder, loc, value).getResults());
    return;
  }
  auto type = dyn_cast<TupleType>(value.getType());
  if (!type) {
    flat.push_back(value);
    return;
  }
  if (auto tuple = value.getDefiningOp<TupleOp>()) {
    // The elements may be of narrower types than the tuple says.
    for (auto [element, wanted] : llvm::zip(tuple.getElements(), type.getTypes())) {
      Value wide = element.getType() == wanted
                       ? element
                       : DerefineOp::create(builder, loc, wanted, element).getResult();
      unpack(builder, loc, wide, flat);
    }
    return;
  }
  auto op = TupleUnpackOp::create(builder, loc, type.getTypes(), value);
  for (Value element : op.getElements())
    unpack(builder, loc, element, flat);
}

namespace {

struct TupleFlattening : TypeConverter {
  TupleFlattening() {
    addConversion([](Type type) { return type; });
    addConversion([this](TupleType type, SmallVectorImpl<Type> &flat) {
      return convertTypes(type.getTypes(), flat);
    });
    addConversion([](ComplexType type, SmallVectorImpl<Type> &flat) {
      flat.append(2, type.getElementType());
      return success();
    });
    addSourceMaterialization([](OpBuilder &builder, Type type, ValueRange inputs, Location loc) {
      return pack(builder, loc, type, inputs);
    });
    addTargetMaterialization([](OpBuilder &builder, TypeRange, ValueRange inputs, Location loc) {
      SmallVector<Value> flat;
      for (Value input : inputs)
        unpack(builder, loc, input, flat);
      return flat;
    });
  }
};

struct LowerTuplesPass : impl::LowerTuplesPassBase<LowerTuplesPass> {
  void runOnOperation() override {
    TupleFlattening converter;
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns, target);
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target, std::move(patterns))))
      return signalPassFailure();
    RewritePatternSet folds(&getContext());
    TupleUnpackOp::getCanonicalizationPatterns(folds, &getContext());
    (void)applyPatternsGreedily(getOperation(), std::move(folds));
  }
};

} // namespace

} // namespace jit
