//===- Extents.cpp - sizes of loops, open ones by name --------------------===//
#include "Analysis/Extents.h"
#include "Buffers/OpenBuffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using jit::codegen::Extent, jit::codegen::Extents;

void Extent::multiply(const Extent &other) {
  known *= other.known;
  llvm::append_range(open, other.open);
  llvm::sort(open);
}

Extent Extents::numbered(Place place) {
  return {1, {numbers.try_emplace(place, static_cast<unsigned>(numbers.size())).first->second}};
}

Extent Extents::sizeOf(OpFoldResult number) {
  if (auto constant = getConstantIntValue(number))
    return {*constant, {}};
  auto value = cast<Value>(number);
  while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
    value = cast.getIn();
  auto dim = value.getDefiningOp<memref::DimOp>();
  if (dim && dim.getConstantIndex())
    return sizeOf(dim.getSource(), *dim.getConstantIndex());
  return numbered({value, 0});
}

Extent Extents::sizeOf(Value buffer, int64_t dim) {
  auto type = cast<MemRefType>(buffer.getType());
  if (!type.isDynamicDim(dim))
    return {type.getDimSize(dim), {}};
  Operation *def = buffer.getDefiningOp();
  if (auto alloc = dyn_cast_or_null<memref::AllocOp>(def))
    return sizeOf(alloc.getMixedSizes()[dim]);
  if (def && jit::codegen::isOpenBuffer(def, jit::codegen::openResultAttr))
    return sizeOf(OpFoldResult(def->getOperand(type.getDynamicDimIndex(dim))));
  if (auto expand = dyn_cast_or_null<memref::ExpandShapeOp>(def))
    return sizeOf(expand.getMixedOutputShape()[dim]);
  if (auto collapse = dyn_cast_or_null<memref::CollapseShapeOp>(def)) {
    Extent product;
    SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
    for (int64_t source : groups[dim])
      product.multiply(sizeOf(collapse.getSrc(), source));
    return product;
  }
  return numbered({buffer, dim});
}

/// The first is that which other ops have most likely too: the name that came first.
SmallVector<Extent> Extents::sizesOfLoop(linalg::LinalgOp op, unsigned loop) {
  SmallVector<Extent> sizes;
  AffineExpr expr = getAffineDimExpr(loop, op.getContext());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    std::optional<unsigned> position = op.getMatchingIndexingMap(&operand).getResultPosition(expr);
    if (!position)
      continue;
    if (Extent size = sizeOf(operand.get(), *position); !llvm::is_contained(sizes, size))
      sizes.push_back(size);
  }
  if (int64_t known = op.getStaticLoopRanges()[loop];
      sizes.empty() && !ShapedType::isDynamic(known))
    sizes.push_back({known, {}});
  llvm::stable_sort(sizes, [](const Extent &a, const Extent &b) {
    return a.isName() && (!b.isName() || a.open < b.open);
  });
  return sizes;
}

Extents::Extents(Block &block) {
  for (Operation &op : block) {
    auto computation = dyn_cast<linalg::LinalgOp>(op);
    if (!computation || !computation.hasPureBufferSemantics())
      continue;
    SmallVector<Extent> first;
    SmallVector<SmallVector<Extent>> rest;
    for (unsigned loop = 0; loop < computation.getNumLoops(); ++loop)
      if (SmallVector<Extent> sizes = sizesOfLoop(computation, loop); !sizes.empty()) {
        first.push_back(sizes.front());
        rest.emplace_back(llvm::drop_begin(sizes));
      }
    if (first.size() != computation.getNumLoops())
      continue;
    loops[computation] = std::move(first);
    others[computation] = std::move(rest);
  }
}

std::optional<ArrayRef<Extent>> Extents::of(linalg::LinalgOp op) const {
  auto found = loops.find(op);
  return found == loops.end() ? std::nullopt : std::optional(ArrayRef(found->second));
}

ArrayRef<SmallVector<Extent>> Extents::othersOf(linalg::LinalgOp op) const {
  return others.find(op)->second;
}
