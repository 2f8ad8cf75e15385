//===- Packing.h - an operand in blocks of vector registers -----*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_PACKING_H
#define JIT_CODEGEN_PRODUCTS_PACKING_H

#include "Products/TileChoice.h"

namespace jit::codegen {

/// How one product is to be packed.
struct Packing {
  Operand weight; ///< Lhs or Rhs
  unsigned loop;  ///< the dimension of the op that is cut into blocks
  int64_t block;  ///< elements of a block
  double cost;    ///< of the packed product
};

/// A product and what is known of its operands.
struct Packable {
  mlir::linalg::LinalgOp op;
  ProductNest nest;
  std::array<bool, 2> isFixed; ///< the same at every call
};

/// The cheapest way to pack an operand of that many elements, `once` or in every call, over its
/// output dimensions and the widths of a block.
std::optional<Packing> choosePacking(const ProductNest &nest, Operand weight, int64_t elements,
                                     bool once, const Machine &machine);

/// The packing that saves most; nothing where none saves.
std::optional<Packing> choosePacking(const Packable &product, const Machine &machine);

/// The packing of a cut that was measured; nothing where it packs nothing, or does not fit.
std::optional<Packing> packingOf(const ProductCut &cut, const Packable &product,
                                 const Machine &machine);

/// Cuts that might be the best, packed and not, the cheapest by the model first.
llvm::SmallVector<ProductCut> likelyCuts(const Packable &product, const Machine &machine);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_PACKING_H
