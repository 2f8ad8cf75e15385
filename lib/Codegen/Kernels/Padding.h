//===- Padding.h - zeros around other memory ---------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_PADDING_H
#define JIT_CODEGEN_KERNELS_PADDING_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// Memory that is made for one op: zeros around a copy of other memory.
struct Padding {
  /// What is copied, and how many zeros are before it in each dimension.
  mlir::Value source;
  llvm::SmallVector<int64_t> before;
  /// What makes the copy and is of no use without it, users first.
  llvm::SmallVector<mlir::Operation *> ops;
};

/// How `buffer`, which only `reader` reads, is made of its source; nothing where it is made in
/// another way, or the source is not the same any more where `end` stands.
std::optional<Padding> findPadding(mlir::Value buffer, mlir::Operation *reader,
                                   mlir::Operation *end);

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_PADDING_H
