//===- CallPatterns.h - what a package compares calls with ------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_CALLPATTERNS_H
#define JIT_LIB_SESSION_CALLPATTERNS_H

#include "jit/CallSpec/CallSpec.h"
#include "jit/Result.h"
#include "llvm/ADT/ArrayRef.h"

#include <set>
#include <span>
#include <vector>

namespace jit {

/// What a package compares a value with: neither gradients, which another method has, nor devices.
ValueSpec patternOf(ValueSpec spec);
/// Says nothing of how tensors lie in memory: they are row-major.
ValueSpec withoutStrides(ValueSpec spec);
/// Tensors that had strides may have any.
ValueSpec withAnyStrides(ValueSpec pattern);
/// Whether a tensor has strides, or shares its memory.
bool sayStrides(llvm::ArrayRef<ValueSpec> patterns);
bool shareMemory(llvm::ArrayRef<ValueSpec> patterns);
/// Makes each tensor alone in its memory that does not fill it a part of that, as
/// markSharedMemory() does for a program that asks for places there.
void nameMemories(std::vector<ValueSpec> &patterns);
/// The element of a pattern at a path; null where there is none.
const ValueSpec *follow(const ValueSpec &pattern, std::span<const int64_t> path);

/// The names of open sizes, each once; an empty one for a size without.
std::set<std::string> openSizes(llvm::ArrayRef<ValueSpec> patterns);
/// Whether calls across C can give such arguments and be told apart by them. Unsupported says why
/// not.
Result<void> checkPatterns(llvm::ArrayRef<ValueSpec> patterns);

} // namespace jit

#endif // JIT_LIB_SESSION_CALLPATTERNS_H
