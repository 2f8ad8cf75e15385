//===- HoistGuards.cpp - checks of sizes before what they check ------------===//
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Lower/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace jit {
#define GEN_PASS_DEF_JITHOISTGUARDS
#include "jit/Lower/Passes.h.inc"
} // namespace jit

using namespace mlir;

/// Arithmetic on sizes, which costs nothing wherever it stands.
static bool isOfSizes(Operation *op) {
  auto isNumber = [](Type type) { return type.isIntOrIndex(); };
  return isPure(op) && op->getNumRegions() == 0 && llvm::all_of(op->getResultTypes(), isNumber) &&
         !isa<tensor::ExtractOp>(op);
}

static tensor::DimOp dimOf(Value size) {
  if (auto cast = size.getDefiningOp<arith::IndexCastOp>())
    size = cast.getIn();
  return size.getDefiningOp<tensor::DimOp>();
}

namespace {
/// One block, from its beginning.
class Hoisting {
public:
  explicit Hoisting(Block &block) : block(block) {}
  void run();

private:
  bool isBehind(Operation *op) const { return !last || last->isBeforeInBlock(op); }
  LogicalResult collect(Value value, SetVector<Operation *> &slice) const;
  void place(Operation *op);
  void hoist(jit::GuardOp guard);
  void replaceBehind(Value from, Value to);
  void refine(tensor::DimOp dim, int64_t size);
  void useEquality(Value left, Value right);
  bool use(jit::GuardOp guard);
  bool endAt(jit::GuardOp guard);

  Block &block;
  /// The last operation that stays where it is: guards, their sizes, and what has effects. Null at
  /// the beginning.
  Operation *last = nullptr;
  /// The dimensions of tensors that are known to have a size.
  llvm::DenseMap<Value, SmallVector<tensor::DimOp>> dimensions;
};
} // namespace

/// Collects in `slice` what `value` is computed of behind `last`; fails where that is more than
/// sizes.
LogicalResult Hoisting::collect(Value value, SetVector<Operation *> &slice) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block || !isBehind(op) || slice.contains(op))
    return success();
  if (!isOfSizes(op))
    return failure();
  for (Value operand : op->getOperands())
    if (failed(collect(operand, slice)))
      return failure();
  slice.insert(op);
  return success();
}

void Hoisting::place(Operation *op) {
  if (last)
    op->moveAfter(last);
  else
    op->moveBefore(&block, block.begin());
  last = op;
}

void Hoisting::hoist(jit::GuardOp guard) {
  SetVector<Operation *> slice;
  for (Value operand : guard->getOperands())
    if (failed(collect(operand, slice))) {
      last = guard;
      return;
    }
  for (Operation *op : slice)
    place(op);
  place(guard);
}

void Hoisting::replaceBehind(Value from, Value to) {
  from.replaceUsesWithIf(to, [&](OpOperand &use) {
    Operation *user = block.findAncestorOpInBlock(*use.getOwner());
    return user && isBehind(user);
  });
}

/// The tensor of `dim` has the size as a type, so that what is made of it has it, too.
void Hoisting::refine(tensor::DimOp dim, int64_t size) {
  auto type = dyn_cast<RankedTensorType>(dim.getSource().getType());
  std::optional<int64_t> index = dim.getConstantIndex();
  if (!type || !index || *index < 0 || *index >= type.getRank() || !type.isDynamicDim(*index) ||
      size < 0)
    return;
  SmallVector<int64_t> shape(type.getShape());
  shape[*index] = size;
  OpBuilder b(last->getContext());
  b.setInsertionPointAfter(last);
  auto known = tensor::CastOp::create(b, dim.getLoc(), type.clone(shape), dim.getSource());
  auto open = tensor::CastOp::create(b, dim.getLoc(), type, known);
  last = open;
  replaceBehind(dim.getSource(), open);
}

/// `right` is `left`, and gives way to it.
void Hoisting::useEquality(Value left, Value right) {
  if (getConstantIntValue(right))
    std::swap(left, right);
  if (left == right || getConstantIntValue(right))
    return;
  auto known = dimensions.lookup(right);
  if (tensor::DimOp dim = dimOf(right))
    known.push_back(dim);
  if (std::optional<int64_t> size = getConstantIntValue(left))
    for (tensor::DimOp dim : known)
      refine(dim, *size);
  else
    llvm::append_range(dimensions[left], known);
  if (auto cast = right.getDefiningOp<arith::IndexCastOp>()) {
    OpBuilder b(last->getContext());
    b.setInsertionPointAfter(last);
    last = arith::IndexCastOp::create(b, cast.getLoc(), cast.getIn().getType(), left);
    replaceBehind(cast.getIn(), last->getResult(0));
  }
  replaceBehind(right, left);
}

/// A value of `type` that nobody looks at, or null for types of which there are none.
static Value placeholder(OpBuilder &b, Location loc, Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type)) {
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    SmallVector<Value> sizes(tensor.getNumDynamicDims(), none);
    return tensor::EmptyOp::create(b, loc, tensor, sizes);
  }
  TypedAttr zero = b.getZeroAttr(type);
  return zero ? arith::ConstantOp::create(b, loc, zero).getResult() : Value();
}

/// Behind a guard that never holds sizes contradict each other, from which upstream's patterns make
/// invalid operations; nothing there is reached, so the block ends.
bool Hoisting::endAt(jit::GuardOp guard) {
  Operation *end = block.getTerminator();
  SmallVector<Operation *> behind;
  for (Operation *op = end->getPrevNode(); op != last; op = op->getPrevNode())
    behind.push_back(op);
  OpBuilder b(end);
  SmallVector<Value> placeholders;
  for (Value result : end->getOperands()) {
    placeholders.push_back(placeholder(b, guard.getLoc(), result.getType()));
    if (!placeholders.back())
      return false;
  }
  end->setOperands(placeholders);
  for (Operation *op : behind)
    op->erase();
  return true;
}

/// Behind the guard its condition holds. Whether it can: `false` where nothing is left behind it.
bool Hoisting::use(jit::GuardOp guard) {
  Value condition = guard.getCondition();
  if (getConstantIntValue(condition))
    return true;
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (compare && compare.getPredicate() == arith::CmpIPredicate::eq) {
    std::optional<int64_t> left = getConstantIntValue(compare.getLhs());
    std::optional<int64_t> right = getConstantIntValue(compare.getRhs());
    if (left && right && *left != *right && endAt(guard))
      return false;
    useEquality(compare.getLhs(), compare.getRhs());
  }
  OpBuilder b(guard->getContext());
  b.setInsertionPointAfter(last);
  last = arith::ConstantOp::create(b, guard.getLoc(), b.getBoolAttr(true));
  replaceBehind(condition, last->getResult(0));
  return true;
}

void Hoisting::run() {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (auto guard = dyn_cast<jit::GuardOp>(op)) {
      hoist(guard);
      if (!use(guard))
        return;
    } else if (!isMemoryEffectFree(&op)) {
      last = &op;
    }
  }
}

namespace {
struct HoistGuards : jit::impl::JitHoistGuardsBase<HoistGuards> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      Hoisting(block).run();
  }
};
} // namespace
