//===- Version.h - what the tools say of themselves --------------*- C++ -*-===//
#ifndef JIT_PIPELINE_VERSION_H
#define JIT_PIPELINE_VERSION_H

#include "llvm/Support/raw_ostream.h"

namespace jit {

/// One line: our version, and LLVM's. For cl::SetVersionPrinter.
void printVersion(llvm::raw_ostream &os);

} // namespace jit

#endif // JIT_PIPELINE_VERSION_H
