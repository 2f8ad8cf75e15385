//===- PlanBuilder.h - the host's part of an entry, as data ------*- C++ -*-===//
#ifndef JIT_CODEGEN_PLAN_PLANBUILDER_H
#define JIT_CODEGEN_PLAN_PLANBUILDER_H

#include "jit/Runtime/Artifact.h"
#include "mlir/IR/BuiltinOps.h"

namespace jit::codegen {

/// The artifact of a module as jit-gpu-outline leaves it: kernels by name and size, a plan for each
/// of `entries` and for its `.init`. The code of the kernels is not in it yet. Errors are
/// diagnostics.
llvm::FailureOr<std::shared_ptr<runtime::Artifact>>
planEntries(mlir::ModuleOp module, std::vector<runtime::Entry> entries,
            std::shared_ptr<runtime::DeviceCode> code);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PLAN_PLANBUILDER_H
