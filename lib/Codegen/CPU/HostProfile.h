//===- HostProfile.h - vectors and caches of the CPU to compile for -*- C++ -*-===//
#ifndef JIT_CODEGEN_CPU_HOSTPROFILE_H
#define JIT_CODEGEN_CPU_HOSTPROFILE_H

#include "jit/Codegen/Products/CpuProfile.h"
#include "jit/Codegen/Target.h"

namespace jit {

/// What the emitter of products should know of the CPU that `options` names. Cache sizes are the
/// host's, where it tells them.
CpuProfile profileFor(const CodegenOptions &options);

} // namespace jit

#endif // JIT_CODEGEN_CPU_HOSTPROFILE_H
