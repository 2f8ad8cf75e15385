//===- SelectionPatterns.cpp - branches that stay branches ----------------===//
#include "jit/Dialect/Jit/SelectionPatterns.h"

llvm::ArrayRef<std::string> jit::selectionPatterns() {
  static const std::string patterns[] = {"(anonymous namespace)::CombineNestedIfs",
                                         "(anonymous namespace)::ConvertTrivialIfToSelect"};
  return patterns;
}
