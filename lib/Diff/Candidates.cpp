//===- Candidates.cpp - a program with less in it -------------------------===//

#include "Candidates.h"
#include "Cut.h"
#include "Numbers.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Infer/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

#include <cstring>

using namespace mlir;

namespace jit {

CallProgram copyOf(const CallProgram &program) {
  return {ModuleOp(program.module.get()).clone(), program.entry, program.inputs, program.weights};
}

func::FuncOp entryOf(const CallProgram &program) {
  return ModuleOp(program.module.get()).lookupSymbol<func::FuncOp>(program.entry);
}

SmallVector<Operation *> operationsOf(const CallProgram &program) {
  return llvm::map_to_vector(entryOf(program).front().without_terminator(),
                             [](Operation &op) { return &op; });
}

static void setResults(func::FuncOp func, ValueRange results) {
  func.front().getTerminator()->setOperands(results);
  updateType(func);
}

//===----------------------------------------------------------------------===//
// What nobody reads
//===----------------------------------------------------------------------===//

static bool eraseDead(func::FuncOp func) {
  bool isChanged = false;
  SmallVector<Operation *> dead;
  func.walk([&](Operation *op) {
    // Reading a slot is an effect, and leaves nothing.
    if (op->use_empty() && (isOpTriviallyDead(op) || isa<SlotGetOp>(op)))
      dead.push_back(op);
  });
  for (Operation *op : dead)
    op->erase(), isChanged = true;
  return isChanged;
}

void removeUnused(CallProgram &program) {
  func::FuncOp func = entryOf(program);
  while (eraseDead(func))
    ;
  llvm::BitVector unused(func.getNumArguments());
  std::vector<runtime::Value> inputs;
  for (unsigned i = 0; i < func.getNumArguments(); ++i)
    if (func.getArgument(i).use_empty())
      unused.set(i);
    else
      inputs.push_back(program.inputs[i]);
  if (failed(func.eraseArguments(unused)))
    return;
  program.inputs = std::move(inputs);
  for (Operation &op : llvm::make_early_inc_range(*program.module->getBody())) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (symbol && &op != func && SymbolTable::symbolKnownUseEmpty(&op, *program.module))
      op.erase();
  }
}

//===----------------------------------------------------------------------===//
// Results and arguments
//===----------------------------------------------------------------------===//

std::optional<CallProgram> withResult(const CallProgram &program, ValueNumber value) {
  CallProgram copy = copyOf(program);
  Value result = operationsOf(copy)[value.first]->getResult(value.second);
  if (!isCallType(result.getType()))
    return std::nullopt;
  setResults(entryOf(copy), result);
  return copy;
}

std::optional<CallProgram> withoutResult(const CallProgram &program, unsigned number) {
  CallProgram copy = copyOf(program);
  func::FuncOp func = entryOf(copy);
  SmallVector<Value> results(func.front().getTerminator()->getOperands());
  if (results.size() < 2)
    return std::nullopt;
  results.erase(results.begin() + number);
  setResults(func, results);
  return copy;
}

/// The type with the sizes that the value has.
static Type typeOf(Value value, const runtime::Value &known) {
  auto *tensor = known.getIf<runtime::Tensor>();
  auto type = dyn_cast<TensorType>(value.getType());
  return tensor && type ? type.withSizes(ArrayRef(tensor->sizes())) : value.getType();
}

std::optional<CallProgram> withArguments(const CallProgram &program, unsigned first, unsigned last,
                                         const KnownValues &values) {
  CallProgram copy = copyOf(program);
  func::FuncOp func = entryOf(copy);
  auto operations = operationsOf(copy);
  bool isChanged = false;
  for (unsigned number = first; number < last; ++number)
    for (OpResult result : operations[number]->getResults()) {
      auto known = values.find({number, result.getResultNumber()});
      if (result.use_empty() || known == values.end())
        continue;
      Value argument = func.front().addArgument(typeOf(result, known->second), result.getLoc());
      result.replaceAllUsesWith(argument);
      copy.inputs.push_back(known->second);
      isChanged = true;
    }
  updateType(func);
  return isChanged ? std::optional(std::move(copy)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

std::optional<CallProgram> withoutOperation(const CallProgram &program, unsigned number) {
  CallProgram copy = copyOf(program);
  unsigned at = 0;
  Operation *found = nullptr;
  entryOf(copy).walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (at++ == number)
      found = op;
  });
  if (!found || isa<func::FuncOp>(found) || found->hasTrait<OpTrait::IsTerminator>() ||
      found->hasTrait<OpTrait::ConstantLike>())
    return std::nullopt;
  for (Value result : found->getResults()) {
    if (result.use_empty())
      continue;
    auto operand = llvm::find_if(
        found->getOperands(), [&](Value operand) { return operand.getType() == result.getType(); });
    if (operand == found->operand_end())
      return std::nullopt;
    result.replaceAllUsesWith(*operand);
  }
  found->erase();
  updateType(entryOf(copy));
  return copy;
}

/// Copies the operations of a block to before the operation that it is in; gives what it ends with.
static SmallVector<Value> inlineBlock(Block &block, ValueRange arguments, unsigned firstResult) {
  OpBuilder builder(block.getParentOp());
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    builder.clone(op, mapping);
  SmallVector<Value> results;
  for (Value end : llvm::drop_begin(block.getTerminator()->getOperands(), firstResult))
    results.push_back(mapping.lookupOrDefault(end));
  return results;
}

std::optional<CallProgram> withBlock(const CallProgram &program, unsigned operation,
                                     unsigned region) {
  CallProgram copy = copyOf(program);
  Operation *op = operationsOf(copy)[operation];
  SmallVector<Value> results;
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    results = inlineBlock(*loop.getBody(), arguments, 0);
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    results = inlineBlock(loop.getBefore().front(), loop.getInits(), 1);
    // A trip, and what is given when there is no other.
    if (region == 1) {
      results = inlineBlock(loop.getAfter().front(), results, 0);
      results = inlineBlock(loop.getBefore().front(), results, 1);
    }
  } else if (isa<scf::IfOp>(op) && !op->getRegion(region).empty()) {
    results = inlineBlock(op->getRegion(region).front(), {}, 0);
  }
  if (results.size() != op->getNumResults() ||
      !llvm::equal(ValueRange(results).getTypes(), op->getResultTypes()))
    return std::nullopt;
  op->replaceAllUsesWith(results);
  op->erase();
  return copy;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// The first elements along each dimension.
static Result<runtime::Value> cropped(const runtime::Value &value, ArrayRef<int64_t> sizes) {
  auto *tensor = value.getIf<runtime::Tensor>();
  auto part = runtime::Tensor::allocate(tensor->type(), sizes.vec());
  if (!part)
    return part.takeError();
  size_t bytes = size_t(elementSize(tensor->type()));
  auto *to = static_cast<std::byte *>(part->mutableData());
  for (int64_t i = 0; i < part->numElements(); ++i) {
    int64_t rest = i, from = 0, stride = 1;
    for (size_t dim = sizes.size(); dim-- > 0;) {
      from += rest % sizes[dim] * stride;
      rest /= sizes[dim];
      stride *= tensor->sizes()[dim];
    }
    std::memcpy(to + size_t(i) * bytes,
                static_cast<const std::byte *>(tensor->data()) + size_t(from) * bytes, bytes);
  }
  return runtime::Value(std::move(*part));
}

/// Forgets all sizes that follow from the arguments'.
static void forgetSizes(func::FuncOp func) {
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [](TensorType type) -> std::optional<Type> { return type.withSizes(std::nullopt); });
  func.walk([&](Operation *op) {
    if (op == func)
      return;
    for (Value result : op->getResults())
      result.setType(replacer.replace(result.getType()));
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (Value argument : block.getArguments())
          argument.setType(replacer.replace(argument.getType()));
  });
}

std::optional<CallProgram> withSize(const CallProgram &program, int64_t from, int64_t to) {
  CallProgram copy = copyOf(program);
  func::FuncOp func = entryOf(copy);
  for (auto [argument, input] : llvm::zip(func.getArguments(), copy.inputs)) {
    auto type = dyn_cast<TensorType>(argument.getType());
    if (!type || !type.hasStaticSizes())
      continue;
    SmallVector<int64_t> sizes(type.getSizes());
    llvm::replace(sizes, from, to);
    auto part = cropped(input, sizes);
    if (!part)
      return std::nullopt;
    argument.setType(type.withSizes(ArrayRef<int64_t>(sizes)));
    input = std::move(*part);
  }
  forgetSizes(func);
  updateType(func);
  PassManager pm(copy.module->getContext());
  pm.addNestedPass<func::FuncOp>(createJitInferTypes());
  if (failed(pm.run(*copy.module)) || failed(verifyInferred(*copy.module)))
    return std::nullopt;
  return copy;
}

} // namespace jit
