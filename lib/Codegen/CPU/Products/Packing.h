//===- Packing.h - an operand in blocks of vector registers -----*- C++ -*-===//
#ifndef JIT_CODEGEN_CPU_PRODUCTS_PACKING_H
#define JIT_CODEGEN_CPU_PRODUCTS_PACKING_H

#include "TileChoice.h"

namespace jit {

/// How one product is to be packed.
struct Packing {
  Operand weight; ///< Lhs or Rhs
  unsigned loop;  ///< the dimension of the op that is cut into blocks
  int64_t block;  ///< elements of a block
  double cost;    ///< of the packed product
};

/// The cheapest way to pack an operand of that many elements, `once` or in every call, over its
/// output dimensions and the widths of a block.
std::optional<Packing> choosePacking(const ProductNest &nest, Operand weight, int64_t elements,
                                     bool once, const CpuProfile &profile);

} // namespace jit

#endif // JIT_CODEGEN_CPU_PRODUCTS_PACKING_H
