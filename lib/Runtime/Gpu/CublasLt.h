//===- CublasLt.h - NVIDIA's library of products, found at run time -*- C++ -*-===//
//
// The few functions that we need, with the types that they have in C. No header of the library's is
// needed, and none of it is linked.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_RUNTIME_GPU_CUBLASLT_H
#define JIT_LIB_RUNTIME_GPU_CUBLASLT_H

#include "CudaDriver.h"
#include "jit/Runtime/DevicePlan.h"

#include <map>

namespace jit::runtime {

/// cublasStatus_t; 0 is success.
using CublasStatus = int;

/// cublasLtMatmulHeuristicResult_t: a way to multiply, and what it needs.
struct CublasLtChoice {
  std::array<uint64_t, 8> algorithm = {};
  size_t workspaceBytes = 0;
  CublasStatus state = 0;
  float waves = 0;
  std::array<int, 4> reserved = {};
};

// NOLINTBEGIN(readability-identifier-naming): the library's names
struct CublasLt {
  CublasStatus (*cublasLtCreate)(void **handle);
  CublasStatus (*cublasLtDestroy)(void *handle);
  CublasStatus (*cublasLtMatmulDescCreate)(void **made, int computeType, int scaleType);
  CublasStatus (*cublasLtMatmulDescDestroy)(void *made);
  CublasStatus (*cublasLtMatmulDescSetAttribute)(void *made, int attribute, const void *value,
                                                 size_t bytes);
  CublasStatus (*cublasLtMatrixLayoutCreate)(void **made, int type, uint64_t rows, uint64_t columns,
                                             int64_t stride);
  CublasStatus (*cublasLtMatrixLayoutDestroy)(void *made);
  CublasStatus (*cublasLtMatrixLayoutSetAttribute)(void *made, int attribute, const void *value,
                                                   size_t bytes);
  CublasStatus (*cublasLtMatmulPreferenceCreate)(void **made);
  CublasStatus (*cublasLtMatmulPreferenceDestroy)(void *made);
  CublasStatus (*cublasLtMatmulPreferenceSetAttribute)(void *made, int attribute, const void *value,
                                                       size_t bytes);
  CublasStatus (*cublasLtMatmulAlgoGetHeuristic)(void *handle, void *product, void *left,
                                                 void *right, void *before, void *result,
                                                 void *preference, int wanted,
                                                 CublasLtChoice *choices, int *found);
  CublasStatus (*cublasLtMatmul)(void *handle, void *product, const void *alpha, const void *left,
                                 void *leftLayout, const void *right, void *rightLayout,
                                 const void *beta, const void *before, void *beforeLayout,
                                 void *result, void *resultLayout, const void *algorithm,
                                 void *workspace, size_t workspaceBytes, jit_cuda_stream stream);

  /// Of this machine, loaded when first asked for; Unsupported where there is none.
  static Result<const CublasLt *> get();
};
// NOLINTEND(readability-identifier-naming)

/// Products of one stream. The context of the calling thread has to be that of the stream.
class LibraryProducts {
public:
  /// Memory that the library may use while it multiplies: what it asks for on large GPUs.
  static constexpr size_t workspaceBytes = size_t(32) << 20;

  static Result<std::unique_ptr<LibraryProducts>> create();
  ~LibraryProducts();

  /// `workspace` are so many bytes, aligned to 256.
  Result<void> multiply(const MatrixProduct &product, uint64_t left, uint64_t right,
                        uint64_t result, uint64_t workspace, jit_cuda_stream stream);

private:
  /// What the library wants to know of a product, and how it will do it.
  struct Prepared;
  /// A product, and the largest power of two up to 16 that divides its addresses.
  using Key = std::pair<MatrixProduct, uint32_t>;

  LibraryProducts(const CublasLt &library, void *handle);
  Result<const Prepared *> prepare(const Key &key);

  const CublasLt &library;
  void *handle;
  std::map<Key, std::unique_ptr<Prepared>> known;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_CUBLASLT_H
