//===- CallBuffers.cpp - memory whose size only the call tells ------------===//
#include "CallBuffers.h"
#include "jit/Runtime/Call.h"

using namespace jit;
using namespace jit::runtime;

void *CallBuffers::result(size_t index, const int64_t *openSizes) {
  const ValueType &type = entry.results[index].type;
  std::vector<int64_t> sizes = type.sizes;
  for (int64_t &size : sizes)
    if (size == ValueType::openSize)
      size = *openSizes++;
  Result<Tensor> tensor = Tensor::allocate(type.scalar, std::move(sizes));
  if (!tensor)
    return nullptr;
  results[index] = std::move(*tensor);
  return results[index].mutableData();
}

void *CallBuffers::piece(size_t index, size_t bytes) {
  if (scratch.pieces.size() <= index)
    scratch.pieces.resize(index + 1);
  Scratch::Piece &piece = scratch.pieces[index];
  if (piece.memory && piece.bytes >= bytes)
    return piece.memory.get();
  // Half as much again where it has grown: sizes that grow from call to call ask for memory now and
  // then only.
  piece.bytes = piece.memory ? bytes + bytes / 2 : bytes;
  if (piece.memory)
    outgrown.push_back(std::move(piece.memory));
  piece.memory = allocateLasting(piece.bytes);
  return piece.memory.get();
}

extern "C" void *jit_rt_result(jit_call *call, int64_t result, const int64_t *openSizes) {
  return static_cast<CallBuffers *>(call->buffers)->result(static_cast<size_t>(result), openSizes);
}

extern "C" void *jit_rt_scratch(jit_call *call, int64_t piece, int64_t bytes) {
  if (bytes < 0)
    return nullptr;
  return static_cast<CallBuffers *>(call->buffers)
      ->piece(static_cast<size_t>(piece), static_cast<size_t>(bytes));
}
