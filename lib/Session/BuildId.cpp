//===- BuildId.cpp - which build of the compiler this is ------------------===//

#include "jit/Session/BuildId.h"
#include "SourceDigest.inc"
#include "llvm/Config/llvm-config.h"

const llvm::StringLiteral jit::buildId =
    JIT_VERSION " " JIT_BUILD_TYPE " " LLVM_VERSION_STRING " " JIT_SOURCE_DIGEST;
