//===- Picture.cpp - a function as boxes and lines ------------------------===//

#include "Picture.h"
#include "Blocks.h"
#include "Labels.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace jit::draw {

/// Where a condition or a bound meets the box of a branch or a loop.
static constexpr double firstPort = 8;
static constexpr double portGap = 10;
static constexpr size_t maxBoxes = 20000;

//===----------------------------------------------------------------------===//
// What is drawn
//===----------------------------------------------------------------------===//

namespace {
class Builder {
public:
  LogicalResult build(func::FuncOp function, Picture &picture);

private:
  Node buildOperator(Operation *op, bool inGroup);
  Node buildNest(Operation *op);
  Node buildHead(Value value, StringRef text, Style style);
  std::vector<Node> buildArguments(func::FuncOp function);
  std::vector<Node> buildNodes(Block &block);
  void finishFunction(func::FuncOp function, std::vector<Node> &nodes);

  std::vector<GroupEntry> groups;
};
} // namespace

/// Operators whose regions are drawn.
static bool isNest(Operation *op) { return isa<GroupOp, RegionBranchOpInterface>(op); }

static Style styleOf(Operation *op) {
  if (isa<ViewOpInterface>(op))
    return Style::View;
  auto isTensor = [](Type type) { return isa<TensorType, ShapedType>(type); };
  if (op->getNumResults() > 0 && llvm::none_of(op->getResultTypes(), isTensor))
    return Style::Number;
  return Style::Operator;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void addPorts(Operation *op, Node &node) {
  SmallVector<Value> sources = sourcesOf(op->getOperands());
  for (auto [index, value] : llvm::enumerate(sources))
    node.inputs.push_back({value, share(node.box.width, index, sources.size())});
  SmallVector<Value> results(llvm::make_filter_range(
      op->getResults(), [](OpResult result) { return !result.use_empty(); }));
  for (auto [index, result] : llvm::enumerate(results))
    node.outputs.push_back({result, share(node.box.width, index, results.size())});
}

Node Builder::buildOperator(Operation *op, bool inGroup) {
  if (isNest(op))
    return buildNest(op);
  Node node{.box = {.style = styleOf(op),
                    .lines = describeOperator(op, /*types=*/!inGroup),
                    .tooltip = tooltipFor(op)}};
  fitToText(node.box);
  addPorts(op, node);
  return node;
}

std::vector<Node> Builder::buildNodes(Block &block) {
  std::vector<Node> nodes;
  bool inGroup = isa<GroupOp>(block.getParentOp());
  for (Operation &op : block)
    if (!isTransparent(&op) && !op.hasTrait<OpTrait::IsTerminator>())
      nodes.push_back(buildOperator(&op, inGroup));
  return nodes;
}

//===----------------------------------------------------------------------===//
// Groups, branches and loops
//===----------------------------------------------------------------------===//

/// The operators of a group in order, each name once: "mul, tanh x2".
static std::string summarize(Block &body) {
  llvm::MapVector<StringRef, unsigned> counts;
  for (Operation &op : body)
    if (isa<AtenOpInterface>(&op))
      ++counts[op.getName().stripDialect().split('.').first];
  std::string text;
  for (auto [name, count] : counts)
    text +=
        (text.empty() ? "" : ", ") + name.str() + (count > 1 ? " x" + std::to_string(count) : "");
  return text;
}

static std::string tripsOf(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  auto trips = loop ? loop.getStaticTripCount() : std::nullopt;
  return trips ? ", " + llvm::toString(*trips, 10, /*Signed=*/false) + " trips" : std::string();
}

static std::string titleOf(Operation *op) {
  if (isa<scf::IfOp>(op))
    return "if";
  if (isa<LoopLikeOpInterface>(op))
    return (isa<scf::WhileOp>(op) ? "while" : "for") + tripsOf(op);
  return operatorName(op);
}

static Built buildRegion(Block &block, std::vector<Node> nodes) {
  std::vector<SmallVector<Value>> exits;
  for (Value operand : block.getTerminator()->getOperands())
    exits.push_back(sourcesOf(operand));
  return layOutBlock(block, std::move(nodes), exits);
}

Node Builder::buildNest(Operation *op) {
  Node node{.box = {.style = Style::Control, .tooltip = tooltipFor(op)}};
  if (auto group = dyn_cast<GroupOp>(op)) {
    node.box.style = Style::Group;
    node.box.group = unsigned(groups.size() + 1);
    groups.push_back({node.box.group, summarize(group.getBody().front())});
    node.box.lines = {{TextLine::Role::Title, "group " + std::to_string(node.box.group)},
                      {TextLine::Role::Type, describeType(group.getResultTypes()[0])}};
  } else {
    node.box.lines = {{TextLine::Role::Title, titleOf(op)}};
  }
  std::vector<Built> parts;
  for (Region &region : op->getRegions())
    if (!region.empty())
      parts.push_back(buildRegion(region.front(), buildNodes(region.front())));
  SmallVector<Value> own;
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  for (Value value : sourcesOf(op->getOperands()))
    if (!loop || !llvm::is_contained(loop.getInits(), value))
      own.push_back(value);
  for (auto [index, value] : llvm::enumerate(own))
    node.inputs.push_back({value, firstPort + portGap * double(index)});
  joinRegions(op, parts, node);
  return node;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Node Builder::buildHead(Value value, StringRef text, Style style) {
  Node node{.box = {.style = style,
                    .lines = {{TextLine::Role::Title, shorten(text, 40)},
                              {TextLine::Role::Type, describeType(value.getType())}}}};
  fitToText(node.box);
  return node;
}

/// "state PATH", the name in Python, or "argument 1.0".
static std::string argumentName(func::FuncOp function, unsigned index) {
  if (auto slot = function.getArgAttrOfType<StringAttr>(index, slotAttr))
    return "state " + slot.str();
  if (auto name = function.getArgAttrOfType<StringAttr>(index, nameAttr))
    return name.str();
  auto path = function.getArgAttrOfType<DenseI64ArrayAttr>(index, argPathAttr);
  if (!path)
    return "argument " + std::to_string(index);
  auto steps = llvm::map_range(path.asArrayRef(), [](int64_t i) { return std::to_string(i); });
  return "argument " + llvm::join(steps, ".");
}

std::vector<Node> Builder::buildArguments(func::FuncOp function) {
  std::vector<Node> nodes;
  for (BlockArgument argument : function.getArguments()) {
    if (isWritten(argument))
      continue;
    Node node = buildHead(argument, argumentName(function, argument.getArgNumber()), Style::Input);
    node.outputs.push_back({argument, node.box.width / 2});
    nodes.push_back(std::move(node));
  }
  return nodes;
}

/// A box for each result that is not written.
void Builder::finishFunction(func::FuncOp function, std::vector<Node> &nodes) {
  Operation *end = function.getBody().front().getTerminator();
  for (auto [index, operand] : llvm::enumerate(end->getOperands())) {
    SmallVector<Value> sources = sourcesOf(operand);
    if (sources.empty())
      continue;
    std::string name = end->getNumOperands() > 1 ? "result " + std::to_string(index) : "result";
    Node node = buildHead(operand, name, Style::Result);
    for (auto [place, value] : llvm::enumerate(sources))
      node.inputs.push_back({value, share(node.box.width, place, sources.size())});
    nodes.push_back(std::move(node));
  }
}

static LogicalResult checkDrawable(func::FuncOp function) {
  size_t boxes = 0;
  WalkResult walk = function.walk([&](Operation *op) {
    boxes += isTransparent(op) ? 0 : 1;
    if (op != function && !isNest(op))
      return WalkResult::advance();
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.hasOneBlock()) {
        op->emitError("expected structured control flow to draw, got branches between blocks");
        return WalkResult::interrupt();
      }
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  if (boxes > maxBoxes)
    return function.emitError("expected at most ")
           << maxBoxes << " operators to draw, got " << boxes;
  return success();
}

LogicalResult Builder::build(func::FuncOp function, Picture &picture) {
  if (failed(checkDrawable(function)))
    return failure();
  std::vector<Node> nodes = buildArguments(function);
  Block &body = function.getBody().front();
  for (Node &node : buildNodes(body))
    nodes.push_back(std::move(node));
  finishFunction(function, nodes);
  picture.title = function.getName().str();
  picture.panel = layOutBlock(body, std::move(nodes), {}).panel;
  picture.groups = std::move(groups);
  return success();
}

FailureOr<Picture> buildPicture(func::FuncOp function) {
  Picture picture;
  if (failed(Builder().build(function, picture)))
    return failure();
  return picture;
}

} // namespace jit::draw
