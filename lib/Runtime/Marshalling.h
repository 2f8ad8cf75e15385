//===- Marshalling.h - values to pointers and back ---------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_MARSHALLING_H
#define JIT_LIB_RUNTIME_MARSHALLING_H

#include "jit-c/Values.h"
#include "jit/Runtime/Artifact.h"
#include "jit/Runtime/Value.h"

namespace jit::runtime {

/// Room for a scalar argument or result while its pointer is with the callee.
union ScalarCell {
  int64_t integer;
  double real;
  uint8_t boolean;
  uint64_t word;
};

/// What the runtime's C says of a failure.
Error errorOf(const jit_error &error);

/// The exception that a failed guard has left in `call`.
Error raisedError(const jit_call &call);

/// A value that does not fit argument number `index`.
Error mismatch(const ArgumentInfo &info, size_t index, const std::string &got);

/// The pointer for one argument; scalars are put into `cell`. Null where the value does not fit.
const void *argumentPointer(const ValueType &type, const Value &value, ScalarCell &cell);

/// Appends the sizes that the type leaves open; false where the value has others.
bool addOpenSizes(const ArgumentInfo &info, const Value &value, std::vector<int64_t> &sizes);

/// An error unless open sizes of one name are equal.
Result<void> checkNames(std::span<const ArgumentInfo> arguments, std::span<const Value> inputs);

Value scalarResult(ScalarType type, const ScalarCell &cell);

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_MARSHALLING_H
