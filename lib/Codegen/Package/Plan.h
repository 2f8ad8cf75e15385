//===- Plan.h - plans as words -----------------------------------*- C++ -*-===//
#ifndef JIT_CODEGEN_PACKAGE_PLAN_H
#define JIT_CODEGEN_PACKAGE_PLAN_H

#include "jit/Runtime/DevicePlan.h"

namespace jit::package {

/// A plan as jit_plan_step of jit/Runtime/Package.h says. Guards' texts are numbered in `texts`,
/// which may have some already.
std::vector<int64_t> encodePlan(const runtime::PlanSteps &steps, std::vector<std::string> &texts);

} // namespace jit::package

#endif // JIT_CODEGEN_PACKAGE_PLAN_H
