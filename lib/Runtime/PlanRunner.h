//===- PlanRunner.h - does what a plan says ----------------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_PLANRUNNER_H
#define JIT_LIB_RUNTIME_PLANRUNNER_H

#include "Device.h"

namespace jit {

/// One call of an entry on a device. `words` are the first of the plan's words: arguments, results,
/// packed buffers, arena. A guard that fails is an Error of code Raised.
Result<void> runPlan(const DevicePlan &plan, const LoadedKernels &kernels, DeviceQueue &queue,
                     std::vector<uint64_t> words);

} // namespace jit

#endif // JIT_LIB_RUNTIME_PLANRUNNER_H
