//===- ArchiveValue.h - the values that an archive holds --------*- C++ -*-===//
//
// What data.pkl and constants.pkl stand for, with tensors checked against their storages. All
// compound values belong to their archive and are reached by plain pointers: the same pointer is
// the same object. There are no cycles, and depth is bounded.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_ARCHIVEVALUE_H
#define JIT_ARCHIVE_ARCHIVEVALUE_H

#include "jit/Archive/SharedBytes.h"
#include "jit/ScalarType.h"

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace jit {

/// A strided view of a storage record. Every element lies inside the record.
struct ArchiveTensor {
  ScalarType dtype = ScalarType::Float;
  std::vector<int64_t> sizes;
  /// In elements, one per size, none negative.
  std::vector<int64_t> strides;
  /// Of the first element in the storage, in elements.
  int64_t offset = 0;
  bool requiresGrad = false;
  /// Wrapped by _rebuild_parameter.
  bool isParameter = false;
  /// The member without the root folder, e.g. "data/3": tensors of one key share memory.
  std::string storageKey;
  /// Where the archive's author had it, e.g. "cpu" or "cuda:0".
  std::string device;
  /// The whole record, 64-byte aligned; keeps itself alive beyond the archive.
  SharedBytes storage;

  /// The product of sizes.
  int64_t elementCount() const;
  /// Row-major without gaps.
  bool isContiguous() const;
  /// The first element, for who makes constants of a program out of elements. Null in a large
  /// record (StorageRecords::largeRecord): that holds weights, on which no program depends.
  const std::byte *constantData() const;
};

/// Integers n that stand for (n - zero point) * scale.
struct ArchiveQuantizedTensor {
  /// Of 8 or 32 bits.
  ArchiveTensor numbers;
  /// Of the whole tensor, unless its channels have their own.
  double scale = 1;
  int64_t zeroPoint = 0;
  struct Channels {
    /// One element each for every index of dimension `axis`.
    ArchiveTensor scales, zeroPoints;
    int64_t axis = 0;
  };
  std::optional<Channels> channels;
};

struct ArchiveString {
  std::string text;
};
struct ArchiveDevice {
  std::string name;
};
struct ArchiveList;
struct ArchiveTuple;
struct ArchiveDict;
struct ArchiveObject;
struct ArchiveEnum;

/// A value, cheap to copy: compound ones are pointers into the archive.
using ArchiveValueVariant =
    std::variant<std::monostate, bool, int64_t, double, std::complex<double>, const ArchiveString *,
                 const ArchiveDevice *, const ArchiveTensor *, const ArchiveQuantizedTensor *,
                 const ArchiveList *, const ArchiveTuple *, const ArchiveDict *,
                 const ArchiveObject *, const ArchiveEnum *>;

struct ArchiveValue : ArchiveValueVariant {
  using ArchiveValueVariant::ArchiveValueVariant;

  /// In the order of the variant, for switches.
  enum class Kind {
    None,
    Bool,
    Int,
    Double,
    Complex,
    String,
    Device,
    Tensor,
    QuantizedTensor,
    List,
    Tuple,
    Dict,
    Object,
    Enum
  };

  Kind kind() const { return static_cast<Kind>(index()); }
  bool isNone() const { return kind() == Kind::None; }

  /// The value if it is of that kind, else null.
  const bool *asBool() const { return std::get_if<bool>(this); }
  const int64_t *asInt() const { return std::get_if<int64_t>(this); }
  const double *asDouble() const { return std::get_if<double>(this); }
  const std::complex<double> *asComplex() const { return std::get_if<std::complex<double>>(this); }
  const std::string *asString() const;
  const ArchiveDevice *asDevice() const { return pointer<ArchiveDevice>(); }
  const ArchiveTensor *asTensor() const { return pointer<ArchiveTensor>(); }
  const ArchiveQuantizedTensor *asQuantizedTensor() const {
    return pointer<ArchiveQuantizedTensor>();
  }
  const ArchiveList *asList() const { return pointer<ArchiveList>(); }
  const ArchiveTuple *asTuple() const { return pointer<ArchiveTuple>(); }
  const ArchiveDict *asDict() const { return pointer<ArchiveDict>(); }
  const ArchiveObject *asObject() const { return pointer<ArchiveObject>(); }
  const ArchiveEnum *asEnum() const { return pointer<ArchiveEnum>(); }

  /// "int", "tensor", ... for messages.
  std::string_view kindName() const;

private:
  template <typename T> const T *pointer() const {
    auto *held = std::get_if<const T *>(this);
    return held ? *held : nullptr;
  }
};

struct ArchiveList {
  /// As in source, e.g. "List[int]"; empty where the pickle does not say: the attribute's type
  /// does.
  std::string type;
  std::vector<ArchiveValue> items;
};

/// A NamedTuple is stored as a plain tuple; its class comes from the attribute's type.
struct ArchiveTuple {
  std::vector<ArchiveValue> items;
};

struct ArchiveDict {
  /// As in source, e.g. "Dict[str, int]"; empty where the pickle does not say.
  std::string type;
  std::vector<std::pair<ArchiveValue, ArchiveValue>> items;
};

struct ArchiveObject {
  /// Qualified, e.g. "__torch__.m.___torch_mangle_3.Net".
  std::string className;
  /// In the order stored.
  std::vector<std::pair<std::string, ArchiveValue>> attributes;
  /// What the class's own __setstate__ takes; none for all others, which have attributes.
  ArchiveValue state;

  /// Null if there is none of that name.
  const ArchiveValue *find(std::string_view name) const;
};

/// The member of an enum class whose value this is; its name stands in the class.
struct ArchiveEnum {
  std::string className;
  ArchiveValue value;
};

} // namespace jit

#endif // JIT_ARCHIVE_ARCHIVEVALUE_H
