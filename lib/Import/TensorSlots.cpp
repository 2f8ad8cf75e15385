//===- TensorSlots.cpp - stored tensors as slots --------------------------===//

#include "TensorSlots.h"
#include "jit/Dialect/Jit/EntryAttributes.h"

using namespace mlir;

namespace jit {

std::string viewKey(const ArchiveTensor &tensor) {
  std::string key = tensor.storageKey + "/" + std::string(shortName(tensor.dtype)) + "/" +
                    std::to_string(tensor.offset);
  for (auto [size, stride] : llvm::zip(tensor.sizes, tensor.strides))
    key += "/" + std::to_string(size) + ":" + std::to_string(stride);
  return key;
}

TensorType storedType(const ArchiveTensor &tensor, MLIRContext *context) {
  return TensorType::get(context, ArrayRef(tensor.sizes), dtypeToType(tensor.dtype, context));
}

StorageAttr storageOf(const ArchiveTensor &tensor, MLIRContext *context) {
  return StorageAttr::get(context, tensor.storageKey, tensor.offset, tensor.strides);
}

void markRecord(SlotOp slot, const ArchiveTensor &tensor) {
  int64_t bytes = std::max<int64_t>(elementSize(tensor.dtype), 1);
  auto elements = int64_t(tensor.storage.size()) / bytes;
  if (tensor.offset != 0 || tensor.elementCount() != elements)
    slot->setAttr(recordAttr, Builder(slot.getContext()).getI64IntegerAttr(elements));
}

} // namespace jit
