//===- NpyFuzzer.cpp - arrays from strangers ------------------------------===//
//
// What is read is written and read again: the same array, or none that the format has a name for.
//
//===----------------------------------------------------------------------===//

#include "jit/Runtime/Npy.h"

#include <cstdlib>
#include <cstring>

using namespace jit;
using namespace jit::runtime;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Result<Tensor> tensor = parseNpy(std::as_bytes(std::span(data, size)));
  if (!tensor)
    return 0;
  Result<std::vector<std::byte>> bytes = formatNpy(*tensor);
  if (!bytes)
    std::abort();
  Result<Tensor> again = parseNpy(*bytes);
  if (!again || again->type() != tensor->type() || again->sizes() != tensor->sizes() ||
      (tensor->byteSize() && std::memcmp(again->data(), tensor->data(), tensor->byteSize()) != 0))
    std::abort();
  return 0;
}
