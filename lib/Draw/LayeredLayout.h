//===- LayeredLayout.h - where the boxes of a graph go -----------*- C++ -*-===//
//
// Boxes in layers from top to bottom, each below all that it uses. Knows nothing of what a box
// shows. All lengths are in pixels.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_DRAW_LAYEREDLAYOUT_H
#define JIT_LIB_DRAW_LAYEREDLAYOUT_H

#include <cstddef>
#include <vector>

namespace jit::draw {

struct Point {
  double x = 0;
  double y = 0;
};

enum class Rank {
  Free,
  First, ///< in the first layer, with others of its kind alone
  Last,  ///< in the last layer, with others of its kind alone
};

struct LayoutNode {
  double width = 0;
  double height = 0;
  Rank rank = Rank::Free;
};

/// From the lower end of one node to the upper end of one that stands behind it in the list.
struct LayoutEdge {
  size_t from = 0;
  size_t to = 0;
  double fromX = 0; ///< where it starts, from the node's left end
  double toX = 0;
};

struct Layout {
  double width = 0;
  double height = 0;
  /// The upper left corner of each node.
  std::vector<Point> corners = {};
  /// The points that each edge runs through. Between two of one x it is straight, between others a
  /// curve that starts and ends upright.
  std::vector<std::vector<Point>> routes = {};
};

/// Takes about as long as there are nodes and edges, an edge counted once for each layer it spans.
Layout layOut(const std::vector<LayoutNode> &nodes, const std::vector<LayoutEdge> &edges);

} // namespace jit::draw

#endif // JIT_LIB_DRAW_LAYEREDLAYOUT_H
