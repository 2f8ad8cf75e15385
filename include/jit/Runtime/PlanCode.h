//===- PlanCode.h - plans as words -------------------------------*- C++ -*-===//
#ifndef JIT_RUNTIME_PLANCODE_H
#define JIT_RUNTIME_PLANCODE_H

#include "jit/Runtime/DevicePlan.h"

namespace jit::runtime {

/// What the words of plans refer to by number.
struct PlanTables {
  std::vector<std::string> texts; ///< of guards
  std::vector<std::variant<MatrixProduct, PlanConvolution>> libraryCalls = {};
};

/// A plan as jit_plan_step of jit/Runtime/Package.h says. The tables may have entries already.
std::vector<int64_t> encodePlan(const PlanSteps &steps, PlanTables &tables);

} // namespace jit::runtime

#endif // JIT_RUNTIME_PLANCODE_H
