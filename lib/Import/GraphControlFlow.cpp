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

Value GraphImporter::condition(Value value, Location loc) {
  if (value && (value.getDefiningOp<MissingOp>() || !value.getType().isInteger(1))) {
    if (!value.getDefiningOp<MissingOp>())
      error(loc) << "expected a condition of type bool, got " << spell(value.getType());
    value = unknown();
  }
  return value ? value : boolConstant(false, loc);
}

/// Unknown values, after an error, as values of their types.
GraphImporter::Values GraphImporter::widenAll(ValueRange values, TypeRange types, Location loc) {
  Values widened;
  for (auto [value, type] : llvm::zip(values, types)) {
    Value as = widen(value, type, loc, "value");
    widened.push_back(as ? as : Value(PoisonOp::create(builder, loc, type)));
  }
  return widened;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

void GraphImporter::importIf(const Node &node, Location loc) {
  Values operands = useAll(asArray(node.inputs));
  Names outputs = asArray(node.outputs);
  bool fits = operands.size() == 1 && node.blocks.size() == 2 &&
              llvm::all_of(node.blocks, [&](const Block *block) {
                return block->inputs.empty() && block->outputs.size() == outputs.size();
              });
  if (!fits) {
    error(loc) << "expected a condition and two blocks of prim::If that end in as many values as "
                  "it gives";
    return defineAll(outputs, Values(outputs.size()), loc);
  }
  Value test = condition(operands.front(), loc);
  std::unique_ptr<Region> regions[2];
  Values yields[2];
  for (int side : {0, 1}) {
    OpenRegion open(builder, regions[side]);
    definitions.emplace_back();
    yields[side] = importBlock(*node.blocks[side]);
  }
  SmallVector<Type> types;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Type declared = declaredType(output);
    Value a = yields[0][i], b = yields[1][i];
    if (!declared && a && b)
      declared = joinTypes(a.getType(), b.getType());
    types.push_back(declared ? declared : AnyType::get(context));
  }
  for (int side : {0, 1}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(&regions[side]->front());
    yields[side] = widenAll(yields[side], types, loc);
  }
  ArrayRef<Value> values[2] = {yields[0], yields[1]};
  defineAll(outputs, buildIf(loc, test, regions, values, types), loc);
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// Whether a block's value is True in the program.
bool GraphImporter::isTrue(const graphtext::Value &value, const Block &block) const {
  if (auto bound = scope.find(StringRef(value.name)); bound != scope.end()) {
    Value outer = bound->second.value;
    return outer && matchPattern(outer, m_One()) && outer.getType().isInteger(1);
  }
  return llvm::any_of(block.nodes, [&](const Node *node) {
    const Attribute *constant = node->name == "prim::Constant" ? node->find("value") : nullptr;
    return constant && node->outputs.size() == 1 && node->outputs.front().name == value.name &&
           node->outputs.front().type && node->outputs.front().type->name == "bool" &&
           constant->integer != 0;
  });
}

/// The initial values under the types that the block declares.
GraphImporter::Values GraphImporter::carriedValues(const Block &block, ValueRange initial,
                                                   Location loc) {
  SmallVector<Type> types;
  for (auto [input, value] : llvm::zip(asArray(block.inputs).drop_front(), initial)) {
    Type declared = declaredType(input);
    types.push_back(declared ? declared : value ? value.getType() : AnyType::get(context));
  }
  return widenAll(initial, types, loc);
}

void GraphImporter::importLoop(const Node &node, Location loc) {
  Values operands = useAll(asArray(node.inputs));
  Names outputs = asArray(node.outputs);
  bool fits = operands.size() == outputs.size() + 2 && node.blocks.size() == 1 &&
              node.blocks[0]->inputs.size() == outputs.size() + 1 &&
              node.blocks[0]->outputs.size() == outputs.size() + 1;
  Value trips = fits ? operands[0] : Value();
  if (!fits || (trips && !trips.getType().isInteger(64))) {
    error(loc) << "expected a number of trips, a condition and one block of prim::Loop that takes "
                  "the trip and as many values as the loop gives";
    return defineAll(outputs, Values(outputs.size()), loc);
  }
  if (!trips)
    operands[0] = trips = intConstant(0, loc);
  const Block &body = *node.blocks[0];
  bool counted = isTrue(node.inputs[1], body) && isTrue(body.outputs.front(), body);
  Values initial = carriedValues(body, ArrayRef(operands).drop_front(2), loc);
  if (counted)
    return importFor(node, trips, std::move(initial), loc);
  Values all = {trips, condition(operands[1], loc)};
  all.append(initial);
  importWhile(node, std::move(all), loc);
}

void GraphImporter::importFor(const Node &node, Value trips, Values initial, Location loc) {
  const Block &body = *node.blocks[0];
  auto loop =
      scf::ForOp::create(builder, loc, intConstant(0, loc), trips, intConstant(1, loc), initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    // Without carried values the loop comes with a terminator.
    if (!loop.getBody()->empty())
      loop.getBody()->back().erase();
    builder.setInsertionPointToStart(loop.getBody());
    definitions.emplace_back();
    Values arguments = {loop.getInductionVar()};
    arguments.append(loop.getRegionIterArgs().begin(), loop.getRegionIterArgs().end());
    for (auto [input, argument] : llvm::zip(body.inputs, arguments))
      define(input.name, {argument}, loc);
    Values results = importBlock(body);
    scf::YieldOp::create(
        builder, loc,
        widenAll(ArrayRef(results).drop_front(), ValueRange(initial).getTypes(), loc));
  }
  defineAll(asArray(node.outputs), loop.getResults(), loc);
}

/// Whether any node of the block, or of one inside of it, takes the value.
static bool isUsed(std::string_view name, const graphtext::Block &block) {
  auto names = [&](const graphtext::Value &value) { return name == value.name; };
  return llvm::any_of(block.outputs, names) ||
         llvm::any_of(block.nodes, [&](const graphtext::Node *node) {
           return llvm::any_of(node->inputs, names) ||
                  llvm::any_of(node->blocks,
                               [&](const graphtext::Block *inner) { return isUsed(name, *inner); });
         });
}

/// The loop carries whether to go on and what the block carries; and the trip, where the block or
/// the loop's end asks for it.
void GraphImporter::importWhile(const Node &node, Values operands, Location loc) {
  const Block &body = *node.blocks[0];
  Value trips = operands[0], zero;
  llvm::APInt count;
  bool endless = matchPattern(trips, m_ConstantInt(&count)) && count.isMaxSignedValue();
  bool counts = !endless || isUsed(body.inputs[0].name, body);
  auto goesOn = [&](Value wanted, Value trip) -> Value {
    if (endless)
      return wanted;
    Value inside = callOperator("aten::lt", {trip, trips}, loc);
    return callOperator("aten::__and__", {inside, wanted}, loc);
  };
  if (counts)
    zero = intConstant(0, loc);
  Values initial = {goesOn(operands[1], zero)};
  if (counts)
    initial.push_back(zero);
  initial.append(operands.begin() + 2, operands.end());
  SmallVector<Type> types(ValueRange(initial).getTypes());
  SmallVector<Location> locations(types.size(), loc);
  auto loop = scf::WhileOp::create(builder, loc, types, initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *test = builder.createBlock(&loop.getBefore(), {}, types, locations);
    scf::ConditionOp::create(builder, loc, test->getArgument(0), test->getArguments());
    mlir::Block *trip = builder.createBlock(&loop.getAfter(), {}, types, locations);
    definitions.emplace_back();
    ValueRange arguments = trip->getArguments().drop_front(counts ? 2 : 1);
    if (counts)
      define(body.inputs[0].name, {trip->getArgument(1)}, loc);
    for (auto [input, argument] : llvm::zip(asArray(body.inputs).drop_front(), arguments))
      define(input.name, {argument}, loc);
    Values results = importBlock(body);
    Values next = {condition(results.front(), loc)};
    if (counts) {
      next.push_back(callOperator("aten::add", {trip->getArgument(1), intConstant(1, loc)}, loc));
      next.front() = goesOn(next.front(), next.back());
    }
    next.append(results.begin() + 1, results.end());
    scf::YieldOp::create(builder, loc, widenAll(next, types, loc));
  }
  defineAll(asArray(node.outputs), loop.getResults().drop_front(counts ? 2 : 1), loc);
}

//===----------------------------------------------------------------------===//
// Graphs beside the graph
//===----------------------------------------------------------------------===//

void GraphImporter::inlineGraph(const Node &node, const Block &body, Location loc) {
  Names outputs = asArray(node.outputs);
  SmallVector<Binding> operands;
  for (const graphtext::Value &input : node.inputs)
    operands.push_back(lookUp(input));
  if (operands.size() != body.inputs.size() || outputs.size() != body.outputs.size() ||
      llvm::is_contained(inlined, &body)) {
    error(loc) << "expected " << StringRef(node.name)
               << " to be a graph of the node's operands and results that does not contain itself";
    return defineAll(outputs, Values(outputs.size()), loc);
  }
  llvm::StringMap<Binding> outer;
  std::swap(outer, scope);
  inlined.push_back(&body);
  definitions.emplace_back();
  for (auto [input, operand] : llvm::zip(body.inputs, operands))
    define(input.name, operand, loc);
  Values results = importBlock(body);
  inlined.pop_back();
  scope = std::move(outer);
  defineAll(outputs, results, loc);
}

} // namespace jit
