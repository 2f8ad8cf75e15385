//===- ExportedControlFlow.cpp - branches and loops as graphs -------------===//

#include "Exporter.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/CustomOperators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// What graphs take
//===----------------------------------------------------------------------===//

/// What a value stands for, where it has no name of its own.
static bool isWrittenOut(Value value) {
  return isa_and_nonnull<arith::ConstantOp, ConstantOp, ListOp, TupleOp, DerefineOp,
                         UncheckedCastOp, ComplexOp>(value.getDefiningOp());
}

void Exporter::addCapture(Operation *op, Value value, llvm::SetVector<Value> &captures) {
  if (op->isAncestor(value.getParentBlock()->getParentOp()))
    return;
  if (!isWrittenOut(value)) {
    captures.insert(value);
    return;
  }
  for (Value part : value.getDefiningOp()->getOperands())
    addCapture(op, part, captures);
}

llvm::SetVector<Value> Exporter::capturesOf(Operation *op) {
  llvm::SetVector<Value> captures;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        addCapture(op, operand, captures);
    });
  return captures;
}

/// Tensors keep their names; numbers are what tensors hold, for the format has no lists of both.
bool Exporter::addOperands(ValueRange operands, Operation *op, Argument &list) {
  list = {.kind = Kind::List};
  for (Value operand : operands) {
    auto named = argument(operand, op);
    if (!named)
      return false;
    if (!isa<TensorType>(operand.getType()))
      named = tensorOf(*named, operand.getType(), op);
    list.elements.push_back(*named);
  }
  return true;
}

bool Exporter::takeInput(Value value, const exported::TensorMeta &meta) {
  Argument input{.kind = Kind::Tensor, .text = unique("arg")};
  graph->inputs.push_back(input);
  graph->tensors[input.text] = meta;
  if (!isa<TensorType>(value.getType()))
    return itemOf(input, value);
  values[value] = input;
  return true;
}

std::optional<exported::Graph> Exporter::subgraph(ArrayRef<Value> inputs, const Argument &operands,
                                                  llvm::function_ref<bool()> fill) {
  Graph inner;
  Graph *outer = std::exchange(graph, &inner);
  Values before = values;
  bool done = true;
  // All inputs come first, numbers are taken out of them afterwards.
  for (auto [value, operand] : llvm::zip(inputs, operands.elements))
    done = done && takeInput(value, outer->tensors[operand.text]);
  done = done && fill();
  graph = outer;
  values = std::move(before);
  return done ? std::optional(std::move(inner)) : std::nullopt;
}

static exported::Argument graphArgument(const std::string &name, exported::Graph graph) {
  return {.kind = exported::Argument::Kind::Graph,
          .text = name,
          .graph = std::make_shared<const exported::Graph>(std::move(graph))};
}

//===----------------------------------------------------------------------===//
// Numbers that graphs give
//===----------------------------------------------------------------------===//

/// The tensor that a number of this type is put into.
static exported::TensorMeta numberMeta(Type type) {
  return {.dtype = type.isF64()        ? ScalarType::Double
                   : type.isInteger(1) ? ScalarType::Bool
                                       : ScalarType::Long,
          .device = "cpu"};
}

std::optional<exported::Argument> Exporter::tensorOf(const Argument &number, Type type,
                                                     Operation *op) {
  exported::TensorMeta meta = numberMeta(type);
  Argument named{.kind = Kind::Tensor, .text = unique("scalar_tensor")};
  Argument dtype{.kind = Kind::Int,
                 .integer = static_cast<int64_t>(meta.dtype),
                 .names = Argument::Names::ScalarType};
  exported::Node node{.target = "torch.ops.aten.scalar_tensor.default"};
  node.inputs = {{"s", number}, {"dtype", dtype, /*isKeyword=*/true}};
  node.outputs = {named};
  graph->tensors[named.text] = std::move(meta);
  addNode(std::move(node), op->getLoc());
  return named;
}

bool Exporter::addYield(Operation *op, ValueRange yielded) {
  for (Value value : yielded) {
    auto named = argument(value, op);
    if (!named)
      return false;
    if (!isa<TensorType>(value.getType()))
      named = tensorOf(*named, value.getType(), op);
    graph->outputs.push_back(*named);
  }
  return true;
}

/// Names what the graphs of a node give, takes numbers out of it.
bool Exporter::addTaken(Operation *op, ValueRange results, exported::Node node) {
  SmallVector<std::pair<Value, Argument>> numbers;
  for (Value result : results) {
    if (isa<TensorType>(result.getType())) {
      auto named = define(result, "getitem");
      if (!named)
        return fail(op, "expected a tensor");
      node.outputs.push_back(*named);
      continue;
    }
    Argument named{.kind = Kind::Tensor, .text = unique("getitem")};
    graph->tensors[named.text] = numberMeta(result.getType());
    node.outputs.push_back(named);
    numbers.push_back({result, named});
  }
  addNode(std::move(node), op->getLoc());
  for (auto &[number, tensor] : numbers)
    if (!itemOf(tensor, number))
      return fail(op, "expected a number, got another value");
  return true;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

bool Exporter::addIf(scf::IfOp op) {
  // Branches without results are there for what they check.
  if (op.getNumResults() == 0)
    return fail(op, "expected a branch that gives values, got one that only checks");
  auto condition = argument(op.getCondition(), op);
  llvm::SetVector<Value> captures = capturesOf(op);
  Argument operands;
  if (!condition || !addOperands(captures.getArrayRef(), op, operands))
    return false;
  exported::Node node{.target = "torch.ops.higher_order.cond"};
  node.inputs = {{"", *condition}};
  std::string number = std::to_string(nextGraph++);
  for (Region *region : {&op.getThenRegion(), &op.getElseRegion()}) {
    auto inner = subgraph(captures.getArrayRef(), operands, [&] {
      return addBlock(region->front()) &&
             addYield(op, region->front().getTerminator()->getOperands());
    });
    if (!inner)
      return false;
    bool isThen = region == &op.getThenRegion();
    node.inputs.push_back(
        {"", graphArgument((isThen ? "true_graph_" : "false_graph_") + number, std::move(*inner))});
  }
  node.inputs.push_back({"", operands});
  return addTaken(op, op.getResults(), std::move(node));
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// What a loop carries must keep its sizes, as PyTorch demands.
bool Exporter::keepsSizes(Operation *op, ValueRange carried, const Argument &initial) {
  for (auto [value, operand] : llvm::zip(carried, initial.elements)) {
    if (!isa<TensorType>(value.getType()))
      continue;
    auto meta = sizes.describe(value);
    const exported::TensorMeta &first = graph->tensors[operand.text];
    bool same = meta && meta->dtype == first.dtype && meta->sizes.size() == first.sizes.size();
    for (size_t i = 0; same && i < first.sizes.size(); ++i)
      same = meta->sizes[i].value == first.sizes[i].value &&
             meta->sizes[i].expression == first.sizes[i].expression;
    if (!same)
      return fail(op, "expected a loop whose tensors keep their sizes and element types, got "
                      "another, which torch.while_loop does not take");
  }
  return true;
}

bool Exporter::addLoop(Operation *op, Loop loop, ArrayRef<Value> captures) {
  Argument initial, others;
  if (!addOperands(loop.initial, op, initial) || !addOperands(captures, op, others) ||
      !keepsSizes(op, loop.carried, initial))
    return false;
  Argument operands = initial;
  llvm::append_range(operands.elements, others.elements);
  SmallVector<Value> inputs(loop.carried);
  llvm::append_range(inputs, captures);
  auto test = subgraph(inputs, operands, loop.test);
  auto body = test ? subgraph(inputs, operands, loop.body) : std::nullopt;
  if (!body)
    return false;
  test->givesItsOutput = true;
  std::string number = std::to_string(nextGraph++);
  exported::Node node{.target = "torch.ops.higher_order.while_loop"};
  node.inputs = {{"", graphArgument("while_loop_cond_graph_" + number, std::move(*test))},
                 {"", graphArgument("while_loop_body_graph_" + number, std::move(*body))},
                 {"", initial},
                 {"", others}};
  return addTaken(op, loop.results, std::move(node));
}

/// The number of the trip is carried with the rest.
bool Exporter::addFor(scf::ForOp op) {
  llvm::SetVector<Value> captures = capturesOf(op);
  for (Value bound : {op.getUpperBound(), op.getStep()})
    addCapture(op, bound, captures);
  OpBuilder b(op.getContext());
  SmallVector<Value> initial = {op.getLowerBound()}, carried(op.getBody()->getArguments());
  llvm::append_range(initial, op.getInitArgs());
  // Behind the loop nobody asks for the trip: its name stands for what is carried of it.
  SmallVector<Value> results = {op.getInductionVar()};
  llvm::append_range(results, op.getResults());
  auto next = [&](const char *target, Value other) -> std::optional<Argument> {
    auto left = argument(op.getInductionVar(), op), right = argument(other, op);
    if (!left || !right)
      return std::nullopt;
    bool isTest = StringRef(target) == "_operator.lt";
    Argument named{.kind = isTest ? Kind::SymBool : Kind::SymInt, .text = unique("trip")};
    std::string function = isTest ? "StrictLessThan(" : "Add(";
    noteNumber(named, function + expressionOf(*left) + ", " + expressionOf(*right) + ")");
    exported::Node node{.target = target, .inputs = {{"a", *left}, {"b", *right}}};
    node.outputs = {named};
    addNode(std::move(node), op.getLoc());
    return named;
  };
  Loop loop{initial, carried, results};
  loop.test = [&] {
    auto test = next("_operator.lt", op.getUpperBound());
    if (test)
      graph->outputs.push_back(*tensorOf(*test, b.getI1Type(), op));
    return test.has_value();
  };
  loop.body = [&] {
    auto trip = addBlock(*op.getBody()) ? next("_operator.add", op.getStep()) : std::nullopt;
    if (trip)
      graph->outputs.push_back(*tensorOf(*trip, b.getI64Type(), op));
    return trip && addYield(op, op.getBody()->getTerminator()->getOperands());
  };
  return addLoop(op, std::move(loop), captures.getArrayRef());
}

/// The test stands in both graphs, and once more behind the loop: what it hands on is the result.
bool Exporter::addWhile(scf::WhileOp op) {
  llvm::SetVector<Value> captures = capturesOf(op);
  Block &before = *op.getBeforeBody(), &after = *op.getAfterBody();
  scf::ConditionOp test = op.getConditionOp();
  Operation *once = nullptr;
  before.walk([&](Operation *inner) {
    bool draws = isa<AtenOpInterface>(inner) && schemaOf(inner).contains("Generator?");
    once = draws || isa<GuardOp>(inner) ? inner : once;
  });
  if (once)
    return fail(once, "expected a loop whose condition draws no random numbers and checks nothing, "
                      "for it is written twice; do so in the loop");
  SmallVector<Value> initial(op.getInits()), carried(before.getArguments());
  auto handOn = [&](ValueRange to) {
    for (auto [value, given] : llvm::zip(to, test.getArgs())) {
      auto named = argument(given, op);
      if (!named)
        return false;
      values[value] = *named;
    }
    return true;
  };
  Loop loop{initial, carried, carried};
  loop.test = [&] { return addBlock(before) && addYield(op, test.getCondition()); };
  loop.body = [&] {
    return addBlock(before) && handOn(after.getArguments()) && addBlock(after) &&
           addYield(op, op.getYieldOp().getOperands());
  };
  return addLoop(op, std::move(loop), captures.getArrayRef()) && addBlock(before) &&
         handOn(op.getResults());
}

} // namespace jit
