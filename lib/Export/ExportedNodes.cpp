//===- ExportedNodes.cpp - values and operators as nodes ------------------===//

#include "Exporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Custom.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace jit {

bool Exporter::fail(Operation *op, const Twine &what) {
  if (!failed)
    op->emitError() << what;
  failed = true;
  return false;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string Exporter::unique(const std::string &base) {
  std::string name;
  for (char c : base)
    name += llvm::isAlnum(c) ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name = "_" + name;
  unsigned &count = taken[name];
  if (count++ == 0)
    return name;
  // The name with a number may be somebody's own.
  return unique(name + "_" + std::to_string(count - 1));
}

bool Exporter::describe(Value value, const Argument &named) {
  if (named.kind != Kind::Tensor)
    return true;
  std::optional<exported::TensorMeta> meta = sizes.describe(value);
  if (!meta) {
    failed = true;
    return false;
  }
  graph->tensors[named.text] = std::move(*meta);
  return true;
}

std::optional<exported::Argument> Exporter::define(Value value, const std::string &base) {
  Type type = value.getType();
  Argument named{.kind = isa<TensorType>(type) ? Kind::Tensor
                         : type.isInteger(1)   ? Kind::SymBool
                         : type.isInteger(64)  ? Kind::SymInt
                         : type.isF64()        ? Kind::SymFloat
                                               : Kind::None,
                 .text = unique(base)};
  if (named.kind == Kind::None || !describe(value, named))
    return std::nullopt;
  values[value] = named;
  return named;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::optional<exported::Argument> Exporter::constant(Attribute value) {
  return llvm::TypeSwitch<Attribute, std::optional<Argument>>(value)
      .Case([](IntegerAttr integer) {
        bool isBool = integer.getType().isInteger(1);
        return Argument{.kind = isBool ? Kind::Bool : Kind::Int,
                        .integer = isBool ? integer.getValue().isOne() : integer.getInt()};
      })
      .Case([](FloatAttr number) {
        return Argument{.kind = Kind::Float, .number = number.getValueAsDouble()};
      })
      .Case([](StringAttr text) { return Argument{.kind = Kind::String, .text = text.str()}; })
      .Case([](UnitAttr) { return Argument{}; })
      .Case([&](ArrayAttr list) -> std::optional<Argument> {
        Argument result{.kind = Kind::List};
        for (Attribute element : list) {
          auto inner = constant(element);
          if (!inner)
            return std::nullopt;
          result.elements.push_back(*inner);
        }
        return result;
      })
      .Default([](Attribute) { return std::nullopt; });
}

/// The one value that a cast, or a tuple that is looked into, stands for.
static Value behindCasts(Value value) {
  while (true) {
    if (auto widened = value.getDefiningOp<DerefineOp>())
      value = widened->getOperand(0);
    else if (auto narrowed = value.getDefiningOp<UncheckedCastOp>())
      value = narrowed->getOperand(0);
    else
      return value;
  }
}

std::optional<exported::Argument> Exporter::argument(Value value, Operation *user) {
  value = behindCasts(value);
  if (auto known = values.find(value); known != values.end())
    return known->second;
  Operation *made = value.getDefiningOp();
  std::optional<Argument> result;
  if (auto number = dyn_cast_or_null<arith::ConstantOp>(made)) {
    result = constant(number.getValue());
  } else if (auto plain = dyn_cast_or_null<ConstantOp>(made)) {
    result = constant(plain.getValue());
    if (result && isa<DeviceType>(plain.getType()))
      result->kind = Kind::Device;
  } else if (auto number = dyn_cast_or_null<ComplexOp>(made)) {
    auto real = argument(made->getOperand(0), user),
         imaginary = argument(made->getOperand(1), user);
    if (real && imaginary && real->kind == Kind::Float && imaginary->kind == Kind::Float)
      result =
          Argument{.kind = Kind::Complex, .number = real->number, .imaginary = imaginary->number};
  } else if (isa_and_nonnull<ListOp, TupleOp>(made)) {
    result = Argument{.kind = Kind::List};
    for (Value element : made->getOperands()) {
      auto inner = argument(element, user);
      if (!inner)
        return std::nullopt;
      result->elements.push_back(*inner);
    }
  }
  if (!result)
    fail(user, "expected values that an exported program has, got one of " +
                   (made ? made->getName().getStringRef() : StringRef("an argument")));
  return result;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

/// The user's line as PyTorch writes it, innermost last.
static std::string stackTrace(Location loc) {
  std::string trace;
  loc->walk([&](Location part) {
    auto line = dyn_cast<FileLineColLoc>(part);
    if (!line)
      return WalkResult::advance();
    trace = "File \"" + line.getFilename().str() + "\", line " + std::to_string(line.getLine()) +
            ", in forward\n";
    return WalkResult::interrupt();
  });
  return trace;
}

bool Exporter::addNode(exported::Node node, Location loc) {
  node.stackTrace = stackTrace(loc);
  graph->nodes.push_back(std::move(node));
  return true;
}

/// What the numbers of an argument stand for, by the schema's own text: types of ours do not tell.
static exported::Argument::Names namesOf(StringRef schema, StringRef argument) {
  using Names = exported::Argument::Names;
  for (auto [word, names] :
       {std::pair("ScalarType", Names::ScalarType), std::pair("Layout", Names::Layout),
        std::pair("MemoryFormat", Names::MemoryFormat)})
    for (StringRef mark : {" ", "? "})
      for (StringRef end : {",", "=", ")"})
        if (schema.contains((word + mark + argument + end).str()))
          return names;
  return Names::Nothing;
}

bool Exporter::addInputsOf(Operation *op, const Schema &schema, StringRef text,
                           exported::Node &node) {
  if (op->getNumOperands() != schema.arguments.size())
    return fail(op, "expected an operator with all its arguments, got one without some");
  for (auto [operand, of] : llvm::zip(op->getOperands(), schema.arguments)) {
    // PyTorch draws from a stream of its own, where programs here count what they draw.
    if (StringRef(text).contains("Generator? " + of.name))
      continue;
    auto value = argument(operand, op);
    if (!value)
      return false;
    if (auto converted = complexOf.find(operand); converted != complexOf.end())
      value = converted->second;
    bool isDefault = value->kind == Kind::None && of.defaultText == "None";
    if (isDefault)
      continue;
    if (value->kind == Kind::Int)
      value->names = namesOf(text, of.name);
    node.inputs.push_back({of.name, *value, of.keywordOnly});
    // Behind one that is left out, arguments go by their names.
    node.inputs.back().isKeyword |= node.inputs.size() - 1 < size_t(&of - schema.arguments.data());
  }
  return true;
}

/// A list of tensors gets names where it is taken apart.
bool Exporter::addList(Operation *op, const std::string &base, exported::Node &node) {
  Value list = op->getResult(0);
  Argument names{.kind = Kind::List};
  for (Operation *user : list.getUsers()) {
    auto unpack = dyn_cast<ListUnpackOp>(user);
    if (!unpack)
      return fail(op, "expected a list of tensors that is taken apart at once, got another use of "
                      "it");
    for (auto [i, element] : llvm::enumerate(unpack->getResults())) {
      if (i < names.elements.size()) {
        values[element] = names.elements[i];
        continue;
      }
      auto named = define(element, base);
      if (!named)
        return fail(op, "expected a list of tensors, got another");
      names.elements.push_back(*named);
    }
  }
  node.outputs = {names};
  return true;
}

bool Exporter::addOutputsOf(Operation *op, const Schema &schema, const std::string &base,
                            exported::Node &node) {
  if (op->getNumResults() == 1 && isa<ListType>(op->getResult(0).getType()))
    return addList(op, base, node);
  for (Value result : op->getResults()) {
    auto named = define(result, base);
    if (!named)
      return fail(op, "expected an operator that gives tensors and numbers, got " +
                          StringRef(schema.name));
    node.outputs.push_back(*named);
  }
  return true;
}

/// Operators that mark a tensor for gradients that the call does not ask for.
bool Exporter::isTheSame(Operation *op) {
  StringRef schema = schemaOf(op);
  if (!schema.starts_with("aten::_variable(") && !schema.starts_with("aten::_leaf("))
    return false;
  if (auto value = argument(op->getOperand(0), op))
    values[op->getResult(0)] = *value;
  return true;
}

/// Operators here that PyTorch has none of that name for: parts of what programs name.
static bool isOurs(StringRef schema) {
  StringRef name = schema.take_until([](char c) { return c == '('; });
  return name.starts_with("jit::") || name == "aten::_gradient" || name == "aten::_largest" ||
         name == "aten::_with_elements" || name == "aten::fill_diagonal";
}

/// Words of TorchScript that PyTorch has no kernel for: they take any list, or any value.
static bool isOfAnyType(const Schema &schema) {
  return llvm::any_of(schema.arguments, [](const SchemaArgument &argument) {
    const SchemaType *type = &argument.type;
    while (type->kind == SchemaType::Kind::List || type->kind == SchemaType::Kind::Optional)
      type = &type->parts.front();
    return type->kind == SchemaType::Kind::Variable || type->kind == SchemaType::Kind::Dict;
  });
}

bool Exporter::addOperator(Operation *op) {
  if (isTheSame(op))
    return !failed;
  StringRef text = schemaOf(op);
  if (text.starts_with("aten::tensor(t[]"))
    return addTensorOfList(op);
  if (text.starts_with("aten::_fft_c2c(") && !addComplexOperand(op))
    return false;
  std::optional<Schema> schema = Schema::parse(text);
  if (!schema || isOurs(text) || isOfAnyType(*schema) || isa<aten::CustomOp>(op))
    return fail(op, "expected an operator of PyTorch's, got " +
                        text.take_until([](char c) { return c == '('; }));
  // What is written here is written by a result of its own already.
  if (text.contains('!'))
    return fail(op, "expected operators that write nothing, got " + schema->name);
  auto [space, base] = StringRef(schema->name).split("::");
  StringRef overload = text.take_until([](char c) { return c == '('; }).split('.').second;
  // Where PyTorch draws for itself.
  overload.consume_back("generator");
  overload.consume_back("_");
  exported::Node node;
  node.target =
      ("torch.ops." + space + "." + base + "." + (overload.empty() ? "default" : overload)).str();
  bool taken = addInputsOf(op, *schema, text, node);
  complexOf.clear();
  return taken && addOutputsOf(op, *schema, base.str(), node) &&
         addNode(std::move(node), op->getLoc());
}

bool Exporter::addOperation(Operation *op) {
  if (isa<arith::ConstantOp, ConstantOp, ListOp, TupleOp, ListUnpackOp, DerefineOp, UncheckedCastOp,
          SlotGetOp, ComplexOp>(op))
    return true;
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return addIf(branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addFor(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return addWhile(loop);
  if (auto guard = dyn_cast<GuardOp>(op))
    return addGuard(guard);
  if (auto rows = dyn_cast<ListFromTensorOp>(op))
    return addRows(rows);
  bool done = false;
  if (addScalar(op, done))
    return done;
  if (isa<AtenOpInterface>(op))
    return addOperator(op);
  if (auto missing = dyn_cast<MissingOp>(op))
    return fail(op, missing.getMessage());
  return fail(op, "expected what an exported program has a node for, got " +
                      op->getName().getStringRef());
}

bool Exporter::addBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (!addOperation(&op))
      return failed = true, false;
  return true;
}

} // namespace jit
