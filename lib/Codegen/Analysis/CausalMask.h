//===- CausalMask.h - which keys a query cannot see --------------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_CAUSALMASK_H
#define JIT_CODEGEN_ANALYSIS_CAUSALMASK_H

#include "Analysis/Attention.h"

namespace jit::codegen {

/// A number d such that the score of query i and key j is minus infinity wherever j > i + d, by a
/// mask that is computed from the two numbers; nothing where no such number is found.
std::optional<CausalBound> findCausalBound(const Attention &attention);

/// Whether a score is minus infinity, or something with minus infinity added: then it is NaN of
/// what is NaN or infinite, which is not asked for where whole blocks of keys are left out.
bool isHiddenScore(mlir::Value score);

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_CAUSALMASK_H
