//===- Version.cpp - what the tools say of themselves ---------------------===//

#include "jit/Pipeline/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

void jit::printVersion(llvm::raw_ostream &os) {
  os << "JIT " JIT_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
}
