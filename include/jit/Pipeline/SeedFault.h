//===- SeedFault.h - miscompiles on purpose, for tests ----------*- C++ -*-===//
#ifndef JIT_PIPELINE_SEEDFAULT_H
#define JIT_PIPELINE_SEEDFAULT_H

namespace jit {

/// Registers `jit-seed-fault`: makes one operator of a program wrong, so that tests see what tells
/// of it. No compilation runs it.
void registerSeedFaultPass();

} // namespace jit

#endif // JIT_PIPELINE_SEEDFAULT_H
