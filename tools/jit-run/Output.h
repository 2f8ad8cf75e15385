//===- Output.h - results as files and as short text ------------*- C++ -*-===//
#ifndef JIT_TOOLS_JIT_RUN_OUTPUT_H
#define JIT_TOOLS_JIT_RUN_OUTPUT_H

#include "jit/Runtime/Value.h"
#include "llvm/Support/raw_ostream.h"

namespace jit {

/// The tensors and numbers of a result in order, containers taken apart; numbers as tensors of
/// rank 0.
Result<std::vector<runtime::Tensor>> leavesOf(const runtime::Value &value);

/// Writes a .npy file; bf16 and floats of 8 bits, which NumPy does not have, as f32, which holds
/// each of their numbers.
Result<void> writeArray(const std::string &path, const runtime::Tensor &tensor);

/// Writes leaf N to PREFIX.N.npy.
Result<void> writeOutputs(const std::vector<runtime::Tensor> &leaves, const std::string &prefix);

/// Writes a text file.
Result<void> writeText(const std::string &path, llvm::StringRef text);

/// "tensor 2x3xf32 = [0.1, 0.2, ...]", one line per leaf.
void printValue(llvm::raw_ostream &os, const runtime::Value &value, unsigned indent = 0);

/// The results of many calls stacked along a new first dimension, leaf by leaf.
Result<std::vector<runtime::Tensor>>
stackOutputs(const std::vector<std::vector<runtime::Tensor>> &calls);

} // namespace jit

#endif // JIT_TOOLS_JIT_RUN_OUTPUT_H
