//===- Vision.h - builders for the rules of Vision.td -----------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_VISION_H
#define JIT_LIB_DIALECT_ATEN_RULES_VISION_H

#include "jit/Dialect/Aten/GradRules.h"

namespace jit {

/// How a box is divided.
struct BinsInfo {
  IntInfo rows, columns;
  /// Each bin is taken from channels of its own.
  bool hasOwnChannels;
};
struct ImagesInfo {
  IntInfo count, channels, height, width;
};

// ---- Types ----
mlir::Type keptBoxes(TypeRules &infer, TensorInfo boxes);
/// [boxes, channels, rows, columns] of images and [boxes, 5], of the images' element type.
mlir::Type regions(TypeRules &infer, TensorInfo images, TensorInfo boxes, BinsInfo bins);
/// The same of int32.
mlir::Type placesOfRegions(TypeRules &infer, TensorInfo images, TensorInfo boxes, BinsInfo bins);
/// Images of what flows back from their regions.
mlir::Type imagesOfRegions(TypeRules &infer, TensorInfo grad, TensorInfo boxes, BinsInfo bins,
                           ImagesInfo images);

/// As many places as there will be kept boxes, after a check of what is known.
mlir::Type placesOfKept(TypeRules &infer, TensorInfo boxes, TensorInfo scores);

/// What is known of a convolution whose taps are moved.
struct DeformedConvInfo {
  TensorInfo input, weight, offset, mask, bias;
  BoolInfo usesMask;
  /// Of one dimension of the image.
  struct Steps {
    IntInfo stride, padding, dilation;
  } rows, columns;
  IntInfo groups, offsetGroups;
};
/// Of the operands of deform_conv2d.
DeformedConvInfo convInfo(mlir::ValueRange operands);
mlir::Type deformedConv(TypeRules &infer, const DeformedConvInfo &conv);

// ---- Graphs ----
Decomposition keptByScore(Tensor boxes, Tensor scores, Float threshold);

/// The tensors of a convolution whose taps are moved.
struct DeformedConv {
  Tensor input, weight, offset, mask, bias;
};
Decomposition deformedConv(const DeformedConv &conv, const DeformedConvInfo &info);

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_VISION_H
