//===- ReductionDims.h - which dimensions a reduction takes -----*- C++ -*-===//
#ifndef JIT_DIALECT_ATEN_REDUCTIONDIMS_H
#define JIT_DIALECT_ATEN_REDUCTIONDIMS_H

#include "jit/Dialect/Aten/TypeRules.h"

namespace jit {

/// The dimensions that the operand `dims` names (an int, a list of ints, None for all), counted
/// from the front and in order. Nullopt where they are not known or not within `rank`. An empty
/// list means all of them where `emptyIsAll`.
std::optional<llvm::SmallVector<int64_t>> reducedDims(mlir::Value dims, int64_t rank,
                                                      bool emptyIsAll = true);

} // namespace jit

#endif // JIT_DIALECT_ATEN_REDUCTIONDIMS_H
