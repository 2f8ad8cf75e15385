//===- EntryPointers.h - buffers from bare pointers --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_LOOPS_ENTRYPOINTERS_H
#define JIT_CODEGEN_LOOPS_ENTRYPOINTERS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/Builders.h"

namespace jit::codegen {

/// Names the unrealized cast that turns a base pointer into a memref: two such casts in one
/// function never overlap in memory.
inline constexpr const char *rootAttrName = "jit.root";

/// Whether `op`, which may be null, is such a cast.
bool isRoot(mlir::Operation *op);
inline bool isRoot(mlir::Value value) { return isRoot(value.getDefiningOp()); }

/// Makes memrefs of static shape from pointers and gets the pointers back. The casts become
/// descriptors in the last conversion: of a thousand weights an entry hands on the pointers alone.
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
