//===- ImageLayout.h - which images keep their channels last ----*- C++ -*-===//
#ifndef JIT_CODEGEN_PRODUCTS_IMAGELAYOUT_H
#define JIT_CODEGEN_PRODUCTS_IMAGELAYOUT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace jit::codegen {

/// The dimensions of `[batch, channels..., positions...]` in the order `[batch, positions...,
/// channels...]`; `channels` counts the dimensions that channels take up.
llvm::SmallVector<int64_t> channelsLast(int64_t rank, unsigned channels);

/// The number of dimensions of the channels of a convolution over two dimensions or more, as Lower
/// writes it: 1, or 2 (groups and one channel of each) where it is depthwise. Zero for anything
/// else, and for one that has less than `lanes` channels or more taps than positions.
unsigned convolutionChannels(mlir::linalg::GenericOp op, int64_t lanes);

/// Images that are to be stored with their channels last: what convolutions give, and what is
/// computed from that image by image.
class ImageLayout {
public:
  ImageLayout(mlir::func::FuncOp func, int64_t lanes);

  /// The dimensions of `value`'s channels, which come last; zero where they stay where they are.
  unsigned channelsOf(mlir::Value value) const { return channels.lookup(value); }
  /// Whether all of `op`'s results keep their channels last; never some of them.
  bool moves(mlir::Operation *op) const;
  /// Whether `op`, whose results keep their channels last, reads `operand` in that order as well.
  bool readsLast(mlir::linalg::GenericOp op, mlir::OpOperand &operand) const;
  /// Whether fewer elements have to change their order than convolutions gain by it.
  bool pays() const;

private:
  unsigned decide(mlir::Operation *op) const;
  unsigned decideGeneric(mlir::linalg::GenericOp op) const;
  unsigned decideReshape(mlir::Operation *op) const;
  void count(mlir::Operation *op);

  int64_t lanes;
  llvm::DenseMap<mlir::Value, unsigned> channels;
  int64_t gained = 0, moved = 0; ///< elements
};

/// Whether the loops of `op`, whose results stay as they are, read images as well in any order: all
/// but products.
bool readsAnyOrder(mlir::linalg::GenericOp op);

/// Whether `op` repeats, or computes from few elements, what it gives, so that another order of it
/// costs nothing.
bool isMadeInAnyOrder(mlir::Operation *op);

} // namespace jit::codegen

#endif // JIT_CODEGEN_PRODUCTS_IMAGELAYOUT_H
