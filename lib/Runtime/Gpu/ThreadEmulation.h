//===- ThreadEmulation.h - the threads of a grid, one by one -----*- C++ -*-===//
#ifndef JIT_LIB_RUNTIME_GPU_THREADEMULATION_H
#define JIT_LIB_RUNTIME_GPU_THREADEMULATION_H

#include "jit/Result.h"
#include "jit/Runtime/DevicePlan.h"

#include <cstddef>
#include <span>

namespace jit::runtime {

class WarpgroupReads;

/// Runs a kernel for every thread of its grid on the calling thread. Internal where the threads of
/// a block do not all come to the same barrier, or those of a warp to the same shuffle: on a GPU
/// they would hang or read nonsense.
Result<void> emulateGrid(const DeviceKernel &kernel, std::span<const uint64_t> arguments);

/// What each thread of the warp has at `mine`, `bytes` long, one after another to `all`. All
/// threads of the warp have to come here.
void gatherWarp(jit_thread *thread, const void *mine, size_t bytes, void *all);

/// What the thread's block shares.
std::span<std::byte> sharedMemory(jit_thread *thread);

/// The products that the thread has begun.
WarpgroupReads &readsOf(jit_thread *thread);

/// Lets other threads run until they wait too, and copies be done.
void waitForCopies(jit_thread *thread);

/// Ends the grid with an error about what was expected, once the thread waits.
void failGrid(jit_thread *thread, const char *expected);

} // namespace jit::runtime

#endif // JIT_LIB_RUNTIME_GPU_THREADEMULATION_H
