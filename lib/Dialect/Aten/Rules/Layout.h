//===- Layout.h - builders for the `view` rules of records ------*- C++ -*-===//
//
// What a view operator makes of the strides of its operand: `base` is the operand's layout, `self`
// the operand.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_LAYOUT_H
#define JIT_LIB_DIALECT_ATEN_RULES_LAYOUT_H

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Layout.h"

namespace jit {

/// The numbers of torch.memory_format.
enum MemoryFormat { Contiguous = 0, Preserve = 1, ChannelsLast = 2, ChannelsLast3d = 3 };

llvm::SmallVector<int64_t> rowMajorStrides(llvm::ArrayRef<int64_t> sizes);

/// The layout of what a pointwise operator makes of such operands: the one that all have, else
/// dimensions in the order of the operands' strides, the first operand that tells two dimensions
/// apart deciding.
Layout pointwiseLayout(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<Strided> operands);
/// The layout of new memory that is to have a tensor's strides: these where they leave no gaps,
/// else dimensions in their order without them.
Layout keptLayout(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);
/// isfinite, which PyTorch makes of tests that are multiplied, or of ones.
std::optional<Layout> finiteLayout(Tensor self, StridedOf stridedOf);
/// An iteration over `self` and the index tensors; what is picked from has stride 0 along these.
std::optional<Layout> indexedLayout(Tensor self, mlir::Value indices, mlir::Value result,
                                    StridedOf stridedOf);
/// Tensors joined along a dimension, a new one with `stacks`: rows, or images and volumes whose
/// channels come last where all are taken for such.
std::optional<Layout> joinedLayout(mlir::Value tensors, Int dim, mlir::Value result,
                                   StridedOf stridedOf, bool stacks);
/// What PyTorch takes for the memory format of a tensor: of strides that fit several, row-major.
MemoryFormat suggestedFormat(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);
/// The strides with the channels, dimension 1, fastest.
llvm::SmallVector<int64_t> channelsLastStrides(llvm::ArrayRef<int64_t> sizes);
/// Whether strides are those of `wanted`, wherever a stride leads anywhere.
bool agree(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
           llvm::ArrayRef<int64_t> wanted);
/// Whether elements of such sizes and strides may share a place.
bool mayOverlap(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides);

/// The same elements in the same order under the sizes of `result`: a view where the strides allow
/// it, otherwise a copy.
ViewOf reshapedView(const Layout &base, Tensor self, mlir::Value result);
/// ravel: that of contiguous(), which copies whatever is not row-major, even where a view would do.
ViewOf raveledView(const Layout &base, Tensor self);
/// The same without a copy: where the strides are not known, it is a view of which they are not.
ViewOf sharedView(const Layout &base, Tensor self, mlir::Value result);
/// As reshapedView, but the tensor itself where that has the rank of `result` already.
ViewOf flattenedView(const Layout &base, Tensor self, mlir::Value result);
/// Dimensions of size 1 go with their strides, of all or of those that are named.
ViewOf squeezedView(const Layout &base, Tensor self);
ViewOf squeezedView(const Layout &base, Tensor self, Int dim);
ViewOf squeezedView(const Layout &base, Tensor self, IntList dims);
/// A dimension of size 1 before `dim` steps over what that has.
ViewOf unsqueezedView(const Layout &base, Tensor self, Int dim);
ViewOf permutedView(const Layout &base, Tensor self, IntList dims);
ViewOf swappedView(const Layout &base, Tensor self, std::optional<int64_t> dim0,
                   std::optional<int64_t> dim1);
ViewOf reversedView(const Layout &base, Tensor self);
ViewOf movedView(const Layout &base, Tensor self, Int from, Int to);
ViewOf movedView(const Layout &base, Tensor self, std::optional<llvm::SmallVector<int64_t>> from,
                 std::optional<llvm::SmallVector<int64_t>> to);
ViewOf expandedView(const Layout &base, Tensor self, mlir::Value result);
ViewOf unfoldedView(const Layout &base, Tensor self, Int dim, Int size, Int step);
ViewOf selectedView(const Layout &base, Tensor self, Int dim, Int index);
ViewOf slicedView(const Layout &base, Tensor self, Int dim, OptInt start, Int step);
ViewOf diagonalView(const Layout &base, Tensor self, Int offset, Int dim1, Int dim2);
/// `fromStart`: the offset counts from where the operand begins.
ViewOf stridedView(const Layout &base, IntList strides, OptInt offset, bool fromStart);

/// The tensor itself if it has the order of a memory format already, else a copy that has.
ViewOf inFormat(const Layout &base, Tensor self, OptInt format);
/// The tensor itself if it has the element type of `result` already, else a conversion.
ViewOf convertedView(const Layout &base, Tensor self, mlir::Value result,
                     std::optional<Bool> copy = std::nullopt,
                     std::optional<OptInt> format = std::nullopt);
/// The parts of complex numbers.
ViewOf partsView(const Layout &base, Tensor self);
ViewOf joinedPartsView(const Layout &base, Tensor self);
ViewOf partView(const Layout &base, Tensor self, int64_t part);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_LAYOUT_H
