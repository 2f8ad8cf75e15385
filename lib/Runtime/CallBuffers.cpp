//===- CallBuffers.cpp - a session's memory of open sizes -----------------===//
#include "CallBuffers.h"
#include "Marshalling.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/BufferPool.h"

using namespace jit;
using namespace jit::runtime;

CallBuffers::CallBuffers(const Entry &entry, Scratch &scratch)
    : jit_buffers{}, results(entry.results.size()), entry(entry) {
  pieces = scratch.pieces.get();
  error = &text;
  reclaim = [] { return int(BufferPool::process().trim() > 0); };
  // Nothing may be thrown through compiled code.
  result = [](jit_buffers *of, int32_t number, const int64_t *openSizes) -> void * {
    auto &buffers = *static_cast<CallBuffers *>(of);
    Result<void *> made =
        orOutOfMemory([&] { return buffers.allocate(static_cast<size_t>(number), openSizes); });
    if (made)
      return *made;
    buffers.failure = made.takeError();
    return nullptr;
  };
}

Result<void *> CallBuffers::allocate(size_t index, const int64_t *openSizes) {
  const ValueType &type = entry.results[index].type;
  std::vector<int64_t> sizes(type.sizes.size());
  int64_t bytes = 0;
  if (jit_size_result(int32_t(type.scalar), int32_t(sizes.size()), type.sizes.data(), openSizes,
                      sizes.data(), &bytes, &text) != JIT_OK)
    return errorOf(text);
  Result<Tensor> tensor = Tensor::allocate(type.scalar, std::move(sizes));
  if (!tensor)
    return tensor.takeError();
  results[index] = std::move(*tensor);
  return results[index].mutableData();
}

std::optional<Error> CallBuffers::takeRefusal() {
  if (!failure && refused != JIT_OK)
    failure = errorOf(text);
  return std::move(failure);
}
