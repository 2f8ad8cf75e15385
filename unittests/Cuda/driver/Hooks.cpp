//===- Hooks.cpp - what tests ask the stand-in driver ---------------------===//
#include "Device.h"

using namespace fake;

// NOLINTBEGIN(readability-identifier-naming): names beside the driver's
extern "C" {
/// What is allocated still, for the test; on which device.
size_t fakeCudaAllocations() {
  return Device::get(0).machine.memory.count() + Device::get(1).machine.memory.count();
}
size_t fakeCudaAllocationsOf(int number) { return Device::get(number).machine.memory.count(); }
/// Graphs that were made and not destroyed, and how often graphs were launched.
size_t fakeCudaGraphs() { return Device::get(0).graphs.size() + Device::get(1).graphs.size(); }
size_t fakeCudaGraphLaunches() { return Driver::get().graphLaunches; }
/// How often a stream was waited for, and the host's memory read or written.
size_t fakeCudaWaits() { return Driver::get().waits; }
size_t fakeCudaHostCopies() { return Driver::get().hostCopies; }
/// How many of these were of memory of the driver's making, and what of that is allocated still.
size_t fakeCudaPinnedCopies() { return Driver::get().pinnedCopies; }
size_t fakeCudaPinned() { return Driver::get().pinned.size(); }
/// As JIT_FAKE_CUDA_FAIL, counted from now on; "" for none.
void fakeCudaFail(const char *name, size_t call) { Driver::get().fail(name, call); }
/// How often that function has been called since.
size_t fakeCudaCalls() { return Driver::get().countCalls(); }
/// A stream that the runtime has not made, and what a test does to see what it has done.
void *fakeCudaCallersStream() { return &Device::get(0).callersStream; }
void *fakeCudaCallersStreamOf(int number) { return &Device::get(number).callersStream; }
void fakeCudaFinish() {
  std::lock_guard lock(Driver::get().mutex);
  for (int number = 0; number < Device::count; ++number)
    for (Stream *stream : Device::get(number).streams)
      Device::get(number).finish(*stream);
}
}
// NOLINTEND(readability-identifier-naming)
