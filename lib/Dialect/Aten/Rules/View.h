//===- View.h - words for the rules of View.td ------------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_VIEW_H
#define JIT_LIB_DIALECT_ATEN_RULES_VIEW_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// True if the size of dimension `dim` is a constant.
bool isSizeKnown(Tensor t, int64_t dim);

mlir::Type transposed(TypeRules &b, TensorInfo self, IntInfo dim0, IntInfo dim1);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_VIEW_H
