//===- ProductGroup.cpp - a product and what goes on with its sums --------===//
#include "GPU/ProductGroup.h"
#include "ElementEmitter.h"
#include "GPU/Buffers.h"
#include "GPU/Launch.h"
#include "GPU/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
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
  explicit EpilogueFinder(ProductGroup &group) : group(group) {
    produced.insert(jit::reshapeSource(group.product.getDpsInits().front()));
  }

  void find();

private:
  bool takes(linalg::LinalgOp op);
  /// True if the operand's elements are those of the sums, in order.
  bool isAligned(linalg::LinalgOp op, OpOperand &operand);
  bool mayWrite(linalg::LinalgOp op, OpOperand &init);

  ProductGroup &group;
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
  if (op.getNumReductionLoops() > 0 || realSizes(sizes) != realSizes(outputSizes(group.product)))
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
    EpilogueFinder(group).find();
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

void jit::finishSum(ProductGroup &group, OpBuilder &b, Value sum, ValueRange point) {
  linalg::LinalgOp product = group.product;
  Location loc = product.getLoc();
  OpOperand &output = *product.getDpsInitOperand(0);
  if (Value start = startOf(group, b, point); !isZero(start))
    sum = isa<FloatType>(sum.getType()) ? arith::AddFOp::create(b, loc, start, sum).getResult()
                                        : arith::AddIOp::create(b, loc, start, sum).getResult();
  llvm::SmallDenseMap<Value, Value> values = {{viewedBuffer(output.get()), sum}};
  SmallVector<linalg::LinalgOp> ops = group.ops();
  if (isUsedOutside(viewedBuffer(output.get()), ops))
    ElementEmitter(product, b).store(sum, point);
  SmallVector<Value> coordinates;
  for (auto [at, size] :
       llvm::zip(ElementEmitter(product, b).indices(output, point), outputSizes(product)))
    if (size != 1)
      coordinates.push_back(at);
  for (linalg::LinalgOp op : group.epilogue) {
    ElementEmitter element(op, b);
    SmallVector<Value> place = pointAt(b, op, coordinates);
    auto read = [&](OpOperand &operand) -> Value {
      if (Value value = values.lookup(viewedBuffer(operand.get())))
        return value;
      Value value = element.load(operand, place);
      if (isBroadcast(op, operand))
        markBroadcast(value.getDefiningOp());
      return value;
    };
    SmallVector<Value> results = element.emitBody(place, {}, read);
    for (auto [init, value] : llvm::zip(op.getDpsInitsMutable(), results)) {
      values[viewedBuffer(init.get())] = value;
      if (isUsedOutside(viewedBuffer(init.get()), ops))
        memref::StoreOp::create(b, loc, value, init.get(), element.indices(init, place));
    }
  }
}
