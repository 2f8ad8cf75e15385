//===- Blocks.h - a block's boxes in their places ----------------*- C++ -*-===//
#ifndef JIT_LIB_DRAW_BLOCKS_H
#define JIT_LIB_DRAW_BLOCKS_H

#include "Picture.h"

namespace jit::draw {

/// Where a line meets a box: the value that comes or goes, and how far from the left.
struct Port {
  mlir::Value value;
  double x = 0;
};

/// A box and its lines' ends.
struct Node {
  Box box;
  std::vector<Port> inputs = {};
  std::vector<Port> outputs = {};
};

/// A block's picture: the values that enter above, and where those that the terminator names leave
/// below.
struct Built {
  Panel panel;
  std::vector<Port> entries = {};
  std::vector<double> exits = {};
};

/// Lays out the boxes of a block and the lines between them. Each of `exits` is a place at the
/// lower end that these values come to.
Built layOutBlock(mlir::Block &block, std::vector<Node> nodes,
                  llvm::ArrayRef<llvm::SmallVector<mlir::Value>> exits);

/// Puts what the regions of `op` hold into its box, side by side, and leads lines from the box's
/// border to theirs.
void joinRegions(mlir::Operation *op, std::vector<Built> &parts, Node &node);

/// The values that lines are drawn from where these are used, each once.
llvm::SmallVector<mlir::Value> sourcesOf(mlir::ValueRange values);

/// The room that a box's own text takes.
double headerWidth(const Box &box);
double headerHeight(const Box &box);
/// Makes the box as large as its text.
void fitToText(Box &box);

/// The place of one of `count` line ends that share a width evenly.
inline double share(double width, size_t index, size_t count) {
  return width * double(index + 1) / double(count + 1);
}

} // namespace jit::draw

#endif // JIT_LIB_DRAW_BLOCKS_H
