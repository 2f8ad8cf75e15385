//===- GraphControlFlow.cpp - if, loop and inlined graphs -----------------===//

#include "GraphImporter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

GraphImporter::Values GraphImporter::importBlock(const Block &block) {
  importNodes(block);
  Values results = useAll(asArray(block.outputs));
  // What a block defines ends with it.
  for (StringRef name : definitions.back())
    scope.erase(name);
  definitions.pop_back();
  return results;
}

/// Whether \p value can stand under \p type as it is.
static bool widens(Value value, Type type) {
  if (isSubtype(value.getType(), type))
    return true;
  auto list = value.getDefiningOp<ListOp>();
  auto dict = value.getDefiningOp<DictOp>();
  return (list && list.getElements().empty() && isa<ListType>(type)) ||
         (dict && dict.getKeys().empty() && isa<DictType>(type));
}

static bool allWiden(ValueRange values, TypeRange types) {
  return llvm::all_of(llvm::zip(values, types),
                      [](auto pair) { return widens(std::get<0>(pair), std::get<1>(pair)); });
}

GraphImporter::Values GraphImporter::widenAll(ValueRange values, TypeRange types, Location loc) {
  Values widened;
  for (auto [value, type] : llvm::zip(values, types))
    widened.push_back(widen(value, type, loc, "value"));
  return widened;
}

static ImportErrors::Attempt because(const Twine &why) {
  return {Coverage::Kind::Statement, why.str(), {}, {}, 0};
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

void GraphImporter::importIf(const Node &node, Operands operands, Location loc) {
  Names outputs = asArray(node.outputs);
  bool fits = operands.size() == 1 && node.blocks.size() == 2 &&
              llvm::all_of(node.blocks, [&](const Block *block) {
                return block->inputs.empty() && block->outputs.size() == outputs.size();
              });
  if (!fits || !operands[0].getType().isInteger(1))
    return keepWhole(node, operands,
                     "expected a condition of type bool and two blocks of prim::If that end in as "
                     "many values as it gives",
                     loc);
  Regions regions(2);
  Values yields[2];
  for (int side : {0, 1}) {
    OpenRegion open(builder, regions[side]);
    definitions.emplace_back();
    yields[side] = importBlock(*node.blocks[side]);
  }
  if (llvm::is_contained(yields[0], Value()) || llvm::is_contained(yields[1], Value()))
    return defineAll(outputs, Values(outputs.size()), loc);
  SmallVector<Type> types;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Type declared = declaredType(output);
    if (!declared)
      declared = joinTypes(yields[0][i].getType(), yields[1][i].getType());
    types.push_back(declared ? declared : AnyType::get(context));
  }
  if (!allWiden(yields[0], types) || !allWiden(yields[1], types)) {
    for (int side : {0, 1})
      yieldOpaque(*regions[side], yields[side], loc);
    return keep(node, operands, because("expected blocks of prim::If that end in its types"),
                std::move(regions), loc);
  }
  ArrayRef<Value> values[2] = {yields[0], yields[1]};
  defineAll(outputs, buildIf(loc, operands[0], regions.data(), values, types), loc);
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

static bool isTrueConstant(const graphtext::Node &node) {
  const graphtext::Attribute *value = node.name == "prim::Constant" ? node.find("value") : nullptr;
  const graphtext::Type *type = node.outputs.size() == 1 ? node.outputs.front().type : nullptr;
  return value && type && type->name == "bool" && value->integer != 0;
}

/// Whether a name stands for True where it is looked up now.
bool GraphImporter::isTrue(const graphtext::Value &value) const {
  auto bound = scope.find(StringRef(value.name));
  Value known = bound == scope.end() ? Value() : bound->second.value;
  return known && matchPattern(known, m_One()) && known.getType().isInteger(1);
}

/// Whether a loop's body always asks for another trip.
bool GraphImporter::endsInTrue(const Block &block) const {
  const graphtext::Value &last = block.outputs.front();
  auto names = [&](const graphtext::Value &value) { return value.name == last.name; };
  for (const Node *node : llvm::reverse(block.nodes))
    if (llvm::any_of(node->outputs, names))
      return isTrueConstant(*node);
  return llvm::none_of(block.inputs, names) && isTrue(last);
}

GraphImporter::LoopBody GraphImporter::importLoopBody(const Block &body, TypeRange types,
                                                      Location loc) {
  LoopBody made;
  OpenRegion open(builder, made.region);
  mlir::Block &block = made.region->front();
  definitions.emplace_back();
  define(body.inputs[0].name, {block.addArgument(builder.getI64Type(), loc)});
  for (auto [input, type] : llvm::zip(asArray(body.inputs).drop_front(), types))
    define(input.name, {block.addArgument(type, loc)});
  made.results = importBlock(body);
  return made;
}

void GraphImporter::importLoop(const Node &node, Operands operands, Location loc) {
  Names outputs = asArray(node.outputs);
  bool fits = operands.size() == outputs.size() + 2 && node.blocks.size() == 1 &&
              node.blocks[0]->inputs.size() == outputs.size() + 1 &&
              node.blocks[0]->outputs.size() == outputs.size() + 1 &&
              operands[0].getType().isInteger(64) && operands[1].getType().isInteger(1);
  SmallVector<Type> types;
  Operands initial = operands.drop_front(fits ? 2 : operands.size());
  for (auto [i, value] : llvm::enumerate(initial)) {
    Type declared = declaredType(node.blocks[0]->inputs[i + 1]);
    types.push_back(declared ? declared : value.getType());
  }
  if (!fits || !allWiden(initial, types))
    return keepWhole(node, operands,
                     "expected a number of trips, a condition and one block of prim::Loop that "
                     "takes the trip and as many values as the loop gives",
                     loc);
  bool counted = isTrue(node.inputs[1]) && endsInTrue(*node.blocks[0]);
  LoopBody body = importLoopBody(*node.blocks[0], types, loc);
  if (llvm::is_contained(body.results, Value()))
    return defineAll(outputs, Values(outputs.size()), loc);
  if (!body.results[0].getType().isInteger(1) ||
      !allWiden(ArrayRef(body.results).drop_front(), types)) {
    yieldOpaque(*body.region, body.results, loc);
    Regions blocks;
    blocks.push_back(std::move(body.region));
    return keep(node, operands, because("expected a block of prim::Loop that ends in its types"),
                std::move(blocks), loc);
  }
  Values carried = widenAll(initial, types, loc);
  defineAll(outputs,
            counted ? buildFor(operands[0], carried, std::move(body), loc)
                    : buildWhile(operands[0], operands[1], carried, std::move(body), loc),
            loc);
}

GraphImporter::Values GraphImporter::buildFor(Value trips, ValueRange initial, LoopBody body,
                                              Location loc) {
  auto loop =
      scf::ForOp::create(builder, loc, intConstant(0, loc), trips, intConstant(1, loc), initial);
  loop.getRegion().takeBody(*body.region);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, loc,
                       widenAll(ArrayRef(body.results).drop_front(), initial.getTypes(), loc));
  return Values(loop.getResults());
}

/// The loop carries whether to go on and what the block carries; and the trip, where the block or
/// the loop's end asks for it.
GraphImporter::Values GraphImporter::buildWhile(Value trips, Value test, ValueRange carried,
                                                LoopBody body, Location loc) {
  mlir::Block &trip = body.region->front();
  llvm::APInt count;
  bool endless = matchPattern(trips, m_ConstantInt(&count)) && count.isMaxSignedValue();
  bool counts = !endless || !trip.getArgument(0).use_empty();
  auto goesOn = [&](Value wanted, Value done) -> Value {
    if (endless)
      return wanted;
    Value inside = callOperator("aten::lt", {done, trips}, loc);
    return callOperator("aten::__and__", {inside, wanted}, loc);
  };
  Value zero = counts ? intConstant(0, loc) : Value();
  Values initial = {goesOn(test, zero)};
  if (counts)
    initial.push_back(zero);
  llvm::append_range(initial, carried);
  SmallVector<Type> types(ValueRange(initial).getTypes());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = scf::WhileOp::create(builder, loc, types, initial);
  OpBuilder::InsertionGuard guard(builder);
  mlir::Block *before = builder.createBlock(&loop.getBefore(), {}, types, locations);
  scf::ConditionOp::create(builder, loc, before->getArgument(0), before->getArguments());
  trip.insertArgument(0u, builder.getI1Type(), loc);
  if (!counts)
    trip.eraseArgument(1);
  loop.getAfter().takeBody(*body.region);
  builder.setInsertionPointToEnd(&trip);
  Values next = {body.results.front()};
  if (counts) {
    next.push_back(callOperator("aten::add", {trip.getArgument(1), intConstant(1, loc)}, loc));
    next.front() = goesOn(next.front(), next.back());
  }
  llvm::append_range(next, ArrayRef(body.results).drop_front());
  scf::YieldOp::create(builder, loc, widenAll(next, types, loc));
  return Values(loop.getResults().drop_front(counts ? 2 : 1));
}

//===----------------------------------------------------------------------===//
// Graphs beside the graph
//===----------------------------------------------------------------------===//

void GraphImporter::inlineGraph(const Node &node, Location loc) {
  const Block &body = *node.subgraph;
  Names outputs = asArray(node.outputs);
  SmallVector<Binding> operands;
  for (const graphtext::Value &input : node.inputs)
    operands.push_back(lookUp(input));
  // Behind its results a graph that is differentiated gives what its backward pass will ask for.
  bool mayGiveMore = operatorName(node) == "prim::DifferentiableGraph";
  bool fits =
      mayGiveMore ? outputs.size() <= body.outputs.size() : outputs.size() == body.outputs.size();
  if (operands.size() != body.inputs.size() || !fits) {
    error(loc) << "expected the graph " << StringRef(node.name)
               << " to take the node's operands and give its results";
    return defineAll(outputs, Values(outputs.size()), loc);
  }
  llvm::StringMap<Binding> outer;
  std::swap(outer, scope);
  definitions.emplace_back();
  for (auto [input, operand] : llvm::zip(body.inputs, operands))
    define(input.name, operand);
  Values results = importBlock(body);
  scope = std::move(outer);
  defineAll(outputs, results, loc);
}

} // namespace jit
