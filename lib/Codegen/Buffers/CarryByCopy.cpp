//===- CarryByCopy.cpp - loops whose variables share no buffer ------------===//
//
// One-shot bufferization counts all that may share a buffer as one. Loops and branches that put
// several tensors in each other's place can leave it no way to order their writes and reads; where
// each has a buffer of its own there is one.
//
//===----------------------------------------------------------------------===//
#include "Buffers/Carried.h"
#include "Buffers/WhileForm.h"
#include "jit/Codegen/Buffers/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "llvm/Support/Threading.h"

namespace jit::codegen {
#define GEN_PASS_DEF_CARRYBYCOPY
#include "jit/Codegen/Buffers/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

Value jit::codegen::copyOf(OpBuilder &b, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> sizes = tensor::createDynamicDimValues(b, loc, tensor);
  // Not an empty tensor, in whose place the bufferization may put the one that is copied to.
  Value own = bufferization::AllocTensorOp::create(b, loc, type, sizes);
  return linalg::CopyOp::create(b, loc, tensor, own).getResult(0);
}

void jit::codegen::replaceByBranch(OpBuilder &b, arith::SelectOp select) {
  b.setInsertionPoint(select);
  auto giving = [](Value value) {
    return [=](OpBuilder &b, Location loc) { scf::YieldOp::create(b, loc, value); };
  };
  auto branch = scf::IfOp::create(b, select.getLoc(), select.getCondition(),
                                  giving(select.getTrueValue()), giving(select.getFalseValue()));
  select.replaceAllUsesWith(branch.getResult(0));
  select.erase();
}

void jit::codegen::materializeIn(OpBuilder &b, OpOperand &operand, BlockArgument dest) {
  operand.set(bufferization::MaterializeInDestinationOp::create(
                  b, operand.getOwner()->getLoc(), dest.getType(), operand.get(), dest,
                  /*restrict=*/false, /*writable=*/false)
                  .getResult());
}

static bool isTensor(Value value) { return isa<TensorType>(value.getType()); }

using Kept = llvm::SmallPtrSet<OpOperand *, 8>;

static void copyOperands(OpBuilder &b, MutableArrayRef<OpOperand> operands, const Kept &kept = {}) {
  for (OpOperand &operand : operands)
    if (isTensor(operand.get()) && !kept.contains(&operand)) {
      b.setInsertionPoint(operand.getOwner());
      operand.set(jit::codegen::copyOf(b, operand.getOwner()->getLoc(), operand.get()));
    }
}

/// All copies are made before the first buffer is written.
static void materializeCopies(OpBuilder &b, MutableArrayRef<OpOperand> operands,
                              Block::BlockArgListType arguments, const Kept &kept = {}) {
  SmallVector<std::pair<OpOperand *, BlockArgument>> changed;
  for (auto [operand, dest] : llvm::zip(operands, arguments))
    if (isTensor(operand.get()) && operand.get() != dest && !kept.contains(&operand) &&
        !jit::codegen::isResized(operand.get()))
      changed.emplace_back(&operand, dest);
  for (auto [operand, dest] : changed)
    copyOperands(b, *operand);
  for (auto [operand, dest] : changed)
    jit::codegen::materializeIn(b, *operand, dest);
}

/// The use of `tensor` that writes it, if nothing else uses it but reads of elements before that.
static OpOperand *onlyWriteOf(Value tensor) {
  OpOperand *write = nullptr;
  for (OpOperand &use : tensor.getUses())
    if (!isa<tensor::ExtractOp>(use.getOwner())) {
      if (write)
        return nullptr;
      write = &use;
    }
  auto isBefore = [&](Operation *user) {
    return user == write->getOwner() || (user->getBlock() == write->getOwner()->getBlock() &&
                                         user->isBeforeInBlock(write->getOwner()));
  };
  return write && llvm::all_of(tensor.getUsers(), isBefore) ? write : nullptr;
}

/// Whether `given`, the end of a trip, is the variable `tensor` after writes of elements one after
/// the other, so that its buffer is handed on as it is. Adds the operands of inner loops that hand
/// it on.
static bool isHandedOn(Value tensor, OpOperand &given, Kept &kept) {
  while (tensor != given.get()) {
    OpOperand *write = onlyWriteOf(tensor);
    auto insert = write ? dyn_cast<tensor::InsertOp>(write->getOwner()) : tensor::InsertOp();
    auto loop = write ? dyn_cast<scf::ForOp>(write->getOwner()) : scf::ForOp();
    if (insert && write == &insert.getDestMutable()) {
      tensor = insert.getResult();
      continue;
    }
    if (!loop || write->getOperandNumber() < loop.getNumControlOperands())
      return false;
    BlockArgument variable = loop.getTiedLoopRegionIterArg(write);
    if (!isHandedOn(variable, *loop.getTiedLoopYieldedValue(variable), kept))
      return false;
    kept.insert({write, loop.getTiedLoopYieldedValue(variable)});
    tensor = loop.getTiedLoopResult(write);
  }
  return onlyWriteOf(tensor) == &given;
}

/// What loops hand on without a copy: sums to places (`index_add`), which would copy all for each.
static Kept handedOn(func::FuncOp func) {
  Kept kept;
  func.walk([&](scf::ForOp loop) {
    for (BlockArgument variable : loop.getRegionIterArgs()) {
      OpOperand &given = *loop.getTiedLoopYieldedValue(variable);
      Kept inner;
      if (!isTensor(variable) || !isHandedOn(variable, given, inner))
        continue;
      kept.insert(&given);
      kept.insert(inner.begin(), inner.end());
    }
  });
  return kept;
}

/// The tensors that branches and selections give.
static unsigned countChoices(func::FuncOp func) {
  unsigned count = 0;
  func.walk([&](Operation *op) {
    if (isa<scf::IfOp, arith::SelectOp>(op))
      count += llvm::count_if(op->getResultTypes(), llvm::IsaPred<TensorType>);
  });
  return count;
}

void jit::codegen::carryByCopy(func::FuncOp func) {
  OpBuilder b(func);
  SmallVector<arith::SelectOp> selections;
  func.walk([&](arith::SelectOp select) {
    if (isTensor(select.getResult()))
      selections.push_back(select);
  });
  for (arith::SelectOp select : selections)
    replaceByBranch(b, select);
  Kept kept = handedOn(func);
  func.walk([&](scf::IfOp branch) {
    for (Region &region : branch->getRegions())
      if (!region.empty())
        copyOperands(b, region.front().getTerminator()->getOpOperands());
  });
  func.walk([&](scf::ForOp loop) {
    copyOperands(b, loop.getInitArgsMutable(), kept);
    Operation *end = loop.getBody()->getTerminator();
    materializeCopies(b, end->getOpOperands(), loop.getRegionIterArgs(), kept);
  });
  func.walk([&](scf::WhileOp loop) {
    copyOperands(b, loop.getInitsMutable());
    materializeCopies(b, loop.getConditionOp().getArgsMutable(), loop.getBeforeArguments());
    materializeCopies(b, loop.getYieldOp()->getOpOperands(), loop.getAfterArguments());
  });
  carryResized(func);
}

bool jit::codegen::isBufferizable(func::FuncOp func) {
  // Other functions may be compiled by other threads.
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(
      func.getContext(), [=](Diagnostic &) { return success(llvm::get_threadid() == thread); });
  bufferization::OneShotBufferizationOptions options;
  bufferization::OneShotAnalysisState state(func, options);
  return succeeded(bufferization::analyzeOp(func, state));
}

namespace {
struct CarryByCopy : jit::codegen::impl::CarryByCopyBase<CarryByCopy> {
  using CarryByCopyBase::CarryByCopyBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (countChoices(func) <= most)
      return;
    if (failed(jit::codegen::forwardInPlace(func)))
      return signalPassFailure();
    jit::codegen::carryByCopy(func);
  }
};
} // namespace
