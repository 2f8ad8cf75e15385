//===- HostConversion.h - from loops to the LLVM dialect ---------*- C++ -*-===//
#ifndef JIT_CODEGEN_CPU_HOSTCONVERSION_H
#define JIT_CODEGEN_CPU_HOSTCONVERSION_H

#include "mlir/Pass/PassManager.h"

namespace jit {

/// Appends the passes from functions of scf, memref, arith, math and vector ops to the LLVM dialect
/// for the host.
void addHostConversion(mlir::OpPassManager &pm);

} // namespace jit

#endif // JIT_CODEGEN_CPU_HOSTCONVERSION_H
