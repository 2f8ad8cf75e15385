//===- OpenNumbers.cpp - ints that only the call or data tell -------------===//

#include "Rules/OpenNumbers.h"

using namespace mlir;

namespace jit {

Value compared(arith::CmpIPredicate how, Int a, Int c) {
  return arith::CmpIOp::create(a.b->builder, a.b->loc, how, a.v, c.v);
}

Int chosen(Value condition, Int a, Int c) {
  return Int(*a.b, arith::SelectOp::create(a.b->builder, a.b->loc, condition, a.v, c.v));
}

Int ceilDivided(Int a, Int by) {
  return Int(*a.b, arith::CeilDivSIOp::create(a.b->builder, a.b->loc, a.v, by.v));
}

Int atLeastOne(Int a) {
  Value one = a.b->i(1).v;
  return Int(*a.b, arith::MaxSIOp::create(a.b->builder, a.b->loc, a.v, one));
}

Int fromFront(Int at, Int size) {
  if (auto known = at.known())
    return *known < 0 ? size + at : at;
  Value isBehind = compared(arith::CmpIPredicate::slt, at, size.b->i(0));
  return chosen(isBehind, size + at, at);
}

} // namespace jit
