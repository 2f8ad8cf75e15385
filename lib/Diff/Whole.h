//===- Whole.h - faults that are there only when nobody looks ---*- C++ -*-===//
#ifndef JIT_LIB_DIFF_WHOLE_H
#define JIT_LIB_DIFF_WHOLE_H

#include "Differ.h"

namespace jit {

/// Of a call in which each operator was right while all values were results: whether the program's
/// own results are right when they alone are. Where they are not, cuts the program after an
/// operator, from the wrong result backwards, until all that it is given is right.
Result<std::optional<WrongOperator>> checkWhole(const Differ &shown,
                                                const std::vector<runtime::Value> &inputs);

} // namespace jit

#endif // JIT_LIB_DIFF_WHOLE_H
