//===- CallKeyRecords.h - the words of a call's key --------------*- C++ -*-===//
//
// What CallKey.cpp writes and ReadCallKey.cpp reads: jit/Runtime/CallKey.h says what for.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_RUNTIME_CALLKEYRECORDS_H
#define JIT_LIB_RUNTIME_CALLKEYRECORDS_H

#include <cstddef>
#include <cstdint>

namespace jit::runtime {

/// The low bits of a record's first word.
enum class Tag : uint64_t {
  Call,
  State,
  None,
  Tensor,
  UndefinedTensor,
  Int,
  WideInt,
  Float,
  Bool,
  Str,
  List,
  Tuple,
  Dict, ///< the list of its pairs
  OpenInt
};

constexpr unsigned tagBits = 4;

constexpr uint64_t record(Tag tag, uint64_t payload = 0) {
  return static_cast<uint64_t>(tag) | payload << tagBits;
}
constexpr Tag tagOf(uint64_t word) { return static_cast<Tag>(word & ((1 << tagBits) - 1)); }
constexpr uint64_t payloadOf(uint64_t word) { return word >> tagBits; }

/// Where the first word of a tensor's record says: that gradients are wanted; that sizes are
/// classes and not themselves; that strides follow; that it is a part of a memory; its element
/// type; its rank. The bits between the last two, where a device belongs, are zero.
constexpr unsigned gradBit = 4, symbolicBit = 5, stridesBit = 6, partBit = 7, typeShift = 8,
                   rankShift = 32;

/// The classes of symbolic sizes: 0, 1, 2 for any other, or 3 for one that has a word behind those
/// of the classes; so many classes in a word.
constexpr unsigned sizeClassBits = 2;
constexpr int64_t openClass = 2, ownClass = 3;
constexpr size_t sizeClassesPerWord = 64 / sizeClassBits;

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_CALLKEYRECORDS_H
