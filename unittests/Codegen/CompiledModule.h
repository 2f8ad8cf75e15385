//===- CompiledModule.h - text in, callable entry out ------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_CODEGEN_COMPILEDMODULE_H
#define JIT_UNITTESTS_CODEGEN_COMPILEDMODULE_H

#include "jit/Codegen/Cpu.h"
#include "jit/Runtime/Executor.h"
#include "jit/Runtime/ThreadPool.h"

#include <map>

namespace jit {

/// An entry called `forward`, compiled from MLIR text; runs on two threads.
class CompiledModule {
public:
  /// Weights are looked up in `weights`. `valid()` is false after any error.
  explicit CompiledModule(std::string_view text,
                          std::map<std::string, runtime::Tensor> weights = {},
                          codegen::CodegenOptions options = {});

  bool valid() const { return executor != nullptr; }
  /// What the compiler or executor complained about.
  const std::string &message() const { return complaint; }
  const runtime::Entry &entry() const { return executor->entry(); }

  Result<std::vector<runtime::Value>> run(std::vector<runtime::Value> inputs) {
    return executor->run(inputs);
  }
  /// The first result, a tensor of floats; empty where the call fails.
  std::vector<float> floats(std::vector<runtime::Value> inputs);

private:
  runtime::ThreadPool pool{2};
  std::unique_ptr<runtime::Executor> executor;
  std::string complaint;
};

/// A tensor with the given elements.
runtime::Tensor floatTensor(std::vector<int64_t> sizes, const std::vector<float> &values);
/// Reproducible values in [-1, 1).
std::vector<float> noise(size_t count, unsigned seed);
/// The largest distance of two vectors; infinite where their sizes differ.
float distance(const std::vector<float> &a, const std::vector<float> &b);

} // namespace jit

#endif // JIT_UNITTESTS_CODEGEN_COMPILEDMODULE_H
