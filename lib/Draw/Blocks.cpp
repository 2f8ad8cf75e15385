//===- Blocks.cpp - a block's boxes in their places -----------------------===//

#include "Blocks.h"
#include "Labels.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace jit::draw {

static constexpr double padding = 8;
static constexpr double noteWidth = 50;
static constexpr double smallestPanel = 60;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

double textWidth(const TextLine &line) {
  double size = line.role == TextLine::Role::Title ? 7.3 : 6.1;
  size_t characters = 0;
  for (char c : line.text)
    characters += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return size * double(characters);
}

double textHeight(const TextLine &line) { return line.role == TextLine::Role::Title ? 16 : 13; }

double headerHeight(const Box &box) {
  double height = box.lines.empty() ? 0 : padding;
  for (const TextLine &line : box.lines)
    height += textHeight(line);
  return height;
}

double headerWidth(const Box &box) {
  double width = 0;
  for (const TextLine &line : box.lines)
    width = std::max(width, textWidth(line));
  return width + 2 * padding;
}

void fitToText(Box &box) {
  box.width = std::max(headerWidth(box), 44.0);
  box.height = headerHeight(box) + padding;
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

SmallVector<Value> sourcesOf(ValueRange values) {
  SmallVector<Value> sources;
  for (Value value : values)
    findSources(value, sources);
  llvm::SmallSetVector<Value, 4> unique(sources.begin(), sources.end());
  return unique.takeVector();
}

namespace {
/// Collects the nodes of a block and the edges between them, and lays them out.
class BlockLayout {
public:
  BlockLayout(Block &block, std::vector<Node> nodes) : block(block), nodes(std::move(nodes)) {}

  /// `exits` are given ports at the lower end.
  Built run(ArrayRef<SmallVector<Value>> exits);

private:
  void addEntries(ArrayRef<SmallVector<Value>> exits);
  void connect(Value value, size_t to, double toX);
  void addWire(size_t edge, const Layout &layout);

  struct Source {
    size_t node;
    double x;
  };

  Block &block;
  std::vector<Node> nodes;
  std::vector<LayoutNode> places;
  std::vector<LayoutEdge> edges;
  std::vector<Value> carried; // by each edge
  llvm::DenseMap<Value, Source> sources;
  Built built;
};
} // namespace

void BlockLayout::addEntries(ArrayRef<SmallVector<Value>> exits) {
  llvm::DenseSet<Value> inside;
  for (const Node &node : nodes)
    for (const Port &port : node.outputs)
      inside.insert(port.value);
  llvm::SetVector<Value> entries;
  auto use = [&](Value value) {
    if (!inside.contains(value))
      entries.insert(value);
  };
  for (const Node &node : nodes)
    for (const Port &port : node.inputs)
      use(port.value);
  for (const SmallVector<Value> &exit : exits)
    llvm::for_each(exit, use);
  for (Value value : entries) {
    sources[value] = {places.size(), 0};
    places.push_back({isa<BlockArgument>(value) ? noteWidth : 0, 0, Rank::First});
    built.entries.push_back({value, 0});
  }
}

void BlockLayout::connect(Value value, size_t to, double toX) {
  Source source = sources.lookup(value);
  edges.push_back({source.node, to, source.x, toX});
  carried.push_back(value);
}

void BlockLayout::addWire(size_t edge, const Layout &layout) {
  bool toBox = places[edges[edge].to].width > 0;
  built.panel.wires.push_back({layout.routes[edge], toBox, describeType(carried[edge].getType())});
}

Built BlockLayout::run(ArrayRef<SmallVector<Value>> exits) {
  addEntries(exits);
  for (Node &node : nodes) {
    for (const Port &port : node.outputs)
      sources[port.value] = {places.size(), port.x};
    for (const Port &port : node.inputs)
      connect(port.value, places.size(), port.x);
    places.push_back({node.box.width, node.box.height});
  }
  for (const SmallVector<Value> &exit : exits) {
    for (Value value : exit)
      connect(value, places.size(), 0);
    places.push_back({0, 0, Rank::Last});
  }
  Layout layout = layOut(places, edges);
  double left = std::max(0.0, (smallestPanel - layout.width) / 2);
  built.panel.width = layout.width + 2 * left;
  built.panel.height = layout.height;
  for (Point &corner : layout.corners)
    corner.x += left;
  for (std::vector<Point> &route : layout.routes)
    for (Point &point : route)
      point.x += left;
  for (size_t i = 0; i < built.entries.size(); ++i)
    built.entries[i].x = layout.corners[i].x;
  for (size_t i = 0; i < exits.size(); ++i)
    built.exits.push_back(layout.corners[places.size() - exits.size() + i].x);
  for (size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].box.corner = layout.corners[built.entries.size() + i];
    built.panel.boxes.push_back(std::move(nodes[i].box));
  }
  for (size_t i = 0; i < edges.size(); ++i)
    addWire(i, layout);
  return std::move(built);
}

Built layOutBlock(Block &block, std::vector<Node> nodes, ArrayRef<SmallVector<Value>> exits) {
  return BlockLayout(block, std::move(nodes)).run(exits);
}

} // namespace jit::draw
