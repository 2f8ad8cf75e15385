//===- LoadsAndStores.cpp - ld and st -------------------------------------===//
#include "LaneLoops.h"

#include <cstring>

using namespace ptx;

static uint64_t widen(uint64_t bits, Type type) {
  size_t width = 8 * bytesOf(type);
  if (!isSigned(type) || width == 64)
    return bits;
  return static_cast<uint64_t>(static_cast<int64_t>(bits << (64 - width)) >> (64 - width));
}

/// One that is atomic is how threads look whether something came.
static void noteRead(Warp &warp, const Instruction &i, int lane, uint64_t address) {
  orderRead(warp, i, lane, address);
  warp.look(i, lane);
}

/// `flag` is .nc; `mode` says that it is atomic.
static void load(Warp &warp, const Instruction &i, Lanes lanes) {
  const auto &to = i.operands[0].slots;
  size_t bytes = bytesOf(i.type);
  Access access = i.flag ? Access::ReadOnlyPath : i.mode ? Access::AtomicRead : Access::Read;
  forLanes(lanes, [&](int l) {
    uint64_t address = warp.address(i, 1, l);
    const uint8_t *data = warp.reach(i, l, i.space, address, bytes * to.size(), access);
    for (size_t at = 0; data && at < to.size(); ++at) {
      uint64_t bits = 0;
      std::memcpy(&bits, data + at * bytes, bytes);
      warp.slot(to[at])[l] = widen(bits, i.type);
    }
    if (data && i.mode)
      noteRead(warp, i, l, address);
  });
}

static void store(Warp &warp, const Instruction &i, Lanes lanes) {
  const auto &from = i.operands[1].slots;
  size_t bytes = bytesOf(i.type);
  Access access = i.mode ? Access::AtomicWrite : Access::Write;
  forLanes(lanes, [&](int l) {
    uint64_t address = warp.address(i, 0, l);
    uint8_t *data = warp.reach(i, l, i.space, address, bytes * from.size(), access);
    if (data && i.mode)
      orderWrite(warp, i, l, address, /*isModifying=*/false);
    for (size_t at = 0; data && at < from.size(); ++at)
      std::memcpy(data + at * bytes, &warp.slot(from[at])[l], bytes);
  });
}

static Space takeSpace(Words &words) {
  if (words.take("global"))
    return Space::Global;
  if (words.take("shared") || words.take("shared::cta"))
    return Space::Shared;
  if (words.take("local"))
    return Space::Local;
  if (words.take("param"))
    return Space::Param;
  if (words.take("const"))
    return Space::Const;
  return Space::Generic;
}

Handler ptx::findLoadsAndStores(Instruction &i, Words &words) {
  bool isLoad = words.word() == "ld";
  words.skip();
  using Order = Instruction::Order;
  bool isStrong = words.take(isLoad ? "acquire" : "release"), isRelaxed = words.take("relaxed");
  i.mode = isStrong || isRelaxed;
  if (i.mode && takeScope(words) == Scope::Device)
    i.order = isRelaxed ? Order::Relaxed : isLoad ? Order::Acquire : Order::Release;
  // Weaker than all that is checked here.
  words.take("volatile");
  i.space = takeSpace(words);
  i.flag = isLoad && i.space == Space::Global && words.take("nc");
  words.take("L1::no_allocate");
  size_t count = words.take("v2") ? 2 : words.take("v4") ? 4 : 1;
  std::optional<Type> type = words.takeType();
  if (!type || type == Type::Pred || i.operands.size() != 2 ||
      i.operands[isLoad ? 0 : 1].slots.size() != count)
    return nullptr;
  i.type = *type;
  return isLoad ? load : store;
}
