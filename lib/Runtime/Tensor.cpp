//===- Tensor.cpp - allocation and views of dense arrays ------------------===//
#include "jit/Runtime/Tensor.h"

#include "Memory.h"
#include "Sizes.h"
#include "jit/OutOfMemory.h"
#include "jit/Runtime/BufferPool.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

static_assert(bufferAlignment == buffer_alignment);

std::shared_ptr<std::byte> jit::runtime::allocateBuffer(size_t bytes) {
  return BufferPool::process().allocate(bytes);
}

std::shared_ptr<std::byte> jit::runtime::allocateLasting(size_t bytes) {
  void *memory = jit_allocate_lasting(static_cast<int64_t>(bytes));
  if (!memory && BufferPool::process().trim() > 0)
    memory = jit_allocate_lasting(static_cast<int64_t>(bytes));
  return {static_cast<std::byte *>(memory), [](std::byte *p) { std::free(p); }};
}

Result<int64_t> jit::runtime::elementCount(std::span<const int64_t> sizes, ScalarType type) {
  auto dtype = static_cast<int32_t>(type), rank = static_cast<int32_t>(sizes.size());
  int64_t bytes = jit_count_bytes(dtype, rank, sizes.data());
  if (bytes >= 0)
    return bytes / std::max<int64_t>(jit_element_size(dtype), 1);
  return orOutOfMemory([&]() -> Result<int64_t> {
    auto negative = std::ranges::find_if(sizes, [](int64_t size) { return size < 0; });
    if (negative != sizes.end())
      return Error{ErrorCode::Malformed,
                   "expected sizes of at least 0, got " + std::to_string(*negative)};
    return Error{ErrorCode::LimitExceeded,
                 "expected a tensor that fits in memory, got " + typeString(type, sizes)};
  });
}

Result<Tensor> Tensor::allocate(ScalarType type, std::vector<int64_t> sizes) {
  return orOutOfMemory([&]() -> Result<Tensor> {
    Result<int64_t> count = elementCount(sizes, type);
    if (!count)
      return count.takeError();
    std::shared_ptr<std::byte> buffer =
        allocateBuffer(static_cast<size_t>(*count * elementSize(type)));
    if (!buffer)
      return Error{ErrorCode::LimitExceeded,
                   "out of memory for a tensor of " + jit::runtime::typeString(type, sizes)};
    Tensor tensor;
    tensor.scalarType = type;
    tensor.extents = std::move(sizes);
    tensor.elements = *count;
    tensor.isDefined = true;
    tensor.pointer = buffer.get();
    tensor.owner = std::move(buffer);
    tensor.writable = true;
    return tensor;
  });
}

Result<Tensor> Tensor::view(ScalarType type, std::vector<int64_t> sizes, const void *data,
                            std::shared_ptr<const void> owner) {
  return orOutOfMemory([&]() -> Result<Tensor> {
    Result<int64_t> count = elementCount(sizes, type);
    if (!count)
      return count.takeError();
    Tensor tensor;
    tensor.scalarType = type;
    tensor.extents = std::move(sizes);
    tensor.elements = *count;
    tensor.isDefined = true;
    tensor.pointer = data;
    tensor.owner = std::move(owner);
    return tensor;
  });
}

Result<Tensor> Tensor::clone() const {
  return orOutOfMemory([&]() -> Result<Tensor> {
    Result<Tensor> copy = allocate(scalarType, extents);
    if (copy && elements > 0)
      std::memcpy(copy->mutableData(), pointer, byteSize());
    return copy;
  });
}

std::string Tensor::typeString() const { return jit::runtime::typeString(scalarType, extents); }

std::string jit::runtime::typeString(ScalarType type, std::span<const int64_t> sizes) {
  std::string text = std::string(shortName(type)) + "[";
  for (size_t i = 0; i < sizes.size(); ++i)
    text += (i ? "," : "") + (sizes[i] < 0 ? "?" : std::to_string(sizes[i]));
  return text + "]";
}
