//===- DeviceOrder.cpp - what blocks that run side by side know -----------===//
//
// A release is a fence before an atomic write, or an atomic write that says so; an acquire is an
// atomic read before a fence, or one that says so. What is released is known where what the write
// left, or read-modify-writes made of it, is read. Anything less orders nothing.
//
//===----------------------------------------------------------------------===//
#include "Opcode.h"

using namespace ptx;

using Order = Instruction::Order;

static Allocation *findOrdered(Warp &warp, const Instruction &i, uint64_t address) {
  bool isOfDevice = i.space == Space::Global || i.space == Space::Generic;
  bool isOrdered = isOfDevice && i.order != Order::None && warp.block.knowsOrder();
  return isOrdered ? warp.block.machine.memory.find(address, 1) : nullptr;
}

void ptx::orderRead(Warp &warp, const Instruction &i, int lane, uint64_t address) {
  Allocation *memory = findOrdered(warp, i, address);
  Block &block = warp.block;
  auto published =
      memory ? memory->published(address - memory->address(), block.launchNumber) : nullptr;
  if (!published)
    return;
  Clock &clock = warp.clock(lane);
  clock.found = unite(clock.found, published);
  if (i.order == Order::Acquire || i.order == Order::AcquireRelease)
    block.clocks.learn(clock, published, block.number);
}

void ptx::orderWrite(Warp &warp, const Instruction &i, int lane, uint64_t address,
                     bool isModifying) {
  Allocation *memory = findOrdered(warp, i, address);
  if (!memory)
    return;
  Block &block = warp.block;
  Clock &clock = warp.clock(lane);
  auto released = clock.released;
  if (i.order == Order::Release || i.order == Order::AcquireRelease)
    released = block.clocks.publish(clock, block.number, block.launch.blocks());
  auto &published = memory->published(address - memory->address(), block.launchNumber);
  published = isModifying ? unite(published, released) : released;
}

/// Order alone: an arrival at a barrier lets the block's threads know.
static void fenceBlock(Warp &, const Instruction &, Lanes) {}

static void fenceDevice(Warp &warp, const Instruction &, Lanes lanes) {
  Block &block = warp.block;
  if (!block.knowsOrder())
    return;
  forLanes(lanes, [&](int l) {
    Clock &clock = warp.clock(l);
    block.clocks.learn(clock, clock.found, block.number);
    clock.released = block.clocks.publish(clock, block.number, block.launch.blocks());
  });
}

Handler ptx::fenceOf(Scope scope) {
  return scope == Scope::Device ? fenceDevice : scope == Scope::Block ? fenceBlock : nullptr;
}
