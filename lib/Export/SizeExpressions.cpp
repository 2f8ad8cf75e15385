//===- SizeExpressions.cpp - types for many sizes of the arguments --------===//

#include "SizeExpressions.h"
#include "jit/Dialect/Aten/Layout.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "jit/Infer/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace jit {

static constexpr llvm::StringLiteral numberAttr = "export.number";
/// A size that data tell, among samples.
static constexpr int64_t unknownSize = -1;

/// All values in the order of the text, also where a copy has fewer operations: by the numbers that
/// its operations carry.
static void visitValues(func::FuncOp function,
                        llvm::function_ref<void(Value, unsigned number)> visit) {
  unsigned arguments = function.getNumArguments();
  for (BlockArgument argument : function.getArguments())
    visit(argument, argument.getArgNumber());
  function.walk([&](Operation *op) {
    auto number = op->getAttrOfType<IntegerAttr>(numberAttr);
    if (!number)
      return;
    unsigned next = arguments + number.getInt();
    for (Value result : op->getResults())
      visit(result, next++);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          visit(argument, next++);
  });
}

static int64_t valueCount(Operation *op) {
  int64_t count = op->getNumResults();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      count += block.getNumArguments();
  return count;
}

static void numberOperations(func::FuncOp function) {
  int64_t next = 0;
  function.walk([&](Operation *op) {
    if (op == function)
      return;
    op->setAttr(numberAttr, IntegerAttr::get(IntegerType::get(op->getContext(), 64), next));
    next += valueCount(op);
  });
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

void SizeExpressions::findSymbols() {
  auto add = [&](std::optional<int64_t> least) {
    std::string name = "s" + std::to_string(symbols.size());
    // What is positive is never asked whether it is less than 0.
    std::string kind = least ? "', positive=True, integer=True)" : "', integer=True)";
    symbols.push_back({name, "Symbol('" + name + kind});
    ranges[name] = {least, std::nullopt};
  };
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (argument.getType().isInteger(64)) {
      symbolOfArgument[index] = symbols.size();
      add(std::nullopt);
    }
    auto names = function.getArgAttrOfType<ArrayAttr>(index, sizeNamesAttr);
    if (!names)
      continue;
    for (auto name : names.getAsRange<StringAttr>())
      if (!name.empty() && symbolOfName.try_emplace(name.str(), symbols.size()).second)
        add(2);
  }
}

void SizeExpressions::choosePoints() {
  if (symbols.empty()) {
    points.push_back({});
    return;
  }
  Point others;
  for (size_t i = 0; i < symbols.size(); ++i)
    others.push_back(211 + 96 * i + 5 * i * i);
  for (size_t i = 0; i < symbols.size(); ++i)
    for (size_t step = 0; step < run; ++step) {
      Point &point = points.emplace_back(others);
      point[i] = 67 + step;
    }
  for (size_t step = 0; step < checks; ++step) {
    Point &point = points.emplace_back();
    for (size_t i = 0; i < symbols.size(); ++i)
      point.push_back(71 + (step * step * (31 + 2 * i) + 53 * i) % 509);
  }
}

//===----------------------------------------------------------------------===//
// Samples
//===----------------------------------------------------------------------===//

/// The argument's type where its named sizes are these.
static Type typeAt(func::FuncOp function, unsigned index,
                   llvm::function_ref<int64_t(StringRef name)> sizeOf) {
  auto type = dyn_cast<TensorType>(function.getArgumentTypes()[index]);
  auto names = function.getArgAttrOfType<ArrayAttr>(index, sizeNamesAttr);
  if (!type || !names)
    return function.getArgumentTypes()[index];
  auto sizes = llvm::to_vector(type.getSizes());
  for (auto [size, name] : llvm::zip(sizes, names.getAsRange<StringAttr>()))
    if (!name.empty())
      size = sizeOf(name);
  return TensorType::get(function.getContext(), sizes, type.getDtype());
}

/// The ints that types tell are written where they are used, and what follows from them: the next
/// round of types may follow from it.
static bool foldNumbers(func::FuncOp function) {
  bool changed = false;
  OpBuilder b = OpBuilder::atBlockBegin(&function.front());
  auto replace = [&](Operation *op, TypedAttr value) {
    if (op->use_empty())
      return;
    op->getResult(0).replaceAllUsesWith(arith::ConstantOp::create(b, op->getLoc(), value));
    changed = true;
  };
  function.walk([&](Operation *op) {
    if (op->getNumResults() != 1 || !op->getResult(0).getType().isIntOrFloat() ||
        op->getNumRegions() != 0 || isa<arith::ConstantOp>(op))
      return;
    if (auto size = dyn_cast<aten::SizeIntOp>(op)) {
      auto type = dyn_cast<TensorType>(op->getOperand(0).getType());
      APInt dim;
      if (!type || !type.hasRank() || !matchPattern(op->getOperand(1), m_ConstantInt(&dim)))
        return;
      int64_t rank = type.getSizes().size(), at = dim.getSExtValue();
      at += at < 0 ? rank : 0;
      if (at >= 0 && at < rank && type.getSizes()[at] != TensorType::kDynamic)
        replace(op, b.getI64IntegerAttr(type.getSizes()[at]));
      return;
    }
    SmallVector<Attribute> operands(op->getNumOperands());
    for (auto [operand, value] : llvm::zip(op->getOperands(), operands))
      matchPattern(operand, m_Constant(&value));
    SmallVector<OpFoldResult> folded;
    if (llvm::is_contained(operands, Attribute()) || failed(op->fold(operands, folded)) ||
        folded.size() != 1)
      return;
    if (auto value = dyn_cast_or_null<TypedAttr>(dyn_cast_if_present<Attribute>(folded.front())))
      replace(op, value);
  });
  return changed;
}

/// Types and numbers in turns, until neither tells the other more.
static LogicalResult inferWithNumbers(ModuleOp module, func::FuncOp function) {
  static constexpr unsigned maxRounds = 32;
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  passes.addNestedPass<func::FuncOp>(createJitInferTypes());
  for (unsigned round = 0; round < maxRounds; ++round) {
    if (failed(passes.run(module)))
      return failure();
    if (!foldNumbers(function))
      break;
  }
  return success();
}

/// Infers the types of a copy; its module is erased with it.
LogicalResult SizeExpressions::sample(const Point &point) {
  auto module = function->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy = cast<ModuleOp>(module->clone());
  auto inner = copy->lookupSymbol<func::FuncOp>(function.getSymName());
  OpBuilder b = OpBuilder::atBlockBegin(&inner.front());
  for (BlockArgument argument : inner.getArguments()) {
    unsigned index = argument.getArgNumber();
    if (auto symbol = symbolOfArgument.find(index); symbol != symbolOfArgument.end())
      argument.replaceAllUsesWith(
          arith::ConstantOp::create(b, inner.getLoc(), b.getI64IntegerAttr(point[symbol->second])));
    argument.setType(typeAt(function, index, [&](StringRef name) {
      return point[symbolOfName.find(name.str())->second];
    }));
  }
  inner.setFunctionType(
      b.getFunctionType(inner.front().getArgumentTypes(), inner.getResultTypes()));
  if (!symbols.empty() && failed(inferWithNumbers(*copy, inner)))
    return failure();
  Layouts layouts;
  visitValues(inner, [&](Value value, unsigned number) {
    auto type = dyn_cast<TensorType>(value.getType());
    if (!type || !type.hasRank())
      return;
    ArrayRef<int64_t> sizes = type.getSizes();
    std::vector<Samples> &samples = samplesOf[number];
    samples.resize(2 * sizes.size(), Samples(points.size(), unknownSize));
    size_t at = &point - points.data();
    std::optional<SmallVector<int64_t>> strides = layouts.of(value).strides(sizes);
    int64_t rowMajor = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      bool isOpen = sizes[i] == TensorType::kDynamic;
      samples[i][at] = isOpen ? unknownSize : sizes[i];
      samples[sizes.size() + i][at] = strides ? (*strides)[i] : rowMajor;
      rowMajor = isOpen || rowMajor < 0 ? unknownSize : rowMajor * std::max<int64_t>(sizes[i], 1);
    }
  });
  return success();
}

LogicalResult SizeExpressions::compute() {
  findSymbols();
  choosePoints();
  numberOperations(function);
  visitValues(function, [&](Value value, unsigned number) {
    numbers[value] = number;
    samplesOf.resize(std::max<size_t>(samplesOf.size(), number + 1));
  });
  std::string message;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler quiet(function.getContext(), [&](Diagnostic &diagnostic) {
      message = message.empty() ? diagnostic.str() : message;
      return success();
    });
    for (const Point &point : points)
      if (succeeded(result))
        result = sample(point);
  }
  function.walk([](Operation *op) { op->removeAttr(numberAttr); });
  if (failed(result))
    return function.emitError("expected a program for any sizes; give the arguments' sizes, for "
                              "with some: ")
           << message;
  return success();
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

std::string SizeExpressions::ofArgument(BlockArgument argument) const {
  return symbols[symbolOfArgument.find(argument.getArgNumber())->second].expression;
}

std::string SizeExpressions::fresh(char kind) {
  if (kind == 'f')
    return "Symbol('zuf" + std::to_string(nextFloat++) + "')";
  std::string name = "u" + std::to_string(nextUnknown++);
  bool isSize = kind == 's';
  ranges[name] = {isSize ? std::optional<int64_t>(0) : std::nullopt, std::nullopt};
  return "Symbol('" + name + "', integer=True)";
}

std::optional<exported::Extent> SizeExpressions::extent(const Samples &samples) {
  if (llvm::is_contained(samples, unknownSize))
    return exported::Extent{.expression = fresh('s')};
  if (llvm::all_equal(samples))
    return exported::Extent{.value = samples.front()};
  std::optional<std::string> expression = decode(samples);
  if (!expression)
    return std::nullopt;
  return exported::Extent{.expression = *expression, .example = samples.front()};
}

static exported::Extent times(const exported::Extent &a, const exported::Extent &b) {
  if (a.isKnown() && b.isKnown())
    return {.value = a.value * std::max<int64_t>(b.value, 1)};
  auto text = [](const exported::Extent &of) {
    return of.isKnown() ? sympyInteger(of.value) : of.expression;
  };
  exported::Extent result{.expression = "Mul(" + text(a) + ", " + text(b) + ")"};
  auto example = [](const exported::Extent &of) {
    return of.isKnown() ? std::optional(of.value) : of.example;
  };
  if (example(a) && example(b))
    result.example = *example(a) * *example(b);
  return result;
}

std::optional<exported::TensorMeta> SizeExpressions::describe(Value tensor) {
  auto type = cast<TensorType>(tensor.getType());
  if (!type.hasRank() || !type.hasDtype()) {
    emitError(tensor.getLoc()) << "expected a tensor of known rank and element type, got " << type;
    return std::nullopt;
  }
  exported::TensorMeta meta{.dtype = *typeToDtype(type.getDtype()), .device = "cpu"};
  std::vector<Samples> samples = samplesOf[numbers.lookup(tensor)];
  size_t rank = type.getSizes().size();
  if (samples.size() != 2 * rank)
    samples.assign(2 * rank, Samples(points.size(), unknownSize));
  for (size_t i = 0; i < rank; ++i) {
    std::optional<exported::Extent> size = extent(samples[i]);
    if (!size) {
      emitError(tensor.getLoc()) << "expected a size that follows from those of the arguments, got "
                                    "another for dimension "
                                 << i << "; give the sizes of the arguments";
      return std::nullopt;
    }
    meta.sizes.push_back(*size);
  }
  // Where they follow from nothing that has a name, they are those of new memory.
  exported::Extent rowMajor{.value = 1};
  for (size_t i = rank; i-- > 0;) {
    bool isKnown = !llvm::is_contained(samples[rank + i], unknownSize);
    std::optional<exported::Extent> stride = isKnown ? extent(samples[rank + i]) : std::nullopt;
    meta.strides.insert(meta.strides.begin(), stride.value_or(rowMajor));
    rowMajor = times(rowMajor, meta.sizes[i]);
  }
  return meta;
}

} // namespace jit
