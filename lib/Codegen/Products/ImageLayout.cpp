//===- ImageLayout.cpp - which images keep their channels last ------------===//

#include "Products/ImageLayout.h"
#include "Analysis/ProductNest.h"

using namespace mlir;

namespace jit::codegen {

SmallVector<int64_t> channelsLast(int64_t rank, unsigned channels) {
  SmallVector<int64_t> order = {0};
  for (int64_t dim = channels + 1; dim < rank; ++dim)
    order.push_back(dim);
  for (int64_t dim = 1; dim <= int64_t(channels); ++dim)
    order.push_back(dim);
  return order;
}

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

static int64_t elementsOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// Whether the results of `map` from number `first` on are the loops from `loop` on.
static bool readsInOrder(AffineMap map, unsigned first, unsigned count, unsigned loop) {
  for (unsigned i = 0; i < count; ++i)
    if (map.getResult(first + i) != getAffineDimExpr(loop + i, map.getContext()))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

unsigned convolutionChannels(linalg::GenericOp op, int64_t lanes) {
  if (!op.hasPureTensorSemantics() || !isProduct(op))
    return 0;
  // Loops: batch, channels..., positions..., summed channels, taps...
  AffineMap image = op.getIndexingMapsArray()[0], weight = op.getIndexingMapsArray()[1],
            out = op.getIndexingMapsArray()[2];
  unsigned rank = out.getNumResults(), loops = op.getNumLoops();
  if (loops < rank + 3 || loops - rank - 1 >= rank - 1 || !readsInOrder(out, 0, rank, 0))
    return 0;
  unsigned dimensions = loops - rank - 1, channels = rank - 1 - dimensions;
  bool known =
      image.getNumResults() == rank && weight.getNumResults() == channels + 1 + dimensions &&
      readsInOrder(image, 0, channels, 0) && readsInOrder(image, channels, 1, rank) &&
      readsInOrder(weight, 0, channels, 1) && readsInOrder(weight, channels, 1 + dimensions, rank);
  if (!known || channels > 2)
    return 0;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t positions = 1, taps = 1;
  for (unsigned i = 0; i < dimensions; ++i) {
    positions *= sizes[channels + 1 + i];
    taps *= sizes[rank + 1 + i];
  }
  bool isDepthwise = channels == 2 && sizes[2] == 1 && sizes[rank] == 1;
  return sizes[1] >= lanes && positions >= taps && (channels == 1 || isDepthwise) ? channels : 0;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Whether `grouped` is `plain` with its channels as groups of one: `[batch, channels, 1,
/// positions...]`.
static bool isOneByOne(Value plain, Value grouped) {
  if (!isStatic(plain) || cast<RankedTensorType>(plain.getType()).getRank() < 2)
    return false;
  SmallVector<int64_t> shape(cast<RankedTensorType>(plain.getType()).getShape());
  shape.insert(shape.begin() + 2, 1);
  return cast<RankedTensorType>(grouped.getType()).getShape() == ArrayRef(shape);
}

bool isMadeInAnyOrder(Operation *op) {
  if (isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(op))
    return true;
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    return isa<SplatElementsAttr>(constant.getValue());
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return isOneByOne(expand.getSrc(), expand.getResult()) &&
           isMadeInAnyOrder(expand.getSrc().getDefiningOp());
  auto generic = dyn_cast_or_null<linalg::GenericOp>(op);
  if (!generic || generic->getNumResults() != 1 || generic.getNumReductionLoops() != 0 ||
      !generic.hasPureTensorSemantics() || !generic.getIndexingMapsArray().back().isIdentity())
    return false;
  return llvm::all_of(generic.getDpsInputs(), [&](Value input) {
    return !isa<RankedTensorType>(input.getType()) ||
           (isStatic(input) && 2 * elementsOf(input) <= elementsOf(generic->getResult(0)));
  });
}

bool readsAnyOrder(linalg::GenericOp op) { return op.hasPureTensorSemantics() && !isProduct(op); }

ImageLayout::ImageLayout(func::FuncOp func, int64_t lanes) : lanes(lanes) {
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() == 0 || !llvm::all_of(op->getResults(), isStatic))
      return;
    if (unsigned moving = decide(op))
      for (Value result : op->getResults())
        channels[result] = moving;
  });
  func.walk([&](Operation *op) { count(op); });
}

bool ImageLayout::moves(Operation *op) const {
  return op->getNumResults() != 0 && channelsOf(op->getResult(0)) != 0;
}

bool ImageLayout::pays() const { return gained > 0 && 2 * moved <= gained; }

bool ImageLayout::readsLast(linalg::GenericOp op, OpOperand &operand) const {
  unsigned moving = channelsOf(op->getResult(0));
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  if (!type || !type.hasStaticShape())
    return false;
  if (convolutionChannels(op, lanes) != 0 && operand.getOperandNumber() == 0)
    return channelsOf(operand.get()) == moving || type.getDimSize(1) >= lanes;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  bool isImage = map.getNumResults() == cast<RankedTensorType>(op->getResultTypes()[0]).getRank() &&
                 readsInOrder(map, 0, moving + 1, 0);
  return isImage && 2 * type.getNumElements() > elementsOf(op->getResult(0));
}

unsigned ImageLayout::decideGeneric(linalg::GenericOp op) const {
  if (!op.hasPureTensorSemantics())
    return 0;
  if (unsigned moving = convolutionChannels(op, lanes))
    return moving;
  int64_t rank = cast<RankedTensorType>(op->getResultTypes()[0]).getRank();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    if (map.getNumResults() != rank || !readsInOrder(map, 0, rank, 0))
      return 0;
  }
  if (isProduct(op))
    return 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned moving = channelsOf(input->get());
    AffineMap map = op.getMatchingIndexingMap(input);
    if (moving != 0 && map.getNumResults() == rank && readsInOrder(map, 0, moving + 1, 0))
      return moving;
  }
  return 0;
}

/// Channels as groups of one, and back.
unsigned ImageLayout::decideReshape(Operation *op) const {
  bool expands = isa<tensor::ExpandShapeOp>(op);
  Value from = op->getOperand(0), to = op->getResult(0);
  if (channelsOf(from) != (expands ? 1 : 2) ||
      !(expands ? isOneByOne(from, to) : isOneByOne(to, from)))
    return 0;
  return expands ? 2 : 1;
}

unsigned ImageLayout::decide(Operation *op) const {
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return decideGeneric(generic);
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
    return decideReshape(op);
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value padding = pad.getConstantPaddingValue();
    return padding && padding.getDefiningOp<arith::ConstantOp>() ? channelsOf(pad.getSource()) : 0;
  }
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return slice.getSourceType().getRank() == slice.getType().getRank()
               ? channelsOf(slice.getSource())
               : 0;
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    unsigned moving = channelsOf(insert.getSource());
    bool same = channelsOf(insert.getDest()) == moving ||
                isMadeInAnyOrder(insert.getDest().getDefiningOp());
    return same && insert.getSourceType().getRank() == insert.getType().getRank() ? moving : 0;
  }
  return 0;
}

void ImageLayout::count(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  bool moving = moves(op);
  if (moving && generic && convolutionChannels(generic, lanes) != 0)
    gained += elementsOf(op->getOperand(0)) + elementsOf(op->getResult(0));
  for (OpOperand &operand : op->getOpOperands()) {
    Value value = operand.get();
    bool stored = channelsOf(value) != 0;
    bool wanted = moving && (!generic || readsLast(generic, operand));
    bool absorbs = !moving && generic && readsAnyOrder(generic);
    if (stored ? !moving && !absorbs : wanted && !isMadeInAnyOrder(value.getDefiningOp()))
      moved += elementsOf(value);
  }
}

} // namespace jit::codegen
