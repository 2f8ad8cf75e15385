//===- StorePadded.cpp - images computed inside of their padding ----------===//

#include "jit/Codegen/Products/Passes.h"

using namespace mlir;

namespace jit::codegen {
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

/// What `pad` gives of `image`, borders last; `inside` is where the image lies.
static Value withBorders(OpBuilder &b, tensor::PadOp pad, Value image, Part &inside) {
  RankedTensorType type = pad.getResultType();
  Location loc = pad.getLoc();
  inside = wholeOf(b, type);
  SmallVector<Part> borders;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t before = pad.getStaticLow()[dim], after = pad.getStaticHigh()[dim];
    int64_t size = type.getDimSize(dim);
    // Corners belong to the outermost dimension that has them.
    for (auto [offset, count] : {std::pair(int64_t(0), before), std::pair(size - after, after)}) {
      if (count == 0)
        continue;
      borders.push_back(inside);
      borders.back().offsets[dim] = b.getIndexAttr(offset);
      borders.back().sizes[dim] = b.getIndexAttr(count);
    }
    inside.offsets[dim] = b.getIndexAttr(before);
    inside.sizes[dim] = b.getIndexAttr(size - before - after);
  }
  Value value = arith::ConstantOp::create(b, loc, paddingOf(pad));
  Value padded = tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
  padded = tensor::InsertSliceOp::create(b, loc, image, padded, inside.offsets, inside.sizes,
                                         inside.strides);
  for (const Part &border : borders)
    padded = filled(b, loc, padded, border, value);
  return padded;
}

/// Not where rows themselves are padded: all that touches the image would walk short rows then.
static bool isSupported(tensor::PadOp pad) {
  bool keepsRows = pad.getResultType().hasStaticShape() && pad.getResultType().getRank() >= 4 &&
                   pad.getStaticLow().back() == 0 && pad.getStaticHigh().back() == 0;
  auto negative = [](int64_t size) { return size < 0; };
  return keepsRows && paddingOf(pad) && pad.getSourceType().getNumElements() > 0 &&
         llvm::none_of(pad.getStaticLow(), negative) &&
         llvm::none_of(pad.getStaticHigh(), negative);
}

static void computeInside(tensor::PadOp pad) {
  OpBuilder b(pad);
  Value image = pad.getSource();
  Operation *def = image.getDefiningOp();
  // Readers that stand between the two have to read the slice as well.
  if (def && def->getBlock() == pad->getBlock())
    b.setInsertionPointAfter(def);
  Part inside;
  Value padded = withBorders(b, pad, image, inside);
  pad->replaceAllUsesWith(ValueRange(padded));
  if (def && !image.hasNUses(2)) {
    Value slice = tensor::ExtractSliceOp::create(b, image.getLoc(), padded, inside.offsets,
                                                 inside.sizes, inside.strides);
    image.replaceUsesWithIf(slice, [&](OpOperand &use) {
      return slice.getDefiningOp()->isBeforeInBlock(
                 slice.getDefiningOp()->getBlock()->findAncestorOpInBlock(*use.getOwner())) &&
             use.getOwner() != pad;
    });
  }
  pad.erase();
}

namespace {

struct StorePadded : impl::StorePaddedBase<StorePadded> {
  void runOnOperation() override {
    SmallVector<tensor::PadOp> pads;
    getOperation().walk([&](tensor::PadOp pad) { pads.push_back(pad); });
    for (tensor::PadOp pad : pads)
      if (isSupported(pad))
        computeInside(pad);
  }
};

} // namespace

} // namespace jit::codegen
