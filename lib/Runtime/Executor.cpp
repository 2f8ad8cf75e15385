//===- Executor.cpp - what executors have in common -----------------------===//
#include "jit/Runtime/Executor.h"
#include "Gpu/DeviceExecutor.h"
#include "HostExecutor.h"
#include "Marshalling.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/CallerStream.h"

using namespace jit;
using namespace jit::runtime;

thread_local const CallerStream *CallerStream::innermost = nullptr;

Result<std::unique_ptr<Executor>> Executor::create(std::shared_ptr<const Artifact> artifact,
                                                   std::string_view entry,
                                                   const WeightSource &weights, ThreadPool *pool,
                                                   int device) {
  return orOutOfMemory([&]() -> Result<std::unique_ptr<Executor>> {
    const Entry *compiled = artifact->find(entry);
    if (!compiled)
      return Error{ErrorCode::NotFound, "no entry '" + std::string(entry) + "' in the artifact"};
    return artifact->device ? DeviceExecutor::create(std::move(artifact), compiled, weights, device)
                            : HostExecutor::create(std::move(artifact), compiled, weights, pool);
  });
}

Result<void> Executor::loadWeights(const WeightSource &source) {
  ScalarCell unused;
  for (size_t i = 0; i < compiled->arguments.size(); ++i) {
    const ArgumentInfo &info = compiled->arguments[i];
    if (info.kind != ArgumentKind::Weight)
      continue;
    Result<Tensor> weight = source(info.name);
    if (!weight)
      return weight.takeError();
    if (!argumentPointer(info.type, *weight, unused))
      return mismatch(info, i, weight->typeString());
    // Read by every call: worth a copy where no line is split.
    if (reinterpret_cast<uintptr_t>(weight->data()) % bufferAlignment != 0) {
      weight = weight->clone();
      if (!weight)
        return weight.takeError();
    }
    weights.push_back(std::move(*weight));
  }
  return {};
}

Result<void> Executor::checkCount(std::span<const Value> inputs) const {
  size_t expected = compiled->arguments.size() - weights.size();
  if (inputs.size() == expected)
    return {};
  return Error{ErrorCode::InvalidArgument, compiled->name + ": expected " +
                                               std::to_string(expected) + " arguments, got " +
                                               std::to_string(inputs.size())};
}
