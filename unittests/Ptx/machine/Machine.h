//===- Machine.h - runs the kernels of PTX texts ----------------*- C++ -*-===//
//
// A GPU for tests, written from NVIDIA's manual of PTX: one block after the other, those of a
// cooperative launch side by side, all threads of a block in turns. What is asynchronous is done as
// late as the program's waits allow. Accesses out of bounds, misaligned or racing, and whatever
// else the manual leaves undefined and can be seen, end the launch with an error that names the
// line.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_UNITTESTS_PTX_MACHINE_H
#define JIT_UNITTESTS_PTX_MACHINE_H

#include "Counter.h"
#include "Memory.h"
#include "Module.h"
#include "Phases.h"

#include <array>
#include <random>
#include <set>

namespace ptx {

struct Launch {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  size_t dynamicShared = 0;
  /// The parameters' bytes at their places.
  std::vector<uint8_t> parameters;
  /// All blocks run side by side and may wait for each other.
  bool isCooperative = false;

  uint32_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};

/// Bytes that a block has: what is declared, and behind it what the launch asks for.
size_t sharedBytesOf(const Module &module, const Launch &launch);
/// Blocks that a multiprocessor has room for by their threads and what they share. How many
/// registers a kernel takes nobody knows before it is assembled.
uint32_t residentBlocks(const Module &module, const Launch &launch);

class Machine {
public:
  /// `seed` chooses the order of blocks, warps and copies.
  explicit Machine(uint64_t seed = 0) : seed(seed) {}

  /// Null, and what is wrong, for a text that is not understood.
  std::unique_ptr<Module> load(const std::string &text, std::string &error);
  /// Frees the module's variables.
  void unload(const Module &module);
  /// Runs all blocks; the error, or nothing.
  std::string launch(const Module &module, const Function &function, const Launch &launch);
  /// Runs a sample of the blocks of a launch in which none waits for others, and has `by` count
  /// what they do. Looks for no races.
  std::string count(const Module &module, const Function &function, const Launch &launch,
                    Counter &by);
  /// Runs the blocks of a cooperative launch one after the other, each of which comes to meetings
  /// for all, so that none waits.
  std::string count(const Module &module, const Function &function, const Launch &launch,
                    Phases &by);

  /// A thread looks whether something came; true where that has been in vain for so long that no
  /// other thread can be on its way.
  bool isStuck() { return ++looksInVain > mostLooks; }
  /// A thread did something that others may look for.
  void goOn() { looksInVain = 0; }
  /// An atomic operation of a thread changed something, which may say that its block has come to a
  /// meeting; gives for how many other blocks it does.
  uint32_t arrive(const Instruction &i, const Launch &launch);

  DeviceMemory memory;
  uint32_t multiprocessors = 132;
  /// Of what runs now; null where nobody counts.
  Counter *counter = nullptr;

  /// What racing reads give is undefined. A launch that has such is done again with numbers of no
  /// meaning for what they read, and has to come to the same.
  struct {
    std::set<ReadMark> reads;
    std::string text;
    bool isReplaying = false;
    /// Who reads what in device memory is noted from the start where blocks may wait for each
    /// other, else once something is written that many threads have read.
    bool keepsReaders = false, needsReaders = false;
  } races;

private:
  std::string checkAll(const Module &module, const Function &function, const Launch &launch) const;
  std::string runBlocks(const Module &module, const Function &function, const Launch &launch,
                        uint64_t order);

  std::string runSideBySide(const Module &module, const Function &function, const Launch &launch,
                            const std::vector<uint32_t> &numbers, std::mt19937_64 &random);

  static constexpr uint32_t mostLooks = 1 << 18;
  uint64_t seed;
  uint32_t launches = 0, looksInVain = 0;
  /// Of what runs now, where its blocks are counted one after the other.
  Phases *phases = nullptr;
};

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_MACHINE_H
