//===- LibraryCall.h - work of a library among kernels -----------*- C++ -*-===//
#ifndef JIT_CODEGEN_KERNELS_LIBRARYCALL_H
#define JIT_CODEGEN_KERNELS_LIBRARYCALL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// On a linalg op that stays until the plan is written: the numbers of its MatrixProduct, or of its
/// PlanConvolution.
inline constexpr const char *libraryProductAttrName = "jit.library_product";
inline constexpr const char *libraryConvolutionAttrName = "jit.library_convolution";

/// True for an op that a library does.
bool isLibraryCall(mlir::Operation *op);

/// An op that says what a library reads and writes; what it computes is in the attribute alone.
void makeLibraryCall(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange inputs,
                     mlir::Value result, llvm::StringRef attrName, llvm::ArrayRef<int64_t> numbers);

/// The numbers of such an op, one after another.
class LibraryNumbers {
public:
  LibraryNumbers(mlir::Operation *op, llvm::StringRef attrName)
      : rest(op->getAttrOfType<mlir::DenseI64ArrayAttr>(attrName).asArrayRef()) {}

  int64_t next() {
    int64_t number = rest.front();
    rest = rest.drop_front();
    return number;
  }
  bool isEmpty() const { return rest.empty(); }

private:
  llvm::ArrayRef<int64_t> rest;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_KERNELS_LIBRARYCALL_H
