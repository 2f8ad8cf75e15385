//===- StorePadded.cpp - images computed inside of their padding ----------===//

#include "jit/Codegen/Products/Passes.h"

using namespace mlir;

namespace jit {
#define GEN_PASS_DEF_STOREPADDED
#include "jit/Codegen/Products/Passes.h.inc"

namespace {

/// A part of a padded image.
struct Part {
  SmallVector<OpFoldResult> offsets, sizes, strides;
};

} // namespace

static Part wholeOf(OpBuilder &b, RankedTensorType type) {
  return {SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(0)),
          getAsIndexOpFoldResult(b.getContext(), type.getShape()),
          SmallVector<OpFoldResult>(type.getRank(), b.getIndexAttr(1))};
}

static Value filled(OpBuilder &b, Location loc, Value into, const Part &part, Value value) {
  Value slice =
      tensor::ExtractSliceOp::create(b, loc, into, part.offsets, part.sizes, part.strides);
  slice = linalg::FillOp::create(b, loc, value, slice)->getResult(0);
  return tensor::InsertSliceOp::create(b, loc, slice, into, part.offsets, part.sizes, part.strides);
}

/// The constant that `pad` adds; null where it is none.
static TypedAttr paddingOf(tensor::PadOp pad) {
  TypedAttr value;
  Value padding = pad.getConstantPaddingValue();
  if (padding)
    (void)matchPattern(padding, m_Constant(&value));
  return value;
}

/// An image with its borders alone: what `pad` adds.
static Value bordersOf(OpBuilder &b, tensor::PadOp pad, Part &inside) {
  RankedTensorType type = pad.getResultType();
  Location loc = pad.getLoc();
  Value image = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  inside = wholeOf(b, type);
  Value value = arith::ConstantOp::create(b, loc, paddingOf(pad));
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t before = pad.getStaticLow()[dim], after = pad.getStaticHigh()[dim];
    int64_t size = type.getDimSize(dim);
    // Corners belong to the outermost dimension that has them.
    Part border = inside;
    for (auto [offset, count] : {std::pair(int64_t(0), before), std::pair(size - after, after)}) {
      border.offsets[dim] = b.getIndexAttr(offset);
      border.sizes[dim] = b.getIndexAttr(count);
      if (count > 0)
        image = filled(b, loc, image, border, value);
    }
    inside.offsets[dim] = b.getIndexAttr(before);
    inside.sizes[dim] = b.getIndexAttr(size - before - after);
  }
  return image;
}

/// The operand that says where the image is computed: an empty tensor, or one that a fill of its
/// own starts.
static OpOperand *placeOf(linalg::LinalgOp op) {
  if (!op || op->getNumResults() != 1 || !op.hasPureTensorSemantics())
    return nullptr;
  OpOperand *place = op.getDpsInitOperand(0);
  auto fill = place->get().getDefiningOp<linalg::FillOp>();
  if (fill && fill->hasOneUse())
    place = fill.getDpsInitOperand(0);
  return place->get().getDefiningOp<tensor::EmptyOp>() ? place : nullptr;
}

static bool isWorthIt(tensor::PadOp pad, linalg::LinalgOp op) {
  auto negative = [](int64_t size) { return size < 0; };
  return placeOf(op) && paddingOf(pad) && pad.getResultType().hasStaticShape() &&
         pad.getResultType().getRank() >= 4 && pad.getSourceType().getNumElements() > 0 &&
         llvm::none_of(pad.getStaticLow(), negative) &&
         llvm::none_of(pad.getStaticHigh(), negative) && op->getBlock() == pad->getBlock();
}

static void computeInside(tensor::PadOp pad, linalg::LinalgOp op) {
  OpOperand *place = placeOf(op);
  OpBuilder b(place->getOwner());
  Part inside;
  Value borders = bordersOf(b, pad, inside);
  place->set(tensor::ExtractSliceOp::create(b, pad.getLoc(), borders, inside.offsets, inside.sizes,
                                            inside.strides));
  b.setInsertionPointAfter(op);
  Value image = op->getResult(0);
  Value padded = tensor::InsertSliceOp::create(b, pad.getLoc(), image, borders, inside.offsets,
                                               inside.sizes, inside.strides);
  pad->replaceAllUsesWith(ValueRange(padded));
  // The pad still uses the image.
  if (image.hasNUses(2))
    return pad.erase();
  Value slice = tensor::ExtractSliceOp::create(b, image.getLoc(), padded, inside.offsets,
                                               inside.sizes, inside.strides);
  image.replaceAllUsesExcept(slice, padded.getDefiningOp());
  pad.erase();
}

namespace {

struct StorePadded : impl::StorePaddedBase<StorePadded> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    for (tensor::PadOp pad : pads) {
      auto op = pad.getSource().getDefiningOp<linalg::LinalgOp>();
      if (op && isWorthIt(pad, op))
        computeInside(pad, op);
    }
  }
};

} // namespace

} // namespace jit
