//===- MinCut.h - minimum cut of a network ----------------------*- C++ -*-===//
#ifndef JIT_LIB_AUTODIFF_MINCUT_H
#define JIT_LIB_AUTODIFF_MINCUT_H

#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace jit {

/// A directed network from node 0, the source, to node 1, the sink.
class FlowNetwork {
public:
  static constexpr unsigned source = 0, sink = 1;
  static constexpr int64_t unlimited = std::numeric_limits<int64_t>::max() / 4;

  FlowNetwork() : out(2) {}
  unsigned addNode();
  void addEdge(unsigned from, unsigned to, int64_t capacity);

  /// Fills the network and tells for each node whether it still reaches the sink: the edges that
  /// enter that part are the cut of least capacity, of several the one nearest to the sink.
  std::vector<bool> sinkSide();

private:
  struct Edge {
    unsigned to;
    int64_t left;
  };
  bool layer();
  int64_t push();

  std::vector<Edge> edges; // edge i and its reverse i ^ 1
  std::vector<llvm::SmallVector<unsigned, 4>> out;
  std::vector<int> level;
  std::vector<unsigned> next;
};

} // namespace jit

#endif // JIT_LIB_AUTODIFF_MINCUT_H
