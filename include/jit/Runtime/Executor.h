//===- Executor.h - calls one compiled entry ---------------------*- C++ -*-===//
#ifndef JIT_RUNTIME_EXECUTOR_H
#define JIT_RUNTIME_EXECUTOR_H

#include "jit/Runtime/Artifact.h"
#include "jit/Runtime/Value.h"

#include <functional>

namespace jit::runtime {

class ThreadPool;

/// Gives the weight at a state_dict path.
using WeightSource = std::function<Result<Tensor>(const std::string &name)>;

/// One entry of an artifact with the weights of one module instance. run() may be called from
/// several threads at once: each call has its own scratch memory, kept for the next one.
class Executor {
public:
  /// Fetches the weights, checks them against the entry and runs its `init`. `pool` (may be null:
  /// serial) must outlive the executor. Where the artifact's code is for a device, it is the one
  /// of this number, and the weights are brought there once.
  static Result<std::unique_ptr<Executor>> create(std::shared_ptr<const Artifact> artifact,
                                                  std::string_view entry,
                                                  const WeightSource &weights, ThreadPool *pool,
                                                  int device = 0);
  virtual ~Executor() = default;

  /// Calls the entry. `inputs` are its arguments without the weights, in order (slots included);
  /// gives its results in order (new slot values included). A guard that fails is an Error of code
  /// Raised with the Python class, the formatted message and its place in the user's source.
  virtual Result<std::vector<Value>> run(std::span<const Value> inputs) = 0;

  const Entry &entry() const { return *compiled; }

protected:
  Executor(std::shared_ptr<const Artifact> artifact, const Entry *compiled)
      : artifact(std::move(artifact)), compiled(compiled) {}

  Result<void> loadWeights(const WeightSource &source);
  /// How many inputs a call has to have, as an error where it has another number.
  Result<void> checkCount(std::span<const Value> inputs) const;

  std::shared_ptr<const Artifact> artifact;
  const Entry *compiled;
  /// In the order of the entry's weight arguments, each aligned to bufferAlignment.
  std::vector<Tensor> weights;
};

} // namespace jit::runtime

#endif // JIT_RUNTIME_EXECUTOR_H
