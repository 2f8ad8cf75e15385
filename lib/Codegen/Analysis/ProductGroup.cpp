//===- ProductGroup.cpp - a product and what goes on with its sums --------===//
#include "Analysis/ProductGroup.h"
#include "Analysis/BufferRoots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using jit::codegen::ProductGroup;

SmallVector<linalg::LinalgOp> ProductGroup::ops() const {
  SmallVector<linalg::LinalgOp> all;
  if (start)
    all.push_back(cast<linalg::LinalgOp>(linalg::FillOp(start).getOperation()));
  if (spread)
    all.push_back(spread);
  all.push_back(product);
  llvm::append_range(all, epilogue);
  return all;
}

/// The sizes other than 1, in order.
static SmallVector<int64_t> realSizes(ArrayRef<int64_t> sizes) {
  return SmallVector<int64_t>(
      llvm::make_filter_range(sizes, [](int64_t size) { return size != 1; }));
}

ArrayRef<int64_t> ProductGroup::outputSizes() const {
  return cast<MemRefType>(linalg::LinalgOp(product).getDpsInits().front().getType()).getShape();
}

static bool touches(Operation *op, Value root) {
  return llvm::any_of(op->getOperands(), [&](Value value) {
    return isa<MemRefType>(value.getType()) && jit::codegen::viewedBuffer(value) == root;
  });
}

/// The fill that a product adds to, where nothing comes between.
static linalg::FillOp findStart(linalg::LinalgOp product) {
  Value buffer = jit::codegen::reshapeSource(product.getDpsInits().front()),
        root = jit::codegen::viewedBuffer(buffer);
  if (buffer != root || !jit::codegen::isDistinctRoot(root))
    return nullptr;
  for (Operation *op = product->getPrevNode(); op; op = op->getPrevNode()) {
    if (jit::codegen::isAside(op))
      continue;
    if (!jit::codegen::hasKnownMemory(op))
      return nullptr;
    if (!touches(op, root))
      continue;
    auto fill = dyn_cast<linalg::FillOp>(op);
    bool isWhole = fill && jit::codegen::reshapeSource(fill.getOutputs().front()) == root;
    return isWhole && matchPattern(fill.getInputs().front(), m_Constant()) ? fill : nullptr;
  }
  return nullptr;
}

/// True if the op writes each element of its one output, and of no other memory, without reading
/// it.
static bool writesEach(linalg::LinalgOp op) {
  return op.getNumDpsInits() == 1 && op.getNumReductionLoops() == 0 && !op.hasIndexSemantics() &&
         op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// True if nothing that `op` reads is written between it and `end`, nor by that.
static bool readsTheSameUntil(linalg::LinalgOp op, Operation *end) {
  for (Operation *other = op->getNextNode(); other != end->getNextNode();
       other = other->getNextNode()) {
    if (jit::codegen::isAside(other))
      continue;
    if (!jit::codegen::hasKnownMemory(other) || llvm::any_of(op.getDpsInputs(), [&](Value input) {
          return isa<MemRefType>(input.getType()) &&
                 jit::codegen::writes(other, jit::codegen::viewedBuffer(input));
        }))
      return false;
  }
  return true;
}

void jit::codegen::takeSpread(ProductGroup &group) {
  Value buffer = group.product.getDpsInits().front(), root = viewedBuffer(buffer);
  if (group.start || group.spread || !isDistinctRoot(root))
    return;
  for (Operation *op = group.product->getPrevNode(); op; op = op->getPrevNode()) {
    if (isAside(op))
      continue;
    if (!hasKnownMemory(op))
      return;
    if (!touches(op, root))
      continue;
    auto spread = dyn_cast<linalg::LinalgOp>(op);
    if (spread && writesEach(spread) && spread.getDpsInits().front() == buffer &&
        llvm::count(spread->getOperands(), buffer) == 1 &&
        readsTheSameUntil(spread, group.ops().back()))
      group.spread = spread;
    return;
  }
}

namespace {
/// Finds what goes on with the sums.
class EpilogueFinder {
public:
  EpilogueFinder(ProductGroup &group, const llvm::DenseSet<Operation *> &taken)
      : group(group), taken(taken) {
    produced.insert(jit::codegen::reshapeSource(group.product.getDpsInits().front()));
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
  return jit::codegen::reshapeSource(operand.get()) == jit::codegen::viewedBuffer(operand.get()) &&
         jit::codegen::walksInOrder(op, operand, 0, op.getNumLoops());
}

/// Other threads must not read what this one writes.
bool EpilogueFinder::mayWrite(linalg::LinalgOp op, OpOperand &init) {
  Value root = jit::codegen::viewedBuffer(init.get());
  if (!isAligned(op, init) || llvm::any_of(group.product.getDpsInputs(), [&](Value input) {
        return jit::codegen::viewedBuffer(input) == root;
      }))
    return false;
  auto readsElsewhere = [&](linalg::LinalgOp reader) {
    return llvm::any_of(reader->getOpOperands(), [&](OpOperand &operand) {
      return isa<MemRefType>(operand.get().getType()) &&
             jit::codegen::viewedBuffer(operand.get()) == root && !isAligned(reader, operand);
    });
  };
  return !readsElsewhere(op) && llvm::none_of(group.epilogue, readsElsewhere);
}

bool EpilogueFinder::takes(linalg::LinalgOp op) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  if (taken.contains(op) || op.getNumReductionLoops() > 0 ||
      realSizes(sizes) != realSizes(group.outputSizes()))
    return false;
  bool goesOn = false;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()) ||
        !produced.contains(jit::codegen::viewedBuffer(operand.get())))
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
    produced.insert(jit::codegen::viewedBuffer(init));
  return true;
}

void EpilogueFinder::find() {
  OpOperand &sums = *group.product.getDpsInitOperand(0);
  auto type = cast<MemRefType>(sums.get().getType());
  if (jit::codegen::reshapeSource(sums.get()) != jit::codegen::viewedBuffer(sums.get()) ||
      !type.getLayout().isIdentity() || !jit::codegen::hasKnownMemory(group.product))
    return;
  for (Operation *op = group.product->getNextNode(); op; op = op->getNextNode()) {
    if (jit::codegen::isAside(op))
      continue;
    if (!jit::codegen::hasKnownMemory(op))
      return;
    auto candidate = dyn_cast<linalg::LinalgOp>(op);
    if (candidate && takes(candidate))
      continue;
    // All of the group would move behind it.
    if (llvm::any_of(group.ops(),
                     [&](Operation *member) { return jit::codegen::conflict(op, member); }))
      return;
  }
}

std::vector<ProductGroup> jit::codegen::findProductGroups(Block &block, int64_t smallSide) {
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
    ProductGroup group{product, std::move(*shape), findStart(product), {}, {}};
    EpilogueFinder(group, taken).find();
    taken.insert(group.epilogue.begin(), group.epilogue.end());
    groups.push_back(std::move(group));
  }
  return groups;
}

/// The type of both factors of a product that adds up in f32; null for other ones.
static Type factorType(linalg::LinalgOp product) {
  Type first = getElementTypeOrSelf(product.getDpsInputs()[0]);
  bool isUniform = getElementTypeOrSelf(product.getDpsInputs()[1]) == first &&
                   getElementTypeOrSelf(product.getDpsInits()[0]).isF32();
  return isUniform ? first : nullptr;
}

bool jit::codegen::isProductOfHalves(linalg::LinalgOp product) {
  Type type = factorType(product);
  return type && (type.isF16() || type.isBF16());
}

bool jit::codegen::isProductOfFloats(linalg::LinalgOp product) {
  Type type = factorType(product);
  return type && type.isF32();
}
