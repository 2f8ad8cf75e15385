//===- ExportedProgram.cpp - arguments, results, the whole ----------------===//

#include "Exporter.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The function's argument at a place in the call; null if there is none.
static BlockArgument argumentAt(func::FuncOp function, ArrayRef<int64_t> path) {
  for (BlockArgument argument : function.getArguments()) {
    auto place = function.getArgAttrOfType<DenseI64ArrayAttr>(argument.getArgNumber(), argPathAttr);
    if (place && !function.getArgAttr(argument.getArgNumber(), slotAttr) &&
        place.asArrayRef() == path)
      return argument;
  }
  return {};
}

bool Exporter::addConstant(const ValueSpec &spec, const std::string &name) {
  Argument value;
  if (spec.kind == ValueSpec::Kind::Int)
    value = {.kind = Kind::Int, .integer = spec.intValue};
  if (spec.kind == ValueSpec::Kind::Bool)
    value = {.kind = Kind::Bool, .integer = spec.boolValue};
  if (spec.kind == ValueSpec::Kind::Float)
    value = {.kind = Kind::Float, .number = spec.floatValue};
  if (spec.kind == ValueSpec::Kind::Str)
    value = {.kind = Kind::String, .text = spec.text};
  graph->inputs.push_back(value);
  program.inputs.push_back({exported::InputSpec::Kind::Constant, value, unique(name)});
  return true;
}

bool Exporter::addContainer(const ValueSpec &spec, SmallVector<int64_t> path,
                            const std::string &name, Tree &tree) {
  tree.kind = spec.isDict                           ? Tree::Kind::Dict
              : spec.kind == ValueSpec::Kind::Tuple ? Tree::Kind::Tuple
                                                    : Tree::Kind::List;
  for (auto [i, element] : llvm::enumerate(spec.elements)) {
    SmallVector<int64_t> inner = path;
    inner.push_back(i);
    Tree &child = tree.children.emplace_back();
    if (!spec.isDict) {
      if (!addInput(element, inner, name + "_" + std::to_string(i), child))
        return false;
      continue;
    }
    const ValueSpec &key = element.elements[0];
    bool isInt = key.kind == ValueSpec::Kind::Int;
    if (!isInt && key.kind != ValueSpec::Kind::Str)
      return fail(function, "expected a dict's keys as strings or ints");
    tree.keys.push_back(isInt ? Argument{.kind = Kind::Int, .integer = key.intValue}
                              : Argument{.kind = Kind::String, .text = key.text});
    inner.push_back(1);
    if (!addInput(element.elements[1], inner,
                  name + "_" + (isInt ? std::to_string(key.intValue) : key.text), child))
      return false;
  }
  return true;
}

bool Exporter::addInput(const ValueSpec &spec, SmallVector<int64_t> path, const std::string &name,
                        Tree &tree) {
  if (spec.kind == ValueSpec::Kind::Tuple || spec.kind == ValueSpec::Kind::List)
    return addContainer(spec, path, name, tree);
  BlockArgument argument = argumentAt(function, path);
  if (spec.kind == ValueSpec::Kind::Tensor && spec.device != "cpu")
    return fail(function, "expected tensors on 'cpu', got '" + name + "' on '" + spec.device + "'");
  bool isOpen = spec.kind == ValueSpec::Kind::Tensor || spec.isOpen;
  if (!isOpen)
    return addConstant(spec, name);
  if (!argument)
    return fail(function, "expected argument '" + name + "' among those of the program, got none");
  if (!isa<TensorType>(argument.getType()) && !argument.getType().isInteger(64))
    return fail(function, "expected tensors and ints as open arguments, got a " +
                              Twine(argument.getType().isF64() ? "float" : "bool") + " for '" +
                              name + "'; give its value");
  auto named = define(argument, name);
  if (!named)
    return false;
  if (named->kind == Kind::SymInt)
    noteNumber(*named, sizes.ofArgument(argument));
  inputAt[std::vector<int64_t>(path.begin(), path.end())] = named->text;
  graph->inputs.push_back(*named);
  program.inputs.push_back({exported::InputSpec::Kind::UserInput, *named, ""});
  return true;
}

bool Exporter::addInputs(const CallSpec &spec) {
  Tree arguments{.kind = Tree::Kind::Tuple};
  for (auto [i, value] : llvm::enumerate(spec.arguments)) {
    std::string name =
        i < call.argumentNames.size() ? call.argumentNames[i] : "arg_" + std::to_string(i);
    if (value.kind == ValueSpec::Kind::Default || value.kind == ValueSpec::Kind::Undefined)
      return fail(function, "expected a value of argument '" + Twine(name) + "', got its default");
    if (!addInput(value, {int64_t(i)}, name, arguments.children.emplace_back()))
      return false;
    program.argumentNames.push_back(name);
  }
  Tree none{.kind = Tree::Kind::Dict};
  program.inputTree = {.kind = Tree::Kind::Tuple, .children = {arguments, none}};
  // State that the call writes is an argument too.
  for (BlockArgument argument : function.getArguments()) {
    auto slot = function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), slotAttr);
    if (!slot)
      continue;
    auto known = slots.find(slot.getValue());
    if (known == slots.end())
      return fail(function,
                  "expected tensors as state that calls change, got '" + slot.getValue() + "'");
    values[argument] = known->second;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

void Exporter::addOutput(const Argument &argument) {
  graph->outputs.push_back(argument);
  program.outputs.push_back({exported::OutputSpec::Kind::UserOutput, argument, ""});
}

bool Exporter::addDict(ArrayRef<Attribute> parts, ValueRange results, Tree &tree) {
  tree.kind = Tree::Kind::Dict;
  for (size_t i = 0; i + 1 < parts.size(); i += 2) {
    auto text = dyn_cast<StringAttr>(parts[i]);
    auto number = dyn_cast<IntegerAttr>(parts[i]);
    if (!text)
      return fail(function, "expected strings as the keys of a resulting dict");
    (void)number;
    tree.keys.push_back({.kind = Kind::String, .text = text.str()});
    if (!addResult(parts[i + 1], results, tree.children.emplace_back()))
      return false;
  }
  return true;
}

/// A shape is a flat result's number, a constant, or a container's name and its parts.
bool Exporter::addResult(Attribute shape, ValueRange results, Tree &tree) {
  if (auto index = dyn_cast<IntegerAttr>(shape)) {
    auto value = argument(results[index.getInt()], function);
    if (!value)
      return false;
    if (value->kind == Kind::SymBool)
      return fail(function, "expected tensors, ints and floats as results of data, got a bool, "
                            "which PyTorch does not read; return a tensor");
    addOutput(*value);
    return true;
  }
  if (isa<UnitAttr>(shape)) {
    addOutput({});
    return true;
  }
  auto parts = dyn_cast<ArrayAttr>(shape);
  auto name = parts && !parts.empty() ? dyn_cast<StringAttr>(parts[0]) : StringAttr();
  if (!name || !llvm::is_contained({"tuple", "list", "dict"}, name.getValue()))
    return fail(function, "expected a result of tensors, ints, floats, bools and None in tuples, "
                          "lists and dicts, got " +
                              (name ? "one of kind '" + name.getValue() + "'" : Twine("a string")));
  if (name.getValue() == "dict")
    return addDict(parts.getValue().drop_front(), results, tree);
  tree.kind = name.getValue() == "tuple" ? Tree::Kind::Tuple : Tree::Kind::List;
  for (Attribute part : parts.getValue().drop_front())
    if (!addResult(part, results, tree.children.emplace_back()))
      return false;
  return true;
}

/// What the call writes comes before its results: first state, then arguments.
bool Exporter::addWritten(ValueRange results, bool isState) {
  using Output = exported::OutputSpec::Kind;
  for (auto output : function->getAttrOfType<ArrayAttr>(outputsAttr).getAsRange<DictionaryAttr>()) {
    auto slot = output.getAs<StringAttr>("slot");
    auto path = output.getAs<DenseI64ArrayAttr>("mutates");
    if (isState ? !slot : !path)
      continue;
    if (slot && slot.getValue() == "random.draws")
      continue;
    auto index = dyn_cast<IntegerAttr>(output.get("value"));
    if (!index || output.get("memory") || output.get("place"))
      return fail(function, "expected tensors of their own as what the call writes, got parts");
    if (output.get("offset"))
      return fail(function, "expected arguments that keep their sizes, got one whose sizes the "
                            "program changes in place");
    auto value = argument(results[index.getInt()], function);
    if (!value)
      return false;
    exported::OutputSpec spec{.argument = *value};
    if (slot) {
      bool isBuffer = StringRef(slots[slot.getValue()].text).starts_with("b_");
      spec.kind = isBuffer ? Output::BufferMutation : Output::ParameterMutation;
      spec.target = slot.str();
    } else {
      spec.kind = Output::UserInputMutation;
      spec.target = inputAt[path.asArrayRef().vec()];
    }
    if (value->kind != Kind::Tensor || spec.target.empty())
      return fail(function, "expected tensors as what the call writes, got another value");
    graph->outputs.push_back(*value);
    program.outputs.push_back(std::move(spec));
  }
  return true;
}

bool Exporter::addResults() {
  ValueRange results = function.front().getTerminator()->getOperands();
  auto outputs = function->getAttrOfType<ArrayAttr>(outputsAttr);
  if (!outputs)
    return fail(function, "expected a program that was specialised for a call");
  if (!addWritten(results, /*isState=*/true) || !addWritten(results, /*isState=*/false))
    return false;
  for (auto output : outputs.getAsRange<DictionaryAttr>())
    if (!output.get("slot") && !output.get("mutates"))
      return addResult(output.get("value"), results, program.outputTree);
  program.outputTree = {};
  addOutput({});
  return true;
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

bool Exporter::run() {
  auto spec = CallSpec::parse(call.args);
  if (!spec)
    return fail(function, spec.error().str());
  graph = &program.graph;
  // State is an input of the whole: blocks take it from there as they take other values.
  function.walk(
      [&](SlotGetOp get) { get->moveBefore(&function.front(), function.front().begin()); });
  if (mlir::failed(sizes.compute()))
    return false;
  if (!addState() || !addInputs(*spec) || !addBlock(function.front()) || !addResults())
    return false;
  program.ranges = sizes.ranges;
  return !failed;
}

std::vector<std::string> argumentNames(ModuleOp module, StringRef entry) {
  std::vector<std::string> names;
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  for (unsigned i = 0; function && i < function.getNumArguments(); ++i)
    if (auto name = function.getArgAttrOfType<StringAttr>(i, nameAttr))
      names.push_back(name.str());
  return names;
}

LogicalResult exportProgram(ModuleOp module, const ExportedCall &call, const ByteSink &sink) {
  auto function = module.lookupSymbol<func::FuncOp>(call.entry);
  if (!function)
    return module.emitError("expected a function called '") << call.entry << "'";
  Exporter exporter(function, call);
  if (!exporter.run())
    return failure();
  exported::writeArchive(exporter.program, exporter.state, sink);
  return success();
}

} // namespace jit
