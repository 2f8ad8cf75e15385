//===- PlanRunner.h - plans on the devices of sessions -----------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_PLANRUNNER_H
#define JIT_LIB_RUNTIME_GPU_PLANRUNNER_H

#include "Device.h"
#include "Plan.h"
#include "jit/Runtime/PlanCode.h"

namespace jit::runtime {

/// Where a plan finds the memory that it asks for while it runs.
class PlanMemory {
public:
  virtual ~PlanMemory() = default;
  /// For a result with these open sizes; an error for sizes that no tensor has.
  virtual Result<DeviceAddress> result(size_t number, const int64_t *openSizes) = 0;
  /// The call's until the same piece is asked for again.
  virtual Result<DeviceAddress> scratch(size_t piece, size_t bytes) = 0;
};

/// A plan as it is run, made once.
class PlanProgram {
public:
  PlanProgram() = default;
  explicit PlanProgram(const DevicePlan &plan);
  PlanProgram(PlanProgram &&) = default;
  PlanProgram &operator=(PlanProgram &&) = default;

  /// One call of an entry on a device. `words` are the first of the plan's words: arguments,
  /// results, packed buffers, arena, open sizes. A guard that fails is an Error of code Raised.
  /// `memory` may be null for a plan without open buffers. `started` becomes the number of launches
  /// and copies.
  Result<void> run(const LoadedKernels &kernels, DeviceQueue &queue, std::vector<uint64_t> words,
                   PlanMemory *memory = nullptr, size_t *started = nullptr) const;

private:
  PlanTables tables;
  std::vector<int64_t> code;
  std::vector<const char *> texts; ///< those of `tables`, whose strings stay
  size_t wordCount = 0;
};

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_PLANRUNNER_H
