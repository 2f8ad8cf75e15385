//===- Canonicalizer.h - MLIR's canonicalizer on linalg ---------*- C++ -*-===//
#ifndef JIT_CANONICALIZER_H
#define JIT_CANONICALIZER_H

#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/Passes.h"

namespace jit {

/// For programs on builtin tensors and buffers, without those of upstream's patterns that do not
/// hold here. An open size that has to be a known one is what a guard says, and behind it a cast;
/// before it nothing may count on it, or elements are read and written that are not there:
///  - InferStaticShapeOfOperands, FoldTensorCastConsumerOp, FoldTargetTensorCast give the size to
///    what comes before the cast, and make the guard always hold.
///  - FoldTensorCastProducerOp gives an operation the size of a cast whether or not its other
///    operands have another one (jit's FoldCasts does not).
///  - ForOpTensorCastFolder takes it that a loop hands on the sizes that it was given.
///  - The folders of constants in slices of tensors mix up which dimension a slice drops (jit's
///    FoldExtractSlice and FoldInsertSlice do not).
///  - FoldEmptyCopy, EraseDeadLinalgOp: what stores no elements into a result of open sizes is the
///    use by which the result is asked for.
inline std::unique_ptr<mlir::Pass>
createCanonicalizer(const mlir::GreedyRewriteConfig &config = {}) {
  const char *sliceFolder =
      "mlir::OpWithOffsetSizesAndStridesConstantArgumentFolder<mlir::tensor::ExtractSliceOp, "
      "SliceReturnTypeCanonicalizer, SliceCanonicalizer>";
  return mlir::createCanonicalizerPass(
      config,
      {"(anonymous namespace)::InferStaticShapeOfOperands",
       "(anonymous namespace)::FoldTensorCastConsumerOp",
       "(anonymous namespace)::FoldTargetTensorCast", "FoldTensorCastProducerOp",
       "(anonymous namespace)::ForOpTensorCastFolder",
       "(anonymous namespace)::InsertSliceOpConstantArgumentFolder<mlir::tensor::InsertSliceOp>",
       sliceFolder, "(anonymous namespace)::FoldEmptyCopy",
       "(anonymous namespace)::EraseDeadLinalgOp"});
}

} // namespace jit

#endif // JIT_CANONICALIZER_H
