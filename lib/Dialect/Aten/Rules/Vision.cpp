//===- Vision.cpp - builders for the rules of Vision.td -------------------===//

#include "Rules/Vision.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/Mask.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Vision.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static bool isSingleOrDouble(Type dtype) { return dtype.isF32() || dtype.isF64(); }

/// Whether a size may be `wanted`.
static bool mayBe(int64_t size, int64_t wanted) {
  return size == wanted || size == TensorType::kDynamic;
}

Type keptBoxes(TypeRules &infer, TensorInfo boxes) {
  if (boxes.dtype() && !isSingleOrDouble(boxes.dtype()))
    return infer.error(Twine("expected boxes of f32 or f64"));
  if (!boxes.hasRank())
    return infer.unranked(infer.i1());
  if (boxes.rank() != 2 || !mayBe(boxes.size(1), 4))
    return infer.error("expected boxes of sizes [boxes, 4]");
  return infer.tensor({boxes.size(0)}, infer.i1());
}

Type placesOfKept(TypeRules &infer, TensorInfo boxes, TensorInfo scores) {
  bool isUnknown = !boxes.hasRank() || !scores.hasRank() || !boxes.dtype() || !scores.dtype();
  bool isFitting =
      isUnknown ||
      (boxes.rank() == 2 && scores.rank() == 1 && mayBe(boxes.size(1), 4) &&
       (mayBe(boxes.size(0), scores.size(0)) || scores.size(0) == TensorType::kDynamic) &&
       isSingleOrDouble(boxes.dtype()) && boxes.dtype() == scores.dtype());
  if (!isFitting)
    return infer.error(
        "expected boxes of sizes [boxes, 4] and scores of sizes [boxes], both of f32 "
        "or both of f64");
  bool isNone = boxes.hasRank() && boxes.rank() == 2 && boxes.size(0) == 0;
  return infer.tensor({isNone ? 0 : TensorType::kDynamic}, infer.i64());
}

/// Reports what is known to be wrong with the tensors of boxes in images.
static bool areFitting(TypeRules &infer, TensorInfo images, TensorInfo boxes) {
  auto fails = [&](const Twine &message) {
    infer.error(message);
    return false;
  };
  if (images.hasRank() && images.rank() != 4)
    return fails("expected images of rank 4, got rank " + Twine(images.rank()));
  if (boxes.hasRank() && (boxes.rank() != 2 || !mayBe(boxes.size(1), 5)))
    return fails("expected rois of sizes [boxes, 5]");
  for (Type dtype : {images.dtype(), boxes.dtype()})
    if (dtype && !isSingleOrDouble(dtype))
      return fails("expected elements of f32 or f64");
  if (images.dtype() && boxes.dtype() && images.dtype() != boxes.dtype())
    return fails("expected input and rois of one element type");
  return true;
}

static bool areFitting(TypeRules &infer, BinsInfo bins) {
  if (bins.rows.valueOr(1) >= 1 && bins.columns.valueOr(1) >= 1)
    return true;
  infer.error("expected a pooled_height and a pooled_width of 1 or more, got " +
              Twine(bins.rows.valueOr(1)) + " and " + Twine(bins.columns.valueOr(1)));
  return false;
}

Type regions(TypeRules &infer, TensorInfo images, TensorInfo boxes, BinsInfo bins) {
  if (!areFitting(infer, images, boxes) || !areFitting(infer, bins))
    return Type();
  if (!images.hasRank() || !boxes.hasRank())
    return infer.unranked(images.dtype());
  int64_t rows = bins.rows.orDynamic(), columns = bins.columns.orDynamic();
  int64_t channels = images.size(1), count = TensorType::kDynamic;
  if (!bins.hasOwnChannels)
    count = channels;
  else if (!llvm::is_contained({channels, rows, columns}, TensorType::kDynamic)) {
    // Beyond the channels there are too many bins; so much cannot overflow.
    bool isSmall = rows <= channels && columns <= channels / rows;
    if (channels != 0 && (!isSmall || channels % (rows * columns) != 0))
      return infer.error("expected channels for each of the " + Twine(rows) + " by " +
                         Twine(columns) + " bins, got " + Twine(channels));
    count = channels == 0 ? 0 : channels / (rows * columns);
  }
  return infer.tensor({boxes.size(0), count, rows, columns}, images.dtype());
}

Type placesOfRegions(TypeRules &infer, TensorInfo images, TensorInfo boxes, BinsInfo bins) {
  TypeRules quiet{infer.context, std::nullopt}; // the values have reported
  auto type = dyn_cast_or_null<TensorType>(regions(quiet, images, boxes, bins));
  return type ? type.withDtype(IntegerType::get(infer.context, 32)) : Type();
}

Type imagesOfRegions(TypeRules &infer, TensorInfo grad, TensorInfo boxes, BinsInfo bins,
                     ImagesInfo images) {
  if (!areFitting(infer, grad, boxes) || !areFitting(infer, bins))
    return Type();
  if (grad.hasRank() && (!mayBe(grad.size(2), bins.rows.valueOr(grad.size(2))) ||
                         !mayBe(grad.size(3), bins.columns.valueOr(grad.size(3)))))
    return infer.error("expected a gradient of pooled_height by pooled_width, got " +
                       Twine(grad.size(2)) + " by " + Twine(grad.size(3)));
  SmallVector<int64_t> sizes;
  for (IntInfo size : {images.count, images.channels, images.height, images.width}) {
    if (size.valueOr(0) < 0)
      return infer.error("expected sizes of 0 or more, got " + Twine(*size.known));
    sizes.push_back(size.orDynamic());
  }
  return infer.tensor(sizes, grad.dtype());
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Decomposition keptByScore(Tensor boxes, Tensor scores, Float threshold) {
  GraphBuilder &build = *boxes.b;
  Type dtype = boxes.info().dtype();
  bool isFitting = boxes.info().hasRank() && scores.info().hasRank() && boxes.info().rank() == 2 &&
                   scores.info().rank() == 1 && boxes.info().size(1) == 4 && dtype &&
                   isSingleOrDouble(dtype) && scores.info().dtype() == dtype;
  if (!isFitting || !haveEqualSize(boxes, 0, scores, 0))
    return build.notYet("boxes of sizes [boxes, 4] and scores of sizes [boxes], both of f32 or "
                        "both of f64");
  Any none = build.none();
  if (boxes.info().size(0) == 0)
    return build.op<aten::ZerosOp>(build.ints({0}), int64_t(ScalarType::Long), none, none, none);
  Operation *sorted = build.multi<aten::SortOp>(scores, 0, /*descending=*/true);
  Tensor order(build, sorted->getResult(1));
  Tensor isKept = build.op<aten::KeptBoxesOp>(pickedFromFront(boxes, 0, order), threshold);
  return pickedFromFront(order, 0, placesIn(isKept).front());
}

} // namespace jit
