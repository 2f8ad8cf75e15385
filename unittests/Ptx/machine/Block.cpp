//===- Block.cpp - warps in turns, barriers, copy engines -----------------===//
#include "Block.h"

#include <algorithm>
#include <bit>

using namespace ptx;

size_t ptx::sharedBytesOf(const Module &module, const Launch &launch) {
  size_t start = module.sharedBytes;
  for (auto &variable : module.variables)
    if (variable->space == Space::Shared && variable->isExtern)
      start = std::max<size_t>(start, variable->address);
  return start + launch.dynamicShared;
}

Block::Block(Machine &machine, const Module &module, const Function &function, const Launch &launch,
             uint32_t number, uint32_t launchNumber, uint64_t seed)
    : machine(machine), module(module), function(function), launch(launch), number(number),
      launchNumber(launchNumber), threads(launch.block[0] * launch.block[1] * launch.block[2]),
      place({number % launch.grid[0], number / launch.grid[0] % launch.grid[1],
             number / launch.grid[0] / launch.grid[1]}),
      shared(sharedBytesOf(module, launch), 0x7f), sharedLog(shared.size()),
      productReads(shared.size() / 16 + 1), clocks(threads + mostEngines), random(seed) {
  for (size_t i = 0; i < shared.size(); i += 2)
    shared[i] = 0xfb;
  for (uint32_t i = 0; i < clocks.count; ++i)
    agents.push_back({.agent = i, .seen = clocks.none});
  for (uint32_t first = 0; first < threads; first += warpSize)
    warps.push_back(std::make_unique<Warp>(*this, first / warpSize, threads - first));
}

bool Block::isUnderWay(uint64_t address, size_t bytes) const {
  for (uint64_t at = address / 16; at * 16 < address + bytes; ++at)
    if (at < productReads.size() && productReads[at])
      return true;
  return false;
}

uint32_t Block::liveThreads() const {
  int count = 0;
  for (auto &warp : warps)
    count += std::popcount(warp->live);
  return static_cast<uint32_t>(count);
}

void Block::release(Barrier &barrier) {
  for (auto [warp, lanes] : barrier.waiting) {
    warp->unblock(lanes);
    for (Lanes rest = knowsOrder() ? lanes : 0; rest; rest &= rest - 1)
      clocks.acquire(warp->clock(std::countr_zero(rest)), barrier.seen);
  }
  barrier = Barrier();
  machine.goOn();
}

void Block::arrive(const Instruction &i, Warp &warp, Lanes lanes, uint32_t id, uint32_t expected) {
  if (id >= barriers.size())
    return warp.fail(i, std::countr_zero(lanes), "expected one of 16 barriers");
  Barrier &barrier = barriers[id];
  if (barrier.arrived > 0 && barrier.expected != expected)
    return warp.fail(i, std::countr_zero(lanes), "expected a barrier of one number of threads");
  barrier.expected = expected;
  barrier.arrived += static_cast<uint32_t>(std::popcount(lanes));
  barrier.waiting.push_back({&warp, lanes});
  warp.wait(lanes);
  for (Lanes rest = knowsOrder() ? lanes : 0; rest; rest &= rest - 1)
    clocks.release(warp.clock(std::countr_zero(rest)), barrier.seen);
  if (barrier.arrived >= (expected ? expected : liveThreads()))
    release(barrier);
}

void Block::leave(Lanes) {
  for (Barrier &barrier : barriers)
    if (barrier.arrived > 0 && barrier.expected == 0 && barrier.arrived >= liveThreads())
      release(barrier);
}

/// One of those that are asked for, whichever.
bool Block::runEngineCopy() {
  if (engineCopies.empty())
    return false;
  size_t which = random() % engineCopies.size();
  EngineCopy copy = std::move(engineCopies[which]);
  engineCopies.erase(engineCopies.begin() + static_cast<ptrdiff_t>(which));
  copy.run();
  return true;
}

bool Block::runTurn() {
  // A turn is long, or short, so that orders differ.
  constexpr uint64_t longTurn = 512;
  std::shuffle(warps.begin(), warps.end(), random);
  bool isDone = true, hasMoved = false;
  for (auto &warp : warps) {
    warp->pollAgain();
    for (uint64_t left = 1 + random() % longTurn; left && !hasFailed() && warp->step(); --left) {
      hasMoved |= !warp->hasOnlyPolled();
      if (warp->isLooking())
        break;
    }
    isDone &= warp->isDone();
  }
  if (!isDone && !hasMoved && !runEngineCopy())
    fail(function.name + ": expected threads that go on, got all of block " +
         std::to_string(number) + " waiting: " + describeWaiting());
  return !isDone && !hasFailed();
}

std::string Block::run() {
  while (runTurn()) {
  }
  return error;
}

std::string Block::describeWaiting() const {
  for (auto &warp : warps)
    if (std::string where = warp->describeWaiting(); !where.empty())
      return where;
  return "nowhere";
}
