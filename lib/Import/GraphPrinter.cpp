//===- GraphPrinter.cpp - inputs, blocks and names ------------------------===//

#include "GraphPrinter.h"
#include "GraphImporter.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Import/GraphText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string tensorText(TensorType type) {
  StringRef dtype;
  if (type.hasDtype())
    if (std::optional<ScalarType> known = typeToDtype(type.getDtype()))
      dtype = scalarTypeNumbered(int64_t(*known))->name;
  if (!type.hasRank())
    return dtype.str() + "Tensor";
  auto sizes = llvm::map_range(type.getSizes(), [](int64_t size) {
    return size == TensorType::kDynamic ? std::string("*") : std::to_string(size);
  });
  return (dtype.empty() ? "Tensor" : dtype.str()) + "(" + llvm::join(sizes, ", ") + ")";
}

std::string graphType(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensorText(tensor);
  if (auto optional = dyn_cast<OptionalType>(type))
    return graphType(optional.getElementType()) + "?";
  if (auto list = dyn_cast<ListType>(type))
    return graphType(list.getElementType()) + "[]";
  if (auto tuple = dyn_cast<TupleType>(type))
    return "(" + llvm::join(llvm::map_range(tuple.getTypes(), graphType), ", ") + ")";
  if (auto dict = dyn_cast<DictType>(type))
    return "Dict(" + graphType(dict.getKeyType()) + ", " + graphType(dict.getValueType()) + ")";
  if (auto object = dyn_cast<ObjectType>(type))
    return object.getClassName().str();
  return type.isInteger(64)         ? "int"
         : type.isF64()             ? "float"
         : type.isInteger(1)        ? "bool"
         : isa<ComplexType>(type)   ? "complex"
         : isa<StrType>(type)       ? "str"
         : isa<NumberType>(type)    ? "Scalar"
         : isa<DeviceType>(type)    ? "Device"
         : isa<jit::NoneType>(type) ? "NoneType"
                                    : "Any";
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void GraphPrinter::fail(Operation *op, const Twine &what) {
  op->emitError() << what;
  failed = true;
}

std::string GraphPrinter::fresh() {
  std::string name;
  do
    name = "%" + std::to_string(next++);
  while (!taken.insert(name).second);
  return name;
}

const std::string &GraphPrinter::name(Value value) {
  std::string &name = valueNames[value];
  if (name.empty())
    name = fresh();
  return name;
}

SmallVector<std::string> GraphPrinter::names(ValueRange values) {
  return llvm::map_to_vector(values, [&](Value value) { return name(value); });
}

void GraphPrinter::bind(ValueRange values, ArrayRef<std::string> to) {
  for (auto [value, name] : llvm::zip(values, to))
    valueNames[value] = name;
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

/// A number at the end would be read as that of a variable's version: another one follows it.
std::string GraphPrinter::argumentName(func::FuncOp function, unsigned index) {
  auto given = function.getArgAttrOfType<StringAttr>(index, nameAttr);
  StringRef text = given ? given.getValue() : StringRef();
  bool isName = !text.empty() &&
                llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  if (!isName)
    return fresh();
  StringRef last = text.rsplit('.').second;
  bool isNumbered = !last.empty() && llvm::all_of(last, llvm::isDigit);
  std::string name = "%" + text.str() + (isNumbered ? ".1" : "");
  return taken.insert(name).second ? name : fresh();
}

void GraphPrinter::printInputs(func::FuncOp function) {
  SmallVector<std::string> inputs;
  auto module = function->getParentOfType<ModuleOp>();
  if (!module.getOps<SlotOp>().empty()) {
    self = "%self";
    taken.insert(self);
    if (!function.getArgumentTypes().empty() && isa<ObjectType>(function.getArgumentTypes()[0]))
      valueNames[function.getArgument(0)] = self;
    else
      inputs.push_back("%self : __torch__.Module");
  }
  for (BlockArgument argument : function.getArguments()) {
    std::string &name = valueNames[argument];
    if (name.empty())
      name = argumentName(function, argument.getArgNumber());
    inputs.push_back(name + " : " + graphType(argument.getType()));
  }
  os << "graph(" << llvm::join(inputs, ",\n      ") << "):\n";
}

void GraphPrinter::printBody(Block &block) {
  for (Operation &op : block.without_terminator())
    printOperation(&op);
}

void GraphPrinter::printReturn(Block &block) {
  os << "  return (" << llvm::join(names(block.getTerminator()->getOperands()), ", ") << ")\n";
}

/// Each graph is followed by those of its nodes.
void GraphPrinter::printSubgraphs() {
  for (auto &[name, op] : std::exchange(subgraphs, {})) {
    Block &body = op.getBlocks().back().front();
    os << "with " << name << " = graph(";
    llvm::interleave(
        body.getArguments(), os,
        [&](BlockArgument input) {
          os << this->name(input) << " : " << graphType(input.getType());
        },
        ",\n      ");
    os << "):\n";
    printBody(body);
    printReturn(body);
    printSubgraphs();
  }
}

bool GraphPrinter::print(func::FuncOp function) {
  if (!llvm::hasSingleElement(function.getBody())) {
    fail(function, "expected a function of one block, got several");
    return false;
  }
  function.walk([&](OpaqueOp op) {
    if (!op.getIsolated())
      plainNames.insert(op.getNode());
  });
  printInputs(function);
  printBody(function.front());
  printReturn(function.front());
  printSubgraphs();
  return !failed;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void GraphPrinter::openBlock(unsigned index, ArrayRef<std::string> names, TypeRange types) {
  indent += 2;
  line() << "block" << index << "(";
  llvm::interleaveComma(llvm::zip(names, types), os, [&](auto input) {
    os << std::get<0>(input) << " : " << graphType(std::get<1>(input));
  });
  os << "):\n";
  indent += 2;
}

void GraphPrinter::closeBlock(ArrayRef<std::string> values) {
  line() << "-> (" << llvm::join(values, ", ") << ")\n";
  indent -= 4;
}

void GraphPrinter::printIf(scf::IfOp op) {
  printAs("prim::If", op, op.getCondition());
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
    openBlock(region->getRegionNumber(), {}, {});
    if (!region->empty())
      printBody(region->front());
    closeBlock(region->empty() ? SmallVector<std::string>()
                               : names(region->front().getTerminator()->getOperands()));
  }
}

void GraphPrinter::printFor(scf::ForOp op) {
  if (!matchPattern(op.getLowerBound(), m_Zero()) || !matchPattern(op.getStep(), m_One()))
    return fail(op, "expected a loop that counts from 0 by 1, got another");
  std::string always = helper("bool", "1", op.getLoc());
  SmallVector<std::string> operands = {name(op.getUpperBound()), always};
  operands.append(names(op.getInitArgs()));
  printNode("prim::Loop", op, op.getResults(), operands);
  openBlock(0, names(op.getBody()->getArguments()), op.getBody()->getArgumentTypes());
  printBody(*op.getBody());
  SmallVector<std::string> results = {always};
  results.append(names(op.getBody()->getTerminator()->getOperands()));
  closeBlock(results);
}

/// Whether the loop's test is but the first value that it carries, of which its trips know nothing.
static bool carriesItsTest(scf::WhileOp op) {
  scf::ConditionOp test = op.getConditionOp();
  return llvm::hasSingleElement(*op.getBeforeBody()) && op.getBeforeArguments().size() > 0 &&
         test.getCondition() == op.getBeforeArguments().front() &&
         llvm::equal(test.getArgs(), op.getBeforeArguments()) &&
         op.getAfterArguments().front().use_empty() && op.getResult(0).use_empty();
}

/// A prim::Loop tests before its first trip and at the end of each: what the test computes is
/// printed twice.
void GraphPrinter::printWhile(scf::WhileOp op) {
  scf::ConditionOp test = op.getConditionOp();
  unsigned skipped = carriesItsTest(op) ? 1 : 0;
  auto tested = [&](ValueRange values) {
    bind(op.getBeforeArguments(), names(values));
    for (Operation &inner : op.getBeforeBody()->without_terminator())
      for (Value result : inner.getResults())
        valueNames.erase(result);
    printBody(*op.getBeforeBody());
    SmallVector<std::string> all = {name(test.getCondition())};
    all.append(names(test.getArgs().drop_front(skipped)));
    return all;
  };
  SmallVector<std::string> operands = {
      helper("int", Twine(std::numeric_limits<int64_t>::max()), op.getLoc())};
  operands.append(tested(op.getInits()));
  printNode("prim::Loop", op, op.getResults().drop_front(skipped), operands);
  SmallVector<std::string> inputs = {fresh()};
  inputs.append(names(op.getAfterArguments().drop_front(skipped)));
  SmallVector<Type> types = {IntegerType::get(op.getContext(), 64)};
  llvm::append_range(types, TypeRange(op.getAfterArguments().drop_front(skipped)));
  openBlock(0, inputs, types);
  printBody(*op.getAfterBody());
  closeBlock(tested(op.getYieldOp().getOperands()));
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

LogicalResult exportGraphText(ModuleOp module, raw_ostream &os) {
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  func::FuncOp entry =
      functions.size() == 1 ? functions.front() : module.lookupSymbol<func::FuncOp>("forward");
  if (!entry)
    return module.emitError() << "expected one function or one named 'forward', got "
                              << functions.size() << " others";
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!GraphPrinter(stream).print(entry))
    return failure();
  os << text;
  return success();
}

} // namespace jit
