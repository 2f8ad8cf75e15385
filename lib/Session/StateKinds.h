//===- StateKinds.h - what keys say of module state -------------*- C++ -*-===//
#ifndef JIT_LIB_SESSION_STATEKINDS_H
#define JIT_LIB_SESSION_STATEKINDS_H

#include "ModuleState.h"

#include <mutex>

namespace jit {

/// Numbers the kinds of value that a few slots have held together: records as a key has them. They
/// are made only after a slot has got a value of another kind, so a call pays one word for all of
/// its state.
class StateKinds {
public:
  explicit StateKinds(std::vector<unsigned> slots) : slots(std::move(slots)) {}

  /// The number of the present kinds, the same whenever they are the same; 0 for no slots. The
  /// caller holds the state's lock.
  Result<uint64_t> present(ModuleState &state);
  /// The specs of the present values, in the order of the slots. The caller holds the lock here,
  /// too.
  Result<std::vector<ValueSpec>> specs(ModuleState &state) const;

private:
  Result<void> appendRecords(ModuleState &state, runtime::CallKey &records) const;

  /// Numbers are forgotten beyond this many; what comes back later gets a new one, and with it a
  /// variant of its own.
  static constexpr size_t maxKept = 4096;

  std::vector<unsigned> slots;
  std::mutex mutex;
  std::optional<uint64_t> version; // of the state, when `number` was found
  uint64_t number = 0, lastNumber = 0;
  std::map<std::vector<uint64_t>, uint64_t> numbers;
};

} // namespace jit

#endif // JIT_LIB_SESSION_STATEKINDS_H
