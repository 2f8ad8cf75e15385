//===- Tensor.h - contiguous elements, shared --------------------*- C++ -*-===//
#ifndef JIT_RUNTIME_TENSOR_H
#define JIT_RUNTIME_TENSOR_H

#include "jit/Result.h"
#include "jit/ScalarType.h"

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jit::runtime {

/// The alignment of every buffer that is allocated here; an argument's memory is the caller's.
inline constexpr size_t bufferAlignment = 64;

/// A buffer of at least `bytes` bytes (never null), aligned to bufferAlignment; contents undefined.
/// Null only where memory is exhausted.
std::shared_ptr<std::byte> allocateBuffer(size_t bytes);

/// The same for memory that is kept from call to call, in large pages where it is large: too dear
/// to get for a result, which the C library's own memory serves without the system.
std::shared_ptr<std::byte> allocateLasting(size_t bytes);

/// Number of elements of a shape; LimitExceeded where it or its byte size does not fit, Malformed
/// for a negative size.
Result<int64_t> elementCount(std::span<const int64_t> sizes, ScalarType type);

class Tensor;

/// How a caller's tensor lies in memory, where it is not row-major or shares memory with another
/// tensor of the call.
struct CallerLayout {
  static constexpr int64_t unknownStride = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> strides; ///< in elements; all unknownStride where nobody knows them
  const void *origin = nullptr; ///< the first element
  /// The flat memory that several tensors of the call have parts of; null for one alone.
  std::shared_ptr<const Tensor> whole = {};
  uint32_t group = 0; ///< the number of that memory in the call
  int64_t offset = 0; ///< the place of the first element in it
};

/// A dense row-major array. Copies share the elements; writing through one shows in all.
class Tensor {
public:
  /// The undefined tensor: autograd's zero of a size that nobody asked for.
  Tensor() = default;

  /// A new tensor with undefined contents.
  static Result<Tensor> allocate(ScalarType type, std::vector<int64_t> sizes);
  /// A new tensor filled from `values`, whose type must be the element's C++ type (bool for Bool).
  template <typename T>
  static Result<Tensor> from(ScalarType type, std::vector<int64_t> sizes,
                             std::span<const T> values);
  /// Memory of someone else, e.g. a mapped file: `owner` keeps it alive and may be null.
  /// The caller vouches that `data` holds all elements.
  static Result<Tensor> view(ScalarType type, std::vector<int64_t> sizes, const void *data,
                             std::shared_ptr<const void> owner);

  bool defined() const { return isDefined; }
  /// Whether gradients with respect to this argument are wanted. A mark on this handle and the
  /// copies made of it from now on, not on the elements.
  bool requiresGrad() const { return wantsGrad; }
  void setRequiresGrad(bool wanted) { wantsGrad = wanted; }
  /// What there is to know of the tensor that these elements are, or were copied from; null where
  /// it is like this one. A mark like requiresGrad: the elements here lie row by row.
  const CallerLayout *callerLayout() const { return layout.get(); }
  void setCallerLayout(CallerLayout given) {
    layout = std::make_shared<const CallerLayout>(std::move(given));
  }
  void resetCallerLayout() { layout.reset(); }
  /// Whether a call may compute in these elements what they are afterwards: its caller expects just
  /// that, and nobody else has them. A mark on this handle, as requiresGrad is.
  bool mayBeOverwritten() const { return isOverwritable; }
  void setMayBeOverwritten(bool may) { isOverwritable = may; }
  /// Whether no other tensor has these elements, and they may be written.
  bool isSoleOwner() const { return writable && owner.use_count() == 1; }
  ScalarType type() const { return scalarType; }
  const std::vector<int64_t> &sizes() const { return extents; }
  int64_t numElements() const { return elements; }
  size_t byteSize() const { return static_cast<size_t>(elements * elementSize(scalarType)); }
  const void *data() const { return pointer; }
  template <typename T> const T *as() const { return static_cast<const T *>(pointer); }
  /// For tensors made by allocate() alone: a view's memory may be read-only.
  void *mutableData() {
    assert(writable && "expected a tensor that owns its elements");
    return const_cast<void *>(pointer);
  }
  template <typename T> T *mutableAs() { return static_cast<T *>(mutableData()); }

  /// A tensor of its own with the same elements.
  Result<Tensor> clone() const;
  /// "f32[1,3,224,224]"; "f32[]" for a tensor of rank 0.
  std::string typeString() const;

private:
  ScalarType scalarType = ScalarType::Float;
  std::vector<int64_t> extents = {0};
  std::shared_ptr<const CallerLayout> layout = {};
  int64_t elements = 0;
  const void *pointer = nullptr;
  std::shared_ptr<const void> owner;
  bool writable = false;
  bool isDefined = false;
  bool wantsGrad = false;
  bool isOverwritable = false;
};

template <typename T>
Result<Tensor> Tensor::from(ScalarType type, std::vector<int64_t> sizes,
                            std::span<const T> values) {
  Result<Tensor> tensor = allocate(type, std::move(sizes));
  if (!tensor)
    return tensor;
  if (sizeof(T) != static_cast<size_t>(elementSize(type)) ||
      values.size() != static_cast<size_t>(tensor->numElements()))
    return Error{ErrorCode::InvalidArgument,
                 "expected " + std::to_string(tensor->numElements()) + " elements of " +
                     std::to_string(elementSize(type)) + " bytes, got " +
                     std::to_string(values.size()) + " of " + std::to_string(sizeof(T))};
  std::copy(values.begin(), values.end(), tensor->mutableAs<T>());
  return tensor;
}

/// "f32[2,3]" for any shape and type, as arguments are described; a negative size is open:
/// "f32[?,3]".
std::string typeString(ScalarType type, std::span<const int64_t> sizes);

} // namespace jit::runtime

#endif // JIT_RUNTIME_TENSOR_H
