//===- StageChannels.cpp - factors with their channels side by side -------===//
#include "Kernels/StageChannels.h"
#include "Analysis/BufferRoots.h"
#include "Kernels/Launch.h"
#include "Kernels/Padding.h"
#include "Kernels/Tf32.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// How often an element of the image is read at least where staging pays.
static constexpr int64_t fewestReads = 2;
/// Columns of a tile, each of which reads the image once.
static constexpr int64_t tileColumns = 128;
/// What of the filters a tile has rows for, and by how much they may be fewer.
static constexpr int64_t tileFilters = 128;
static constexpr double mostIdle = 1.25;
/// By how much channels may be more for the zeros behind them. Zeros are multiplied, too, but an
/// element that is gathered costs the arithmetic of its index.
static constexpr int64_t mostGrowth = 3;

/// The dimension of an operand that a loop goes along, alone and by steps of one; nothing for
/// windows, and where there is none.
static std::optional<unsigned> dimensionOf(AffineMap map, unsigned loop) {
  std::optional<unsigned> found;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (!expr.isFunctionOfDim(loop))
      continue;
    if (found || expr != getAffineDimExpr(loop, map.getContext()))
      return std::nullopt;
    found = static_cast<unsigned>(dim);
  }
  return found;
}

/// True for a window, whose elements are not gathered if channels lie side by side.
static bool isWindow(AffineMap map) { return !map.isProjectedPermutation(true); }

namespace {
/// What is stored of an operand, with zeros around: how many stand before it in each dimension.
struct Source {
  Value memory;
  SmallVector<int64_t> before;
};

class ChannelStager {
public:
  ChannelStager(jit::codegen::ProductGroup &group, IRRewriter &b,
                const jit::codegen::GpuMachine &machine)
      : group(group), product(cast<linalg::LinalgOp>(group.product.getOperation())), b(b),
        loc(product.getLoc()), machine(machine),
        piece(jit::codegen::accessBytes /
              jit::codegen::elementBytes(*product.getDpsInputOperand(0))) {}

  void run();

private:
  /// The loop that both operands' channels go along.
  std::optional<unsigned> findChannels();
  bool pays();
  /// What is copied in place of the operand: without the zeros that the program puts around.
  Source sourceOf(Value operand);
  /// The operand in a buffer of its own, and how its elements are read there.
  std::pair<Value, AffineMap> stage(OpOperand &operand, const Source &source, unsigned loop);
  /// `sizes` are those of `to` in the order of dimensions of `from`.
  void copy(const Source &from, Value to, unsigned channels, ArrayRef<int64_t> sizes);
  Value load(const Source &from, SmallVector<Value> place, ArrayRef<int64_t> sizes);
  bool wantsImageLast();
  void replaceProduct(unsigned loop, ArrayRef<std::pair<Value, AffineMap>> factors);

  jit::codegen::ProductGroup &group;
  linalg::LinalgOp product;
  IRRewriter &b;
  Location loc;
  const jit::codegen::GpuMachine &machine;
  int64_t piece;
};
} // namespace

std::optional<unsigned> ChannelStager::findChannels() {
  AffineMap left = product.getMatchingIndexingMap(product.getDpsInputOperand(0)),
            right = product.getMatchingIndexingMap(product.getDpsInputOperand(1));
  if (isWindow(left) == isWindow(right))
    return std::nullopt;
  for (auto [loop, size] : llvm::zip(group.shape.depth.dims, group.shape.depth.sizes))
    if (llvm::divideCeilSigned(size, piece) * piece <= size * mostGrowth &&
        dimensionOf(left, loop) && dimensionOf(right, loop))
      return loop;
  return std::nullopt;
}

bool ChannelStager::pays() {
  bool isLeft = isWindow(product.getMatchingIndexingMap(product.getDpsInputOperand(0)));
  const jit::codegen::ProductShape &shape = group.shape;
  const jit::codegen::Side &own = isLeft ? shape.rows : shape.columns,
                           &other = isLeft ? shape.columns : shape.rows;
  Value image = product.getDpsInputs()[isLeft ? 0 : 1];
  int64_t reads = shape.batch.count * own.count * shape.depth.count *
                  llvm::divideCeilSigned(other.count, tileColumns);
  return reads >= fewestReads * cast<MemRefType>(image.getType()).getNumElements();
}

Source ChannelStager::sourceOf(Value operand) {
  Operation *end = group.ops().back();
  auto padding = jit::codegen::findPadding(operand, product, end);
  if (!padding || jit::codegen::reshapeSource(operand) != operand)
    return {operand, SmallVector<int64_t>(cast<MemRefType>(operand.getType()).getRank(), 0)};
  for (Operation *made : padding->ops)
    b.eraseOp(made);
  return {padding->source, padding->before};
}

/// The element at a place of the staged operand, in the source's order of dimensions; zero outside
/// of the source.
Value ChannelStager::load(const Source &from, SmallVector<Value> place, ArrayRef<int64_t> sizes) {
  auto type = cast<MemRefType>(from.memory.getType());
  Value inside;
  for (auto [dim, size] : llvm::enumerate(type.getShape())) {
    if (size == sizes[dim])
      continue;
    Value &at = place[dim];
    at = arith::SubIOp::create(b, loc, at, jit::codegen::constantIndex(b, loc, from.before[dim]));
    // What is in front is beyond any size.
    Value isIn = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, at,
                                       jit::codegen::constantIndex(b, loc, size));
    at = arith::SelectOp::create(b, loc, isIn, at, jit::codegen::constantIndex(b, loc, 0));
    inside = inside ? arith::AndIOp::create(b, loc, inside, isIn).getResult() : isIn;
  }
  Value element = memref::LoadOp::create(b, loc, from.memory, place);
  if (!inside)
    return element;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type.getElementType()));
  return arith::SelectOp::create(b, loc, inside, element, zero);
}

/// Threads side by side read neighbours in memory, each from as many channels as it stores.
void ChannelStager::copy(const Source &from, Value to, unsigned channels, ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> pieces(sizes);
  pieces[channels] /= piece;
  auto one = [&](Value id) {
    SmallVector<Value> at = jit::codegen::delinearize(b, loc, id, pieces);
    Value first =
        arith::MulIOp::create(b, loc, at[channels], jit::codegen::constantIndex(b, loc, piece));
    SmallVector<Value> elements;
    for (int64_t i = 0; i < piece; ++i) {
      at[channels] = arith::AddIOp::create(b, loc, first, jit::codegen::constantIndex(b, loc, i));
      Value element = load(from, at, sizes);
      elements.push_back(element.getType().isF32() ? jit::codegen::roundToTf32(b, loc, element)
                                                   : element);
    }
    at.erase(at.begin() + channels);
    at.push_back(first);
    auto whole = VectorType::get({piece}, getElementTypeOrSelf(to));
    Value all = vector::FromElementsOp::create(b, loc, whole, elements);
    vector::StoreOp::create(b, loc, all, to, at, /*nontemporal=*/false,
                            llvm::MaybeAlign(jit::codegen::accessBytes));
  };
  jit::codegen::launchForEach(b, loc, "channels", llvm::product_of(pieces), machine.multiprocessors,
                              one);
}

std::pair<Value, AffineMap> ChannelStager::stage(OpOperand &operand, const Source &source,
                                                 unsigned loop) {
  AffineMap map = product.getMatchingIndexingMap(&operand);
  unsigned channels = *dimensionOf(map, loop);
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes[channels] = llvm::alignTo(sizes[channels], piece);
  SmallVector<int64_t> shape(sizes);
  SmallVector<AffineExpr> places(map.getResults());
  shape.erase(shape.begin() + channels);
  shape.push_back(sizes[channels]);
  places.erase(places.begin() + channels);
  places.push_back(map.getResult(channels));
  Value staged = memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()));
  copy(source, staged, channels, sizes);
  return {staged, AffineMap::get(map.getNumDims(), 0, places, b.getContext())};
}

/// Groups of four warps have more columns than rows at a time, and neighbours in the image are
/// neighbours in the result: the image is the second factor where filters fill the rows of a tile.
bool ChannelStager::wantsImageLast() {
  bool isLeft = isWindow(product.getMatchingIndexingMap(product.getDpsInputOperand(0)));
  int64_t filters = (isLeft ? group.shape.columns : group.shape.rows).count;
  int64_t rows = llvm::divideCeilSigned(filters, tileFilters) * tileFilters;
  return isLeft && machine.hasWarpgroupProducts &&
         static_cast<double>(rows) <= mostIdle * static_cast<double>(filters);
}

/// The loop along the channels becomes the last one.
void ChannelStager::replaceProduct(unsigned loop, ArrayRef<std::pair<Value, AffineMap>> factors) {
  unsigned loops = product.getNumLoops();
  SmallVector<AffineExpr> renamed;
  for (unsigned dim = 0; dim < loops; ++dim)
    renamed.push_back(
        getAffineDimExpr(dim == loop ? loops - 1 : dim - (dim > loop), b.getContext()));
  SmallVector<AffineMap> turned;
  SmallVector<Value> inputs;
  auto turn = [&](AffineMap map) {
    turned.push_back(map.replaceDimsAndSymbols(renamed, {}, loops, 0));
  };
  for (auto [value, map] : factors) {
    inputs.push_back(value);
    turn(map);
  }
  turn(product.getMatchingIndexingMap(product.getDpsInitOperand(0)));
  SmallVector<utils::IteratorType> kinds(product.getIteratorTypesArray());
  utils::IteratorType kind = kinds[loop];
  kinds.erase(kinds.begin() + loop);
  kinds.push_back(kind);
  auto made =
      linalg::GenericOp::create(b, loc, TypeRange(), inputs, product.getDpsInits(), turned, kinds);
  b.cloneRegionBefore(product->getRegion(0), made.getRegion(), made.getRegion().begin());
  b.eraseOp(product);
  group.product = cast<linalg::LinalgOp>(made.getOperation());
  group.shape = *jit::codegen::ProductShape::of(group.product);
}

void ChannelStager::run() {
  std::optional<unsigned> loop = findChannels();
  if (!loop || !pays())
    return;
  OpOperand &left = *product.getDpsInputOperand(0), &right = *product.getDpsInputOperand(1);
  Source leftSource = sourceOf(left.get()), rightSource = sourceOf(right.get());
  SmallVector<std::pair<Value, AffineMap>> factors = {stage(left, leftSource, *loop),
                                                      stage(right, rightSource, *loop)};
  // Of one type: their product is the same in either order.
  if (wantsImageLast())
    std::swap(factors[0], factors[1]);
  replaceProduct(*loop, factors);
  group.isRounded = jit::codegen::isProductOfFloats(group.product);
}

void jit::codegen::stageChannels(ProductGroup &group, IRRewriter &b, const GpuMachine &machine) {
  ChannelStager(group, b, machine).run();
}
