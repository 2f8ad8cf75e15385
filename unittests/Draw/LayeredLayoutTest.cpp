//===- LayeredLayoutTest.cpp - boxes that do not overlap ------------------===//
#include "LayeredLayout.h"

#include <gtest/gtest.h>

#include <random>

using namespace jit::draw;

namespace {
struct Graph {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutEdge> edges;
};
} // namespace

static Graph randomGraph(unsigned seed, size_t count) {
  std::mt19937 random(seed);
  auto below = [&](size_t limit) {
    return std::uniform_int_distribution<size_t>(0, limit - 1)(random);
  };
  Graph graph;
  for (size_t i = 0; i < count; ++i) {
    graph.nodes.push_back({10 + double(below(200)), 10 + double(below(300)), Rank::Free});
    for (size_t edge = below(4); i > 0 && edge > 0; --edge) {
      size_t from = below(2) ? i - 1 : below(i);
      graph.edges.push_back({from, i, graph.nodes[from].width / 2, graph.nodes[i].width / 3});
    }
  }
  return graph;
}

static bool overlap(const LayoutNode &a, Point at, const LayoutNode &b, Point bt) {
  return at.x < bt.x + b.width && bt.x < at.x + a.width && at.y < bt.y + b.height &&
         bt.y < at.y + a.height;
}

static void expectSound(const Graph &graph) {
  Layout layout = layOut(graph.nodes, graph.edges);
  ASSERT_EQ(layout.corners.size(), graph.nodes.size());
  ASSERT_EQ(layout.routes.size(), graph.edges.size());
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    EXPECT_GE(layout.corners[i].x, -1e-9);
    EXPECT_LE(layout.corners[i].x + graph.nodes[i].width, layout.width + 1e-6);
    EXPECT_LE(layout.corners[i].y + graph.nodes[i].height, layout.height + 1e-6);
    for (size_t j = 0; j < i; ++j)
      EXPECT_FALSE(overlap(graph.nodes[i], layout.corners[i], graph.nodes[j], layout.corners[j]));
  }
  for (size_t i = 0; i < graph.edges.size(); ++i) {
    const LayoutEdge &edge = graph.edges[i];
    const std::vector<Point> &route = layout.routes[i];
    EXPECT_DOUBLE_EQ(route.front().x, layout.corners[edge.from].x + edge.fromX);
    EXPECT_DOUBLE_EQ(route.front().y, layout.corners[edge.from].y + graph.nodes[edge.from].height);
    EXPECT_DOUBLE_EQ(route.back().x, layout.corners[edge.to].x + edge.toX);
    EXPECT_DOUBLE_EQ(route.back().y, layout.corners[edge.to].y);
    for (size_t k = 1; k < route.size(); ++k)
      EXPECT_GE(route[k].y, route[k - 1].y - 1e-9);
  }
}

TEST(LayeredLayout, NothingIsEmpty) {
  Layout layout = layOut({}, {});
  EXPECT_EQ(layout.width, 0);
  EXPECT_TRUE(layout.corners.empty());
}

TEST(LayeredLayout, BoxesDoNotOverlapAndLinesGoDown) {
  for (unsigned seed = 0; seed < 60; ++seed)
    expectSound(randomGraph(seed, 1 + seed));
}

TEST(LayeredLayout, FirstAndLastStandAlone) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Graph graph = randomGraph(seed, 12);
    for (LayoutEdge &edge : graph.edges) {
      ++edge.from;
      ++edge.to;
    }
    graph.nodes.insert(graph.nodes.begin(), {0, 0, Rank::First});
    graph.nodes.push_back({0, 0, Rank::Last});
    graph.edges.push_back({0, 5, 0, 1});
    graph.edges.push_back({2, graph.nodes.size() - 1, 1, 0});
    expectSound(graph);
    Layout layout = layOut(graph.nodes, graph.edges);
    for (size_t i = 1; i + 1 < graph.nodes.size(); ++i) {
      EXPECT_GT(layout.corners[i].y, layout.corners.front().y);
      EXPECT_LT(layout.corners[i].y, layout.corners.back().y);
    }
  }
}

/// A chain is drawn as one straight line, however wide its boxes.
TEST(LayeredLayout, ChainsAreStraight) {
  Graph graph;
  for (size_t i = 0; i < 40; ++i) {
    double width = 20 + 37 * double(i % 7);
    graph.nodes.push_back({width, 10, Rank::Free});
    if (i > 0)
      graph.edges.push_back({i - 1, i, graph.nodes[i - 1].width / 2, width / 2});
  }
  for (const std::vector<Point> &route : layOut(graph.nodes, graph.edges).routes)
    EXPECT_NEAR(route.front().x, route.back().x, 0.1);
}

/// Two chains that start and end in the wrong order are put so that they do not cross.
TEST(LayeredLayout, CrossingsAreAvoided) {
  Graph graph;
  graph.nodes.assign(4, {20, 10, Rank::Free});
  graph.edges = {{0, 3, 10, 10}, {1, 2, 10, 10}};
  Layout layout = layOut(graph.nodes, graph.edges);
  EXPECT_EQ(layout.corners[0].x < layout.corners[1].x, layout.corners[3].x < layout.corners[2].x);
}
