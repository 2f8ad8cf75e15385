//===- BuildId.h - which build of the compiler this is ----------*- C++ -*-===//
#ifndef JIT_SESSION_BUILDID_H
#define JIT_SESSION_BUILDID_H

#include "llvm/ADT/StringRef.h"

namespace jit {

/// A digest of the sources that this was built from, of how it was built, and of LLVM's version:
/// two builds that might compile one program to different code have different ones.
extern const llvm::StringLiteral buildId;

} // namespace jit

#endif // JIT_SESSION_BUILDID_H
