//===- Foreign.h - calls of functions that are not ours ---------*- C++ -*-===//
#ifndef JIT_DIALECT_FOREIGN_FOREIGN_H
#define JIT_DIALECT_FOREIGN_FOREIGN_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "jit/Dialect/Foreign/ForeignDialect.h.inc"

#define GET_OP_CLASSES
#include "jit/Dialect/Foreign/ForeignOps.h.inc"

#endif // JIT_DIALECT_FOREIGN_FOREIGN_H
