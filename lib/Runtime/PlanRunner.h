//===- PlanRunner.h - does what a plan says ----------------------*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_PLANRUNNER_H
#define JIT_LIB_RUNTIME_PLANRUNNER_H

#include "Device.h"

namespace jit {

/// One call of an entry on a device. `words` are the first of the plan's words: arguments, results,
/// packed buffers, arena. A guard that fails is an Error of code Raised. `started` becomes the
/// number of launches and copies.
Result<void> runPlan(const DevicePlan &plan, const LoadedKernels &kernels, DeviceQueue &queue,
                     std::vector<uint64_t> words, size_t *started = nullptr);

/// True if a plan is the same work whenever it starts with the same words, and enough of it that
/// starting it at once is quicker: the device starts a kernel every few microseconds.
bool isWorthRecording(const DevicePlan &plan);

} // namespace jit

#endif // JIT_LIB_RUNTIME_PLANRUNNER_H
