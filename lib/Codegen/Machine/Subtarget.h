//===- Subtarget.h - what LLVM knows of a CPU by its name -------*- C++ -*-===//
#ifndef JIT_CODEGEN_MACHINE_SUBTARGET_H
#define JIT_CODEGEN_MACHINE_SUBTARGET_H

#include "jit/Codegen/Machine.h"

namespace jit::codegen {

/// Makes LLVM's backends known, as many as it was built with. Once is enough.
void initializeBackends();

/// Fills in all of `machine` that follows from its triple, name and features. False where LLVM
/// knows no 64-bit CPU of this name, or has no backend for it.
bool describeSubtarget(Machine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_MACHINE_SUBTARGET_H
