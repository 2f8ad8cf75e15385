//===- MinCut.cpp - minimum cut of a network ------------------------------===//
//
// Dinic's algorithm: layers by breadth-first search, then blocking flows.
//
//===----------------------------------------------------------------------===//

#include "MinCut.h"

namespace jit {

unsigned FlowNetwork::addNode() {
  out.emplace_back();
  return out.size() - 1;
}

void FlowNetwork::addEdge(unsigned from, unsigned to, int64_t capacity) {
  out[from].push_back(edges.size());
  edges.push_back({to, capacity});
  out[to].push_back(edges.size());
  edges.push_back({from, 0});
}

bool FlowNetwork::layer() {
  level.assign(out.size(), -1);
  level[source] = 0;
  std::vector<unsigned> queue = {source};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : out[queue[i]])
      if (edges[edge].left > 0 && level[edges[edge].to] < 0) {
        level[edges[edge].to] = level[queue[i]] + 1;
        queue.push_back(edges[edge].to);
      }
  return level[sink] >= 0;
}

/// One augmenting path within the layers, found without recursion: chains are as long as programs.
int64_t FlowNetwork::push() {
  int64_t limit = unlimited;
  std::vector<unsigned> path; // edges
  unsigned node = source;
  while (node != sink) {
    bool advanced = false;
    for (; next[node] < out[node].size(); ++next[node]) {
      unsigned edge = out[node][next[node]];
      if (edges[edge].left > 0 && level[edges[edge].to] == level[node] + 1) {
        path.push_back(edge);
        node = edges[edge].to;
        advanced = true;
        break;
      }
    }
    if (advanced)
      continue;
    if (path.empty())
      return 0;
    node = edges[path.back() ^ 1].to;
    ++next[node];
    path.pop_back();
  }
  for (unsigned edge : path)
    limit = std::min(limit, edges[edge].left);
  for (unsigned edge : path) {
    edges[edge].left -= limit;
    edges[edge ^ 1].left += limit;
  }
  return limit;
}

std::vector<bool> FlowNetwork::sinkSide() {
  while (layer()) {
    next.assign(out.size(), 0);
    while (push() > 0) {
    }
  }
  std::vector<bool> reaches(out.size(), false);
  reaches[sink] = true;
  std::vector<unsigned> queue = {sink};
  for (size_t i = 0; i < queue.size(); ++i)
    for (unsigned edge : out[queue[i]]) // its reverse leads here
      if (edges[edge ^ 1].left > 0 && !reaches[edges[edge].to]) {
        reaches[edges[edge].to] = true;
        queue.push_back(edges[edge].to);
      }
  return reaches;
}

} // namespace jit
