//===- Opaque.h - operators that are not known ------------------*- C++ -*-===//
#ifndef JIT_DIALECT_JIT_OPAQUE_H
#define JIT_DIALECT_JIT_OPAQUE_H

#include "jit/Dialect/Jit/Jit.h"

#define GET_OP_CLASSES
#include "jit/Dialect/Jit/OpaqueOps.h.inc"

#endif // JIT_DIALECT_JIT_OPAQUE_H
