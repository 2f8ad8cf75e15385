//===- CublasLt.cpp - NVIDIA's library of products, found at run time -----===//
#include "CublasLt.h"
#include "OpenedLibrary.h"
#include "jit/Runtime/CudaChip.h"

using namespace jit;
using namespace jit::runtime;

//===----------------------------------------------------------------------===//
// Finding it
//===----------------------------------------------------------------------===//

static bool findAll(OpenedLibrary &from, CublasLt &library) {
#define JIT_FIND(name) from.find(#name, library.name)
  return JIT_FIND(cublasLtCreate) && JIT_FIND(cublasLtDestroy) &&
         JIT_FIND(cublasLtMatmulDescCreate) && JIT_FIND(cublasLtMatmulDescDestroy) &&
         JIT_FIND(cublasLtMatmulDescSetAttribute) && JIT_FIND(cublasLtMatrixLayoutCreate) &&
         JIT_FIND(cublasLtMatrixLayoutDestroy) && JIT_FIND(cublasLtMatrixLayoutSetAttribute) &&
         JIT_FIND(cublasLtMatmulPreferenceCreate) && JIT_FIND(cublasLtMatmulPreferenceDestroy) &&
         JIT_FIND(cublasLtMatmulPreferenceSetAttribute) &&
         JIT_FIND(cublasLtMatmulAlgoGetHeuristic) && JIT_FIND(cublasLtMatmul);
#undef JIT_FIND
}

static Result<const CublasLt *> load() {
  OpenedLibrary found({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"});
  if (!found.isOpen())
    return Error{ErrorCode::Unsupported, "expected cublasLt (libcublasLt.so.13, .12 or .11) for "
                                         "--gpu-libraries, got none that this process finds"};
  static CublasLt library;
  if (!findAll(found, library))
    return Error{ErrorCode::Unsupported,
                 "expected cublasLt with " + found.missing() + ", got an older one"};
  return &library;
}

Result<const CublasLt *> CublasLt::get() {
  static const Result<const CublasLt *> library = load();
  return library;
}

Result<void> jit::runtime::findProductLibrary() {
  if (Result<const CublasLt *> library = CublasLt::get(); !library)
    return library.takeError();
  return {};
}

static Error failed(CublasStatus status, const char *what) {
  return {ErrorCode::Internal,
          std::string("expected cublasLt ") + what + ", got its status " + std::to_string(status)};
}

//===----------------------------------------------------------------------===//
// Describing a product
//===----------------------------------------------------------------------===//

// Of library_types.h, cublas_api.h and cublasLt.h, by their numbers.
static constexpr int typeOfFloats = 0, typeOfHalves = 2, typeOfBrains = 14;
static constexpr int addsFloats = 68, addsFloatsOfTf32 = 77;
static constexpr int transposesFirst = 3, transposesSecond = 4;
static constexpr int batchCount = 5, batchStride = 6;
static constexpr int mostWorkspace = 1, firstAlignment = 5, alignments = 4;

struct LibraryProducts::Prepared {
  explicit Prepared(const CublasLt &library) : library(library) {}
  ~Prepared() {
    for (void *layout : {first, second, result})
      if (layout)
        library.cublasLtMatrixLayoutDestroy(layout);
    if (product)
      library.cublasLtMatmulDescDestroy(product);
  }
  Prepared(const Prepared &) = delete;
  Prepared &operator=(const Prepared &) = delete;

  const CublasLt &library;
  void *product = nullptr, *first = nullptr, *second = nullptr, *result = nullptr;
  CublasLtChoice choice;
};

static int libraryType(ScalarType type) {
  return type == ScalarType::Float  ? typeOfFloats
         : type == ScalarType::Half ? typeOfHalves
                                    : typeOfBrains;
}

/// The library's matrices have their columns side by side: ours of rows are its transposed ones.
static CublasStatus describe(const CublasLt &library, ScalarType type, const PlanMatrix &matrix,
                             int64_t rows, int64_t columns, int64_t batches, void *&layout) {
  int64_t inner = matrix.isTransposed ? rows : columns;
  int64_t outer = matrix.isTransposed ? columns : rows;
  CublasStatus status = library.cublasLtMatrixLayoutCreate(
      &layout, libraryType(type), uint64_t(inner), uint64_t(outer), matrix.stride);
  auto count = int32_t(batches);
  if (!status)
    status = library.cublasLtMatrixLayoutSetAttribute(layout, batchCount, &count, sizeof count);
  if (!status)
    status = library.cublasLtMatrixLayoutSetAttribute(layout, batchStride, &matrix.batchStride,
                                                      sizeof matrix.batchStride);
  return status;
}

/// The way that the library thinks best for memory of this alignment.
static CublasStatus choose(const CublasLt &library, void *handle, void *product,
                           std::array<void *, 3> layouts, uint32_t alignment,
                           CublasLtChoice &choice) {
  void *preference = nullptr;
  if (CublasStatus status = library.cublasLtMatmulPreferenceCreate(&preference))
    return status;
  auto most = uint64_t(LibraryProducts::workspaceBytes);
  CublasStatus status =
      library.cublasLtMatmulPreferenceSetAttribute(preference, mostWorkspace, &most, sizeof most);
  for (int i = 0; i < alignments && !status; ++i)
    status = library.cublasLtMatmulPreferenceSetAttribute(preference, firstAlignment + i,
                                                          &alignment, sizeof alignment);
  int found = 0;
  if (!status)
    status =
        library.cublasLtMatmulAlgoGetHeuristic(handle, product, layouts[0], layouts[1], layouts[2],
                                               layouts[2], preference, 1, &choice, &found);
  library.cublasLtMatmulPreferenceDestroy(preference);
  constexpr CublasStatus notSupported = 15;
  if (!status && found == 0)
    return notSupported;
  return status ? status : choice.state;
}

Result<const LibraryProducts::Prepared *> LibraryProducts::prepare(const Key &key) {
  auto &entry = known[key];
  if (entry)
    return entry.get();
  const MatrixProduct &product = key.first;
  auto made = std::make_unique<Prepared>(library);
  // Of its transposed matrices our right factor is the first.
  CublasStatus status = library.cublasLtMatmulDescCreate(
      &made->product, product.allowsTf32 ? addsFloatsOfTf32 : addsFloats, typeOfFloats);
  for (auto [attribute, matrix] :
       {std::pair(transposesFirst, &product.right), std::pair(transposesSecond, &product.left)}) {
    int32_t operation = matrix->isTransposed ? 1 : 0;
    if (!status)
      status = library.cublasLtMatmulDescSetAttribute(made->product, attribute, &operation,
                                                      sizeof operation);
  }
  int64_t batches = product.batches;
  if (!status)
    status = describe(library, product.factors, product.right, product.depth, product.columns,
                      batches, made->first);
  if (!status)
    status = describe(library, product.factors, product.left, product.rows, product.depth, batches,
                      made->second);
  if (!status)
    status = describe(library, product.sums, product.result, product.rows, product.columns, batches,
                      made->result);
  if (!status)
    status = choose(library, handle, made->product, {made->first, made->second, made->result},
                    key.second, made->choice);
  if (status) {
    known.erase(key);
    return failed(status, "to have a way to multiply");
  }
  entry = std::move(made);
  return entry.get();
}

//===----------------------------------------------------------------------===//
// Multiplying
//===----------------------------------------------------------------------===//

LibraryProducts::LibraryProducts(const CublasLt &library, void *handle)
    : library(library), handle(handle) {}

LibraryProducts::~LibraryProducts() {
  known.clear();
  library.cublasLtDestroy(handle);
}

Result<std::unique_ptr<LibraryProducts>> LibraryProducts::create() {
  Result<const CublasLt *> library = CublasLt::get();
  if (!library)
    return library.takeError();
  void *handle = nullptr;
  if (CublasStatus status = (*library)->cublasLtCreate(&handle))
    return failed(status, "to start");
  return std::unique_ptr<LibraryProducts>(new LibraryProducts(**library, handle));
}

Result<void> LibraryProducts::multiply(const MatrixProduct &product, uint64_t left, uint64_t right,
                                       uint64_t result, uint64_t workspace,
                                       jit_cuda_stream stream) {
  uint64_t all = left | right | result | 16;
  Result<const Prepared *> prepared = prepare({product, uint32_t(all & -all)});
  if (!prepared)
    return prepared.takeError();
  const Prepared &way = **prepared;
  float one = 1, before = product.adds ? 1 : 0;
  auto *to = reinterpret_cast<void *>(result);
  CublasStatus status = library.cublasLtMatmul(
      handle, way.product, &one, reinterpret_cast<const void *>(right), way.first,
      reinterpret_cast<const void *>(left), way.second, &before, to, way.result, to, way.result,
      way.choice.algorithm.data(), reinterpret_cast<void *>(workspace), workspaceBytes, stream);
  if (status)
    return failed(status, "to multiply");
  return {};
}
