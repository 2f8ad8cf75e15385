//===- Regions.cpp - boxes that hold groups, branches and loops -----------===//

#include "Blocks.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace jit::draw {

static constexpr double padding = 8;
static constexpr double panelPadding = 12;
static constexpr double panelGap = 14;
static constexpr double stubHeight = 8;
static constexpr double panelTitleHeight = 18;

static std::string panelTitle(Operation *op, unsigned region) {
  static const char *const branch[] = {"then", "else"};
  static const char *const loop[] = {"condition", "body"};
  if (op->getNumRegions() != 2)
    return {};
  return isa<scf::WhileOp>(op) ? loop[region] : branch[region];
}

/// The results of the region that gives them are the last operands of its terminator.
static bool givesResults(Operation *op, unsigned region) {
  return !isa<scf::WhileOp>(op) || region == 0;
}

/// What comes from outside to where `entry` enters a region of `op`.
static SmallVector<Value> outsideOf(Operation *op, Value entry) {
  auto argument = dyn_cast<BlockArgument>(entry);
  if (!argument || argument.getOwner()->getParentOp() != op)
    return {entry};
  auto loop = dyn_cast<LoopLikeOpInterface>(op);
  if (!loop)
    return {};
  for (auto [init, inner] : llvm::zip(loop.getInits(), loop.getRegionIterArgs()))
    if (inner == argument)
      return sourcesOf(init);
  return {};
}

/// Side by side under the header.
static void placePanels(Operation *op, std::vector<Built> &parts, Box &box) {
  double inner = panelGap * double(parts.size() - 1);
  double tallest = 0;
  for (const Built &part : parts) {
    inner += part.panel.width + 2 * panelPadding;
    tallest = std::max(tallest, part.panel.height);
  }
  box.width = std::max(inner, headerWidth(box));
  bool titled = !panelTitle(op, 0).empty();
  double top = headerHeight(box) + padding + stubHeight + (titled ? panelTitleHeight : 0);
  box.height = top + tallest + stubHeight;
  double x = (box.width - inner) / 2 + panelPadding;
  for (auto [index, part] : llvm::enumerate(parts)) {
    part.panel.title = panelTitle(op, unsigned(index));
    part.panel.corner = {x, top};
    x += part.panel.width + 2 * panelPadding + panelGap;
  }
}

/// What an argument of a loop's region is; empty for a value from outside.
static std::string entryName(Operation *op, Value entry) {
  auto argument = dyn_cast<BlockArgument>(entry);
  if (!argument || argument.getOwner()->getParentOp() != op)
    return {};
  auto loop = dyn_cast<scf::ForOp>(op);
  return loop && loop.getInductionVar() == entry ? "trip" : "carried";
}

/// Leads lines from the box's upper border to where the values enter the parts.
static void connectEntries(Operation *op, const std::vector<Built> &parts, Node &node) {
  for (const Built &part : parts)
    for (const Port &entry : part.entries) {
      double at = part.panel.corner.x + entry.x;
      SmallVector<Value> outside = outsideOf(op, entry.value);
      for (Value value : outside)
        node.inputs.push_back({value, at});
      if (std::string name = entryName(op, entry.value); !name.empty())
        node.box.notes.push_back({name, {at + 4, part.panel.corner.y + 9}});
      if (!outside.empty())
        node.box.wires.push_back({{{at, 0}, {at, part.panel.corner.y}}});
    }
}

/// Leads lines from where the parts give a result to where it leaves the box, midway between.
static void connectResults(Operation *op, const std::vector<Built> &parts, Node &node) {
  for (OpResult result : op->getResults()) {
    size_t fromEnd = op->getNumResults() - result.getResultNumber();
    std::vector<Point> givers;
    double sum = 0;
    for (auto [index, part] : llvm::enumerate(parts)) {
      if (!givesResults(op, unsigned(index)) || part.exits.size() < fromEnd)
        continue;
      double x = part.panel.corner.x + part.exits[part.exits.size() - fromEnd];
      givers.push_back({x, part.panel.corner.y + part.panel.height});
      sum += x;
    }
    double at = givers.empty()
                    ? share(node.box.width, result.getResultNumber(), op->getNumResults())
                    : sum / double(givers.size());
    node.outputs.push_back({result, at});
    for (Point giver : givers)
      node.box.wires.push_back({{giver, {at, node.box.height}}});
  }
}

void joinRegions(Operation *op, std::vector<Built> &parts, Node &node) {
  placePanels(op, parts, node.box);
  connectEntries(op, parts, node);
  connectResults(op, parts, node);
  for (Built &part : parts)
    node.box.panels.push_back(std::move(part.panel));
}

} // namespace jit::draw
