//===- EntryPointers.cpp - buffers from bare pointers ---------------------===//
#include "Loops/EntryPointers.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

bool jit::codegen::isRoot(Operation *op) { return op && op->hasAttr(rootAttrName); }

jit::codegen::PointerToMemref::PointerToMemref(MLIRContext *context) : converter(context) {}

Value jit::codegen::PointerToMemref::create(OpBuilder &b, Location loc, MemRefType type,
                                            Value pointer) const {
  auto cast = UnrealizedConversionCastOp::create(b, loc, type, pointer);
  cast->setAttr(rootAttrName, b.getUnitAttr());
  return cast.getResult(0);
}

/// Where a view at a constant place of a base pointer begins; null where `memref` is something
/// else.
static Value placeOf(OpBuilder &b, Location loc, Value memref) {
  auto view = memref.getDefiningOp<memref::ViewOp>();
  Operation *root = view ? view.getSource().getDefiningOp() : nullptr;
  std::optional<int64_t> shift = view ? getConstantIntValue(view.getByteShift()) : std::nullopt;
  if (!jit::codegen::isRoot(root) || !shift)
    return {};
  Value pointer = root->getOperand(0);
  // A constant of the operation itself has fewer bits than an offset may need.
  auto offset = llvm::isInt<LLVM::kGEPConstantBitWidth>(*shift)
                    ? LLVM::GEPArg(static_cast<int32_t>(*shift))
                    : LLVM::GEPArg(LLVM::ConstantOp::create(b, loc, b.getI64IntegerAttr(*shift)));
  return LLVM::GEPOp::create(b, loc, pointer.getType(), b.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{offset});
}

Value jit::codegen::PointerToMemref::pointerOf(OpBuilder &b, Location loc, Value memref) const {
  if (Operation *root = memref.getDefiningOp(); isRoot(root))
    return root->getOperand(0);
  if (Value place = placeOf(b, loc, memref))
    return place;
  Type type = converter.convertType(memref.getType());
  auto cast = UnrealizedConversionCastOp::create(b, loc, type, memref);
  return MemRefDescriptor(cast.getResult(0)).alignedPtr(b, loc);
}
