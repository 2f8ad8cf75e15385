//===- Block.h - the threads of a block and what they share -----*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_BLOCK_H
#define JIT_UNITTESTS_PTX_BLOCK_H

#include "Machine.h"

#include <deque>
#include <functional>
#include <random>

namespace ptx {

class Block;

/// A copy that a thread has asked for and that nobody has waited for.
struct ThreadCopy {
  uint64_t to = 0, from = 0;
  size_t bytes = 0, read = 0;
  const Instruction *instruction = nullptr;
};

class Warp {
public:
  Warp(Block &block, uint32_t number, uint32_t threads);

  /// Does an instruction of some lanes; false where all wait or are done.
  bool step();
  /// Lanes that looked for something that was not there look again.
  void pollAgain() {
    repeated |= polling;
    polling = 0;
  }
  bool isDone() const { return live == 0; }
  /// True if the last step found nothing new.
  bool hasOnlyPolled() const { return isFruitless; }
  /// A lane looks at memory whether something came; an error where nothing comes any more.
  void look(const Instruction &i, int lane);
  /// True if the last step did, so that others are to go on.
  bool isLooking() const { return hasLooked; }
  /// Where a lane waits, in words; empty where all have ended.
  std::string describeWaiting() const;

  uint64_t *slot(int number) { return &slots[static_cast<size_t>(number) * warpSize]; }
  /// The slot of operand `number`, or of one of its elements.
  uint64_t *operand(const Instruction &i, size_t number, size_t element = 0) {
    return slot(i.operands[number].slots[element]);
  }
  /// Where operand `number` points to for a lane.
  uint64_t address(const Instruction &i, size_t number, int lane);

  /// The bytes at an address, checked and noted; null after an error.
  uint8_t *reach(const Instruction &i, int lane, Space space, uint64_t address, size_t bytes,
                 Access access);
  /// The same without an agent of its own: what a copy of this lane does.
  uint8_t *reachAs(const Instruction &i, Clock &clock, int lane, Space space, uint64_t address,
                   size_t bytes, Access access);

  void jump(Lanes lanes, uint32_t target);
  void exit(Lanes lanes);
  /// The lanes wait at a barrier until they are let go.
  void wait(Lanes lanes) { blocked |= lanes; }
  void unblock(Lanes lanes) { blocked &= ~lanes; }
  /// The lanes do this instruction again later.
  void poll(Lanes lanes);
  /// True for a lane that looks again.
  bool isWaiting(int lane) const { return repeated >> lane & 1; }
  void stopWaiting(int lane) { repeated &= ~(Lanes(1) << lane); }
  void fail(const Instruction &i, int lane, const std::string &what);

  uint32_t thread(int lane) const { return number * warpSize + static_cast<uint32_t>(lane); }
  Clock &clock(int lane);

  Block &block;
  uint32_t number;
  /// Threads that the warp began with, and those that have not ended.
  Lanes all, live;
  /// Copies of each lane: those of no group yet, and groups.
  std::array<std::vector<ThreadCopy>, warpSize> copies;
  std::array<std::deque<std::vector<ThreadCopy>>, warpSize> copyGroups;

  /// Products under way, of the warp's lanes: what their registers and matrices are.
  struct Products {
    struct Read {
      uint64_t address;
      size_t bytes;
      const Instruction *instruction;
    };
    std::vector<Read> open;
    std::vector<int> openSlots;
    std::deque<std::pair<std::vector<Read>, std::vector<int>>> groups;
    /// By slot: how many products under way write it; whether it was written since the fence.
    std::vector<uint16_t> underWay;
    std::vector<bool> isUnfenced;
  } products;

private:
  void setSlots();
  std::string describe(const Instruction &i, int lane, const std::string &what) const;
  void noteRace(const Instruction &i, int lane, uint64_t base, Race &race);
  bool isUndefined(const ReadMark &read, size_t bytes) const;
  Lanes guarded(const Instruction &i, Lanes lanes);
  uint32_t furthest(Lanes ready) const;
  /// Those who do a warp-wide instruction now; none where others are waited for.
  Lanes gather(const Instruction &i, Lanes lanes, uint32_t place);
  void watchRegisters(const Instruction &i, Lanes lanes);
  Lanes choose(Lanes ready);
  bool meetAtOnce(const Instruction &i, Lanes lanes);
  void advance(Lanes lanes);
  void separate();

  std::vector<uint64_t> slots;
  /// Where each lane is; while all that have not ended are at one place, that is `together`.
  std::array<uint32_t, warpSize> places = {};
  uint32_t together = 0;
  bool isTogether = true;
  /// Lanes that wait for others of the warp, at a barrier, and for something to look at again.
  Lanes parked = 0, blocked = 0, polling = 0, repeated = 0;
  bool isFruitless = false, hasLooked = false;
  std::vector<uint8_t> local;
};

/// bar.sync.
struct Barrier {
  uint32_t arrived = 0, expected = 0;
  std::vector<std::pair<Warp *, Lanes>> waiting;
  std::shared_ptr<const Times> seen;
};

/// An mbarrier in shared memory.
struct CountingBarrier {
  uint32_t expected = 0, pending = 0, phase = 0;
  /// Its engine's number; who made it, and when.
  uint32_t agent = 0, madeBy = 0, madeAt = 0;
  int64_t bytes = 0;
  /// What those knew that came, and what those who waited for the last phase know.
  std::shared_ptr<const Times> gathering, seen;
};

/// What a copy engine will do.
struct EngineCopy {
  std::function<void()> run;
};

class Block {
public:
  Block(Machine &machine, const Module &module, const Function &function, const Launch &launch,
        uint32_t number, uint32_t launchNumber, uint64_t seed);

  /// Until all threads have ended; the error, or nothing.
  std::string run();
  /// A turn of each warp; false once all threads have ended or one has failed.
  bool runTurn();
  const std::string &failure() const { return error; }

  void fail(const std::string &what) { error = error.empty() ? what : error; }
  /// Whether it is followed what threads know of each other: not where blocks that wait for each
  /// other are counted, of which there are too many, and no races are looked for.
  bool knowsOrder() const { return !machine.counter || !launch.isCooperative; }
  bool hasFailed() const { return !error.empty(); }
  void arrive(const Instruction &i, Warp &warp, Lanes lanes, uint32_t barrier, uint32_t expected);
  void leave(Lanes lanes);
  /// The barrier at an address of shared memory, or null after an error.
  CountingBarrier *findBarrier(Warp &warp, const Instruction &i, int lane, uint64_t address);
  void endPhaseIfDone(CountingBarrier &barrier);
  /// Whether a product that nobody has waited for reads bytes of shared memory, which then have to
  /// stay.
  bool isUnderWay(uint64_t address, size_t bytes) const;

  Machine &machine;
  const Module &module;
  const Function &function;
  const Launch &launch;
  uint32_t number, launchNumber, threads;
  std::array<uint32_t, 3> place;
  std::vector<uint8_t> shared;
  AccessLog sharedLog;
  /// Of each 16 bytes of shared memory, how many products under way read them.
  std::vector<uint32_t> productReads;
  Clocks clocks;
  std::vector<Clock> agents;
  std::map<uint64_t, CountingBarrier> countingBarriers;
  std::vector<EngineCopy> engineCopies;
  std::mt19937_64 random;

private:
  bool runEngineCopy();
  std::string describeWaiting() const;
  void release(Barrier &barrier);
  uint32_t liveThreads() const;

  std::string error;
  std::vector<std::unique_ptr<Warp>> warps;
  std::array<Barrier, 16> barriers;
};

/// How many copy engines a block's clocks know: one for each mbarrier.
constexpr uint32_t mostEngines = 32;

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_BLOCK_H
