//===- ChannelsLast.cpp - images with their channels side by side ---------===//

#include "Products/ImageLayout.h"
#include "jit/Codegen/Products/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_CHANNELSLAST
#include "jit/Codegen/Products/Passes.h.inc"

static RankedTensorType typeOf(Value value) { return cast<RankedTensorType>(value.getType()); }

template <typename T> static SmallVector<T> permuted(ArrayRef<T> list, ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return list[dim]; });
}

static AffineMap permuted(AffineMap map, ArrayRef<int64_t> order) {
  return AffineMap::get(map.getNumDims(), 0, permuted(map.getResults(), order), map.getContext());
}

namespace {

/// Writes each op whose results keep their channels last once more beside the first one.
class LayoutRewriter {
public:
  LayoutRewriter(func::FuncOp func, const ImageLayout &layout, int64_t lanes)
      : rewriter(func.getContext()), func(func), layout(layout), lanes(lanes) {}

  void run();

private:
  /// `value` with its channels last: as it was rewritten, made so, or transposed.
  Value last(Value value, unsigned channels);
  Value makeLast(Value value, unsigned channels);
  Value transposed(Value value, ArrayRef<int64_t> order);
  void rewrite(Operation *op, unsigned channels);
  Value rewritePad(tensor::PadOp pad, ArrayRef<int64_t> order, unsigned channels);
  linalg::GenericOp rewriteGeneric(linalg::GenericOp op, unsigned channels);
  Value rewriteDepthwise(linalg::GenericOp op);
  Value startOf(linalg::GenericOp op);
  Value tapsFirst(Value weight);
  /// Splits off, or takes away, the dimension of one that stands for the channels of a group.
  Value grouped(Value value);
  Value ungrouped(Value value);
  /// Lets `op`, whose results stay as they are, read images where they lie.
  void readInPlace(linalg::GenericOp op);
  void replace(Operation *op);

  IRRewriter rewriter;
  func::FuncOp func;
  const ImageLayout &layout;
  int64_t lanes;
  DenseMap<std::pair<Value, unsigned>, Value> versions;
};

} // namespace

Value LayoutRewriter::transposed(Value value, ArrayRef<int64_t> order) {
  RankedTensorType type = typeOf(value);
  Value empty = tensor::EmptyOp::create(rewriter, value.getLoc(), permuted(type.getShape(), order),
                                        type.getElementType());
  return linalg::TransposeOp::create(rewriter, value.getLoc(), value, empty, order)->getResult(0);
}

Value LayoutRewriter::makeLast(Value value, unsigned channels) {
  Operation *def = value.getDefiningOp();
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> order = channelsLast(type.getRank(), channels);
  auto turned = type.clone(permuted(type.getShape(), order));
  if (isa_and_nonnull<tensor::EmptyOp>(def))
    return tensor::EmptyOp::create(rewriter, value.getLoc(), turned.getShape(),
                                   turned.getElementType());
  if (auto fill = dyn_cast_or_null<linalg::FillOp>(def))
    return linalg::FillOp::create(rewriter, value.getLoc(), fill.getInputs(),
                                  last(fill.getOutputs()[0], channels))
        ->getResult(0);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(def); expand && isMadeInAnyOrder(def))
    return grouped(last(expand.getSrc(), 1));
  if (!isMadeInAnyOrder(def))
    return transposed(value, order);
  if (auto constant = dyn_cast<arith::ConstantOp>(def))
    return arith::ConstantOp::create(
        rewriter, value.getLoc(), cast<DenseElementsAttr>(constant.getValue()).resizeSplat(turned));
  return rewriteGeneric(cast<linalg::GenericOp>(def), channels)->getResult(0);
}

Value LayoutRewriter::last(Value value, unsigned channels) {
  if (Value known = versions.lookup({value, channels}))
    return known;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointAfterValue(value);
  Value made = makeLast(value, channels);
  versions[{value, channels}] = made;
  return made;
}

static SmallVector<ReassociationIndices> lastTwoTogether(int64_t rank) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    groups.push_back({dim});
  groups.back().push_back(rank - 1);
  return groups;
}

Value LayoutRewriter::grouped(Value value) {
  SmallVector<int64_t> shape(typeOf(value).getShape());
  shape.push_back(1);
  return tensor::ExpandShapeOp::create(rewriter, value.getLoc(), typeOf(value).clone(shape), value,
                                       lastTwoTogether(int64_t(shape.size())));
}

Value LayoutRewriter::ungrouped(Value value) {
  return tensor::CollapseShapeOp::create(rewriter, value.getLoc(), value,
                                         lastTwoTogether(typeOf(value).getRank()));
}

/// What a depthwise convolution adds to. An empty tensor behind a reshape would not be told from
/// one that others use.
Value LayoutRewriter::startOf(linalg::GenericOp op) {
  Value init = last(op.getOutputs()[0], 2);
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill)
    return ungrouped(init);
  RankedTensorType type = typeOf(init);
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), type.getShape().drop_back(),
                                        type.getElementType());
  return linalg::FillOp::create(rewriter, op.getLoc(), fill.getInputs(), empty)->getResult(0);
}

/// The weight of a depthwise convolution as `[taps..., channels]`.
Value LayoutRewriter::tapsFirst(Value weight) {
  int64_t rank = typeOf(weight).getRank();
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  order.push_back(0);
  SmallVector<ReassociationIndices> groups = {{0, 1, 2}};
  for (int64_t dim = 3; dim < rank; ++dim)
    groups.push_back({dim});
  return tensor::CollapseShapeOp::create(rewriter, weight.getLoc(), transposed(weight, order),
                                         groups);
}

/// Without the loops of one iteration, so that what follows is computed with it: batch,
/// positions..., channels, taps....
Value LayoutRewriter::rewriteDepthwise(linalg::GenericOp op) {
  MLIRContext *context = rewriter.getContext();
  unsigned dimensions = typeOf(op->getResult(0)).getRank() - 3;
  auto loop = [&](unsigned i) { return getAffineDimExpr(i, context); };
  AffineExpr zero = getAffineConstantExpr(0, context), channel = loop(1 + dimensions);
  SmallVector<AffineExpr> renamed = {loop(0), channel, zero};
  for (unsigned i = 0; i < dimensions; ++i)
    renamed.push_back(loop(1 + i));
  renamed.push_back(zero);
  for (unsigned i = 0; i < dimensions; ++i)
    renamed.push_back(loop(2 + dimensions + i));
  unsigned loops = 2 + 2 * dimensions;
  SmallVector<AffineExpr> reads = {loop(0)}, weights, gives = {loop(0)};
  for (unsigned i = 0; i < dimensions; ++i) {
    reads.push_back(op.getIndexingMapsArray()[0].getResult(3 + i).replaceDims(renamed));
    weights.push_back(loop(2 + dimensions + i));
    gives.push_back(loop(1 + i));
  }
  for (auto *exprs : {&reads, &weights, &gives})
    exprs->push_back(channel);
  SmallVector<utils::IteratorType> kinds(2 + dimensions, utils::IteratorType::parallel);
  kinds.append(dimensions, utils::IteratorType::reduction);
  Value init = startOf(op);
  auto map = [&](ArrayRef<AffineExpr> exprs) { return AffineMap::get(loops, 0, exprs, context); };
  auto product = linalg::GenericOp::create(
      rewriter, op.getLoc(), init.getType(),
      {ungrouped(last(op.getInputs()[0], 2)), tapsFirst(op.getInputs()[1])}, init,
      {map(reads), map(weights), map(gives)}, kinds);
  rewriter.cloneRegionBefore(op.getRegion(), product.getRegion(), product.getRegion().begin());
  return grouped(product->getResult(0));
}

linalg::GenericOp LayoutRewriter::rewriteGeneric(linalg::GenericOp op, unsigned channels) {
  int64_t rank = typeOf(op->getResult(0)).getRank();
  SmallVector<int64_t> order = channelsLast(rank, channels);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> inputs(op.getDpsInputs()), inits;
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned stored = layout.channelsOf(input->get());
    unsigned wanted = stored != 0 ? stored : channels;
    if (stored == 0 && !(layout.moves(op) && layout.readsLast(op, *input)))
      continue;
    AffineMap &map = maps[input->getOperandNumber()];
    map = permuted(map, channelsLast(map.getNumResults(), wanted));
    inputs[input->getOperandNumber()] = last(input->get(), wanted);
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap &map = maps[init.getOperandNumber()];
    map = permuted(map, order);
    inits.push_back(last(init.get(), channels));
  }
  auto turned = linalg::GenericOp::create(rewriter, op.getLoc(), ValueRange(inits).getTypes(),
                                          inputs, inits, maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), turned.getRegion(), turned.getRegion().begin());
  // The loops in the order of the results, as what follows on a product expects them.
  SmallVector<unsigned> loops(order.begin(), order.end());
  for (unsigned loop = rank; loop < op.getNumLoops(); ++loop)
    loops.push_back(loop);
  return *linalg::interchangeGenericOp(rewriter, turned, loops);
}

Value LayoutRewriter::rewritePad(tensor::PadOp pad, ArrayRef<int64_t> order, unsigned channels) {
  // The constant may stand inside of the op, which goes.
  Operation *constant = rewriter.clone(*pad.getConstantPaddingValue().getDefiningOp());
  return tensor::PadOp::create(rewriter, pad.getLoc(), Type(), last(pad.getSource(), channels),
                               permuted(ArrayRef(pad.getMixedLowPad()), order),
                               permuted(ArrayRef(pad.getMixedHighPad()), order),
                               constant->getResult(0));
}

void LayoutRewriter::rewrite(Operation *op, unsigned channels) {
  rewriter.setInsertionPoint(op);
  SmallVector<Value> results;
  SmallVector<int64_t> order = channelsLast(typeOf(op->getResult(0)).getRank(), channels);
  auto generic = dyn_cast<linalg::GenericOp>(op);
  if (generic && convolutionChannels(generic, lanes) == 2) {
    results = {rewriteDepthwise(generic)};
  } else if (generic) {
    results = rewriteGeneric(generic, channels)->getResults();
  } else if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    results = {rewritePad(pad, order, channels)};
  } else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    results = {tensor::ExtractSliceOp::create(rewriter, op->getLoc(),
                                              last(slice.getSource(), channels),
                                              permuted(ArrayRef(slice.getMixedOffsets()), order),
                                              permuted(ArrayRef(slice.getMixedSizes()), order),
                                              permuted(ArrayRef(slice.getMixedStrides()), order))};
  } else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    results = {tensor::InsertSliceOp::create(
        rewriter, op->getLoc(), last(insert.getSource(), channels),
        last(insert.getDest(), channels), permuted(ArrayRef(insert.getMixedOffsets()), order),
        permuted(ArrayRef(insert.getMixedSizes()), order),
        permuted(ArrayRef(insert.getMixedStrides()), order))};
  } else {
    Value source = last(op->getOperand(0), channels == 2 ? 1 : 2);
    results = {channels == 2 ? grouped(source) : ungrouped(source)};
  }
  for (auto [before, after] : llvm::zip_equal(op->getResults(), results))
    versions[{before, channels}] = after;
}

void LayoutRewriter::readInPlace(linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  for (OpOperand *input : op.getDpsInputOperands()) {
    unsigned stored = layout.channelsOf(input->get());
    if (stored == 0)
      continue;
    AffineMap &map = maps[input->getOperandNumber()];
    map = permuted(map, channelsLast(map.getNumResults(), stored));
    input->set(last(input->get(), stored));
  }
  op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
}

/// Who still wants the results in their own order gets them transposed.
void LayoutRewriter::replace(Operation *op) {
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    unsigned channels = layout.channelsOf(result);
    Value turned = versions.lookup({result, channels});
    SmallVector<int64_t> order = channelsLast(typeOf(result).getRank(), channels);
    rewriter.setInsertionPointAfterValue(turned);
    rewriter.replaceAllUsesWith(result, transposed(turned, invertPermutationVector(order)));
  }
  rewriter.eraseOp(op);
}

void LayoutRewriter::run() {
  SmallVector<Operation *> moving;
  SmallVector<linalg::GenericOp> others;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto generic = dyn_cast<linalg::GenericOp>(op);
    if (layout.moves(op))
      moving.push_back(op);
    else if (generic && readsAnyOrder(generic))
      others.push_back(generic);
  });
  for (Operation *op : moving)
    rewrite(op, layout.channelsOf(op->getResult(0)));
  for (linalg::GenericOp op : others)
    readInPlace(op);
  for (Operation *op : llvm::reverse(moving))
    replace(op);
}

namespace {

struct ChannelsLast : impl::ChannelsLastBase<ChannelsLast> {
  using Base::Base;

  void runOnOperation() override {
    ImageLayout layout(getOperation(), lanes);
    if (layout.pays())
      LayoutRewriter(getOperation(), layout, lanes).run();
  }
};

} // namespace

std::unique_ptr<Pass> createChannelsLast(const Machine &machine) {
  return createChannelsLast(
      ChannelsLastOptions{machine.lanes, machine.registers, machine.l1Bytes, machine.l2Bytes});
}

} // namespace jit::codegen
