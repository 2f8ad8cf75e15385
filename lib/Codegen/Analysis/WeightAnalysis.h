//===- WeightAnalysis.h - what is the same in every call --------*- C++ -*-===//
#ifndef JIT_CODEGEN_ANALYSIS_WEIGHTANALYSIS_H
#define JIT_CODEGEN_ANALYSIS_WEIGHTANALYSIS_H

#include "mlir/IR/Value.h"

#include "llvm/ADT/DenseMap.h"

namespace jit::codegen {

/// What a value depends on.
enum class Source { Constant, Weight, Call };

/// Tells what is the same in every call from what is not.
class WeightAnalysis {
public:
  Source sourceOf(mlir::Value value);

private:
  Source compute(mlir::Value value);
  llvm::DenseMap<mlir::Value, Source> known;
};

} // namespace jit::codegen

#endif // JIT_CODEGEN_ANALYSIS_WEIGHTANALYSIS_H
