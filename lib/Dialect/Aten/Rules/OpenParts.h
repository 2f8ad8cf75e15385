//===- OpenParts.h - parts of a size that only the call tells ---*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_OPENPARTS_H
#define JIT_LIB_DIALECT_ATEN_RULES_OPENPARTS_H

#include "jit/Dialect/Aten/GraphRules.h"

namespace jit {

/// How many parts `list` has, if one operator splits a dimension of open size into it; nullopt for
/// any other list.
std::optional<Int> openPartCount(GraphBuilder &build, mlir::Value list);

/// The part at `index`, which may count from the back, of such a list: a view of what is split. A
/// guard ends the call where there is no such part.
std::optional<Tensor> openPart(GraphBuilder &build, mlir::Value list, Int index);

/// The `count` parts that such a list is unpacked into; a guard ends the call where it has more or
/// fewer.
std::optional<llvm::SmallVector<Tensor>> openParts(GraphBuilder &build, mlir::Value list,
                                                   int64_t count);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_OPENPARTS_H
