//===- ExportedControlFlow.cpp - operators that take graphs ---------------===//

#include "ExportedImporter.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Graphs and their operands
//===----------------------------------------------------------------------===//

bool ExportedImporter::expectOperands(const Node &node, StringRef kinds, Location loc) {
  bool fits = node.inputs.size() >= kinds.size();
  for (auto [kind, input] : llvm::zip(kinds, node.inputs))
    fits &= kind == 'v' || (kind == 'g' ? input.value.kind == Argument::Kind::Graph
                                        : input.value.kind == Argument::Kind::List);
  if (!fits)
    error(loc) << "expected the operands of " << node.target << ", got others";
  return fits;
}

ExportedImporter::Values ExportedImporter::operandsFrom(const Node &node, size_t first,
                                                        Location loc) {
  Values operands;
  for (const exported::NamedArgument &input : ArrayRef(node.inputs).drop_front(first)) {
    if (input.value.kind == Argument::Kind::List)
      llvm::append_range(operands, values(input.value.elements, loc));
    else
      operands.push_back(value(input.value, loc));
  }
  return operands;
}

ExportedImporter::Values ExportedImporter::inlineGraph(const Graph &graph, ValueRange inputs,
                                                       Location loc) {
  if (inputs.size() != graph.inputs.size()) {
    error(loc) << "expected " << graph.inputs.size() << " operands of a graph, got "
               << inputs.size();
    return Values(graph.outputs.size());
  }
  llvm::StringMap<Value> outer = std::exchange(scope, {});
  for (auto [input, value] : llvm::zip(graph.inputs, inputs))
    if (input.isValue())
      scope[input.text] = value;
  importNodes(graph);
  Values outputs;
  for (const Argument &output : graph.outputs) {
    if (output.kind == Argument::Kind::List)
      llvm::append_range(outputs, values(output.elements, loc));
    else
      outputs.push_back(value(output, loc));
  }
  scope = std::move(outer);
  return outputs;
}

ExportedImporter::Values ExportedImporter::yieldable(Values values, TypeRange types, Location loc) {
  if (values.size() != types.size()) {
    error(loc) << "expected " << types.size() << " results of a graph, got " << values.size();
    values.resize(types.size());
  }
  for (auto [value, type] : llvm::zip(values, types)) {
    value = widen(value, type, loc, "result of a graph");
    // The module is not going to live after the error that made this unknown.
    if (!value)
      value = PoisonOp::create(builder, loc, type);
  }
  return values;
}

/// What a value of that kind is, whatever a graph makes of it.
static Type typeOfKind(exported::Argument::Kind kind, MLIRContext *context) {
  Builder b(context);
  switch (kind) {
  case exported::Argument::Kind::Tensor:
    return TensorType::get(context);
  case exported::Argument::Kind::SymInt:
    return b.getI64Type();
  case exported::Argument::Kind::SymFloat:
    return b.getF64Type();
  case exported::Argument::Kind::SymBool:
    return b.getI1Type();
  default:
    return NoneType::get(context);
  }
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

Value ExportedImporter::formCond(const Node &node, Location loc) {
  if (!expectOperands(node, "vggl", loc))
    return unknown();
  Value condition = truth(value(node.inputs[0].value, loc), loc);
  Values operands = operandsFrom(node, 3, loc);
  if (!condition || llvm::is_contained(operands, Value()))
    return unknown();
  SmallVector<Type> types;
  for (const Argument &output : node.outputs) {
    if (output.kind == Argument::Kind::List)
      for (const Argument &element : output.elements)
        types.push_back(typeOfKind(element.kind, context));
    else
      types.push_back(typeOfKind(output.kind, context));
  }
  auto branch = scf::IfOp::create(builder, loc, types, condition, /*withElseRegion=*/true);
  for (unsigned side : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = &branch->getRegion(side).front();
    if (!block->empty())
      block->back().erase();
    builder.setInsertionPointToEnd(block);
    const Graph &graph = *node.inputs[1 + side].value.graph;
    scf::YieldOp::create(builder, loc, yieldable(inlineGraph(graph, operands, loc), types, loc));
  }
  return resultOf(node, branch.getResults(), loc);
}

Value ExportedImporter::formWhileLoop(const Node &node, Location loc) {
  if (!expectOperands(node, "ggl", loc))
    return unknown();
  Values initial = values(node.inputs[2].value.elements, loc), others = operandsFrom(node, 3, loc);
  if (llvm::is_contained(initial, Value()) || llvm::is_contained(others, Value()))
    return unknown();
  // What a trip makes of a tensor may be another one.
  for (Value &value : initial)
    if (isa<TensorType>(value.getType()))
      value = widen(value, TensorType::get(context), loc, "carried value");
  SmallVector<Type> types = llvm::to_vector(ValueRange(initial).getTypes());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = scf::WhileOp::create(builder, loc, types, initial);
  OpBuilder::InsertionGuard guard(builder);
  auto operandsOf = [&](Block *block) {
    Values operands(block->getArguments());
    llvm::append_range(operands, others);
    return operands;
  };
  Block *test = builder.createBlock(&loop.getBefore(), {}, types, locations);
  Values conditions = inlineGraph(*node.inputs[0].value.graph, operandsOf(test), loc);
  Value holds = conditions.size() == 1 ? truth(conditions.front(), loc) : unknown();
  if (conditions.size() != 1)
    error(loc) << "expected one condition of a while loop, got " << conditions.size();
  scf::ConditionOp::create(builder, loc, holds ? holds : boolConstant(false, loc),
                           test->getArguments());
  Block *body = builder.createBlock(&loop.getAfter(), {}, types, locations);
  Values next = inlineGraph(*node.inputs[1].value.graph, operandsOf(body), loc);
  scf::YieldOp::create(builder, loc, yieldable(std::move(next), types, loc));
  builder.setInsertionPointAfter(loop);
  return resultOf(node, loop.getResults(), loc);
}

ExportedImporter::Values ExportedImporter::slicesAt(ValueRange tensors, Value index, Location loc) {
  Values slices;
  for (Value tensor : tensors)
    slices.push_back(callOperator("aten::select", {tensor, intConstant(0, loc), index}, loc));
  return slices;
}

ExportedImporter::Values ExportedImporter::loopOverSlices(const Graph &body, Values initial,
                                                          ValueRange xs, ValueRange others,
                                                          Location loc) {
  for (Value &value : initial)
    if (isa<TensorType>(value.getType()))
      value = widen(value, TensorType::get(context), loc, "carried value");
  size_t stacked = body.outputs.size() - std::min(body.outputs.size(), initial.size());
  auto listType = ListType::get(TensorType::get(context));
  Values lists;
  for (size_t i = 0; i < stacked; ++i)
    lists.push_back(ListOp::create(builder, loc, listType, ValueRange()));
  Value trips = callOperator("aten::size", {xs.front(), intConstant(0, loc)}, loc);
  auto loop =
      scf::ForOp::create(builder, loc, intConstant(0, loc), trips, intConstant(1, loc), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    // Without carried values the loop comes with a terminator.
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    Values operands(loop.getRegionIterArgs());
    llvm::append_range(operands, slicesAt(xs, loop.getInductionVar(), loc));
    llvm::append_range(operands, others);
    Values outputs = inlineGraph(body, operands, loc);
    size_t carried = std::min(outputs.size(), initial.size());
    for (auto [list, slice] : llvm::zip(lists, ArrayRef(outputs).drop_front(carried)))
      if (Value element = widen(slice, listType.getElementType(), loc, "slice"))
        AppendOp::create(builder, loc, list, element);
    outputs.truncate(carried);
    scf::YieldOp::create(builder, loc,
                         yieldable(std::move(outputs), ValueRange(initial).getTypes(), loc));
  }
  Values results(loop.getResults());
  for (Value list : lists)
    results.push_back(callOperator("aten::stack", {list, intConstant(0, loc)}, loc));
  return results;
}

Value ExportedImporter::formMap(const Node &node, Location loc) {
  if (!expectOperands(node, "gl", loc))
    return unknown();
  Values xs = values(node.inputs[1].value.elements, loc), others = operandsFrom(node, 2, loc);
  if (xs.empty())
    return unsupported(loc, "a map over no tensor");
  if (llvm::is_contained(xs, Value()) || llvm::is_contained(others, Value()))
    return unknown();
  return resultOf(node, loopOverSlices(*node.inputs[0].value.graph, {}, xs, others, loc), loc);
}

Value ExportedImporter::formScan(const Node &node, Location loc) {
  if (!expectOperands(node, "gll", loc))
    return unknown();
  Values initial = values(node.inputs[1].value.elements, loc);
  Values xs = values(node.inputs[2].value.elements, loc), others = operandsFrom(node, 3, loc);
  if (xs.empty())
    return unsupported(loc, "a scan over no tensor");
  for (const Values &operands : {initial, xs, others})
    if (llvm::is_contained(operands, Value()))
      return unknown();
  return resultOf(node, loopOverSlices(*node.inputs[0].value.graph, initial, xs, others, loc), loc);
}

//===----------------------------------------------------------------------===//
// Graphs that run as they stand
//===----------------------------------------------------------------------===//

/// One value as itself, several as a tuple, or as the list that the node gives.
Value ExportedImporter::resultOf(const Node &node, ValueRange values, Location loc) {
  if (llvm::is_contained(values, Value()))
    return unknown();
  if (node.outputs.size() == 1 && node.outputs[0].kind == Argument::Kind::List)
    return listOf(llvm::to_vector(values), loc);
  return node.outputs.size() == 1 && values.size() == 1 ? values.front() : makeTuple(values, loc);
}

Value ExportedImporter::formInline(const Node &node, Location loc) {
  ArrayRef<exported::NamedArgument> inputs = node.inputs;
  const auto *graph = llvm::find_if(inputs, [](const exported::NamedArgument &input) {
    return input.value.kind == Argument::Kind::Graph;
  });
  if (graph == inputs.end())
    return unsupported(loc, "operator " + node.target + " without a graph");
  Values operands;
  for (const exported::NamedArgument &input : ArrayRef(graph + 1, inputs.end()))
    if (input.value.isValue() || input.value.kind == Argument::Kind::List)
      llvm::append_range(operands, input.value.kind == Argument::Kind::List
                                       ? values(input.value.elements, loc)
                                       : Values{value(input.value, loc)});
  if (llvm::is_contained(operands, Value()))
    return unknown();
  return resultOf(node, inlineGraph(*graph->value.graph, operands, loc), loc);
}

/// The mode holds for the graph alone.
Value ExportedImporter::formSetGradEnabled(const Node &node, Location loc) {
  bool enabled = !node.inputs.empty() && node.inputs[0].value.integer != 0;
  Value before = callOperator("aten::is_grad_enabled", ArrayRef<Value>(), loc);
  callOperator("aten::set_grad_enabled", ArrayRef<Value>(boolConstant(enabled, loc)), loc);
  Value result = formInline(node, loc);
  callOperator("aten::set_grad_enabled", ArrayRef<Value>(before), loc);
  return result;
}

/// Of the casts that the region makes the graph says nothing.
Value ExportedImporter::formAutocast(const Node &node, Location loc) {
  // The device, the dtype, whether it is enabled, whether casts are cached, and the graph.
  if (node.inputs.size() < 5)
    return formInline(node, loc);
  Value device = value(node.inputs[0].value, loc), enabled = value(node.inputs[2].value, loc);
  if (!device || !enabled)
    return unknown();
  Value wasEnabled = callOperator("jit::autocast_enabled", ArrayRef(device), loc);
  Value before = callOperator("aten::get_autocast_dtype", ArrayRef(device), loc);
  bool keepsDType = node.inputs[1].value.kind == Argument::Kind::None;
  Value dtype = keepsDType ? before : value(node.inputs[1].value, loc);
  callOperator("jit::set_autocast", {device, enabled, dtype}, loc);
  Value result = formInline(node, loc);
  callOperator("jit::set_autocast", {device, wasEnabled, before}, loc);
  return result;
}

} // namespace jit
