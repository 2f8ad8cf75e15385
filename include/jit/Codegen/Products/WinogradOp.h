//===- WinogradOp.h - convolutions by Winograd's tiles ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_WINOGRADOP_H
#define JIT_CODEGEN_PRODUCTS_WINOGRADOP_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "jit/Codegen/Products/WinogradDialect.h.inc"

#define GET_OP_CLASSES
#include "jit/Codegen/Products/WinogradOp.h.inc"

#endif // JIT_CODEGEN_PRODUCTS_WINOGRADOP_H
