//===- Machine.h - what code is generated for, as a description --*- C++ -*-===//
//
// Passes, tiles and LLVM's backends ask a description and never the machine they run on, so that
// code for a CPU or GPU is the same wherever it is compiled. lib/Codegen/Machine/Host.cpp alone
// asks the host (scripts/lint-includes).
//
//===----------------------------------------------------------------------===//
#ifndef JIT_CODEGEN_MACHINE_H
#define JIT_CODEGEN_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace jit::codegen {

/// A CPU: how LLVM names it, the vector unit and the private caches of one core.
struct Machine {
  std::string triple = {};      ///< LLVM's, "x86_64-pc-linux-gnu"
  std::string cpu = {};         ///< LLVM's name, "x86-64-v4"
  std::string features = {};    ///< what is not as LLVM has it for `cpu`: "+avx2,-fma"
  int64_t lanes = 8;            ///< f32 elements in one vector register
  int64_t registers = 16;       ///< architectural vector registers
  int64_t l1Bytes = 32 * 1024;  ///< first-level data cache
  int64_t l2Bytes = 512 * 1024; ///< second-level cache
  bool convertsF16 = true;      ///< has instructions from f16 to f32 and back
  bool multipliesPairs = false; ///< one instruction adds products of pairs of bf16 to an f32
  /// Has an instruction that adds products of bytes, four at a time, to each int32 of a vector.
  bool multipliesBytes = false;
  /// Has an instruction that multiplies a vector of floats by powers of two.
  bool scalesByPowers = false;

  /// All of it that decides about code, for keys of caches.
  std::string text() const;
};

/// The CPU that LLVM calls `cpu`, with `features` ("+avx2,-fma") added or taken away. Caches are
/// those of the table in Machine.cpp. Fails for a name that is no 64-bit CPU's of the host's
/// architecture, x86-64 or AArch64, and where this LLVM has no backend for it.
llvm::Expected<Machine> describeMachine(llvm::StringRef cpu, llvm::StringRef features = "");

/// The CPU that this process runs on.
const Machine &hostMachine();

/// An NVIDIA GPU.
struct GpuMachine {
  std::string chip = "sm_80";        ///< NVIDIA's name
  std::string features = "+ptx70";   ///< the version of PTX: of any driver that knows the chip
  int64_t multiprocessors = 108;     ///< how many blocks run side by side at least
  bool hasWarpgroupProducts = false; ///< groups of four warps multiply, boxes of tensors are copied
};

/// The GPU called `chip`; fails for one that no kernels are generated for.
llvm::Expected<GpuMachine> describeGpu(llvm::StringRef chip);

/// The name of this machine's GPU of that number; "sm_80", whose PTX all later ones take, where it
/// has none.
std::string hostChip(int device = 0);

/// Whether this process finds cublasLt, and cuDNN.
bool hostHasProductLibrary();
bool hostHasConvolutionLibrary();

} // namespace jit::codegen

#endif // JIT_CODEGEN_MACHINE_H
