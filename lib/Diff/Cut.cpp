//===- Cut.cpp - parts of a program as programs ---------------------------===//

#include "Cut.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool isCallType(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensor.hasRank() && tensor.hasDtype();
  return type.isInteger(1) || type.isInteger(64) || type.isF64();
}

bool canBeShown(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && (op->hasTrait<OpTrait::ConstantLike>() || isa<SlotGetOp, PoisonOp, AbsentOp>(op)))
    return false;
  return isCallType(value.getType());
}

SmallVector<Value> shownValues(func::FuncOp func) {
  SmallVector<Value> shown;
  for (Operation &op : func.front())
    llvm::copy_if(op.getResults(), std::back_inserter(shown), canBeShown);
  return shown;
}

void updateType(func::FuncOp func) {
  auto results = func.front().getTerminator()->getOperandTypes();
  func.setType(FunctionType::get(func.getContext(), func.front().getArgumentTypes(), results));
  func.removeResAttrsAttr();
  // What the results make up for a caller is said no more: they are read one by one.
  func->removeAttr(outputsAttr);
}

OwningOpRef<ModuleOp> withResults(ModuleOp program, StringRef entry, ArrayRef<unsigned> numbers,
                                  bool keepResults) {
  OwningOpRef<ModuleOp> copy = program.clone();
  auto func = copy->lookupSymbol<func::FuncOp>(entry);
  SmallVector<Value> shown = shownValues(func), results;
  Operation *end = func.front().getTerminator();
  if (keepResults)
    llvm::append_range(results, end->getOperands());
  for (unsigned number : numbers)
    results.push_back(shown[number]);
  end->setOperands(results);
  updateType(func);
  return copy;
}

//===----------------------------------------------------------------------===//
// Cutter
//===----------------------------------------------------------------------===//

static bool isNarrowFloat(Type type) {
  return type && (type.isF16() || type.isBF16() || type.isF32());
}

/// The type with f64 in place of narrower floats, or with an element type that is to be inferred.
static Type widened(Type type, bool isKnown) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](TensorType tensor) -> std::optional<Type> {
    if (!isNarrowFloat(tensor.getDtype()))
      return std::nullopt;
    return tensor.withDtype(isKnown ? Float64Type::get(tensor.getContext()) : Type());
  });
  return replacer.replace(type);
}

/// What inference finds no element type for has the wide one; all else has what follows.
static void widenResults(Operation *root) {
  root->walk([](Operation *op) {
    bool isKnown = isa<PoisonOp, AbsentOp>(op);
    for (Value result : op->getResults())
      result.setType(widened(result.getType(), isKnown));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          argument.setType(widened(argument.getType(), false));
  });
}

static OwningOpRef<ModuleOp> withoutFunctions(ModuleOp program) {
  OwningOpRef<ModuleOp> copy = program.clone();
  for (func::FuncOp func : llvm::make_early_inc_range(copy->getOps<func::FuncOp>()))
    func.erase();
  return copy;
}

Cutter::Cutter(ModuleOp program, std::function<Type(Value)> givenType)
    : made(withoutFunctions(program)), model(*program.getOps<func::FuncOp>().begin()),
      givenType(std::move(givenType)), builder(program.getContext()) {}

func::FuncOp Cutter::begin(Location loc, StringRef name) {
  mapping.clear();
  inputs.clear();
  builder.setInsertionPointToEnd(made->getBody());
  current = func::FuncOp::create(builder, loc, name, builder.getFunctionType({}, {}));
  if (Attribute symbolic = model->getAttr(symbolicAttr))
    current->setAttr(symbolicAttr, symbolic);
  builder.setInsertionPointToStart(current.addEntryBlock());
  return current;
}

void Cutter::finish(func::FuncOp func, ValueRange results) {
  func::ReturnOp::create(builder, func.getLoc(), results);
  updateType(func);
}

LogicalResult Cutter::need(Value value) {
  if (mapping.contains(value))
    return success();
  if (Type given = givenType(value)) {
    Type type = isWide ? widened(given, true) : given;
    mapping.map(value, current.front().addArgument(type, value.getLoc()));
    inputs.push_back(value);
    return success();
  }
  Operation *op = value.getDefiningOp();
  if (!op || failed(needOperands(op)))
    return failure();
  clone(op);
  return success();
}

LogicalResult Cutter::needOperands(Operation *op) {
  llvm::SetVector<Value> needed(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), needed);
  return success(llvm::all_of(needed, [&](Value value) { return succeeded(need(value)); }));
}

Operation *Cutter::clone(Operation *op) {
  Operation *copy = builder.clone(*op, mapping);
  if (isWide)
    widenResults(copy);
  return copy;
}

FailureOr<Part> Cutter::cutOperation(Operation *op, StringRef name, bool wide) {
  isWide = wide;
  func::FuncOp func = begin(op->getLoc(), name);
  if (failed(needOperands(op))) {
    func.erase();
    return failure();
  }
  Operation *copy = clone(op);
  SmallVector<Value> results;
  for (auto [was, is] : llvm::zip(op->getResults(), copy->getResults()))
    if (canBeShown(was))
      results.push_back(is);
  finish(func, results);
  return Part{func, inputs};
}

FailureOr<Part> Cutter::cutBlock(Block &block, StringRef name, SmallVectorImpl<unsigned> &ends) {
  isWide = false;
  func::FuncOp func = begin(block.getParentOp()->getLoc(), name);
  llvm::SetVector<Value> needed;
  for (Value argument : block.getArguments()) {
    mapping.map(argument, func.front().addArgument(argument.getType(), argument.getLoc()));
    inputs.push_back(argument);
  }
  getUsedValuesDefinedAbove(*block.getParent(), needed);
  if (!llvm::all_of(needed, [&](Value value) { return succeeded(need(value)); })) {
    func.erase();
    return failure();
  }
  for (Operation &op : block.without_terminator())
    clone(&op);
  SmallVector<Value> results;
  for (auto [number, operand] : llvm::enumerate(block.getTerminator()->getOperands()))
    if (isCallType(operand.getType())) {
      results.push_back(mapping.lookupOrDefault(operand));
      ends.push_back(number);
    }
  finish(func, results);
  return Part{func, inputs};
}

} // namespace jit
