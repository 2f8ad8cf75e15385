//===- Phases.h - what blocks do between their meetings, counted -*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_PHASES_H
#define JIT_UNITTESTS_PTX_PHASES_H

#include "Counter.h"

#include <deque>

namespace ptx {

/// What the blocks of a cooperative launch do from one meeting to the next.
struct Phase {
  /// The atomic operation that says that a block has come to the meeting before; null in front of
  /// the first one.
  const Instruction *arrival = nullptr;
  /// How often the launch comes to it.
  uint64_t times = 0;
  /// Of each block, the first time.
  Counter counter{0};
};

/// The phases of a launch whose blocks are counted one after the other. The first block goes to the
/// end, which tells how often each phase comes; the others go on until they have come to each once:
/// trips of a loop are alike.
class Phases {
public:
  /// The counter of what the next block does.
  Counter *beginBlock();
  /// The counter of what the block does behind this arrival.
  Counter *arrive(const Instruction &arrival);
  /// True once no more is to be counted of the block.
  bool hasEnough() const { return begun > 1 && hasComeAround; }

  const std::deque<Phase> &all() const { return phases; }

private:
  Counter *enter(const Instruction *arrival);

  /// Their counters stay where they are.
  std::deque<Phase> phases;
  /// Counts what has been counted of the block before.
  Counter repeated{0};
  uint32_t begun = 0, entered = 0;
  bool hasComeAround = false;
};

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_PHASES_H
