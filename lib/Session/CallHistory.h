//===- CallHistory.h - what of a method's calls changes ---------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_CALLHISTORY_H
#define JIT_LIB_SESSION_CALLHISTORY_H

#include "jit/CallSpec/CallSpec.h"
#include "jit/Runtime/CallKey.h"

#include <span>

namespace jit {

/// The sizes of tensors and the ints that one method's calls have had.
class CallHistory {
public:
  /// Notes those of a call. Gives what has had several values by now, this call's included.
  const runtime::OpenParts &add(std::span<const ValueSpec> arguments);

private:
  void add(const ValueSpec &value);
  void addSizes(const std::vector<int64_t> &now);
  void addInt(int64_t now);

  std::vector<std::vector<int64_t>> sizes; // of each tensor, the last
  std::vector<int64_t> ints;
  size_t tensor = 0, number = 0; // the next of the call that is being added
  runtime::OpenParts open;
};

} // namespace jit

#endif // JIT_LIB_SESSION_CALLHISTORY_H
