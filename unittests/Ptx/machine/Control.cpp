//===- Control.cpp - branches, ends, barriers, fences ---------------------===//
#include "LaneLoops.h"

using namespace ptx;

static void branch(Warp &warp, const Instruction &i, Lanes lanes) {
  warp.jump(lanes, i.operands[0].target);
}

static void end(Warp &warp, const Instruction &, Lanes lanes) { warp.exit(lanes); }

static void trap(Warp &warp, const Instruction &i, Lanes lanes) {
  warp.fail(i, std::countr_zero(lanes), "expected a program that goes on");
}

static void nothing(Warp &, const Instruction &, Lanes) {}

/// Operands: the barrier, and how many threads come if not all.
static void meet(Warp &warp, const Instruction &i, Lanes lanes) {
  int first = std::countr_zero(lanes);
  auto barrier = static_cast<uint32_t>(warp.operand(i, 0)[first]);
  uint32_t expected = i.operands.size() > 1 ? static_cast<uint32_t>(warp.operand(i, 1)[first]) : 0;
  if (expected % warpSize != 0)
    return warp.fail(i, first, "expected a barrier of whole warps");
  warp.block.arrive(i, warp, lanes, barrier, expected);
}

/// Lanes know of each other what they did before.
static void meetInWarp(Warp &warp, const Instruction &, Lanes lanes) {
  std::shared_ptr<const Times> seen;
  forLanes(lanes, [&](int l) { warp.block.clocks.release(warp.clock(l), seen); });
  forLanes(lanes, [&](int l) { warp.block.clocks.acquire(warp.clock(l), seen); });
}

static void fenceProxy(Warp &warp, const Instruction &, Lanes lanes) {
  forLanes(lanes, [&](int l) { warp.block.clocks.fence(warp.clock(l)); });
}

static Handler findFence(Words &words) {
  if (words.take("proxy")) {
    if (!words.take("async"))
      return nullptr;
    // Of one space or all.
    words.take("shared::cta") || words.take("shared::cluster") || words.take("global");
    return fenceProxy;
  }
  // What mbarrier.init wrote, for the copy engines too.
  if (words.take("mbarrier_init"))
    return words.take("release") && words.take("cluster") ? fenceProxy : nullptr;
  words.take("sc") || words.take("acq_rel");
  return fenceOf(takeScope(words));
}

static Handler findBarrier(Instruction &i, Words &words) {
  if (words.take("warp")) {
    i.meeting = Instruction::Meeting::Mask;
    return words.take("sync") ? meetInWarp : Handler(nullptr);
  }
  words.take("cta");
  if (!words.take("sync"))
    return nullptr;
  i.meeting = Instruction::Meeting::Live;
  words.take("aligned");
  return meet;
}

Handler ptx::findControl(Instruction &i, Words &words) {
  std::string_view name = words.word();
  words.skip();
  if (name == "bra") {
    words.take("uni");
    return branch;
  }
  if (name == "ret" || name == "exit") {
    words.take("uni");
    return end;
  }
  if (name == "trap")
    return trap;
  if (name == "bar" || name == "barrier")
    return findBarrier(i, words);
  if (name == "fence")
    return findFence(words);
  if (name == "membar")
    return fenceOf(takeScope(words));
  // How many registers a warp has says nothing here; all of a warpgroup's have to ask for it.
  if (name == "setmaxnreg") {
    i.meeting = Instruction::Meeting::All;
    bool isKnown = (words.take("inc") || words.take("dec")) && words.take("sync") &&
                   words.take("aligned") && words.takeType() == Type::U32;
    return isKnown ? nothing : Handler(nullptr);
  }
  return nullptr;
}
