//===- Numerics.h - what speed may cost -------------------------*- C++ -*-===//
//
// Shared by the session and the compiler, so it depends on nothing.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_NUMERICS_H
#define JIT_NUMERICS_H

namespace jit {

/// Whether results may differ from those of sums as the program writes them.
enum class Numerics {
  Strict, ///< no form is chosen that rounds worse
  Fast,   ///< convolutions may lose up to 1e-5 of the largest result
};

} // namespace jit

#endif // JIT_NUMERICS_H
