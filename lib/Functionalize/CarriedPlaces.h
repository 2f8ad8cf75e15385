//===- CarriedPlaces.h - names that carry where they are --------*- C++ -*-===//
#ifndef JIT_LIB_FUNCTIONALIZE_CARRIEDPLACES_H
#define JIT_LIB_FUNCTIONALIZE_CARRIEDPLACES_H

#include "TensorMemory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit {

/// Puts all memories that `name` may be into one, and in the place of each tensor that shows some
/// of it a tensor of places in that memory, one for each element, which views, branches and loops
/// hand on. What reads the tensor gathers, what writes it scatters. So it need not be known what a
/// name is, and each read is a copy. Fails, without an error and a change, where sizes are open,
/// element types differ, strides decide whether something is a copy, or a list that is not written
/// out, or a detached tensor, is among the names.
/// `classes` are those of `func` before.
llvm::LogicalResult carryPlaces(mlir::func::FuncOp func, const MemoryClasses &classes,
                                mlir::Value name);

} // namespace jit

#endif // JIT_LIB_FUNCTIONALIZE_CARRIEDPLACES_H
