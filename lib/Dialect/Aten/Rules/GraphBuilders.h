//===- GraphBuilders.h - builders that the bodies of several families share -*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_GRAPHBUILDERS_H
#define JIT_LIB_DIALECT_ATEN_RULES_GRAPHBUILDERS_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// A tensor type with the element type of the parts where its elements are complex; null for null.
mlir::Type inReal(TypeRules &infer, mlir::Type type);
/// True if all sizes and the element type are known.
bool isStatic(Tensor t);
/// True if the tensor has that many dimensions, and the sizes of its last `count` are known.
bool areLastKnown(Tensor t, int64_t count);
/// A dimension number made non-negative; nullopt where it is not known or out of range.
std::optional<int64_t> wrapped(Int dim, int64_t rank);
/// The elements in another element type; the tensor itself where that is its own.
Tensor converted(Tensor t, mlir::Type dtype);
/// The elements under known sizes, and broadcast to such; the tensor itself where it has them.
Tensor viewAs(Tensor t, llvm::ArrayRef<int64_t> sizes);
Tensor expandTo(Tensor t, llvm::ArrayRef<int64_t> sizes);
/// 0, 1, ... as int64.
Tensor counting(GraphBuilder &build, int64_t count);
Tensor counting(Int count);
/// Ends the call unless `source` has the open sizes of `self`, counted from the last, but where a
/// size of 1 broadcasts.
void guardOpenSizes(Tensor self, Tensor source);
/// Whether two tensors have the same sizes; those that types leave open are compared in the call.
bool haveEqualSizes(Tensor a, Tensor b);
/// The same for one dimension of each.
bool haveEqualSize(Tensor a, int64_t dim, Tensor b, int64_t other);
/// Ends the call with a RuntimeError unless all elements are from `least` to `most`.
void guardWithin(Tensor numbers, int64_t least, Int most);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_GRAPHBUILDERS_H
