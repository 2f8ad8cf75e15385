//===- LaunchLog.h - what kernels do, for a model of time -------*- C++ -*-===//
#ifndef JIT_UNITTESTS_CUDA_DRIVER_LAUNCHLOG_H
#define JIT_UNITTESTS_CUDA_DRIVER_LAUNCHLOG_H

#include "Device.h"

#include <fstream>
#include <tuple>

namespace fake {

/// Instead of running launches, counts what a sample of their blocks does. A line of JSON for each:
/// with all counts for the first of a kernel and a grid, with the number of that one for others. Of
/// a cooperative launch all blocks are counted, and each phase has a line. What comes of kernels is
/// of no use then.
class LaunchLog {
public:
  /// JIT_FAKE_CUDA_COUNT is the file, JIT_FAKE_CUDA_BLOCKS how many blocks of a launch run. Null
  /// where nothing is to be counted.
  static LaunchLog *get();

  std::string add(ptx::Machine &machine, const LoadedModule &owner, const ptx::Function &function,
                  const ptx::Launch &launch);

private:
  using Launched = std::tuple<const LoadedModule &, const ptx::Function &, const ptx::Launch &>;
  /// What a line begins with, of launch number `number`.
  void begin(const Launched &launched, size_t number);
  void end(const ptx::Counter &counter);
  std::string count(ptx::Machine &machine, const Launched &launched, size_t number);
  std::string countPhases(ptx::Machine &machine, const Launched &launched, size_t number);
  LaunchLog(const char *file, uint32_t blocks) : out(file), blocks(blocks) {}

  using Key = std::tuple<const ptx::Function *, std::array<uint32_t, 3>, std::array<uint32_t, 3>>;
  std::ofstream out;
  uint32_t blocks;
  std::map<Key, size_t> known;
};

} // namespace fake

#endif // JIT_UNITTESTS_CUDA_DRIVER_LAUNCHLOG_H
