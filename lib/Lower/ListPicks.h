//===- ListPicks.h - elements of lists whose number only data tells -*- C++ -*-===//
#ifndef JIT_LIB_LOWER_LISTPICKS_H
#define JIT_LIB_LOWER_LISTPICKS_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace jit {

/// An element of a list, at a place that is not known, becomes a slice of all elements joined: for
/// lists of tensors of one type and known sizes, and of numbers.
void populateListPickPatterns(mlir::RewritePatternSet &patterns);

} // namespace jit

#endif // JIT_LIB_LOWER_LISTPICKS_H
