//===- StageChannels.cpp - factors with their channels side by side -------===//
#include "Kernels/StageChannels.h"
#include "Kernels/Launch.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// How often an element of the image is read at least where staging pays.
static constexpr int64_t fewestReads = 2;
/// Columns of a tile, each of which reads the image once.
static constexpr int64_t tileColumns = 128;

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
  /// The operand in a buffer of its own, and how its elements are read there.
  std::pair<Value, AffineMap> stage(OpOperand &operand, unsigned loop);
  void copy(Value from, Value to, unsigned channels);
  void replaceProduct(unsigned loop, ValueRange factors, ArrayRef<AffineMap> maps);

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
    if (size > 1 && size % piece == 0 && dimensionOf(left, loop) && dimensionOf(right, loop))
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

/// Threads side by side read neighbours in memory, each from as many channels as it stores.
void ChannelStager::copy(Value from, Value to, unsigned channels) {
  auto type = cast<MemRefType>(from.getType());
  SmallVector<int64_t> sizes(type.getShape());
  sizes[channels] /= piece;
  int64_t count = type.getNumElements() / piece;
  auto one = [&](Value id) {
    SmallVector<Value> at = jit::codegen::delinearize(b, loc, id, sizes);
    Value first =
        arith::MulIOp::create(b, loc, at[channels], jit::codegen::constantIndex(b, loc, piece));
    SmallVector<Value> elements;
    for (int64_t i = 0; i < piece; ++i) {
      SmallVector<Value> place(at);
      place[channels] =
          arith::AddIOp::create(b, loc, first, jit::codegen::constantIndex(b, loc, i));
      elements.push_back(memref::LoadOp::create(b, loc, from, place));
    }
    SmallVector<Value> place(at);
    place.erase(place.begin() + channels);
    place.push_back(first);
    auto whole = VectorType::get({piece}, type.getElementType());
    Value all = vector::FromElementsOp::create(b, loc, whole, elements);
    vector::StoreOp::create(b, loc, all, to, place, /*nontemporal=*/false,
                            llvm::MaybeAlign(jit::codegen::accessBytes));
  };
  jit::codegen::launchForEach(b, loc, "channels", count, machine.multiprocessors, one);
}

std::pair<Value, AffineMap> ChannelStager::stage(OpOperand &operand, unsigned loop) {
  AffineMap map = product.getMatchingIndexingMap(&operand);
  unsigned channels = *dimensionOf(map, loop);
  auto type = cast<MemRefType>(operand.get().getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<AffineExpr> places(map.getResults());
  shape.erase(shape.begin() + channels);
  shape.push_back(type.getDimSize(channels));
  places.erase(places.begin() + channels);
  places.push_back(map.getResult(channels));
  Value staged = memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()));
  copy(operand.get(), staged, channels);
  return {staged, AffineMap::get(map.getNumDims(), 0, places, b.getContext())};
}

/// The loop along the channels becomes the last one.
void ChannelStager::replaceProduct(unsigned loop, ValueRange factors, ArrayRef<AffineMap> maps) {
  unsigned loops = product.getNumLoops();
  SmallVector<AffineExpr> renamed;
  for (unsigned dim = 0; dim < loops; ++dim)
    renamed.push_back(
        getAffineDimExpr(dim == loop ? loops - 1 : dim - (dim > loop), b.getContext()));
  SmallVector<AffineMap> turned;
  for (AffineMap map : maps)
    turned.push_back(map.replaceDimsAndSymbols(renamed, {}, loops, 0));
  SmallVector<utils::IteratorType> kinds(product.getIteratorTypesArray());
  utils::IteratorType kind = kinds[loop];
  kinds.erase(kinds.begin() + loop);
  kinds.push_back(kind);
  auto made =
      linalg::GenericOp::create(b, loc, TypeRange(), factors, product.getDpsInits(), turned, kinds);
  b.cloneRegionBefore(product->getRegion(0), made.getRegion(), made.getRegion().begin());
  b.eraseOp(product);
  group.product = cast<linalg::LinalgOp>(made.getOperation());
  group.shape = *jit::codegen::ProductShape::of(group.product);
}

void ChannelStager::run() {
  std::optional<unsigned> loop = findChannels();
  if (!loop || !pays())
    return;
  auto [left, leftMap] = stage(*product.getDpsInputOperand(0), *loop);
  auto [right, rightMap] = stage(*product.getDpsInputOperand(1), *loop);
  AffineMap sums = product.getMatchingIndexingMap(product.getDpsInitOperand(0));
  replaceProduct(*loop, {left, right}, {leftMap, rightMap, sums});
}

void jit::codegen::stageChannels(ProductGroup &group, IRRewriter &b, const GpuMachine &machine) {
  ChannelStager(group, b, machine).run();
}
