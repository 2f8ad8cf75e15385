//===- CallBuffers.cpp - memory whose size only the call tells ------------===//
#include "CallBuffers.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/Call.h"

using namespace jit;
using namespace jit::runtime;

void *CallBuffers::refuse(Error error) {
  refusal = std::move(error);
  return nullptr;
}

void *CallBuffers::result(size_t index, const int64_t *openSizes) {
  const ValueType &type = entry.results[index].type;
  std::vector<int64_t> sizes = type.sizes;
  for (int64_t &size : sizes)
    if (size == ValueType::openSize)
      size = *openSizes++;
  Result<Tensor> tensor = Tensor::allocate(type.scalar, std::move(sizes));
  if (!tensor)
    return refuse(tensor.takeError());
  results[index] = std::move(*tensor);
  return results[index].mutableData();
}

void *CallBuffers::piece(size_t index, int64_t bytes) {
  if (bytes < 0)
    return refuse({ErrorCode::LimitExceeded, "expected scratch that fits in memory, got more bytes "
                                             "than can be counted"});
  if (scratch.pieces.size() <= index)
    scratch.pieces.resize(index + 1);
  Scratch::Piece &piece = scratch.pieces[index];
  if (piece.memory && piece.bytes >= bytes)
    return piece.memory.get();
  // Half as much again where it has grown: sizes that grow from call to call ask for memory now and
  // then only.
  int64_t wanted = piece.memory && bytes < INT64_MAX / 2 ? bytes + bytes / 2 : bytes;
  std::shared_ptr<std::byte> memory = allocateLasting(static_cast<size_t>(wanted));
  if (!memory)
    return refuse({ErrorCode::LimitExceeded,
                   "out of memory for scratch of " + std::to_string(bytes) + " bytes"});
  if (piece.memory)
    outgrown.push_back(std::move(piece.memory));
  piece = {std::move(memory), wanted};
  return piece.memory.get();
}

/// Nothing may be thrown through compiled code.
template <typename Ask> static void *ask(jit_call *call, const Ask &ask) {
  auto *buffers = static_cast<CallBuffers *>(call->buffers);
  try {
    return ask(*buffers);
  } catch (const std::bad_alloc &) {
    return buffers->refuse(outOfMemory());
  }
}

extern "C" void *jit_rt_result(jit_call *call, int64_t result, const int64_t *openSizes) {
  return ask(call, [&](CallBuffers &buffers) {
    return buffers.result(static_cast<size_t>(result), openSizes);
  });
}

extern "C" void *jit_rt_scratch(jit_call *call, int64_t piece, int64_t bytes) {
  return ask(
      call, [&](CallBuffers &buffers) { return buffers.piece(static_cast<size_t>(piece), bytes); });
}
