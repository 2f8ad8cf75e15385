//===- GraphText.cpp - the function, values and state ---------------------===//

#include "jit/Import/GraphText.h"
#include "GraphImporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/InliningLimits.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

Location GraphImporter::location(graphtext::Position position) const {
  return FileLineColLoc::get(context, graph.name(), position.line, position.column);
}

/// Where the user wrote it, else where it stands in the text; named by its scope.
Location GraphImporter::location(const Node &node) const {
  Location place = node.file.empty() ? location(node.begin)
                                     : Location(FileLineColLoc::get(context, StringRef(node.file),
                                                                    node.line, node.column + 1));
  if (node.scope.empty())
    return place;
  return NameLoc::get(StringAttr::get(context, StringRef(node.scope)), place);
}

//===----------------------------------------------------------------------===//
// Inputs and state
//===----------------------------------------------------------------------===//

/// `x.1` is the first value of a variable `x`.
std::string GraphImporter::inputName(StringRef written) const {
  auto [name, number] = written.rsplit('.');
  bool isNumbered = !number.empty() && llvm::all_of(number, llvm::isDigit) && !name.empty();
  return isNumbered && !takenNames.contains(name) ? name.str() : written.str();
}

Value GraphImporter::addArgument(Type type, const std::string &name) {
  argumentNames.push_back(name);
  takenNames.insert(name);
  return function.front().addArgument(type, UnknownLoc::get(context));
}

bool GraphImporter::isModule(const graphtext::Value &value) {
  return value.type && value.type->name.starts_with("__torch__.") &&
         isa<ObjectType>(typeOf(*value.type));
}

/// Whether of these objects nothing but attributes are read, and of objects among these the same.
bool GraphImporter::areOnlyRead(llvm::StringSet<> &objects, const Block &block, int64_t &budget) {
  auto isObject = [&](const graphtext::Value &value) { return objects.contains(value.name); };
  for (const Node *node : block.nodes) {
    if (--budget < 0)
      return false;
    bool isUsed = llvm::any_of(node->inputs, isObject);
    if (isUsed && node->name == "prim::GetAttr" && node->outputs.size() == 1) {
      if (isModule(node->outputs.front()))
        objects.insert(node->outputs.front().name);
    } else if (isUsed) {
      if (!runsItsGraph(*node) || node->subgraph->inputs.size() != node->inputs.size())
        return false;
      llvm::StringSet<> inner;
      for (auto [input, value] : llvm::zip(node->subgraph->inputs, node->inputs))
        if (isObject(value))
          inner.insert(input.name);
      if (!areOnlyRead(inner, *node->subgraph, budget))
        return false;
    }
    for (const Block *nested : node->blocks)
      if (!areOnlyRead(objects, *nested, budget))
        return false;
  }
  return llvm::none_of(block.outputs, isObject);
}

int64_t GraphImporter::maxNodes() const {
  return maxInlinedOperations + maxInlinedPerOperation * int64_t(graph.nodeCount());
}

/// An object among the inputs is the module, or a part of one: its state is found by paths, unless
/// something else is done to it.
void GraphImporter::addInput(const graphtext::Value &input) {
  int64_t budget = maxNodes();
  llvm::StringSet<> object;
  object.insert(input.name);
  if (isModule(input) && areOnlyRead(object, graph.body(), budget))
    return define(input.name, {{}, std::string()});
  Type type = input.type ? typeOf(*input.type) : Type(TensorType::get(context));
  define(input.name, {addArgument(type, inputName(input.name))});
}

Value GraphImporter::stateAt(const std::string &path, Type type, Location loc) {
  auto [known, isNew] = state.try_emplace(path);
  if (isNew)
    known->second = type ? addArgument(type, "self." + path) : unknown();
  else if (Value value = known->second; value && type && value.getType() != type)
    error(loc) << "expected '" << path << "' to have one type, got " << spell(value.getType())
               << " and " << spell(type);
  return known->second;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A name may be defined again, and then stands for the last value; what a block defines ends with
/// it, also where it had another value before.
void GraphImporter::define(StringRef name, Binding binding) {
  scope[name] = std::move(binding);
  definitions.back().push_back(name);
}

/// The value under its declared type, where that says more than the operator does.
void GraphImporter::define(const graphtext::Value &output, Value value, Location loc) {
  if (!value)
    return define(output.name, {});
  Type declared = declaredType(output);
  if (declared && value.getType() != declared && isSubtype(declared, value.getType()) &&
      !isa<TensorType>(declared))
    value = UncheckedCastOp::create(builder, loc, declared, value);
  define(output.name, {value});
}

void GraphImporter::defineAll(Names outputs, ValueRange values, Location loc) {
  for (auto [output, value] : llvm::zip(outputs, values))
    define(output, value, loc);
}

GraphImporter::Binding GraphImporter::lookUp(const graphtext::Value &use) {
  auto bound = scope.find(StringRef(use.name));
  if (bound != scope.end())
    return bound->second;
  errors.errorOnce(location(use.begin),
                   "expected '%" + std::string(use.name) + "' to be defined before its use");
  return {};
}

Value GraphImporter::use(const graphtext::Value &use) {
  Binding binding = lookUp(use);
  if (!binding.path)
    return binding.value;
  errors.errorOnce(location(use.begin), "expected the attributes of '%" + std::string(use.name) +
                                            "' alone to be read, got another use");
  return unknown();
}

GraphImporter::Values GraphImporter::useAll(Names uses) {
  return llvm::map_to_vector(uses, [&](const graphtext::Value &value) { return use(value); });
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

void GraphImporter::createFunction() {
  builder.setInsertionPointToStart(module->getBody());
  function = func::FuncOp::create(builder, UnknownLoc::get(context), "forward",
                                  builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
}

/// Nodes may name constants that their operations take as attributes, and tuples of which they take
/// the parts.
void GraphImporter::eraseDead(func::FuncOp function) {
  function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isa<arith::ConstantOp, ConstantOp, TupleOp>(op) && op->use_empty())
      op->erase();
  });
}

OwningOpRef<ModuleOp> GraphImporter::import() {
  module = ModuleOp::create(UnknownLoc::get(context));
  createFunction();
  definitions.emplace_back();
  const Block &body = graph.body();
  for (const graphtext::Value &input : asArray(body.inputs))
    addInput(input);
  importNodes(body);
  Values results = useAll(asArray(body.outputs));
  Location loc = UnknownLoc::get(context);
  bool known = !llvm::is_contained(results, Value());
  Value result = !known || results.empty() ? noneConstant(loc)
                 : results.size() == 1     ? results.front()
                                           : makeTuple(results, location(body.outputs[0].begin));
  func::ReturnOp::create(builder, loc, result);
  function.setFunctionType(
      builder.getFunctionType(function.front().getArgumentTypes(), result.getType()));
  function.setAllArgAttrs(llvm::map_to_vector(argumentNames, [&](const std::string &name) {
    return builder.getDictionaryAttr(builder.getNamedAttr(nameAttr, builder.getStringAttr(name)));
  }));
  eraseDead(function);
  if (errors.any() || !known || failed(verify(*module)))
    return {};
  return std::move(module);
}

OwningOpRef<ModuleOp> importGraphText(const graphtext::GraphText &graph, MLIRContext &context,
                                      Coverage &coverage) {
  context.loadDialect<JitDialect, aten::AtenDialect, arith::ArithDialect, func::FuncDialect,
                      scf::SCFDialect>();
  SchemaIndex schemas(context);
  ImportErrors errors(coverage);
  return GraphImporter(graph, context, schemas, errors).import();
}

} // namespace jit
