//===- EntryLayout.h - where an entry finds its arguments --------*- C++ -*-===//
#ifndef JIT_CODEGEN_BUFFERS_ENTRYLAYOUT_H
#define JIT_CODEGEN_BUFFERS_ENTRYLAYOUT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace jit::codegen {

/// The pointers that a call gives an entry, in order: arguments proper, results of known size,
/// packed buffers, the arena, the sizes that the types of the arguments leave open.
struct EntryLayout {
  /// The place of each argument of the function.
  llvm::SmallVector<int64_t> places;
  llvm::SmallVector<int64_t> packedBytes;
  int64_t arenaBytes = 0;
  /// The place of the open sizes, one i64 each.
  int64_t sizesPlace = 0;
};

/// Of a function that jit-destination-style and jit-plan-memory have made.
EntryLayout layoutOf(mlir::func::FuncOp func);

} // namespace jit::codegen

#endif // JIT_CODEGEN_BUFFERS_ENTRYLAYOUT_H
