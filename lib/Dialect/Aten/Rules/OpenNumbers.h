//===- OpenNumbers.h - ints that only the call or data tell -----*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_OPENNUMBERS_H
#define JIT_LIB_DIALECT_ATEN_RULES_OPENNUMBERS_H

#include "jit/Dialect/Aten/GraphRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace jit {

/// The bool that says whether `a` and `c` are in this order.
mlir::Value compared(mlir::arith::CmpIPredicate how, Int a, Int c);
/// `a` where `condition` holds, else `c`.
Int chosen(mlir::Value condition, Int a, Int c);
/// `a` by `by`, rounded up.
Int ceilDivided(Int a, Int by);
/// `a`, or 1 where that is more.
Int atLeastOne(Int a);
/// As counted from the front, where `at` may count from the back of `size`.
Int fromFront(Int at, Int size);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_OPENNUMBERS_H
