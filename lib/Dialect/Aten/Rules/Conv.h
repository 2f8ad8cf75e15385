//===- Conv.h - words for the rules of Conv.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CONV_H
#define JIT_LIB_DIALECT_ATEN_RULES_CONV_H

#include "jit/Dialect/Aten/GradRules.h"
#include "jit/Dialect/Aten/Windows.h"

namespace jit {

mlir::Type convolved(TypeRules &infer, const ConvOperands &operands,
                     std::optional<bool> isTransposed);
mlir::Type windowColumns(TypeRules &infer, TensorInfo self, ListInfo size, ListInfo dilation,
                         ListInfo padding, ListInfo stride);
/// The image of the given sizes that columns, one for each of the windows, are added up to.
mlir::Type columnImage(TypeRules &infer, TensorInfo columns, ListInfo sizes,
                       const std::optional<llvm::SmallVector<Window>> &windows);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_CONV_H
