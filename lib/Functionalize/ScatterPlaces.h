//===- ScatterPlaces.h - writes element by element --------------*- C++ -*-===//
#ifndef JIT_FUNCTIONALIZE_SCATTERPLACES_H
#define JIT_FUNCTIONALIZE_SCATTERPLACES_H

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Layout.h"
#include "mlir/IR/Builders.h"

namespace jit {

/// Whether two elements of a tensor of these sizes lie at one place, as PyTorch decides: certainly
/// where a stride is 0; perhaps where a dimension does not step over all of the smaller ones,
/// unless the places are seen to differ, and where the strides are not known.
enum class Overlap { No, Yes, Maybe };
Overlap overlapOf(llvm::ArrayRef<int64_t> sizes, const Layout &layout);

/// Whether `view` may show an element of what it is a view of in several places.
bool mayRepeatElements(mlir::Operation *view);

/// Whether a write gives all elements one number: that may go to a place as often as one likes.
bool writesOneNumber(mlir::Operation *op);

/// Whether the write `op` to all elements of a tensor of these sizes certainly goes to some place
/// twice; and what is said then.
bool sharesPlaces(mlir::Operation *op, const Layout &layout, llvm::ArrayRef<int64_t> sizes);
constexpr llvm::StringLiteral sharedPlaces =
    "expected a write to elements each of which has a place of its own, got a view that shows "
    "elements more than once; clone() it before";

/// Refuses a call in which two of the places `at`, a flat tensor of places in a memory of `count`
/// elements, are one.
void guardApart(GraphBuilder &build, Tensor at, Int count);

/// `base` after `value` was written to views[0], which has this layout, where views.back() is a
/// view of it and each other one a view of the next: each element goes to the place that the views
/// show. Null, after an error at `op`, where elements of the view share a place, or the views
/// change the elements; of open sizes the call finds out.
mlir::Value scatteredAtPlaces(mlir::OpBuilder &builder, mlir::Operation *op,
                              llvm::ArrayRef<mlir::Operation *> views, const Layout &layout,
                              mlir::Value base, mlir::Value value);

} // namespace jit

#endif // JIT_FUNCTIONALIZE_SCATTERPLACES_H
