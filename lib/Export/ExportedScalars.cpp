//===- ExportedScalars.cpp - numbers and checks as nodes ------------------===//

#include "Exporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace jit {

namespace {
/// A function of Python on numbers, and what sympy calls it.
struct NumberFunction {
  StringRef operation, target, function;
};
} // namespace

static const NumberFunction *findFunction(StringRef operation) {
  static constexpr NumberFunction functions[] = {
      {"arith.addi", "_operator.add", "Add"},
      {"arith.muli", "_operator.mul", "Mul"},
      {"arith.subi", "_operator.sub", "Sub"},
      {"arith.floordivsi", "_operator.floordiv", "FloorDiv"},
      {"arith.addf", "_operator.add", "Add"},
      {"arith.mulf", "_operator.mul", "Mul"},
      {"arith.subf", "_operator.sub", "Sub"},
      {"arith.divf", "_operator.truediv", "FloatTrueDiv"},
      {"arith.sitofp", "torch.sym_float", "ToFloat"},
      {"arith.maxsi", "torch.sym_max", "Max"},
      {"arith.minsi", "torch.sym_min", "Min"},
      {"arith.maximumf", "torch.sym_max", "Max"},
      {"arith.minimumf", "torch.sym_min", "Min"},
      {"arith.select", "torch.sym_ite", "Where"},
      {"arith.fptosi", "torch.sym_int", "TruncToInt"},
  };
  const auto *found = llvm::find_if(
      functions, [&](const NumberFunction &entry) { return entry.operation == operation; });
  return found == std::end(functions) ? nullptr : found;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

std::string Exporter::expressionOf(const Argument &number) const {
  switch (number.kind) {
  case Kind::Int:
    return sympyInteger(number.integer);
  case Kind::Bool:
    return number.integer ? "true" : "false";
  case Kind::Float:
    return llvm::formatv("Float('{0:e17}', precision=53)", number.number).str();
  default:
    return expressions.lookup(number.text);
  }
}

static std::string applied(StringRef function, ArrayRef<std::string> operands) {
  if (function == "Sub")
    return applied("Add", {operands[0], "Mul(Integer(-1), " + operands[1] + ")"});
  return (function + "(" + llvm::join(operands, ", ") + ")").str();
}

void Exporter::noteNumber(const Argument &named, const std::string &expression) {
  expressions[named.text] = expression;
  if (named.kind == Kind::SymInt)
    graph->ints[named.text].expression = expression;
  if (named.kind == Kind::SymFloat)
    graph->floats[named.text] = expression;
  if (named.kind == Kind::SymBool)
    graph->bools[named.text] = expression;
}

bool Exporter::addNumber(Operation *op, const std::string &target, const std::string &function,
                         ValueRange operands) {
  exported::Node node{.target = target};
  SmallVector<std::string> parts;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    auto value = argument(operand, op);
    if (!value)
      return false;
    parts.push_back(expressionOf(*value));
    node.inputs.push_back({std::string(1, char('a' + i)), *value});
  }
  StringRef base = StringRef(target).rsplit('.').second;
  auto named = define(op->getResult(0), base.str());
  if (!named)
    return fail(op, "expected a number, got " + op->getName().getStringRef());
  noteNumber(*named, applied(function, parts));
  node.outputs = {*named};
  return addNode(std::move(node), op->getLoc());
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

bool Exporter::addCompare(Operation *op, StringRef predicate) {
  auto target = llvm::StringSwitch<StringRef>(predicate)
                    .Cases({"eq", "oeq"}, "eq")
                    .Cases({"ne", "une"}, "ne")
                    .Cases({"slt", "olt"}, "lt")
                    .Cases({"sle", "ole"}, "le")
                    .Cases({"sgt", "ogt"}, "gt")
                    .Cases({"sge", "oge"}, "ge")
                    .Default("");
  auto function = llvm::StringSwitch<StringRef>(target)
                      .Case("eq", "Eq")
                      .Case("ne", "Ne")
                      .Case("lt", "StrictLessThan")
                      .Case("le", "LessThan")
                      .Case("gt", "StrictGreaterThan")
                      .Default("GreaterThan");
  if (target.empty())
    return fail(op, "expected a comparison that Python has, got '" + predicate + "'");
  return addNumber(op, ("_operator." + target).str(), function.str(), op->getOperands());
}

bool Exporter::itemOf(const Argument &tensor, Value number) {
  auto named = define(number, "item");
  if (!named)
    return false;
  bool isFloat = named->kind == Kind::SymFloat;
  std::string symbol = sizes.fresh(isFloat ? 'f' : 'i');
  noteNumber(*named, named->kind == Kind::SymBool ? "Eq(" + symbol + ", Integer(1))" : symbol);
  tensorOfItem[named->text] = tensor;
  exported::Node node{.target = "torch.ops.aten.item.default"};
  node.inputs = {{"self", tensor}};
  node.outputs = {*named};
  return addNode(std::move(node), number.getLoc());
}

/// The one element of a tensor, which is of the tensor's kind of number.
bool Exporter::addItem(Operation *op) {
  Value tensor = op->getOperand(0), number = op->getResult(0);
  Type element = cast<TensorType>(tensor.getType()).getDtype();
  bool fits = number.getType().isF64()        ? isa<FloatType>(element)
              : number.getType().isInteger(1) ? element.isInteger(1)
                                              : element.isInteger() && !element.isInteger(1);
  if (!fits)
    return fail(op, "expected an element of the kind of number that is asked for, got another; "
                    "convert the tensor first");
  auto value = argument(tensor, op);
  return value && (itemOf(*value, number) || fail(op, "expected a number"));
}

bool Exporter::addSize(Operation *op) {
  auto tensor = argument(op->getOperand(0), op), dim = argument(op->getOperand(1), op);
  if (!tensor || !dim)
    return false;
  const std::vector<exported::Extent> &extents = graph->tensors[tensor->text].sizes;
  int64_t rank = extents.size(), index = dim->integer < 0 ? dim->integer + rank : dim->integer;
  if (dim->kind != Kind::Int || index < 0 || index >= rank)
    return fail(op, "expected the size of a dimension that is known");
  auto named = define(op->getResult(0), "sym_size_int");
  if (!named)
    return fail(op, "expected an int");
  const exported::Extent &extent = extents[index];
  expressions[named->text] = extent.isKnown() ? sympyInteger(extent.value) : extent.expression;
  graph->ints[named->text] = extent;
  exported::Node node{.target = "torch.ops.aten.sym_size.int"};
  node.inputs = {{"self", *tensor}, {"dim", *dim}};
  node.outputs = {*named};
  return addNode(std::move(node), op->getLoc());
}

/// A check is one of a tensor: PyTorch takes a checked number to be known from there on, and knows
/// no more what it was before.
bool Exporter::addGuard(GuardOp op) {
  auto condition = argument(op.getCondition(), op);
  if (!condition)
    return false;
  auto whole = tensorOfItem.find(condition->text);
  std::optional<Argument> tensor = whole != tensorOfItem.end() && condition->kind == Kind::SymBool
                                       ? whole->second
                                       : tensorOf(*condition, op.getCondition().getType(), op);
  exported::Node node{.target = "torch.ops.aten._assert_async.msg"};
  node.inputs = {{"self", *tensor},
                 {"assert_msg", {.kind = Kind::String, .text = op.getMessage().str()}}};
  return addNode(std::move(node), op.getLoc());
}

bool Exporter::addScalar(Operation *op, bool &done) {
  StringRef name = op->getName().getStringRef();
  auto finish = [&](bool result) { return done = result, true; };
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    bool onBools = compare.getLhs().getType().isInteger(1);
    StringRef predicate = arith::stringifyCmpIPredicate(compare.getPredicate());
    return finish(onBools && predicate != "eq" && predicate != "ne"
                      ? fail(op, "expected a comparison of numbers, got one of truth values")
                      : addCompare(op, predicate));
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return finish(addCompare(op, arith::stringifyCmpFPredicate(compare.getPredicate())));
  if (isa<arith::AndIOp, arith::OrIOp>(op) && op->getResult(0).getType().isInteger(1)) {
    bool isAnd = isa<arith::AndIOp>(op);
    return finish(addNumber(op, isAnd ? "_operator.and_" : "_operator.or_", isAnd ? "And" : "Or",
                            op->getOperands()));
  }
  // What is not so is all that the pipeline makes an exclusive or of.
  if (isa<arith::XOrIOp>(op) && op->getResult(0).getType().isInteger(1)) {
    auto other = argument(op->getOperand(1), op);
    if (other && other->kind == Kind::Bool && other->integer)
      return finish(addNumber(op, "torch.sym_not", "Not", op->getOperands().take_front()));
  }
  if (const NumberFunction *known = findFunction(name))
    return finish(addNumber(op, known->target.str(), known->function.str(), op->getOperands()));
  StringRef schema = isa<AtenOpInterface>(op) ? schemaOf(op) : StringRef();
  if (schema.starts_with("aten::size.int("))
    return finish(addSize(op));
  if (schema.starts_with("aten::item("))
    return finish(addItem(op));
  return false;
}

} // namespace jit
