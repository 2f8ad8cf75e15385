//===- GraphPrinterNodes.cpp - operations as nodes ------------------------===//

#include "GraphPrinter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static std::string quoted(StringRef text) {
  static constexpr llvm::StringLiteral specials = "\a\b\f\n\r\t\v\\\"", letters = "abfnrtv\\\"";
  std::string out = "\"";
  for (char c : text) {
    if (size_t special = specials.find(c); special != StringRef::npos) {
      out += {'\\', letters[special]};
    } else if (llvm::isPrint(c)) {
      out += c;
    } else {
      auto byte = static_cast<unsigned char>(c);
      out += {'\\', char('0' + (byte >> 6)), char('0' + (byte >> 3 & 7)), char('0' + (byte & 7))};
    }
  }
  return out + "\"";
}

/// The shortest digits that read as the same number, with a mark that it is no int.
static std::string floatText(double value) {
  char digits[32];
  auto end = std::to_chars(std::begin(digits), std::end(digits), value).ptr;
  std::string text(digits, end);
  bool isWhole = text.find_first_not_of("-0123456789") == std::string::npos;
  return isWhole ? text + "." : text;
}

/// Empty where no text says it.
static std::string attributeText(Attribute attribute) {
  return llvm::TypeSwitch<Attribute, std::string>(attribute)
      .Case([](IntegerAttr integer) {
        return std::to_string(integer.getType().isInteger(1) ? int64_t(integer.getValue().isOne())
                                                             : integer.getInt());
      })
      .Case([](FloatAttr number) { return floatText(number.getValueAsDouble()); })
      .Case([](StringAttr text) { return quoted(text.getValue()); })
      .Default([](Attribute) { return std::string(); });
}

std::string GraphPrinter::helper(StringRef type, const Twine &value, Location loc) {
  std::string name = fresh();
  line() << name << " : " << type << " = prim::Constant[value=" << value << "]()";
  printLocation(loc);
  return name;
}

bool GraphPrinter::printConstant(Operation *op) {
  Attribute value = isa<arith::ConstantOp>(op) ? Attribute(cast<arith::ConstantOp>(op).getValue())
                                               : cast<ConstantOp>(op).getValue();
  // The bounds of a loop that every loop has.
  bool isBound = !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto loop = dyn_cast<scf::ForOp>(use.getOwner());
    return loop && use.get() != loop.getUpperBound() && use.getOperandNumber() < 3;
  });
  if (isBound)
    return true;
  std::string text = attributeText(value);
  if (text.empty() && !isa<UnitAttr>(value))
    return false;
  printAs("prim::Constant", op, {}, text.empty() ? text : "value=" + text);
  return true;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// `, scope: __module.a # model.py:12:3`
void GraphPrinter::printLocation(Location loc) {
  while (auto call = dyn_cast<CallSiteLoc>(loc))
    loc = call.getCallee();
  if (auto fused = dyn_cast<FusedLoc>(loc); fused && fused.getMetadata())
    loc = fused.getLocations().front();
  if (auto named = dyn_cast<NameLoc>(loc)) {
    os << ", scope: " << named.getName().getValue();
    loc = named.getChildLoc();
  }
  if (auto place = dyn_cast<FileLineColLoc>(loc))
    os << " # " << place.getFilename().getValue() << ":" << place.getLine() << ":"
       << place.getColumn() - 1;
  os << "\n";
}

void GraphPrinter::printNode(StringRef nodeName, Operation *op, ValueRange results,
                             ArrayRef<std::string> operands, StringRef attributes) {
  auto definitions = llvm::map_to_vector(
      results, [&](Value result) { return name(result) + " : " + graphType(result.getType()); });
  printLine(nodeName, op->getLoc(), definitions, operands, attributes);
}

void GraphPrinter::printLine(StringRef nodeName, Location loc, ArrayRef<std::string> results,
                             ArrayRef<std::string> operands, StringRef attributes) {
  line() << llvm::join(results, ", ") << (results.empty() ? "" : " = ") << nodeName;
  if (!attributes.empty())
    os << "[" << attributes << "]";
  os << "(" << llvm::join(operands, ", ") << ")";
  printLocation(loc);
}

void GraphPrinter::printAs(StringRef nodeName, Operation *op, ValueRange operands,
                           StringRef attributes) {
  printNode(nodeName, op, op->getResults(), names(operands), attributes);
}

/// By its own name, with its attributes.
void GraphPrinter::printGeneric(Operation *op) {
  SmallVector<std::string> attributes;
  for (NamedAttribute attribute : op->getAttrs()) {
    std::string text = attributeText(attribute.getValue());
    // What arith calls no overflow and no fast math is what it takes without being told.
    if (text.empty() && op->getDialect()->getNamespace() != "arith")
      return fail(op, "expected attributes that a graph has, got '" +
                          attribute.getName().getValue() + "'");
    if (!text.empty())
      attributes.push_back((attribute.getName().getValue() + "=" + text).str());
  }
  if (op->getNumRegions() || isa<CallOpInterface>(op))
    return fail(op, "expected what a graph has a node for, got " + op->getName().getStringRef());
  auto [dialect, base] = op->getName().getStringRef().split('.');
  printAs((dialect + "::" + base).str(), op, op->getOperands(), llvm::join(attributes, ", "));
}

/// Whether what a write stores is made of the same tensor by an operator that has a form in place.
static bool isInPlace(OverwriteOp write, Operation *made) {
  return isa_and_nonnull<AtenOpInterface>(made) && !isa<aten::CustomOp>(made) &&
         made->getNumResults() == 1 && write.getValue() == made->getResult(0) &&
         made->hasOneUse() && made->getNumOperands() && made->getOperand(0) == write.getSelf() &&
         write->getPrevNode() == made && !write->hasAttr(outAttr);
}

/// Whether it stores what an operator gives to an `out` of its own.
static bool isOut(OverwriteOp write, Operation *made) {
  return write->hasAttr(outAttr) && isa_and_nonnull<AtenOpInterface>(made) &&
         made->getNumResults() == 1 && made->hasOneUse() && write->getPrevNode() == made;
}

/// The operator's name in graphs.
static StringRef nameOf(Operation *op) {
  return schemaOf(op).take_until([](char c) { return c == '.' || c == '('; });
}

/// An in-place operator where the value is what the functional one makes of the same tensor.
void GraphPrinter::printOverwrite(OverwriteOp op) {
  Operation *made = op.getValue().getDefiningOp();
  if (isOut(op, made)) {
    SmallVector<Value> operands(made->getOperands());
    operands.push_back(op.getSelf());
    return printAs(nameOf(made), op, operands);
  }
  if (isInPlace(op, made))
    return printAs((nameOf(made) + "_").str(), op, made->getOperands());
  printGeneric(op);
}

/// The next number that makes the name one of its own.
std::string GraphPrinter::subgraphName(OpaqueOp op) {
  std::string name;
  for (size_t number = subgraphs.size(); name.empty() || plainNames.contains(name); ++number)
    name = (op.getNode() + "_" + llvm::Twine(number)).str();
  return name;
}

void GraphPrinter::printOpaque(OpaqueOp op) {
  std::string node = op.getIsolated() ? subgraphName(op) : op.getNode().str();
  SmallVector<std::string> definitions;
  for (auto [result, type] :
       llvm::zip(op.getResults(), op.getTypes().getAsValueRange<StringAttr>()))
    definitions.push_back(name(result) + (type.empty() ? "" : " : ") + type.str());
  printLine(node, op.getLoc(), definitions, names(op.getInputs()),
            op.getConstants().value_or(StringRef()));
  for (Region &region : op.getBlocks().drop_back(op.getIsolated() ? 1 : 0)) {
    Block &block = region.front();
    openBlock(region.getRegionNumber(), names(block.getArguments()), block.getArgumentTypes());
    printBody(block);
    closeBlock(names(block.getTerminator()->getOperands()));
  }
  if (op.getIsolated())
    subgraphs.emplace_back(node, op);
}

void GraphPrinter::printTupleIndex(TupleIndexOp op) {
  std::string index = helper("int", Twine(op.getIndex()), op.getLoc());
  printNode("prim::TupleIndex", op, op->getResults(), {name(op.getTuple()), index});
}

void GraphPrinter::printRaise(RaiseOp op) {
  std::string pythonClass = helper("str", quoted(op.getPythonClass()), op.getLoc());
  printNode("prim::RaiseException", op, ValueRange(), {name(op.getMessage()), pythonClass});
}

/// Part after part of the path.
void GraphPrinter::printSlot(SlotGetOp op) {
  std::string object = self;
  SmallVector<StringRef> parts;
  op.getSlot().split(parts, '.');
  for (StringRef part : ArrayRef(parts).drop_back()) {
    std::string inner = fresh();
    line() << inner << " : __torch__.Module = prim::GetAttr[name=" << quoted(part) << "](" << object
           << ")\n";
    object = inner;
  }
  printNode("prim::GetAttr", op, op->getResults(), {object}, "name=" + quoted(parts.back()));
}

bool GraphPrinter::printJit(Operation *op) {
  auto as = [&](StringRef node, ValueRange operands, std::string attributes = {}) {
    printAs(node, op, operands, attributes);
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](ListOp) { return as("prim::ListConstruct", op->getOperands()), true; })
      .Case([&](TupleOp) { return as("prim::TupleConstruct", op->getOperands()), true; })
      .Case([&](ListUnpackOp) { return as("prim::ListUnpack", op->getOperands()), true; })
      .Case([&](TupleUnpackOp) { return as("prim::TupleUnpack", op->getOperands()), true; })
      .Case([&](PoisonOp) { return as("prim::Uninitialized", {}), true; })
      .Case([&](CreateObjectOp) { return as("prim::CreateObject", {}), true; })
      .Case([&](FormatOp format) {
        return as(isPercent(format) ? "aten::percentFormat" : "aten::format", op->getOperands()),
               true;
      })
      .Case<DerefineOp, UncheckedCastOp>(
          [&](auto) { return as("prim::unchecked_cast", op->getOperands()), true; })
      .Case([&](DictOp dict) {
        SmallVector<Value> entries;
        for (auto [key, value] : llvm::zip(dict.getKeys(), dict.getValues()))
          entries.append({key, value});
        return as("prim::DictConstruct", entries), true;
      })
      .Case([&](GetAttrOp get) {
        return as("prim::GetAttr", get.getObject(), "name=" + quoted(get.getName())), true;
      })
      .Case([&](SetAttrOp set) {
        return as("prim::SetAttr", set->getOperands(), "name=" + quoted(set.getName())), true;
      })
      .Case([&](AppendOp append) {
        line() << fresh() << " : " << graphType(append.getList().getType()) << " = aten::append("
               << llvm::join(names(append->getOperands()), ", ") << ")";
        return printLocation(op->getLoc()), true;
      })
      .Case([&](OverwriteOp overwrite) { return printOverwrite(overwrite), true; })
      .Case([&](TupleIndexOp index) { return printTupleIndex(index), true; })
      .Case([&](RaiseOp raise) { return printRaise(raise), true; })
      .Case([&](SlotGetOp get) { return printSlot(get), true; })
      .Default([](Operation *) { return false; });
}

/// All operands stand in the schema's order.
bool GraphPrinter::printAten(Operation *op) {
  if (!isa<AtenOpInterface>(op))
    return false;
  // Printed as the in-place operator that it is a part of.
  if (auto write = dyn_cast_or_null<OverwriteOp>(op->getNextNode());
      write && (isInPlace(write, op) || isOut(write, op)))
    return true;
  printAs(nameOf(op), op, op->getOperands());
  return true;
}

void GraphPrinter::printOperation(Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return printIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return printFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return printWhile(loop);
  if (isa<arith::ConstantOp, ConstantOp>(op) && printConstant(op))
    return;
  if (auto opaque = dyn_cast<OpaqueOp>(op))
    return printOpaque(opaque);
  if (!printAten(op) && !printJit(op))
    printGeneric(op);
}

} // namespace jit
