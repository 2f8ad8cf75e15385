//===- LaneLoops.h - handlers from functions of one lane --------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_LANELOOPS_H
#define JIT_UNITTESTS_PTX_LANELOOPS_H

#include "Numbers.h"
#include "Opcode.h"

namespace ptx {

template <typename R, typename T, typename F>
void doUnary(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1);
  forLanes(lanes, [&](int l) { to[l] = bitsOf<R>(F{}(valueOf<T>(a[l]))); });
}
template <typename R, typename T, typename F>
void doBinary(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2);
  forLanes(lanes, [&](int l) { to[l] = bitsOf<R>(F{}(valueOf<T>(a[l]), valueOf<T>(b[l]))); });
}
template <typename R, typename T, typename F>
void doTernary(Warp &warp, const Instruction &i, Lanes lanes) {
  uint64_t *to = warp.operand(i, 0), *a = warp.operand(i, 1), *b = warp.operand(i, 2),
           *c = warp.operand(i, 3);
  forLanes(lanes, [&](int l) {
    to[l] = bitsOf<R>(F{}(valueOf<T>(a[l]), valueOf<T>(b[l]), valueOf<R>(c[l])));
  });
}

/// A handler for a stateless function of one lane's values.
template <typename R, typename T, typename F> Handler unary(F) { return doUnary<R, T, F>; }
template <typename R, typename T, typename F> Handler binary(F) { return doBinary<R, T, F>; }
template <typename R, typename T, typename F> Handler ternary(F) { return doTernary<R, T, F>; }

/// What `make` makes for the integer of a type; null for other types.
template <typename F> Handler byInteger(std::optional<Type> type, F make) {
  switch (type.value_or(Type::Pred)) {
  case Type::S16:
    return make.template operator()<int16_t>();
  case Type::U16:
    return make.template operator()<uint16_t>();
  case Type::S32:
    return make.template operator()<int32_t>();
  case Type::U32:
    return make.template operator()<uint32_t>();
  case Type::S64:
    return make.template operator()<int64_t>();
  case Type::U64:
    return make.template operator()<uint64_t>();
  default:
    return nullptr;
  }
}

/// The same for bits.
template <typename F> Handler byBits(std::optional<Type> type, F make) {
  switch (type.value_or(Type::U8)) {
  case Type::Pred:
  case Type::B16:
    return make.template operator()<uint16_t>();
  case Type::B32:
    return make.template operator()<uint32_t>();
  case Type::B64:
    return make.template operator()<uint64_t>();
  default:
    return nullptr;
  }
}

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_LANELOOPS_H
