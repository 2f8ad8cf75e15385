//===- ProductGroup.cpp - a product and what goes on with its sums --------===//
#include "GPU/ProductGroup.h"
#include "ElementEmitter.h"
#include "GPU/Buffers.h"
#include "GPU/Launch.h"
#include "GPU/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using jit::ProductGroup;

SmallVector<linalg::LinalgOp> ProductGroup::ops() const {
  SmallVector<linalg::LinalgOp> all;
  if (start)
    all.push_back(cast<linalg::LinalgOp>(linalg::FillOp(start).getOperation()));
  all.push_back(product);
  llvm::append_range(all, epilogue);
  return all;
}

/// The sizes other than 1, in order.
static SmallVector<int64_t> realSizes(ArrayRef<int64_t> sizes) {
  return SmallVector<int64_t>(
      llvm::make_filter_range(sizes, [](int64_t size) { return size != 1; }));
}

static ArrayRef<int64_t> outputSizes(linalg::LinalgOp product) {
  return cast<MemRefType>(product.getDpsInits().front().getType()).getShape();
}

static bool touches(Operation *op, Value root) {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    return isa<MemRefType>(value.getType()) && jit::viewedBuffer(value) == root;
  });
}

/// The fill that a product adds to, where nothing comes between.
static linalg::FillOp findStart(linalg::LinalgOp product) {
  Value buffer = jit::reshapeSource(product.getDpsInits().front()),
        root = jit::viewedBuffer(buffer);
  if (buffer != root || !jit::isDistinctRoot(root))
    return nullptr;
  for (Operation *op = product->getPrevNode(); op; op = op->getPrevNode()) {
    if (jit::isAside(op))
      continue;
    if (!jit::hasKnownMemory(op))
      return nullptr;
    if (!touches(op, root))
      continue;
    auto fill = dyn_cast<linalg::FillOp>(op);
    bool isWhole = fill && jit::reshapeSource(fill.getOutputs().front()) == root;
    return isWhole && matchPattern(fill.getInputs().front(), m_Constant()) ? fill : nullptr;
  }
  return nullptr;
}

namespace {
/// Finds what goes on with the sums.
class EpilogueFinder {
public:
  EpilogueFinder(ProductGroup &group, const llvm::DenseSet<Operation *> &taken)
      : group(group), taken(taken) {
    produced.insert(jit::reshapeSource(group.product.getDpsInits().front()));
  }

  void find();

private:
  bool takes(linalg::LinalgOp op);
  /// True if the operand's elements are those of the sums, in order.
  bool isAligned(linalg::LinalgOp op, OpOperand &operand);
  bool mayWrite(linalg::LinalgOp op, OpOperand &init);

  ProductGroup &group;
  /// What other products go on with.
  const llvm::DenseSet<Operation *> &taken;
  llvm::SmallDenseSet<Value> produced;
};
} // namespace

bool EpilogueFinder::isAligned(linalg::LinalgOp op, OpOperand &operand) {
  return jit::reshapeSource(operand.get()) == jit::viewedBuffer(operand.get()) &&
         jit::walksInOrder(op, operand, 0, op.getNumLoops());
}

/// Other threads must not read what this one writes.
bool EpilogueFinder::mayWrite(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::viewedBuffer(init.get());
  if (!isAligned(op, init) || llvm::any_of(group.product.getDpsInputs(), [&](Value input) {
        return jit::viewedBuffer(input) == root;
      }))
    return false;
  auto readsElsewhere = [&](linalg::LinalgOp reader) {
    return llvm::any_of(reader->getOpOperands(), [&](OpOperand &operand) {
      return isa<MemRefType>(operand.get().getType()) && jit::viewedBuffer(operand.get()) == root &&
             !isAligned(reader, operand);
    });
  };
  return !readsElsewhere(op) && llvm::none_of(group.epilogue, readsElsewhere);
}

bool EpilogueFinder::takes(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (taken.contains(op) || op.getNumReductionLoops() > 0 ||
      realSizes(sizes) != realSizes(outputSizes(group.product)))
    return false;
  bool goesOn = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) ||
        !produced.contains(jit::viewedBuffer(operand.get())))
      continue;
    if (!isAligned(op, operand))
      return false;
    goesOn |= op.payloadUsesValueFromOperand(&operand);
  }
  if (!goesOn ||
      !llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) { return mayWrite(op, init); }))
    return false;
  group.epilogue.push_back(op);
  for (Value init : op.getDpsInits())
    produced.insert(jit::viewedBuffer(init));
  return true;
}

void EpilogueFinder::find() {
  OpOperand &sums = *group.product.getDpsInitOperand(0);
  auto type = cast<MemRefType>(sums.get().getType());
  if (jit::reshapeSource(sums.get()) != jit::viewedBuffer(sums.get()) ||
      !type.getLayout().isIdentity() || !jit::hasKnownMemory(group.product))
    return;
  for (Operation *op = group.product->getNextNode(); op; op = op->getNextNode()) {
    if (jit::isAside(op))
      continue;
    if (!jit::hasKnownMemory(op))
      return;
    auto candidate = dyn_cast<linalg::LinalgOp>(op);
    if (candidate && takes(candidate))
      continue;
    // All of the group would move behind it.
    if (llvm::any_of(group.ops(), [&](Operation *member) { return jit::conflict(op, member); }))
      return;
  }
}

std::vector<ProductGroup> jit::findProductGroups(Block &block, int64_t smallSide) {
  std::vector<ProductGroup> groups;
  llvm::DenseSet<Operation *> taken;
  for (Operation &op : block) {
    auto product = dyn_cast<linalg::LinalgOp>(op);
    if (!product || !product.hasPureBufferSemantics() ||
        llvm::any_of(product.getStaticLoopRanges(),
                     [](int64_t size) { return size == 0 || ShapedType::isDynamic(size); }))
      continue;
    std::optional<ProductShape> shape = ProductShape::of(product);
    if (!shape || shape->rows.count < smallSide || shape->columns.count < smallSide)
      continue;
    ProductGroup group{product, std::move(*shape), findStart(product), {}};
    EpilogueFinder(group, taken).find();
    taken.insert(group.epilogue.begin(), group.epilogue.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

/// What the sum is added to.
static Value startOf(ProductGroup &group, OpBuilder &b, ValueRange point) {
  if (group.start)
    return group.start.getInputs().front();
  return jit::ElementEmitter(group.product, b).load(*group.product.getDpsInitOperand(0), point);
}

static bool isZero(Value value) {
  return matchPattern(value, m_AnyZeroFloat()) || matchPattern(value, m_Zero());
}

/// The point of an elementwise op that has these coordinates in the dimensions larger than 1.
static SmallVector<Value> pointAt(OpBuilder &b, linalg::LinalgOp op, ArrayRef<Value> coordinates) {
  SmallVector<Value> point;
  for (int64_t size : op.getStaticLoopRanges()) {
    point.push_back(size == 1 ? jit::constantIndex(b, op.getLoc(), 0) : coordinates.front());
    coordinates = coordinates.drop_front(size != 1);
  }
  return point;
}

namespace {
/// Writes what becomes of sums, one at each of some points side by side.
class SumFinisher {
public:
  SumFinisher(ProductGroup &group, OpBuilder &b, ArrayRef<SmallVector<Value>> points,
              bool storesResults = true)
      : group(group), product(group.product), b(b), loc(product.getLoc()), points(points),
        storesResults(storesResults) {}

  void finish(ValueRange sums);
  /// What the buffer `root` would have at the points then.
  SmallVector<Value> valuesIn(Value root) { return values.lookup(root); }

private:
  Value addStart(Value sum, ValueRange point);
  void go(linalg::LinalgOp op);
  void store(linalg::LinalgOp op, OpOperand &init, ValueRange stored,
             ArrayRef<SmallVector<Value>> places);

  ProductGroup &group;
  linalg::LinalgOp product;
  OpBuilder &b;
  Location loc;
  ArrayRef<SmallVector<Value>> points;
  bool storesResults;
  /// What the buffers would have at the points, and the points' coordinates in sizes other than 1.
  llvm::SmallDenseMap<Value, SmallVector<Value>> values;
  SmallVector<SmallVector<Value>> coordinates;
};
} // namespace

Value SumFinisher::addStart(Value sum, ValueRange point) {
  Value start = startOf(group, b, point);
  if (isZero(start))
    return sum;
  return isa<FloatType>(sum.getType()) ? arith::AddFOp::create(b, loc, start, sum).getResult()
                                       : arith::AddIOp::create(b, loc, start, sum).getResult();
}

void SumFinisher::store(linalg::LinalgOp op, OpOperand &init, ValueRange stored,
                        ArrayRef<SmallVector<Value>> places) {
  jit::ElementEmitter element(op, b);
  if (stored.size() > 1)
    return jit::storeVector(b, loc, init, element.indices(init, places.front()), stored);
  memref::StoreOp::create(b, loc, stored.front(), init.get(),
                          element.indices(init, places.front()));
}

/// One op of the epilogue.
void SumFinisher::go(linalg::LinalgOp op) {
  jit::ElementEmitter element(op, b);
  SmallVector<SmallVector<Value>> places, results(op.getNumDpsInits());
  for (size_t i = 0; i < points.size(); ++i) {
    places.push_back(pointAt(b, op, coordinates[i]));
    auto read = [&](OpOperand &operand) -> Value {
      if (auto found = values.find(jit::viewedBuffer(operand.get())); found != values.end())
        return found->second[i];
      Value value = element.load(operand, places[i]);
      if (jit::isBroadcast(op, operand))
        jit::markBroadcast(value.getDefiningOp());
      return value;
    };
    for (auto [all, value] : llvm::zip(results, element.emitBody(places[i], {}, read)))
      all.push_back(value);
  }
  SmallVector<linalg::LinalgOp> ops = group.ops();
  for (auto [init, all] : llvm::zip(op.getDpsInitsMutable(), results)) {
    values[jit::viewedBuffer(init.get())] = all;
    if (storesResults && jit::isUsedOutside(jit::viewedBuffer(init.get()), ops))
      store(op, init, all, places);
  }
}

void SumFinisher::finish(ValueRange sums) {
  OpOperand &output = *product.getDpsInitOperand(0);
  SmallVector<Value> started;
  for (auto [sum, point] : llvm::zip(sums, points)) {
    started.push_back(addStart(sum, point));
    coordinates.emplace_back();
    for (auto [at, size] :
         llvm::zip(jit::ElementEmitter(product, b).indices(output, point), outputSizes(product)))
      if (size != 1)
        coordinates.back().push_back(at);
  }
  values[jit::viewedBuffer(output.get())] = started;
  if (storesResults && jit::isUsedOutside(jit::viewedBuffer(output.get()), group.ops()))
    store(product, output, started, points);
  for (linalg::LinalgOp op : group.epilogue)
    go(op);
}

void jit::finishSum(ProductGroup &group, OpBuilder &b, Value sum, ValueRange point) {
  SmallVector<SmallVector<Value>> points = {SmallVector<Value>(point)};
  SumFinisher(group, b, points).finish(sum);
}

SmallVector<Value> jit::continueSums(ProductGroup &group, OpBuilder &b, ValueRange sums,
                                     ArrayRef<SmallVector<Value>> points, Value buffer) {
  SumFinisher finisher(group, b, points, /*storesResults=*/false);
  finisher.finish(sums);
  return finisher.valuesIn(buffer);
}

/// The type of both factors of a product that adds up in f32; null for other ones.
static Type factorType(linalg::LinalgOp product) {
  Type first = getElementTypeOrSelf(product.getDpsInputs()[0]);
  bool isUniform = getElementTypeOrSelf(product.getDpsInputs()[1]) == first &&
                   getElementTypeOrSelf(product.getDpsInits()[0]).isF32();
  return isUniform ? first : nullptr;
}

bool jit::isProductOfHalves(linalg::LinalgOp product) {
  Type type = factorType(product);
  return type && (type.isF16() || type.isBF16());
}

bool jit::isProductOfFloats(linalg::LinalgOp product) {
  Type type = factorType(product);
  return type && type.isF32();
}

/// True if two sums beside each other, the first of them in an even column, are stored at once:
/// rows of the output, and so those of what follows, have an even number of elements in order.
static bool arePaired(ProductGroup &group) {
  const jit::Side &columns = group.shape.columns;
  OpOperand &output = *group.product.getDpsInitOperand(0);
  auto isWhole = [](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.getLayout().isIdentity() && type.getElementTypeBitWidth() % 8 == 0;
  };
  for (linalg::LinalgOp op : group.epilogue)
    if (!llvm::all_of(op.getDpsInits(), isWhole))
      return false;
  return !columns.dims.empty() && columns.sizes.back() % 2 == 0 && isWhole(output.get()) &&
         jit::accessAlong(group.product, output, columns.dims.back(), 2) == jit::Access::Vector;
}

void jit::finishSumsInside(ProductGroup &group, OpBuilder &b, ValueRange pair,
                           const SumPlace &place, int64_t rowTile, int64_t columnTile) {
  const ProductShape &shape = group.shape;
  Location loc = group.product.getLoc();
  size_t together = arePaired(group) ? 2 : 1;
  for (size_t first = 0; first < pair.size(); first += together) {
    OpBuilder::InsertionGuard guard(b);
    auto columnOf = [&](size_t i) -> Value {
      return arith::AddIOp::create(b, loc, place.column,
                                   constantIndex(b, loc, static_cast<int64_t>(i)));
    };
    for (auto [side, at, tile] : {std::tuple(&shape.rows, place.row, rowTile),
                                  std::tuple(&shape.columns, columnOf(first), columnTile)})
      if (Value inside = side->inside(b, loc, at, tile))
        b.setInsertionPointToStart(scf::IfOp::create(b, loc, inside).thenBlock());
    SmallVector<SmallVector<Value>> points;
    for (size_t i = first; i < first + together; ++i) {
      SmallVector<Value> &point = points.emplace_back(group.product.getNumLoops());
      shape.batch.place(b, loc, point, place.batch);
      shape.rows.place(b, loc, point, place.row);
      shape.columns.place(b, loc, point, columnOf(i));
    }
    SumFinisher(group, b, points).finish(pair.slice(first, together));
  }
}
