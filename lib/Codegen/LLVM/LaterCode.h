//===- LaterCode.h - code that takes the place of a baseline's ---*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_LATERCODE_H
#define JIT_CODEGEN_LLVM_LATERCODE_H

#include "LLVM/MachineCode.h"

namespace jit::codegen {

/// Has calls of `artifact`, whose code is linked from `objects`, go through pointers, and gives
/// what optimises `parts` and sets them. `operators` are those of linkMachineCode; their names
/// outlive it.
std::unique_ptr<OptimiseLater> optimiseLater(runtime::Artifact &artifact, Objects objects,
                                             LaterParts parts, const Machine &machine,
                                             llvm::ArrayRef<NamedFunction> operators);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_LATERCODE_H
