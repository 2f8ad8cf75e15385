//===- CountingBarriers.cpp - mbarrier ------------------------------------===//
#include "LaneLoops.h"

using namespace ptx;

CountingBarrier *Block::findBarrier(Warp &warp, const Instruction &i, int lane, uint64_t address) {
  auto found = countingBarriers.find(address);
  if (found == countingBarriers.end()) {
    warp.fail(i, lane, "expected a barrier that was initialised");
    return nullptr;
  }
  if (found->second.madeAt > warp.clock(lane).seenOf(found->second.madeBy)) {
    warp.fail(i, lane, "a race with the barrier's mbarrier.init");
    return nullptr;
  }
  return &found->second;
}

void Block::endPhaseIfDone(CountingBarrier &barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  // What was seen before goes on being so.
  barrier.seen = barrier.gathering;
}

static void initialize(Warp &warp, const Instruction &i, Lanes lanes) {
  Block &block = warp.block;
  forLanes(lanes, [&](int l) {
    uint64_t address = warp.address(i, 0, l);
    if (!warp.reach(i, l, Space::Shared, address, 8, Access::Write))
      return;
    auto agent = static_cast<uint32_t>(block.countingBarriers.size());
    auto [place, isNew] = block.countingBarriers.try_emplace(address);
    if (!isNew)
      agent = place->second.agent - block.threads;
    auto count = static_cast<uint32_t>(warp.operand(i, 1)[l]);
    if (agent >= mostEngines || count == 0)
      return warp.fail(i, l, "expected a count, and at most 32 barriers");
    place->second = {.expected = count,
                     .pending = count,
                     .agent = block.threads + agent,
                     .madeBy = warp.clock(l).agent,
                     .madeAt = warp.clock(l).time,
                     .gathering = nullptr,
                     .seen = nullptr};
  });
}

static void arriveOne(Warp &warp, const Instruction &i, int lane, uint64_t count, uint64_t bytes) {
  CountingBarrier *barrier = warp.block.findBarrier(warp, i, lane, warp.address(i, 1, lane));
  if (!barrier)
    return;
  if (barrier->pending < count)
    return warp.fail(i, lane, "expected no more arrivals than the barrier counts");
  barrier->bytes += static_cast<int64_t>(bytes);
  barrier->pending -= static_cast<uint32_t>(count);
  warp.block.clocks.release(warp.clock(lane), barrier->gathering);
  warp.block.endPhaseIfDone(*barrier);
}

/// `flag` is .expect_tx. The state that arrive gives is not used here.
static void arrive(Warp &warp, const Instruction &i, Lanes lanes) {
  forLanes(lanes, [&](int l) {
    uint64_t last = i.operands.size() > 2 ? static_cast<uint32_t>(warp.operand(i, 2)[l]) : 1;
    arriveOne(warp, i, l, i.flag ? 1 : last, i.flag ? last : 0);
  });
}

/// Suspends lanes whose phase has not ended. Now and then one is sent on with false, as where the
/// time that a wait has is over.
static void tryWait(Warp &warp, const Instruction &i, Lanes lanes) {
  constexpr uint64_t oneIn = 8;
  uint64_t *to = warp.operand(i, 0);
  bool isOver = warp.block.random() % oneIn == 0;
  Lanes waiting = 0;
  forLanes(lanes, [&](int l) {
    CountingBarrier *barrier = warp.block.findBarrier(warp, i, l, warp.address(i, 1, l));
    if (!barrier)
      return;
    bool hasEnded = barrier->phase % 2 != (warp.operand(i, 2)[l] & 1);
    to[l] = hasEnded;
    if (hasEnded) {
      warp.block.clocks.acquire(warp.clock(l), barrier->seen);
      warp.stopWaiting(l);
    } else if (!isOver || warp.isWaiting(l)) {
      waiting |= Lanes(1) << l;
    }
  });
  warp.poll(waiting);
}

Handler ptx::findCountingBarriers(Instruction &i, Words &words) {
  words.skip();
  std::string_view name = words.word();
  words.skip();
  if (name == "arrive") {
    i.flag = words.take("expect_tx");
    words.take("release") && words.take("cta");
  } else if (name == "try_wait") {
    if (!words.take("parity"))
      return nullptr;
    words.take("acquire") && words.take("cta");
  }
  if ((!words.take("shared") && !words.take("shared::cta")) || words.takeType() != Type::B64)
    return nullptr;
  return name == "init"       ? initialize
         : name == "arrive"   ? arrive
         : name == "try_wait" ? tryWait
                              : Handler(nullptr);
}
