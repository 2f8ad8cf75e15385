//===- InPlaceResults.cpp - results that arguments' memory becomes --------===//
#include "Buffers/InPlace.h"
#include "jit/Codegen/Buffers/Passes.h"
#include "jit/Dialect/Foreign/Foreign.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"

#include "mlir/Transforms/RegionUtils.h"

namespace jit::codegen {
#define GEN_PASS_DEF_INPLACERESULTS
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

bool jit::codegen::mayComputeInArgument(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op.getNumParallelLoops() != op.getNumLoops())
    return false;
  OpOperand *init = op.getDpsInitOperand(cast<OpResult>(value).getResultNumber());
  llvm::SetVector<Value> read;
  getUsedValuesDefinedAbove(op->getRegions(), read);
  return op.getMatchingIndexingMap(init).isIdentity() &&
         init->get().getDefiningOp<tensor::EmptyOp>() && !op.payloadUsesValueFromOperand(init) &&
         llvm::none_of(read, [](Value other) { return isa<TensorType>(other.getType()); });
}

//===----------------------------------------------------------------------===//
// Whose new value a result is
//===----------------------------------------------------------------------===//

/// How often each flat result is a part of what the function gives.
static llvm::DenseMap<int64_t, unsigned> countUses(ArrayAttr outputs) {
  llvm::DenseMap<int64_t, unsigned> uses;
  for (auto output : outputs.getAsRange<DictionaryAttr>())
    output.get("value").walk([&](IntegerAttr leaf) { ++uses[leaf.getInt()]; });
  return uses;
}

/// The one argument that has all elements of the slot, or of the call's argument, whose new value
/// this output is; none where there is another.
static std::optional<unsigned> argumentOf(func::FuncOp func, DictionaryAttr output) {
  auto slot = output.getAs<StringAttr>("slot");
  auto path = output.getAs<DenseI64ArrayAttr>("mutates");
  if (output.get("memory") || output.get("offset") || output.get("whole") || (!slot && !path))
    return std::nullopt;
  std::optional<unsigned> found;
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    auto argumentSlot = func.getArgAttrOfType<StringAttr>(i, jit::slotAttr);
    auto argumentPath = func.getArgAttrOfType<DenseI64ArrayAttr>(i, jit::argPathAttr);
    bool isOfIt =
        slot ? argumentSlot == slot
             : argumentPath && !argumentSlot && path.asArrayRef() == argumentPath.asArrayRef();
    if (!isOfIt)
      continue;
    bool isWhole = !func.getArgAttr(i, jit::memoryAttr) && !func.getArgAttr(i, jit::weightAttr) &&
                   (!slot || !argumentPath || argumentPath.empty());
    if (found || !isWhole)
      return std::nullopt;
    found = i;
  }
  return found;
}

//===----------------------------------------------------------------------===//
// Whether the argument is written part by part
//===----------------------------------------------------------------------===//

namespace {
/// What gives a tensor with other elements in some places.
struct Write {
  Operation *op;
  Value tensor;   // null: this is no write
  OpOperand *use; // of `tensor` by `op`; null where its regions use it
};
} // namespace

static Write writeOf(Value value);

/// A branch of which each way leads to the same tensor.
static Write writeOf(scf::IfOp branch, unsigned result) {
  Value common;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Value value = region->front().getTerminator()->getOperand(result);
    while (value && region->isAncestor(value.getParentRegion()))
      value = writeOf(value).tensor;
    if (!value || (common && common != value))
      return {};
    common = value;
  }
  return {branch, common, nullptr};
}

/// What a loop begins with of a variable that its condition hands on; null for other results.
static OpOperand *initOf(scf::WhileOp loop, unsigned result) {
  auto passed = dyn_cast<BlockArgument>(loop.getConditionOp().getArgs()[result]);
  return passed && passed.getOwner() == loop.getBeforeBody()
             ? &loop.getInitsMutable()[passed.getArgNumber()]
             : nullptr;
}

static Write writeOf(Value value) {
  auto result = dyn_cast<OpResult>(value);
  if (!result)
    return {};
  Operation *op = result.getOwner();
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return writeOf(branch, result.getResultNumber());
  OpOperand *use = nullptr;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    use = loop.getTiedLoopInit(result);
  else if (auto loop = dyn_cast<scf::WhileOp>(op))
    use = initOf(loop, result.getResultNumber());
  else if (auto insert = dyn_cast<tensor::InsertOp>(op))
    use = &insert.getDestMutable();
  else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    use = &insert.getDestMutable();
  return {op, use ? use->get() : Value(), use};
}

/// Whether a use by a view shows elements of the tensor where they lie.
static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::CastOp, tensor::CollapseShapeOp,
             tensor::ExpandShapeOp>(op);
}

/// Whether nothing reads `tensor`, or what shows its elements, from `write` on, but for uses by
/// which that may overwrite it.
static bool isDeadBehind(Value tensor, Operation *write,
                         llvm::function_ref<bool(OpOperand &)> mayOverwrite) {
  return llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
    Operation *user = write->getBlock()->findAncestorOpInBlock(*use.getOwner());
    if (user == write)
      return mayOverwrite(use);
    return user && user->isBeforeInBlock(write) &&
           (!isView(use.getOwner()) ||
            isDeadBehind(use.getOwner()->getResult(0), write, [](OpOperand &) { return false; }));
  });
}

/// The first of the writes, of what nothing else reads by then, that make `value` of `argument`;
/// null where there are none, or others.
static Operation *firstWrite(Value value, BlockArgument argument) {
  Operation *first = nullptr;
  while (value != argument) {
    Write write = writeOf(value);
    auto isWrite = [&](OpOperand &use) {
      return write.use ? &use == write.use : use.getOwner() != write.op;
    };
    if (!write.tensor || write.op->getBlock() != argument.getOwner() ||
        !isDeadBehind(write.tensor, write.op, isWrite))
      return nullptr;
    first = write.op;
    value = write.tensor;
  }
  return first;
}

/// The operation that makes all of `value` anew where it may do so in the memory of `argument`: it
/// needs no element of that in another place, nor does anything later. Null for others, and where
/// only the call tells that their sizes are the same.
static Operation *computedOver(Value value, BlockArgument argument) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getBlock() != argument.getOwner() ||
      !cast<RankedTensorType>(value.getType()).hasStaticShape() ||
      !jit::codegen::mayComputeInArgument(value))
    return nullptr;
  auto isInPlace = [&](OpOperand &use) {
    return use.getOwner() == op && op.getMatchingIndexingMap(&use).isIdentity();
  };
  return isDeadBehind(argument, op, isInPlace) ? op : nullptr;
}

/// Whether a number is one of a size, or an argument, or computed of such.
static bool isOfSizes(Value value) {
  Operation *def = value.getDefiningOp();
  if (!def)
    return isa<func::FuncOp>(cast<BlockArgument>(value).getOwner()->getParentOp());
  return isa<tensor::DimOp>(def) ||
         (isPure(def) && def->getNumRegions() == 0 && !isa<tensor::ExtractOp>(def) &&
          llvm::all_of(def->getOperands(), isOfSizes));
}

/// Whether data may tell the size of a result. Its memory is asked for when the call is under way,
/// and the caller may have given some of another size.
static bool hasSizesOfData(func::FuncOp func) {
  auto isOpen = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  return llvm::any_of(func.getResultTypes(), isOpen) &&
         func.walk([](arith::IndexCastOp cast) {
               return isa<IndexType>(cast.getType()) && !isOfSizes(cast.getIn())
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

/// Whether a call may still fail behind `op`, or while it runs.
static bool mayFailBehind(Operation *op) {
  auto func = op->getParentOfType<func::FuncOp>();
  return func
      .walk([&](Operation *nested) {
        if (!isa<jit::GuardOp, jit::foreign::CallOp>(nested))
          return WalkResult::advance();
        Operation *at = op->getBlock()->findAncestorOpInBlock(*nested);
        return at && at->isBeforeInBlock(op) ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

namespace {
struct InPlaceResults : jit::codegen::impl::InPlaceResultsBase<InPlaceResults> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    auto outputs = func->getAttrOfType<ArrayAttr>(jit::outputsAttr);
    if (func.isDeclaration() || !outputs || !func.getBody().hasOneBlock())
      return;
    // A backward function may ask for what an argument was.
    auto isOfGradients = [](DictionaryAttr output) {
      return output.get("grad") || output.get("residual");
    };
    if (llvm::any_of(outputs.getAsRange<DictionaryAttr>(), isOfGradients) || hasSizesOfData(func))
      return;
    auto uses = countUses(outputs);
    for (auto output : outputs.getAsRange<DictionaryAttr>())
      if (auto leaf = dyn_cast<IntegerAttr>(output.get("value")); leaf && uses[leaf.getInt()] == 1)
        mark(func, output, unsigned(leaf.getInt()));
  }

  void mark(func::FuncOp func, DictionaryAttr output, unsigned result) {
    std::optional<unsigned> number = argumentOf(func, output);
    Value value = func.front().getTerminator()->getOperand(result);
    if (!number || !isa<RankedTensorType>(value.getType()) ||
        value.getType() != func.getArgument(*number).getType() ||
        func.getArgAttr(*number, jit::dtypeAttr) != func.getResultAttr(result, jit::dtypeAttr))
      return;
    Operation *write = firstWrite(value, func.getArgument(*number));
    // The two sides of state take turns: to make all of it anew costs no copy there.
    if (!write && output.get("mutates"))
      write = computedOver(value, func.getArgument(*number));
    if (write && !mayFailBehind(write))
      func.setResultAttr(result, jit::inPlaceAttr,
                         Builder(func.getContext()).getI64IntegerAttr(*number));
  }
};
} // namespace
