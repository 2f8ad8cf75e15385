//===- TensorStorage.h - tensors from their pickled records -----*- C++ -*-===//
#ifndef JIT_LIB_ARCHIVE_TENSORSTORAGE_H
#define JIT_LIB_ARCHIVE_TENSORSTORAGE_H

#include "jit/Archive/ArchiveValue.h"
#include "jit/Archive/Pickle.h"
#include "jit/Archive/ZipFile.h"

#include <unordered_map>

namespace jit {

/// Checks that every element of \p tensor lies in its storage, and that the tensor laid out without
/// gaps (it may repeat elements by strides of zero) has at most \p budget bytes. Errors are at
/// \p where.
Result<void> checkView(const ArchiveTensor &tensor, uint64_t budget, const std::string &where);

/// Reads each storage record once and builds tensors on it, checking that they stay inside.
class TensorStorage {
public:
  /// Records are \p folder + "/" + key of \p zip.
  TensorStorage(const ZipFile &zip, std::string folder) : zip(zip), folder(std::move(folder)) {}

  /// Whether a call of \p global makes a tensor, of a kind handled here or not.
  static bool isRebuild(std::string_view global);

  /// Whether it makes a tensor of integers that stand for reals.
  static bool isQuantizedRebuild(std::string_view global);

  /// The tensor that the call \p ref of \p tree would rebuild.
  Result<ArchiveTensor> rebuild(const PickleTree &tree, PickleRef ref);
  Result<ArchiveQuantizedTensor> rebuildQuantized(const PickleTree &tree, PickleRef ref);

private:
  /// What plain and quantized tensors have in common: storage, offset, size and stride, the first
  /// four of \p args.
  Result<void> readView(const PickleTree &tree, PickleRef call, const std::vector<PickleRef> &args,
                        bool isQuantized, ArchiveTensor &tensor);
  Result<void> readStorage(const PickleTree &tree, PickleRef id, bool isQuantized,
                           ArchiveTensor &tensor);
  Result<ArchiveQuantizedTensor::Channels> readChannels(const PickleTree &tree, PickleRef quantizer,
                                                        const std::vector<int64_t> &sizes);
  Result<SharedBytes> record(const PickleTree &tree, PickleRef id, const std::string &key);

  ZipFile zip;
  std::string folder;
  std::unordered_map<std::string, SharedBytes> records;
};

} // namespace jit

#endif // JIT_LIB_ARCHIVE_TENSORSTORAGE_H
