//===- EntryPointers.h - buffers from bare pointers --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_ENTRYPOINTERS_H
#define JIT_CODEGEN_LOOPS_ENTRYPOINTERS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// Names the unrealized cast that turns a descriptor around a base pointer into a memref: two such
/// casts in one function never overlap in memory.
inline constexpr const char *rootAttrName = "jit.root";

/// Makes memrefs of static shape from pointers and gets the pointers back. The casts vanish when
/// memrefs become descriptors.
class PointerToMemref {
public:
  explicit PointerToMemref(mlir::MLIRContext *context);

  mlir::Value create(mlir::OpBuilder &b, mlir::Location loc, mlir::MemRefType type,
                     mlir::Value pointer) const;
  /// The aligned pointer of a memref with offset 0.
  mlir::Value pointerOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value memref) const;

private:
  mlir::LLVMTypeConverter converter;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_LOOPS_ENTRYPOINTERS_H
