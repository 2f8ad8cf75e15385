//===- PaddedWindow.cpp - windows that go beyond an image -----------------===//
#include "Kernels/PaddedWindow.h"
#include "Analysis/BufferRoots.h"
#include "Kernels/DepthOffsets.h"
#include "Kernels/Launch.h"
#include "Kernels/LinearOperand.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using jit::codegen::PaddedWindow;

static constexpr int64_t width = 32, mostPlaces = width - 1;

bool PaddedWindow::add(AffineExpr expr, unsigned loops, int64_t before, int64_t size,
                       const Side &depth) {
  Dimension found = {stepsOf(expr, loops), firstOf(expr, loops) - before, size, std::nullopt, 1};
  for (auto [loop, count] : llvm::zip_equal(depth.dims, depth.sizes)) {
    if (found.steps[loop] == 0 || count == 1)
      continue;
    if (found.loop)
      return false;
    found.loop = loop;
    found.places = count;
  }
  dimensions.push_back(found);
  return true;
}

std::optional<PaddedWindow> PaddedWindow::of(ProductGroup &group, unsigned number) {
  linalg::LinalgOp product = group.product;
  OpOperand &operand = *product.getDpsInputOperand(number);
  SmallVector<linalg::LinalgOp> ops = group.ops();
  auto padding = findPadding(operand.get(), product, ops.back());
  AffineMap map = product.getMatchingIndexingMap(&operand);
  // Other blocks read the source until the last one is done.
  if (!padding || reshapeSource(operand.get()) != operand.get() || !isLinear(map) ||
      llvm::any_of(ops, [&](linalg::LinalgOp op) {
        return !hasKnownMemory(op) || writes(op, viewedBuffer(padding->source));
      }))
    return std::nullopt;
  PaddedWindow window;
  auto inner = cast<MemRefType>(padding->source.getType()),
       whole = cast<MemRefType>(operand.get().getType());
  if (!LinearOperand::of(map, inner, padding->before) || !DepthOffsets::hasRoomFor(inner))
    return std::nullopt;
  int64_t places = 0;
  for (auto [expr, before, size, wholeSize] :
       llvm::zip_equal(map.getResults(), padding->before, inner.getShape(), whole.getShape())) {
    if (size == wholeSize)
      continue;
    if (!window.add(expr, map.getNumDims(), before, size, group.shape.depth))
      return std::nullopt;
    places += window.dimensions.back().places;
  }
  if (places > mostPlaces)
    return std::nullopt;
  window.zeros = *padding;
  return window;
}

static Value bitsOf(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(b, loc, value, width);
}

Value PaddedWindow::insideOf(OpBuilder &b, Location loc, ValueRange point) const {
  Value all = bitsOf(b, loc, 0);
  int64_t bit = 0;
  for (const Dimension &dimension : dimensions) {
    Value at = constantIndex(b, loc, dimension.first);
    for (auto [loop, step] : llvm::enumerate(dimension.steps))
      if (step != 0 && loop != dimension.loop)
        at = arith::AddIOp::create(
            b, loc, at, arith::MulIOp::create(b, loc, point[loop], constantIndex(b, loc, step)));
    for (int64_t place = 0; place < dimension.places; ++place) {
      int64_t step = dimension.loop ? place * dimension.steps[*dimension.loop] : 0;
      Value there = arith::AddIOp::create(b, loc, at, constantIndex(b, loc, step));
      // What is in front is beyond any size.
      Value inside = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, there,
                                           constantIndex(b, loc, dimension.size));
      Value set = arith::SelectOp::create(b, loc, inside, bitsOf(b, loc, int64_t(1) << bit++),
                                          bitsOf(b, loc, 0));
      all = arith::OrIOp::create(b, loc, all, set);
    }
  }
  return all;
}

Value PaddedWindow::neededOf(OpBuilder &b, Location loc, ValueRange point) const {
  Value all = bitsOf(b, loc, 0);
  int64_t bit = 0;
  for (const Dimension &dimension : dimensions) {
    Value set = bitsOf(b, loc, int64_t(1) << bit);
    if (dimension.loop)
      set = arith::ShLIOp::create(
          b, loc, set, arith::IndexCastOp::create(b, loc, b.getI32Type(), point[*dimension.loop]));
    all = arith::OrIOp::create(b, loc, all, set);
    bit += dimension.places;
  }
  return all;
}
