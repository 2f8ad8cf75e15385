//===- ExportedProgram.cpp - state, results and the function --------------===//

#include "ExportedImporter.h"
#include "TensorSlots.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Import/Exported.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace jit {

using exported::InputSpec;
using exported::OutputSpec;

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

static bool isState(const InputSpec &spec) {
  return spec.kind == InputSpec::Kind::Parameter || spec.kind == InputSpec::Kind::Buffer ||
         spec.kind == InputSpec::Kind::TensorConstant;
}

/// Parameters that are one tensor become one slot, and an alias for each other name.
void ExportedImporter::importState() {
  llvm::StringMap<std::string> known;
  Location loc = programLocation();
  for (const InputSpec &spec : program.inputs) {
    if (!isState(spec) || slots.contains(spec.target))
      continue;
    const ArchiveTensor *tensor = archive.findTensor(spec.target);
    if (!tensor) {
      errors.errorOnce(loc, "expected a tensor '" + spec.target + "' in the archive");
      continue;
    }
    auto [first, isNew] = known.try_emplace(viewKey(*tensor), spec.target);
    slots[spec.target] = first->second;
    auto name = builder.getStringAttr(spec.target);
    if (!isNew) {
      AliasOp::create(builder, loc, name, builder.getStringAttr(first->second));
      continue;
    }
    bool isParameter = spec.kind == InputSpec::Kind::Parameter;
    markRecord(SlotOp::create(builder, loc, name, TypeAttr::get(storedType(*tensor, context)),
                              storageOf(*tensor, context),
                              isParameter ? builder.getUnitAttr() : UnitAttr()),
               *tensor);
  }
}

void ExportedImporter::bindState() {
  for (const InputSpec &spec : program.inputs) {
    auto slot = isState(spec) ? slots.find(spec.target) : slots.end();
    if (slot != slots.end())
      scope[spec.argument.text] =
          SlotGetOp::create(builder, programLocation(), TensorType::get(context),
                            FlatSymbolRefAttr::get(context, slot->second));
    // Operations with effects stay in their order by themselves.
    if (spec.kind == InputSpec::Kind::Token)
      scope[spec.argument.text] = noneConstant(programLocation());
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value ExportedImporter::buildTree(const Tree &tree, ArrayRef<Value> &leaves) {
  if (tree.kind == Tree::Kind::Leaf) {
    Value leaf = leaves.front();
    leaves = leaves.drop_front();
    return leaf;
  }
  Values children;
  for (const Tree &child : tree.children) {
    children.push_back(buildTree(child, leaves));
    if (!children.back())
      return unknown();
  }
  return buildContainer(tree, std::move(children));
}

Value ExportedImporter::buildContainer(const Tree &tree, Values children) {
  Location loc = programLocation();
  if (tree.kind == Tree::Kind::Tuple)
    return makeTuple(children, loc);
  if (tree.kind == Tree::Kind::List)
    return listOf(children, loc);
  Values keys = values(tree.keys, loc);
  if (llvm::is_contained(keys, Value()))
    return unknown();
  Type keyType = keys.empty() ? Type(StrType::get(context)) : keys.front().getType();
  Type valueType = children.empty() ? Type(AnyType::get(context)) : commonType(children);
  for (Value &child : children)
    child = widen(child, valueType, loc, "value");
  return DictOp::create(builder, loc, DictType::get(context, keyType, valueType), keys, children);
}

/// Buffers and inputs that the graph gives new values for get them.
void ExportedImporter::writeBack(const OutputSpec &spec, Value value) {
  Location loc = value.getLoc();
  if (spec.kind == OutputSpec::Kind::UserInputMutation) {
    auto input = scope.find(spec.target);
    if (input == scope.end() || !input->second)
      error(loc) << "expected a user input '" << spec.target << "' to write";
    else
      OverwriteOp::create(builder, loc, input->second.getType(), input->second, value);
    return;
  }
  auto slot = slots.find(spec.target);
  if (slot == slots.end())
    error(loc) << "expected a parameter or buffer '" << spec.target << "' to write";
  else
    SlotSetOp::create(builder, loc, FlatSymbolRefAttr::get(context, slot->second), value);
}

/// What the module returned; of a joint graph a tuple of that and of the gradients by name.
Value ExportedImporter::importResult(ArrayRef<Value> outputs) {
  using Kind = OutputSpec::Kind;
  Values leaves, gradients;
  Tree gradientTree;
  gradientTree.kind = Tree::Kind::Dict;
  for (auto [spec, value] : llvm::zip(program.outputs, outputs)) {
    if (spec.kind == Kind::Unsupported)
      unsupported(programLocation(), "an output of kind " + spec.target);
    if (!value || spec.kind == Kind::Unsupported)
      return unknown();
    if (spec.kind == Kind::Token)
      continue;
    if (spec.kind == Kind::UserOutput || spec.kind == Kind::Loss) {
      leaves.push_back(value);
    } else if (spec.kind == Kind::ParameterGradient || spec.kind == Kind::UserInputGradient) {
      Argument &key = gradientTree.keys.emplace_back();
      key.kind = Argument::Kind::String;
      key.text = spec.target;
      gradients.push_back(value);
    } else {
      writeBack(spec, value);
    }
  }
  ArrayRef<Value> rest = leaves;
  Value result = buildTree(program.outputTree, rest);
  if (gradients.empty() || !result)
    return result;
  return makeTuple({result, buildContainer(gradientTree, std::move(gradients))}, programLocation());
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> ExportedImporter::import() {
  module = ModuleOp::create(programLocation());
  builder.setInsertionPointToStart(module->getBody());
  importState();
  SmallVector<const InputSpec *> leaves;
  for (const InputSpec &spec : program.inputs) {
    if (spec.kind == InputSpec::Kind::UserInput || spec.kind == InputSpec::Kind::Constant)
      leaves.push_back(&spec);
    if (spec.kind == InputSpec::Kind::Unsupported)
      unsupported(programLocation(), "an input of kind " + spec.target);
  }
  SmallVector<Parameter> arguments = parameters(leaves);
  func::FuncOp function = createFunction(arguments);
  bindState();
  for (auto [parameter, argument] : llvm::zip(arguments, function.getArguments()))
    bindInput(*parameter.tree, argument, parameter.leaves, escapeBraces(parameter.name));
  checkDemands();
  importNodes(program.graph);
  Value result = importResult(values(program.graph.outputs, programLocation()));
  if (!result)
    result = noneConstant(programLocation());
  func::ReturnOp::create(builder, programLocation(), result);
  function.setFunctionType(builder.getFunctionType(function.getArgumentTypes(), result.getType()));
  if (errors.any() || failed(verify(*module)))
    return {};
  return std::move(module);
}

OwningOpRef<ModuleOp> importExported(const ExportedArchive &archive, MLIRContext &context,
                                     Coverage &coverage) {
  context.loadDialect<JitDialect, aten::AtenDialect, arith::ArithDialect, func::FuncDialect,
                      scf::SCFDialect>();
  SchemaIndex schemas(context);
  ImportErrors errors(coverage);
  return ExportedImporter(archive, context, schemas, errors).import();
}

} // namespace jit
