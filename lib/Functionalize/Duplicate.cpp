//===- Duplicate.cpp - copies of code in which a name is one memory -------===//
//
// What may be one of several memories is one of them in each trip of a loop that is written out,
// and in each arm of a branch that what follows it was moved into.
//
//===----------------------------------------------------------------------===//

#include "Duplicate.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Jit/CapturedErrors.h"
#include "jit/Dialect/Jit/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace jit {

namespace {
constexpr llvm::StringLiteral numberAttr = "jit.number";
/// The numbers of writes begin behind all others.
constexpr int64_t writeNumbers = int64_t(1) << 32;
} // namespace

static int64_t operationsIn(Operation *op) {
  int64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

std::optional<int64_t> numberOf(Operation *op) {
  auto number = op->getAttrOfType<IntegerAttr>(numberAttr);
  return number ? std::optional(number.getInt()) : std::nullopt;
}

void numberOperations(func::FuncOp func) {
  int64_t next = 0;
  Builder b(func.getContext());
  func.walk([&](Operation *op) {
    if (isa<scf::IfOp, scf::ForOp>(op))
      op->setAttr(numberAttr, b.getI64IntegerAttr(next++));
  });
  // Of other numbers than these are now.
  func.walk([&](OverwriteOp op) {
    if (!numberOf(op))
      op->setAttr(numberAttr, b.getI64IntegerAttr(writeNumbers + next++));
  });
}

void invertNumber(Operation *op) {
  op->setAttr(numberAttr, Builder(op->getContext()).getI64IntegerAttr(~*numberOf(op)));
}

void dropNumbers(func::FuncOp func) {
  func.walk([](Operation *op) { op->removeDiscardableAttr(numberAttr); });
}

//===----------------------------------------------------------------------===//
// Where a value's choices are made
//===----------------------------------------------------------------------===//

/// What makes `value`: an operation, or the loop or branch whose argument it is.
static Operation *makerOf(Value value) {
  Operation *op = value.getDefiningOp();
  return op ? op : cast<BlockArgument>(value).getOwner()->getParentOp();
}

SmallVector<int64_t> choicesBehind(Value value) {
  llvm::SetVector<Operation *> makers;
  makers.insert(makerOf(value));
  for (size_t next = 0; next < makers.size(); ++next)
    if (!isa<func::FuncOp>(makers[next]))
      for (Value operand : makers[next]->getOperands())
        makers.insert(makerOf(operand));
  for (Operation *around = makers[0]->getParentOp(); !isa<func::FuncOp, ModuleOp>(around);
       around = around->getParentOp())
    makers.insert(around);
  SmallVector<int64_t> numbers;
  for (Operation *op : makers)
    if (auto number = isa<OverwriteOp>(op) ? std::nullopt : numberOf(op))
      numbers.push_back(*number);
  return numbers;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// What follows `branch` in its block moves into both of its arms.
static bool duplicateRest(scf::IfOp branch) {
  Operation *terminator = branch->getBlock()->getTerminator();
  SmallVector<Operation *> rest;
  for (Operation *op = branch->getNextNode(); op != terminator; op = op->getNextNode())
    rest.push_back(op);
  if (rest.empty())
    return false;
  OpBuilder b(terminator);
  auto whole = scf::IfOp::create(b, branch.getLoc(), terminator->getOperandTypes(),
                                 branch.getCondition(), true, true);
  for (int i : {0, 1}) {
    Block &arm = whole->getRegion(i).front();
    IRMapping map;
    OpBuilder inner = OpBuilder::atBlockEnd(&arm);
    if (Region &region = branch->getRegion(i); !region.empty()) {
      Operation *yield = region.front().getTerminator();
      map.map(branch.getResults(), yield->getOperands());
      arm.getOperations().splice(arm.end(), region.front().getOperations(), region.front().begin(),
                                 yield->getIterator());
    }
    for (Operation *op : rest)
      inner.clone(*op, map);
    SmallVector<Value> values;
    for (Value operand : terminator->getOperands())
      values.push_back(map.lookupOrDefault(operand));
    scf::YieldOp::create(inner, branch.getLoc(), values);
  }
  terminator->setOperands(whole.getResults());
  for (Operation *op : llvm::reverse(rest))
    op->erase();
  branch.erase();
  return true;
}

/// The trips of `loop` one after the other. Upstream's unrolling leaves a loop that only hands its
/// variables on, or has no trip, as it is.
static void writeOut(scf::ForOp loop, int64_t trips) {
  OpBuilder b(loop);
  SmallVector<Value> carried(loop.getInitArgs());
  Value counter = loop.getLowerBound();
  for (int64_t trip = 0; trip < trips; ++trip) {
    IRMapping map;
    map.map(loop.getInductionVar(), counter);
    map.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, map);
    for (auto [value, given] : llvm::zip_equal(carried, loop.getYieldedValues()))
      value = map.lookupOrDefault(given);
    counter = arith::AddIOp::create(b, loop.getLoc(), counter, loop.getStep());
  }
  loop.replaceAllUsesWith(carried);
  loop.erase();
}

/// What is wrong with the operands of `op`, if something is.
static std::optional<std::string> misfit(InferTypeOpInterface op) {
  CapturedErrors captured(op->getContext());
  SmallVector<Type> types;
  if (succeeded(op.inferReturnTypes(op->getContext(), op->getLoc(), op->getOperands(),
                                    op->getAttrDictionary(), op->getPropertiesStorage(),
                                    op->getRegions(), types)))
    return std::nullopt;
  std::vector<Diagnostic> errors = captured.take();
  return errors.empty() ? "expected operands that go together" : errors.front().str();
}

/// Numbers of a trip that follow from its index. What is only changed in place stays.
static void foldNumbers(func::FuncOp func) {
  func.walk([](Operation *op) {
    SmallVector<Value> values;
    OpBuilder b(op);
    if (!isa<arith::ArithDialect>(op->getDialect()) || op->hasTrait<OpTrait::ConstantLike>() ||
        failed(b.tryFold(op, values)) || values.empty())
      return;
    op->replaceAllUsesWith(values);
    op->erase();
  });
}

/// In a copy more is known: a trip that is never run may have an index that no dimension has.
/// Calls that get to such an operation end there.
static void raiseMisfits(func::FuncOp func) {
  func.walk([](AtenOpInterface op) {
    auto infers = dyn_cast<InferTypeOpInterface>(op.getOperation());
    std::optional<std::string> problem = infers ? misfit(infers) : std::nullopt;
    if (!problem)
      return;
    OpBuilder b(op);
    raise(b, op.getLoc(), *problem);
    for (Value result : op->getResults())
      result.replaceAllUsesWith(PoisonOp::create(b, op.getLoc(), result.getType()));
    op->erase();
  });
}

bool duplicate(func::FuncOp func, int64_t number, int64_t maxOperations) {
  Operation *found = nullptr;
  func.walk([&](Operation *op) {
    if (numberOf(op) == number)
      found = op;
  });
  if (!found)
    return false;
  int64_t left = maxOperations - operationsIn(func);
  bool isDone = false;
  if (auto branch = dyn_cast<scf::IfOp>(found)) {
    isDone = operationsIn(branch->getParentOp()) <= left && duplicateRest(branch);
  } else {
    auto loop = cast<scf::ForOp>(found);
    auto trips = loop.getStaticTripCount();
    isDone = trips && trips->getSExtValue() <= left / operationsIn(loop);
    if (isDone)
      writeOut(loop, trips->getSExtValue());
  }
  if (isDone) {
    foldNumbers(func);
    raiseMisfits(func);
  }
  return isDone;
}

} // namespace jit
