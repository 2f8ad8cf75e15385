//===- Regions.h - bins of boxes in images ----------------------*- C++ -*-===//
//
// Each of torchvision's operators on boxes is a walk over what a bin reads: pixels, or four pixels
// for each sample. Forwards the walk sums, backwards it adds to each pixel its share.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_LIB_LOWER_REGIONS_H
#define JIT_LIB_LOWER_REGIONS_H

#include "Lower.h"

namespace jit {

/// How boxes are divided and read.
struct Bins {
  mlir::Value boxes;                // [boxes, 5]: the image, left, top, right, bottom
  mlir::Value scale;                // from the boxes' numbers to pixels
  mlir::Type dtype;                 // of boxes and images
  int64_t rows, columns;            // of bins
  mlir::OpFoldResult height, width; // of images
  bool readsPixels;                 // whole pixels, and no samples between them
  mlir::Value samples = {};         // in each direction of a bin; for 0 or less one a pixel
  mlir::Value isAligned = {};       // pixels have their middle at .5; null for yes
  bool includesEnd = false;         // of pixels: the one where the box ends is in it
  bool stopsBeforeLast = false;     // of pixels: the image's last row and column are in no bin
  bool countsNone = false;          // a mean of no samples is NaN, not 0
};

/// From what there is so far, a pixel's row and column and what it counts to what there is then.
using PixelBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    mlir::OpBuilder &, mlir::Location, mlir::Value row, mlir::Value column, mlir::Value weight,
    mlir::ValueRange carried)>;

/// A bin of a box.
class Bin {
public:
  /// `place` is of its box, channel, row and column.
  Bin(mlir::OpBuilder &b, mlir::Location loc, const Bins &bins, mlir::ValueRange place);

  /// Walks over the pixels that it reads.
  llvm::SmallVector<mlir::Value> walk(mlir::OpBuilder &b, mlir::Location loc, mlir::ValueRange init,
                                      PixelBody body) const;

  /// `total` over the number of pixels or samples.
  mlir::Value mean(mlir::OpBuilder &b, mlir::Location loc, mlir::Value total) const;

  /// Whether it has no pixels.
  mlir::Value isEmpty(mlir::OpBuilder &b, mlir::Location loc) const;

private:
  /// One dimension. Of samples it has `start`, `length` and their `number` as floats, which is
  /// below 0 for a box that is turned over; of pixels `from` and `to`.
  struct Side {
    mlir::Value start, length, place, count, number, from, to, size;
  };
  Side samplesAlong(ScalarBuilder &build, const Bins &bins, mlir::Value box, mlir::Value place,
                    bool isColumn) const;
  Side pixelsAlong(ScalarBuilder &build, const Bins &bins, mlir::Value box, mlir::Value place,
                   bool isColumn) const;

  mlir::Type dtype;
  bool readsPixels, countsNone;
  Side rows, columns;
};

/// The image of a box, behind `guardImages`.
mlir::Value imageOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value boxes, mlir::Value box);

/// Ends the call unless `boxes` has five columns and each box is of one of `count` images.
void guardImages(mlir::OpBuilder &b, mlir::Location loc, mlir::Value boxes,
                 mlir::OpFoldResult count);

} // namespace jit

#endif // JIT_LIB_LOWER_REGIONS_H
