//===- BatchProducts.cpp - one product for several ------------------------===//

#include "Matchers.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Simplify/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITBATCHPRODUCTS
#include "jit/Simplify/Passes.h.inc"

static bool isMatrix(Value value) {
  TensorType type = staticType(value);
  return type && type.getRank() == 2;
}

/// True for a product of two matrices, with or without a bias of one row, which is its last
/// operand.
static bool isMatrixProduct(Operation &op) {
  auto product = dyn_cast<ProductOpInterface>(op);
  if (!product || product.getRowsAndWeight() != std::pair(0u, 1u) || !isMatrix(op.getOperand(0)) ||
      !isMatrix(op.getOperand(1)) || !isMatrix(op.getResult(0)))
    return false;
  return op.getNumOperands() == 2 || isSameForRows(op.getOperand(2));
}

/// True for a bias of a number for each column: one number is added to all of them.
static bool hasColumnBias(Operation *op) {
  TensorType bias = staticType(op->getOperand(2));
  return bias && bias.getSizes() == staticType(op->getResult(0)).getSizes().take_back();
}

/// `a @ b` of two matrices, and no more.
static bool isPlainProduct(Operation *op) {
  return op->getNumOperands() == 2 && isMatrixProduct(*op);
}

static Tensor joined(GraphBuilder &build, ArrayRef<Value> matrices, int64_t dim) {
  auto parts = llvm::map_to_vector(matrices, [&](Value v) { return Tensor(build, v); });
  return build.op<aten::CatOp>(build.list(parts), dim);
}

namespace {

//===----------------------------------------------------------------------===//
// Products that share an operand
//===----------------------------------------------------------------------===//

/// Products of one kind that can be computed where the first of them stands.
struct Family {
  SmallVector<Operation *> products;
  bool sharesLeft;

  Operation *first() const { return products.front(); }
  /// The dimension of the results along which they lie side by side.
  int64_t resultDim() const { return sharesLeft ? 1 : 0; }

  bool takes(Operation *op) const {
    if (op->getName() != first()->getName())
      return false;
    unsigned shared = sharesLeft ? 0 : 1, other = 1 - shared;
    bool hasBias = op->getNumOperands() == 3;
    bool sameBias = !hasBias || op->getOperand(2) == first()->getOperand(2);
    // Side by side lie the biases, too.
    bool joinsBiases = sharesLeft && hasBias && isa<TensorType>(op->getOperand(2).getType());
    bool fits = joinsBiases ? hasColumnBias(op) && hasColumnBias(first()) : sameBias;
    return op->getOperand(shared) == first()->getOperand(shared) && fits &&
           isThereAtFirst(op->getOperand(other)) && (sameBias || isThereAtFirst(op->getOperand(2)));
  }

  /// True if the value is there at the first product as it is.
  bool isAhead(Value value) const {
    Operation *def = value.getDefiningOp();
    return !def || def->getBlock() != first()->getBlock() || def->isBeforeInBlock(first());
  }

  /// True if it is, or can be: reads of parameters and their views stand anywhere.
  bool isThereAtFirst(Value value) const {
    if (isAhead(value))
      return true;
    Operation *def = value.getDefiningOp();
    return isa<SlotGetOp, ViewOpInterface, arith::ConstantOp>(def) &&
           llvm::all_of(def->getOperands(), [&](Value v) { return isThereAtFirst(v); });
  }

  void moveToFirst(Value value) const {
    if (isAhead(value))
      return;
    Operation *def = value.getDefiningOp();
    for (Value operand : def->getOperands())
      moveToFirst(operand);
    def->moveBefore(first());
  }

  void batch() const {
    for (Operation *op : products)
      for (Value operand : op->getOperands())
        moveToFirst(operand);
    OpBuilder b(first());
    GraphBuilder build{b, first()->getLoc()};
    auto column = [&](unsigned operand) {
      return llvm::map_to_vector(products, [&](Operation *op) { return op->getOperand(operand); });
    };
    SmallVector<Value> operands(first()->getOperands());
    bool isLinear = isa<aten::LinearOp>(first());
    unsigned other = sharesLeft ? 1 : 0;
    // The weight of linear has its columns as rows.
    operands[other] = joined(build, column(other), sharesLeft && !isLinear ? 1 : 0).v;
    if (isLinear && sharesLeft && isa<TensorType>(operands[2].getType()))
      operands[2] = joined(build, column(2), 0).v;
    Operation *whole = createInferred(b, first()->getLoc(), first()->getName(), operands);
    if (!whole)
      return;
    int64_t at = 0;
    for (Operation *op : products) {
      int64_t size = staticType(op->getResult(0)).getSizes()[resultDim()];
      Tensor part = build.op<aten::SliceTensorOp>(Tensor(build, whole->getResult(0)), resultDim(),
                                                  at, at + size, 1);
      op->getResult(0).replaceAllUsesWith(part.v);
      at += size;
    }
    for (Operation *op : products)
      op->erase();
  }
};

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// What a tree of additions adds up.
struct SumOfProducts {
  aten::AddTensorOp root;
  SmallVector<Operation *> products;
  SmallVector<Value> others;

  explicit SumOfProducts(aten::AddTensorOp root) : root(root) { collect(root); }

  static bool isPlain(aten::AddTensorOp add) {
    return knownNumber(add.getAlpha()) == 1.0 && isMatrix(add) &&
           add.getSelf().getType() == add.getType() && add.getOther().getType() == add.getType();
  }

  /// True where copying the operands side by side moves less than the additions do.
  bool pays(size_t minSummands) {
    if (products.size() < minSummands)
      return false;
    int64_t copied = 0, added = elementsOf(staticType(root)) * int64_t(products.size() - 1);
    for (Operation *op : products)
      copied +=
          elementsOf(staticType(op->getOperand(0))) + elementsOf(staticType(op->getOperand(1)));
    return copied < added;
  }

  void batch() {
    OpBuilder b(root);
    GraphBuilder build{b, root.getLoc()};
    auto column = [&](unsigned operand) {
      return llvm::map_to_vector(products, [&](Operation *op) { return op->getOperand(operand); });
    };
    Tensor sum = build.op<aten::MmOp>(joined(build, column(0), 1), joined(build, column(1), 0));
    for (Value other : others)
      sum = sum + Tensor(build, other);
    root.replaceAllUsesWith(sum.v);
  }

private:
  void collect(aten::AddTensorOp add) {
    for (Value operand : {add.getSelf(), add.getOther()}) {
      Operation *def = operand.hasOneUse() ? operand.getDefiningOp() : nullptr;
      bool isHere = def && def->getBlock() == root->getBlock();
      auto inner = dyn_cast_or_null<aten::AddTensorOp>(def);
      if (isHere && inner && isPlain(inner))
        collect(inner);
      else if (isHere && isPlainProduct(def))
        products.push_back(def);
      else
        others.push_back(operand);
    }
  }
};

struct BatchProductsPass : impl::JitBatchProductsBase<BatchProductsPass> {
  using JitBatchProductsBase::JitBatchProductsBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) {
      for (bool sharesLeft : {true, false})
        for (const Family &family : familiesOf(*block, sharesLeft))
          family.batch();
    });
    SmallVector<aten::AddTensorOp> roots;
    getOperation().walk([&](aten::AddTensorOp add) {
      if (SumOfProducts::isPlain(add) && !isInnerSum(add))
        roots.push_back(add);
    });
    for (aten::AddTensorOp root : roots)
      if (SumOfProducts sum(root); sum.pays(minSummands))
        sum.batch();
  }

  static bool isInnerSum(aten::AddTensorOp add) {
    auto user = add->hasOneUse() ? dyn_cast<aten::AddTensorOp>(*add->user_begin()) : nullptr;
    return user && user->getBlock() == add->getBlock() && SumOfProducts::isPlain(user);
  }

  SmallVector<Family> familiesOf(Block &block, bool sharesLeft) {
    SmallVector<Family> families;
    for (Operation &op : block) {
      if (!isMatrixProduct(op) || !pays(op, sharesLeft))
        continue;
      auto family = llvm::find_if(families, [&](const Family &f) { return f.takes(&op); });
      if (family != families.end())
        family->products.push_back(&op);
      else
        families.push_back({{&op}, sharesLeft});
    }
    llvm::erase_if(families, [](const Family &family) { return family.products.size() < 2; });
    return families;
  }

  bool pays(Operation &op, bool sharesLeft) {
    ArrayRef<int64_t> sizes = staticType(op.getResult(0)).getSizes();
    int64_t joined = sizes[sharesLeft ? 1 : 0], shared = sizes[sharesLeft ? 0 : 1];
    int64_t depth = staticType(op.getOperand(0)).getSizes()[1];
    return joined > 0 && joined <= maxColumns && shared >= minRows && depth >= minDepth;
  }
};

} // namespace

} // namespace jit
