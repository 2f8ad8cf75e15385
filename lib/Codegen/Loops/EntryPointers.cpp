//===- EntryPointers.cpp - buffers from bare pointers ---------------------===//
#include "Loops/EntryPointers.h"

#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

jit::codegen::PointerToMemref::PointerToMemref(MLIRContext *context) : converter(context) {}

Value jit::codegen::PointerToMemref::create(OpBuilder &b, Location loc, MemRefType type,
                                            Value pointer) const {
  Value descriptor = MemRefDescriptor::fromStaticShape(b, loc, converter, type, pointer);
  auto cast = UnrealizedConversionCastOp::create(b, loc, type, descriptor);
  cast->setAttr(rootAttrName, b.getUnitAttr());
  return cast.getResult(0);
}

Value jit::codegen::PointerToMemref::pointerOf(OpBuilder &b, Location loc, Value memref) const {
  Type type = converter.convertType(memref.getType());
  auto cast = UnrealizedConversionCastOp::create(b, loc, type, memref);
  return MemRefDescriptor(cast.getResult(0)).alignedPtr(b, loc);
}
