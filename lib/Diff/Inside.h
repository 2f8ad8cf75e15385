//===- Inside.h - operators in branches and loops ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIFF_INSIDE_H
#define JIT_LIB_DIFF_INSIDE_H

#include "Differ.h"

namespace jit {

/// Of a branch or loop whose results are wrong: the operator inside that is, by running its blocks
/// as programs of their own on what they were given. None where they are right when they stand
/// alone.
Result<std::optional<WrongOperator>> checkInside(const Differ &outside, mlir::Operation *op,
                                                 DiffReport &report);

} // namespace jit

#endif // JIT_LIB_DIFF_INSIDE_H
