//===- Atomics.cpp - atom and red -----------------------------------------===//
#include "LaneLoops.h"

#include <algorithm>
#include <cstring>

using namespace ptx;

/// `flag` says that there is no result.
template <typename T, typename F>
static void modify(Warp &warp, const Instruction &i, Lanes lanes) {
  size_t at = i.flag ? 0 : 1;
  const uint64_t *b = warp.operand(i, at + 1);
  const uint64_t *c = i.operands.size() > at + 2 ? warp.operand(i, at + 2) : b;
  forLanes(lanes, [&](int l) {
    uint64_t address = warp.address(i, at, l);
    uint8_t *data = warp.reach(i, l, i.space, address, sizeof(T), Access::Atomic);
    if (!data)
      return;
    orderRead(warp, i, l, address);
    orderWrite(warp, i, l, address, /*isModifying=*/true);
    T old;
    std::memcpy(&old, data, sizeof(T));
    auto modified = [&](T x) { return F{}(x, valueOf<T>(b[l]), valueOf<T>(c[l])); };
    T made = modified(old);
    // One that changes nothing may be how a thread looks whether something came.
    if (std::memcmp(data, &made, sizeof(T)) == 0)
      warp.look(i, l);
    else
      for (uint32_t others = warp.block.machine.arrive(i, warp.block.launch); others; --others)
        made = modified(made);
    std::memcpy(data, &made, sizeof(T));
    if (!i.flag)
      warp.operand(i, 0)[l] = bitsOf(old);
  });
}
template <typename T, typename F> static Handler modification(F) { return modify<T, F>; }

template <typename T> static Handler findOf(std::string_view name) {
  if (name == "add")
    return modification<T>([](T old, T x, T) { return static_cast<T>(old + x); });
  if (name == "min")
    return modification<T>([](T old, T x, T) { return std::min(old, x); });
  if (name == "max")
    return modification<T>([](T old, T x, T) { return std::max(old, x); });
  if (name == "exch")
    return modification<T>([](T, T x, T) { return x; });
  if (name == "cas")
    return modification<T>([](T old, T x, T y) { return old == x ? y : old; });
  if constexpr (std::is_integral_v<T>) {
    if (name == "and")
      return modification<T>([](T old, T x, T) { return static_cast<T>(old & x); });
    if (name == "or")
      return modification<T>([](T old, T x, T) { return static_cast<T>(old | x); });
    if (name == "xor")
      return modification<T>([](T old, T x, T) { return static_cast<T>(old ^ x); });
  }
  return nullptr;
}

Handler ptx::findAtomics(Instruction &i, Words &words) {
  i.flag = words.word() == "red";
  words.skip();
  using Order = Instruction::Order;
  i.order = words.take("acquire")   ? Order::Acquire
            : words.take("release") ? Order::Release
            : words.take("acq_rel") ? Order::AcquireRelease
                                    : Order::Relaxed;
  words.take("relaxed");
  if (takeScope(words) == Scope::Block)
    i.order = Order::None;
  i.space = words.take("global")   ? Space::Global
            : words.take("shared") ? Space::Shared
                                   : Space::Generic;
  std::string_view name = words.word();
  words.skip();
  std::optional<Type> type = words.takeType();
  if (type == Type::F32)
    return name == "add" ? findOf<float>(name) : nullptr;
  if (type == Type::F64)
    return name == "add" ? findOf<double>(name) : nullptr;
  if (type == Type::B32)
    return findOf<uint32_t>(name);
  if (type == Type::B64)
    return findOf<uint64_t>(name);
  return byInteger(type, [&]<typename T>() -> Handler {
    if constexpr (sizeof(T) >= 4)
      return findOf<T>(name);
    else
      return nullptr;
  });
}
