//===- Npy.h - tensors in NumPy's .npy files ---------------------*- C++ -*-===//
#ifndef JIT_RUNTIME_NPY_H
#define JIT_RUNTIME_NPY_H

#include "jit/Runtime/Tensor.h"

namespace jit::runtime {

/// Parses the bytes of a .npy file (versions 1 to 3, little-endian, row-major).
/// Malformed where the bytes are not that; Unsupported for Fortran order, big-endian numbers, and
/// element types that no ScalarType has.
Result<Tensor> parseNpy(std::span<const std::byte> bytes);
Result<Tensor> readNpy(const std::string &path);

/// The bytes of a .npy file. Unsupported for bf16 and c32, which NumPy has no name for.
Result<std::vector<std::byte>> formatNpy(const Tensor &tensor);
Result<void> writeNpy(const std::string &path, const Tensor &tensor);

} // namespace jit::runtime

#endif // JIT_RUNTIME_NPY_H
