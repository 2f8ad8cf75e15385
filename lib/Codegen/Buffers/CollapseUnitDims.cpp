//===- CollapseUnitDims.cpp - which dimensions a subview drops ------------===//
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace jit::codegen {
#define GEN_PASS_DEF_COLLAPSEUNITDIMS
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// The dimensions that a subview keeps, by its shape: sizes keep their order, and of ones side by
/// side it does not matter which.
static SmallVector<int64_t> keptByShape(memref::SubViewOp view) {
  ArrayRef<int64_t> shape = view.getType().getShape();
  SmallVector<int64_t> kept;
  for (auto [dim, size] : llvm::enumerate(view.getStaticSizes()))
    if (kept.size() < shape.size() && size == shape[kept.size()])
      kept.push_back(dim);
  return kept;
}

/// Those that MemRef's own transformations take to be kept.
static SmallVector<int64_t> keptByStrides(memref::SubViewOp view) {
  llvm::SmallBitVector dropped = view.getDroppedDims();
  return llvm::to_vector_of<int64_t>(dropped.flip().set_bits());
}

/// Whether both lists name the same dimensions, or ones with nothing but ones between them.
static bool areAlike(ArrayRef<int64_t> some, ArrayRef<int64_t> others, ArrayRef<int64_t> sizes) {
  return llvm::all_of(llvm::zip_equal(some, others), [&](auto pair) {
    auto [first, last] = std::minmax(std::get<0>(pair), std::get<1>(pair));
    return first == last || llvm::all_of(sizes.slice(first, last - first + 1),
                                         [](int64_t size) { return size == 1; });
  });
}

/// Each kept dimension with the dropped ones behind it; what is dropped in front goes with the
/// first.
static SmallVector<ReassociationIndices> groupsOf(ArrayRef<int64_t> kept, int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (auto [place, dim] : llvm::enumerate(kept)) {
    int64_t first = place == 0 ? 0 : dim;
    int64_t end = place + 1 == kept.size() ? rank : kept[place + 1];
    groups.push_back(llvm::to_vector_of<int64_t, 2>(llvm::seq(first, end)));
  }
  return groups;
}

static void collapse(memref::SubViewOp view, ArrayRef<int64_t> kept) {
  OpBuilder b(view);
  Location loc = view.getLoc();
  Value whole = memref::SubViewOp::create(b, loc, view.getSource(), view.getMixedOffsets(),
                                          view.getMixedSizes(), view.getMixedStrides());
  Value collapsed = memref::CollapseShapeOp::create(b, loc, whole,
                                                    groupsOf(kept, view.getSourceType().getRank()));
  if (collapsed.getType() != view.getType())
    collapsed = memref::CastOp::create(b, loc, view.getType(), collapsed);
  view.replaceAllUsesWith(collapsed);
  view.erase();
}

namespace {
struct CollapseUnitDims : jit::codegen::impl::CollapseUnitDimsBase<CollapseUnitDims> {
  void runOnOperation() override {
    getOperation()->walk([](memref::SubViewOp view) {
      SmallVector<int64_t> kept = keptByShape(view);
      if (!kept.empty() && !areAlike(kept, keptByStrides(view), view.getStaticSizes()))
        collapse(view, kept);
    });
  }
};
} // namespace
