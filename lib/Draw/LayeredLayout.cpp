//===- LayeredLayout.cpp - where the boxes of a graph go ------------------===//
//
// Sugiyama's method: layers by longest path, an edge's bends as places in the layers between, their
// order by the means of neighbours, their x by least squares in each layer.
//
//===----------------------------------------------------------------------===//

#include "LayeredLayout.h"
#include "LayerOrder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace jit::draw {

static constexpr double boxGap = 26;
static constexpr double lineGap = 12;
static constexpr double layerGap = 26;
static constexpr double maxLayerGap = 90;

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// A node without users of its own stands as high as it can, one without inputs as low.
static std::vector<size_t> assignLayers(const std::vector<LayoutNode> &nodes,
                                        const std::vector<LayoutEdge> &edges) {
  std::vector<std::vector<size_t>> out(nodes.size());
  std::vector<bool> hasInput(nodes.size(), false);
  for (const LayoutEdge &edge : edges) {
    out[edge.from].push_back(edge.to);
    hasInput[edge.to] = true;
  }
  bool hasFirst = std::any_of(nodes.begin(), nodes.end(),
                              [](const LayoutNode &node) { return node.rank == Rank::First; });
  std::vector<size_t> layers(nodes.size(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].rank != Rank::First)
      layers[i] = std::max<size_t>(layers[i], hasFirst ? 1 : 0);
    for (size_t user : out[i])
      layers[user] = std::max(layers[user], layers[i] + 1);
  }
  size_t last = 0;
  for (size_t i = 0; i < nodes.size(); ++i)
    last = std::max(last, layers[i] + (nodes[i].rank == Rank::Last ? 0 : 1));
  for (size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].rank == Rank::Last) {
      layers[i] = last;
    } else if (nodes[i].rank == Rank::Free && !hasInput[i] && !out[i].empty()) {
      size_t lowest = last;
      for (size_t user : out[i])
        lowest = std::min(lowest, layers[user] - 1);
      layers[i] = lowest;
    }
  }
  return layers;
}

static LayeredGraph spread(const std::vector<LayoutNode> &nodes,
                           const std::vector<LayoutEdge> &edges,
                           std::vector<std::vector<size_t>> &paths) {
  std::vector<size_t> layers = assignLayers(nodes, edges);
  LayeredGraph graph;
  graph.layers.resize(nodes.empty() ? 0 : *std::max_element(layers.begin(), layers.end()) + 1);
  for (size_t i = 0; i < nodes.size(); ++i)
    graph.add(nodes[i].width, /*isBend=*/nodes[i].width == 0, layers[i]);
  for (const LayoutEdge &edge : edges) {
    std::vector<size_t> path = {edge.from};
    for (size_t layer = layers[edge.from] + 1; layer < layers[edge.to]; ++layer)
      path.push_back(graph.add(/*width=*/0, /*isBend=*/true, layer));
    path.push_back(edge.to);
    for (size_t i = 0; i + 1 < path.size(); ++i)
      graph.connect(path[i], path[i + 1], i == 0 ? edge.fromX : 0,
                    i + 2 == path.size() ? edge.toX : 0);
    paths.push_back(std::move(path));
  }
  return graph;
}

//===----------------------------------------------------------------------===//
// Across
//===----------------------------------------------------------------------===//

/// How much a place wants to be straight above or below a neighbour: bends most, so that long edges
/// are straight. Those that are far off want it less: so the sum of distances gets small, not that
/// of squares, and most lines are straight where some have to bend.
static double pull(const LayeredGraph &graph, size_t place, const Link &link) {
  const Place &here = graph.places[place];
  const Place &there = graph.places[link.other];
  double strength = here.isBend && there.isBend ? 8 : here.isBend || there.isBend ? 2 : 1;
  return strength / std::max(1.0, std::abs(here.x + link.x - there.x - link.otherX));
}

namespace {
/// A run of places of a layer that touch: they move as one.
struct Run {
  double wish = 0;
  double weight = 0;
  size_t count = 0;
};
} // namespace

/// Moves a layer's places as near to where they want to be as their order allows: of all such ways
/// the one with the least squares, by pooling neighbours that would overlap.
static void settle(LayeredGraph &graph, const std::vector<size_t> &layer, bool above, bool below) {
  std::vector<Run> runs;
  std::vector<double> offsets;
  double offset = 0;
  for (size_t i = 0; i < layer.size(); ++i) {
    Place &place = graph.places[layer[i]];
    if (i > 0) {
      const Place &left = graph.places[layer[i - 1]];
      offset += left.width + (left.isBend && place.isBend ? lineGap : boxGap);
    }
    offsets.push_back(offset);
    double weight = 1e-4;
    double sum = weight * place.x;
    auto pulled = [&](const std::vector<Link> &links) {
      for (const Link &link : links) {
        double strength = pull(graph, layer[i], link);
        sum += strength * (graph.places[link.other].x + link.otherX - link.x);
        weight += strength;
      }
    };
    if (above)
      pulled(place.above);
    if (below)
      pulled(place.below);
    runs.push_back({sum / weight - offset, weight, 1});
    while (runs.size() > 1 && runs[runs.size() - 2].wish > runs.back().wish) {
      Run last = runs.back();
      runs.pop_back();
      Run &run = runs.back();
      run.wish = (run.wish * run.weight + last.wish * last.weight) / (run.weight + last.weight);
      run.weight += last.weight;
      run.count += last.count;
    }
  }
  size_t index = 0;
  for (const Run &run : runs)
    for (size_t i = 0; i < run.count; ++i, ++index)
      graph.places[layer[index]].x = run.wish + offsets[index];
}

static void placeAcross(LayeredGraph &graph) {
  for (const std::vector<size_t> &layer : graph.layers) {
    double x = 0;
    for (size_t place : layer) {
      graph.places[place].x = x;
      x += graph.places[place].width + boxGap;
    }
  }
  static constexpr int sweeps = 60;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    bool both = sweep >= 6;
    for (const std::vector<size_t> &layer : graph.layers)
      settle(graph, layer, /*above=*/true, /*below=*/both);
    for (size_t i = graph.layers.size(); i-- > 0;)
      settle(graph, graph.layers[i], /*above=*/both, /*below=*/true);
  }
  double least = 0;
  for (size_t i = 0; i < graph.places.size(); ++i)
    least = i == 0 ? graph.places[i].x : std::min(least, graph.places[i].x);
  for (Place &place : graph.places)
    place.x -= least;
}

//===----------------------------------------------------------------------===//
// Down
//===----------------------------------------------------------------------===//

namespace {
struct Band {
  double top = 0;
  double bottom = 0;
};
} // namespace

/// Edges that go far across need more room between their layers to look like edges.
static double gapBelow(const LayeredGraph &graph, const std::vector<size_t> &layer) {
  double farthest = 0;
  for (size_t place : layer)
    for (const Link &link : graph.places[place].below)
      farthest = std::max(farthest, std::abs(graph.places[place].x + link.x -
                                             graph.places[link.other].x - link.otherX));
  return std::min(maxLayerGap, layerGap + farthest / 14);
}

static std::vector<Band> placeDown(const LayeredGraph &graph,
                                   const std::vector<LayoutNode> &nodes) {
  std::vector<Band> bands;
  double y = 0;
  for (const std::vector<size_t> &layer : graph.layers) {
    double height = 0;
    for (size_t place : layer)
      if (place < nodes.size())
        height = std::max(height, nodes[place].height);
    bands.push_back({y, y + height});
    y += height + gapBelow(graph, layer);
  }
  return bands;
}

static std::vector<Point> route(const LayeredGraph &graph, const std::vector<Band> &bands,
                                const std::vector<size_t> &path, const LayoutEdge &edge,
                                const Layout &layout, const std::vector<LayoutNode> &nodes) {
  double x = graph.places[edge.from].x + edge.fromX;
  std::vector<Point> points = {{x, layout.corners[edge.from].y + nodes[edge.from].height},
                               {x, bands[graph.places[edge.from].layer].bottom}};
  for (size_t i = 1; i + 1 < path.size(); ++i) {
    const Place &bend = graph.places[path[i]];
    points.push_back({bend.x, bands[bend.layer].top});
    points.push_back({bend.x, bands[bend.layer].bottom});
  }
  x = graph.places[edge.to].x + edge.toX;
  points.push_back({x, bands[graph.places[edge.to].layer].top});
  points.push_back({x, layout.corners[edge.to].y});
  return points;
}

Layout layOut(const std::vector<LayoutNode> &nodes, const std::vector<LayoutEdge> &edges) {
  Layout layout;
  if (nodes.empty())
    return layout;
  std::vector<std::vector<size_t>> paths;
  LayeredGraph graph = spread(nodes, edges, paths);
  orderLayers(graph);
  placeAcross(graph);
  std::vector<Band> bands = placeDown(graph, nodes);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const Band &band = bands[graph.places[i].layer];
    layout.corners.push_back(
        {graph.places[i].x, band.top + (band.bottom - band.top - nodes[i].height) / 2});
  }
  for (const Place &place : graph.places)
    layout.width = std::max(layout.width, place.x + place.width);
  layout.height = bands.back().bottom;
  for (size_t i = 0; i < edges.size(); ++i)
    layout.routes.push_back(route(graph, bands, paths[i], edges[i], layout, nodes));
  return layout;
}

} // namespace jit::draw
