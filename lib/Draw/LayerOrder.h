//===- LayerOrder.h - the order of places in layers --------------*- C++ -*-===//
#ifndef JIT_LIB_DRAW_LAYERORDER_H
#define JIT_LIB_DRAW_LAYERORDER_H

#include <cstddef>
#include <vector>

namespace jit::draw {

/// The other end of an edge between two layers, and where the edge meets both ends.
struct Link {
  size_t other = 0;
  double x = 0;
  double otherX = 0;
};

/// What takes up room in a layer: a node, or the bend of an edge that passes through.
struct Place {
  double width = 0;
  double x = 0;
  size_t layer = 0;
  size_t order = 0; ///< in its layer, from the left
  bool isBend = false;
  std::vector<Link> above = {};
  std::vector<Link> below = {};
};

struct LayeredGraph {
  std::vector<Place> places = {};
  /// The places of each layer, from the left.
  std::vector<std::vector<size_t>> layers = {};

  size_t add(double width, bool isBend, size_t layer) {
    places.push_back(
        {.width = width, .layer = layer, .order = layers[layer].size(), .isBend = isBend});
    layers[layer].push_back(places.size() - 1);
    return places.size() - 1;
  }
  /// `to` is in the layer below that of `from`.
  void connect(size_t from, size_t to, double fromX, double toX) {
    places[from].below.push_back({to, fromX, toX});
    places[to].above.push_back({from, toX, fromX});
  }
};

/// Orders each layer so that few edges cross.
void orderLayers(LayeredGraph &graph);

} // namespace jit::draw

#endif // JIT_LIB_DRAW_LAYERORDER_H
