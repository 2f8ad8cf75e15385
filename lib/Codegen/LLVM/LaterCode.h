//===- LaterCode.h - code that takes the place of a baseline's ---*- C++ -*-===//
#ifndef JIT_CODEGEN_LLVM_LATERCODE_H
#define JIT_CODEGEN_LLVM_LATERCODE_H

#include "LLVM/LinkedCode.h"

namespace jit::codegen {

/// Target::optimiseLater() with this machine's code. `operators` are those of linkMachineCode;
/// their names outlive it.
std::unique_ptr<OptimiseLater> optimiseLater(runtime::Artifact &artifact, CodeImage image,
                                             llvm::ArrayRef<NamedFunction> operators);

} // namespace jit::codegen

#endif // JIT_CODEGEN_LLVM_LATERCODE_H
