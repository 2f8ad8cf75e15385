//===- LayerOrder.cpp - the order of places in layers ---------------------===//

#include "LayerOrder.h"

#include <algorithm>

namespace jit::draw {

/// Where an edge meets a place, as a number that sorts by order and then by the place's own width.
static double meeting(const Place &place, double x) {
  return double(place.order) + (place.width > 0 ? x / place.width : 0.5);
}

//===----------------------------------------------------------------------===//
// Crossings
//===----------------------------------------------------------------------===//

namespace {
/// Counts by index, with sums of all up to one: a Fenwick tree.
class Counts {
public:
  explicit Counts(size_t size) : sums(size + 1, 0) {}

  void add(size_t index) {
    for (++index; index < sums.size(); index += index & (~index + 1))
      ++sums[index];
  }
  /// How many were added at `index` or before.
  size_t upTo(size_t index) const {
    size_t sum = 0;
    for (++index; index > 0; index -= index & (~index + 1))
      sum += sums[index];
    return sum;
  }

private:
  std::vector<size_t> sums;
};
} // namespace

/// Pairs of edges below one layer that cross: inversions of their lower ends.
static size_t crossingsBelow(const LayeredGraph &graph, const std::vector<size_t> &layer) {
  std::vector<std::pair<double, double>> ends;
  for (size_t place : layer)
    for (const Link &link : graph.places[place].below)
      ends.emplace_back(meeting(graph.places[place], link.x),
                        meeting(graph.places[link.other], link.otherX));
  std::sort(ends.begin(), ends.end());
  std::vector<double> lower;
  for (const auto &end : ends)
    lower.push_back(end.second);
  std::sort(lower.begin(), lower.end());
  lower.erase(std::unique(lower.begin(), lower.end()), lower.end());
  Counts seen(lower.size());
  size_t crossings = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    auto rank =
        size_t(std::lower_bound(lower.begin(), lower.end(), ends[i].second) - lower.begin());
    crossings += i - seen.upTo(rank);
    seen.add(rank);
  }
  return crossings;
}

static size_t countCrossings(const LayeredGraph &graph) {
  size_t crossings = 0;
  for (const std::vector<size_t> &layer : graph.layers)
    crossings += crossingsBelow(graph, layer);
  return crossings;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Sorts a layer by the mean of the neighbours on one side; a place without any keeps its own.
static void sortByMeans(LayeredGraph &graph, std::vector<size_t> &layer, bool byAbove) {
  std::vector<std::pair<double, size_t>> means;
  for (size_t place : layer) {
    const std::vector<Link> &links =
        byAbove ? graph.places[place].above : graph.places[place].below;
    double sum = 0;
    for (const Link &link : links)
      sum += meeting(graph.places[link.other], link.otherX);
    means.emplace_back(
        links.empty() ? double(graph.places[place].order) : sum / double(links.size()), place);
  }
  std::stable_sort(means.begin(), means.end(),
                   [](const auto &a, const auto &b) { return a.first < b.first; });
  for (size_t i = 0; i < means.size(); ++i) {
    layer[i] = means[i].second;
    graph.places[layer[i]].order = i;
  }
}

void orderLayers(LayeredGraph &graph) {
  static constexpr int sweeps = 12;
  std::vector<std::vector<size_t>> best = graph.layers;
  size_t fewest = countCrossings(graph);
  for (int sweep = 0; sweep < sweeps && fewest > 0; ++sweep) {
    bool down = sweep % 2 == 0;
    for (size_t i = 0; i < graph.layers.size(); ++i)
      sortByMeans(graph, graph.layers[down ? i : graph.layers.size() - 1 - i], /*byAbove=*/down);
    size_t crossings = countCrossings(graph);
    if (crossings < fewest) {
      fewest = crossings;
      best = graph.layers;
    }
  }
  graph.layers = std::move(best);
  for (const std::vector<size_t> &layer : graph.layers)
    for (size_t i = 0; i < layer.size(); ++i)
      graph.places[layer[i]].order = i;
}

} // namespace jit::draw
