//===- Labels.cpp - what is written in a box ------------------------------===//

#include "Labels.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Remarks.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace mlir;

namespace jit::draw {

static constexpr size_t maxDetail = 46;
static constexpr size_t maxPath = 22;

std::string shorten(StringRef text, size_t size) {
  return text.size() <= size ? text.str() : text.take_front(size - 1).str() + "…";
}

/// The end of a path says more than its beginning.
static std::string shortenPath(StringRef path, size_t size) {
  return path.size() <= size ? path.str() : "…" + path.take_back(size - 1).str();
}

//===----------------------------------------------------------------------===//
// Values that are written
//===----------------------------------------------------------------------===//

/// The name of a weight that Lower has made an argument; empty for other values.
static StringRef weightName(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto function =
      argument ? dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp()) : func::FuncOp();
  auto name = function ? function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), weightAttr)
                       : StringAttr();
  return name ? name.getValue() : StringRef();
}

static bool isCast(Operation *op) { return isa<DerefineOp, UncheckedCastOp>(op); }

/// An empty list of tensors is there to be appended to.
static bool isContainer(Operation *op) {
  if (auto list = dyn_cast<jit::ListOp>(op))
    return !list.getElements().empty() ||
           !isa<TensorType>(list.getResult().getType().getElementType());
  return isa<jit::TupleOp>(op);
}

bool isWritten(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return !weightName(value).empty();
  if (op->hasTrait<OpTrait::ConstantLike>() || isa<SlotGetOp, AbsentOp, PoisonOp>(op))
    return true;
  return (isCast(op) || isContainer(op)) && llvm::all_of(op->getOperands(), isWritten);
}

bool isTransparent(Operation *op) {
  return isCast(op) || isContainer(op) ||
         (op->getNumResults() == 1 && op->getNumRegions() == 0 && isWritten(op->getResult(0)));
}

void findSources(Value value, SmallVectorImpl<Value> &sources) {
  if (isWritten(value))
    return;
  Operation *op = value.getDefiningOp();
  if (!op || !isTransparent(op)) {
    sources.push_back(value);
    return;
  }
  for (Value operand : op->getOperands())
    findSources(operand, sources);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string printed(llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  print(stream);
  return text;
}

static std::string describeTensor(bool ranked, ArrayRef<int64_t> sizes, Type dtype) {
  auto scalar = dtype ? typeToDtype(dtype) : std::nullopt;
  std::string text = "tensor";
  if (scalar)
    text = jit::shortName(*scalar);
  else if (dtype)
    text = printed([&](llvm::raw_ostream &os) { os << dtype; });
  if (!ranked)
    return text;
  auto number = [](int64_t size) {
    return ShapedType::isDynamic(size) ? std::string("?") : std::to_string(size);
  };
  return text + "[" + llvm::join(llvm::map_range(sizes, number), ",") + "]";
}

std::string describeType(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return describeTensor(tensor.hasRank(), tensor.getSizes(), tensor.getDtype());
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    return describeTensor(/*ranked=*/true, tensor.getShape(), tensor.getElementType());
  if (auto list = dyn_cast<ListType>(type))
    return "list of " + describeType(list.getElementType());
  if (auto optional = dyn_cast<OptionalType>(type))
    return "optional " + describeType(optional.getElementType());
  std::string text = printed([&](llvm::raw_ostream &os) { os << type; });
  StringRef name = text;
  name.consume_front("!jit.");
  return name.str();
}

static std::string describeTypes(TypeRange types) {
  return llvm::join(llvm::map_range(types, describeType), ", ");
}

//===----------------------------------------------------------------------===//
// Text of values
//===----------------------------------------------------------------------===//

static std::string describeAttribute(Attribute attr) {
  if (isa<UnitAttr>(attr))
    return "None";
  if (auto flag = dyn_cast<BoolAttr>(attr))
    return flag.getValue() ? "True" : "False";
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return llvm::toString(number.getValue(), 10, /*Signed=*/true);
  if (auto number = dyn_cast<FloatAttr>(attr))
    return printed(
        [&](llvm::raw_ostream &os) { os << llvm::format("%.6g", number.getValueAsDouble()); });
  if (auto text = dyn_cast<StringAttr>(attr))
    return "\"" + text.str() + "\"";
  return printed([&](llvm::raw_ostream &os) { attr.print(os, /*elideType=*/true); });
}

/// As Python writes it; of weights the path.
static std::string describeValue(Value value) {
  if (StringRef weight = weightName(value); !weight.empty())
    return shortenPath(weight, maxPath) + " " + describeType(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || !isTransparent(op))
    return "·";
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return describeAttribute(constant);
  if (auto slot = dyn_cast<SlotGetOp>(op))
    return shortenPath(slot.getSlot(), maxPath) + " " + describeType(value.getType());
  if (isCast(op))
    return describeValue(op->getOperand(0));
  if (!isContainer(op))
    return op->getName().stripDialect().str();
  return "[" + llvm::join(llvm::map_range(op->getOperands(), describeValue), ",") + "]";
}

//===----------------------------------------------------------------------===//
// Arguments by name
//===----------------------------------------------------------------------===//

namespace {
struct Argument {
  StringRef type;
  StringRef name;
  StringRef defaultText;
};
} // namespace

/// "int[2] stride=1"
static Argument parseArgument(StringRef text) {
  Argument argument;
  auto [declared, value] = text.trim().split('=');
  std::tie(argument.type, argument.name) = declared.rsplit(' ');
  argument.defaultText = value;
  return argument;
}

/// The arguments of a schema, which our own records give: its commas outside of brackets part them.
static SmallVector<Argument> parseArguments(StringRef schema) {
  SmallVector<Argument> arguments;
  StringRef text = schema.drop_front(std::min(schema.find('(') + 1, schema.size()));
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += StringRef("([").contains(text[i]) ? 1 : 0;
    bool ends = depth == 0 && (text[i] == ',' || text[i] == ')');
    depth -= StringRef(")]").contains(text[i]) ? 1 : 0;
    if (!ends)
      continue;
    StringRef part = text.slice(begin, i).trim();
    if (!part.empty() && part != "*")
      arguments.push_back(parseArgument(part));
    begin = i + 1;
    if (depth < 0)
      break;
  }
  return arguments;
}

/// What needs no word: the default, and where there is none, what switches something off. A list
/// that is one number over and over is its default where that is the number.
static bool isDefault(Value value, const Argument &argument, StringRef text) {
  if (argument.defaultText.empty())
    return text == "None" || text == "False";
  if (text == argument.defaultText)
    return true;
  auto list = value.getDefiningOp<jit::ListOp>();
  return list && !list.getElements().empty() && llvm::all_of(list.getElements(), [&](Value item) {
           return describeValue(item) == argument.defaultText;
         });
}

static std::string describeArgument(Value value, const Argument &argument) {
  std::string text = describeValue(value);
  if (isDefault(value, argument, text))
    return {};
  int64_t number = 0;
  if (argument.type.starts_with("ScalarType") && !StringRef(text).getAsInteger(10, number) &&
      scalarTypeNumbered(number))
    text = jit::shortName(ScalarType(number));
  return argument.name.str() + " " + text;
}

static SmallVector<std::string> describeArguments(Operation *op) {
  SmallVector<std::string> details;
  SmallVector<Argument> arguments = parseArguments(schemaOf(op));
  bool named = arguments.size() == op->getNumOperands();
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    if (!isWritten(operand))
      continue;
    std::string text = named ? describeArgument(operand, arguments[index]) : describeValue(operand);
    if (!text.empty())
      details.push_back(std::move(text));
  }
  for (NamedAttribute attr : op->getAttrDictionary())
    if ((isa<StringAttr, FlatSymbolRefAttr>(attr.getValue()) && !isa<AtenOpInterface>(op)) ||
        (isa<JitDialect>(op->getDialect()) && isa<IntegerAttr>(attr.getValue())))
      details.push_back(attr.getName().str() + " " + describeAttribute(attr.getValue()));
  return details;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

std::string operatorName(Operation *op) {
  StringRef name = operatorNameOf(op);
  if (isa<AtenOpInterface>(op) && name.consume_front("aten."))
    name = name.split('.').first;
  return name.str();
}

/// Short details share a line.
static void addDetails(ArrayRef<std::string> details, std::vector<TextLine> &lines) {
  std::string line;
  auto flush = [&] {
    if (!line.empty())
      lines.push_back({TextLine::Role::Detail, shorten(line, maxDetail)});
    line.clear();
  };
  for (const std::string &detail : details) {
    if (!line.empty() && line.size() + detail.size() + 2 > maxDetail * 4 / 5)
      flush();
    line += (line.empty() ? "" : "  ") + detail;
  }
  flush();
}

std::vector<TextLine> describeOperator(Operation *op, bool types) {
  std::vector<TextLine> lines = {{TextLine::Role::Title, operatorName(op)}};
  addDetails(describeArguments(op), lines);
  if (types && op->getNumResults() > 0)
    lines.push_back(
        {TextLine::Role::Type, shorten(describeTypes(op->getResultTypes()), maxDetail)});
  return lines;
}

std::string tooltipFor(Operation *op) {
  std::string place = describeLocation(op->getLoc());
  SmallVector<std::string> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isWritten(operand) ? describeValue(operand)
                                          : describeType(operand.getType()));
  return (place.empty() ? "" : place + "\n") + op->getName().getStringRef().str() + "(" +
         llvm::join(operands, ", ") + ")" +
         (op->getNumResults() ? " -> " + describeTypes(op->getResultTypes()) : std::string());
}

} // namespace jit::draw
