//===- BlobObject.h - constant bytes as an object file ----------*- C++ -*-===//
#ifndef JIT_CODEGEN_PACKAGE_BLOBOBJECT_H
#define JIT_CODEGEN_PACKAGE_BLOBOBJECT_H

#include "jit/Codegen/Package.h"

namespace jit::package {

/// Writes an object file for the machine of the one at `like`, with the weights' file as constants
/// under the hidden name `symbol`. Needs an ELF object of 64 bits of this machine's byte order.
llvm::Error writeBlobObject(const Blobs &blobs, llvm::StringRef symbol, llvm::StringRef like,
                            llvm::StringRef path);

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_BLOBOBJECT_H
