//===- ScatterPlaces.cpp - writes element by element ----------------------===//

#include "ScatterPlaces.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Sampling.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace jit {

/// Places of so many elements are compared one by one.
static constexpr int64_t maxCompared = 1 << 16;

/// Whether some place is that of two elements.
static bool meet(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  std::vector<int64_t> places = {0};
  for (auto [size, stride] : llvm::zip(sizes, strides)) {
    size_t count = places.size();
    for (int64_t i = 1; i < size; ++i)
      for (size_t at = 0; at < count; ++at)
        places.push_back(places[at] + i * stride);
  }
  llvm::sort(places);
  return std::adjacent_find(places.begin(), places.end()) != places.end();
}

static Overlap overlapOf(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  int64_t count = ShapedType::getNumElements(sizes);
  for (auto [size, stride] : llvm::zip(sizes, strides))
    if (size > 1 && stride == 0)
      return Overlap::Yes;
  SmallVector<size_t> dims;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] > 1)
      dims.push_back(dim);
  llvm::sort(dims, [&](size_t a, size_t b) { return strides[a] < strides[b]; });
  int64_t reach = 0;
  for (size_t dim : dims) {
    if (strides[dim] <= reach)
      return count <= maxCompared && !meet(sizes, strides) ? Overlap::No : Overlap::Maybe;
    reach += strides[dim] * (sizes[dim] - 1);
  }
  return Overlap::No;
}

Overlap overlapOf(ArrayRef<int64_t> sizes, const Layout &layout) {
  auto strides = layout.strides(sizes);
  return strides ? overlapOf(sizes, *strides) : Overlap::Maybe;
}

bool mayRepeatElements(Operation *view) {
  if (!view->hasTrait<RepeatsElements>())
    return false;
  if (auto windows = dyn_cast<aten::UnfoldOp>(view)) {
    IntInfo size(windows.getSize()), step(windows.getStep());
    return !size.known || !step.known || *step.known < *size.known;
  }
  // What is expanded grows.
  auto from = cast<TensorType>(view->getOperand(0).getType()),
       to = cast<TensorType>(view->getResult(0).getType());
  return isa<aten::AsStridedOp>(view) || !from.isStatic() || !to.isStatic() ||
         ShapedType::getNumElements(from.getSizes()) != ShapedType::getNumElements(to.getSizes());
}

bool writesOneNumber(Operation *op) {
  auto overwrite = dyn_cast<OverwriteOp>(op);
  Operation *written = overwrite ? overwrite.getValue().getDefiningOp() : nullptr;
  return written && written->hasTrait<GivesOneNumber>();
}

/// PyTorch looks for dimensions that repeat elements before it copies one: of others the order of
/// the writes does not matter.
static bool copiesOneNumber(Operation *op) {
  auto overwrite = dyn_cast<OverwriteOp>(op);
  auto copy = overwrite ? overwrite.getValue().getDefiningOp<aten::CopyOp>() : aten::CopyOp();
  auto type = copy ? cast<TensorType>(copy.getSrc().getType()) : TensorType();
  return type && type.hasRank() && llvm::all_of(type.getSizes(), [](int64_t n) { return n == 1; });
}

bool sharesPlaces(Operation *op, const Layout &layout, ArrayRef<int64_t> sizes) {
  return !writesOneNumber(op) && ShapedType::getNumElements(sizes) > 1 &&
         overlapOf(sizes, layout) == Overlap::Yes;
}

static LogicalResult checkOverlap(Operation *op, const Layout &layout, ArrayRef<int64_t> sizes) {
  if (sharesPlaces(op, layout, sizes))
    return op->emitError(sharedPlaces);
  bool isOneNumber = writesOneNumber(op) || copiesOneNumber(op);
  if (!isOneNumber && ShapedType::getNumElements(sizes) > 1 &&
      overlapOf(sizes, layout) == Overlap::Maybe)
    return op->emitError("expected a write to elements each of which certainly has a place of its "
                         "own, got windows or strides that may overlap");
  return success();
}

/// The number of each element of `base`, as the views show them; null after an error.
static Value placesOf(GraphBuilder &build, Operation *op, ArrayRef<Operation *> views,
                      Tensor base) {
  Int count = build.i(1);
  for (int64_t dim = 0; dim < base.info().rank(); ++dim)
    count = count * sizeOf(base, dim);
  Any none = build.none();
  Tensor places = build.op<aten::ArangeOp>(count, int64_t(ScalarType::Long), none, none, none);
  places = build.op<aten::ViewOp>(places, sizesOf(base));
  for (Operation *view : llvm::reverse(views)) {
    if (isa<DerefineOp, UncheckedCastOp>(view))
      continue;
    auto from = cast<TensorType>(view->getOperand(0).getType()),
         to = cast<TensorType>(view->getResult(0).getType());
    auto viewOp = dyn_cast<ViewOpInterface>(view);
    if (!viewOp || from.getDtype() != to.getDtype()) {
      op->emitError("expected a view of whole elements, got ") << view->getName();
      return {};
    }
    // The tensor itself, whatever it is called.
    if (from == to && viewOp.scatter(build.builder, places.v, places.v) == places.v)
      continue;
    SmallVector<Value> operands(view->getOperands());
    operands[0] = places.v;
    Operation *shown = createInferred(build.builder, op->getLoc(), view->getName(), operands);
    if (!shown)
      return {};
    places = Tensor(build, shown->getResult(0));
  }
  return places.v;
}

void guardApart(GraphBuilder &build, Tensor at, Int count) {
  Any none = build.none();
  auto counting = [&](Int end) -> Tensor {
    return build.op<aten::ArangeOp>(end, int64_t(ScalarType::Long), none, none, none);
  };
  // Of several writers of a place the last is not each of them.
  Tensor order = counting(sizeOf(at, 0));
  Tensor writers = build.op<aten::ScatterSrcOp>(counting(count), 0, at, order);
  Tensor last = build.op<aten::GatherOp>(writers, 0, at, false);
  Value areApart =
      build.op<aten::ItemOp>(build.op<aten::AllOp>(build.op<aten::EqTensorOp>(last, order))).v;
  auto func = areApart.getDefiningOp()->getParentOfType<func::FuncOp>();
  GuardOp::create(build.builder, build.loc, areApart,
                  func->hasAttr(symbolicAttr) ? sizeGuardClass : unsupportedClass, sharedPlaces,
                  ValueRange());
}

Value scatteredAtPlaces(OpBuilder &builder, Operation *op, ArrayRef<Operation *> views,
                        const Layout &layout, Value base, Value value) {
  auto type = cast<TensorType>(base.getType());
  auto shown = cast<TensorType>(views.front()->getResult(0).getType());
  // The elements of what the views begin with have places of their own.
  bool mayRepeat = llvm::any_of(views, mayRepeatElements);
  if (!type.hasRank() || !shown.hasRank()) {
    op->emitError("expected a known rank for a write to elements that are no whole part of a "
                  "tensor, got ")
        << type;
    return {};
  }
  bool isKnown = type.hasStaticSizes() && shown.hasStaticSizes();
  if (mayRepeat && isKnown && failed(checkOverlap(op, layout, shown.getSizes())))
    return {};
  GraphBuilder build{builder, op->getLoc()};
  Value places = placesOf(build, op, views, Tensor(build, base));
  if (!places)
    return {};
  auto flat = [&](Value tensor) {
    return Tensor(build.op<aten::ViewOp>(Tensor(build, tensor), build.ints({-1})));
  };
  if (mayRepeat && !isKnown && !writesOneNumber(op))
    guardApart(build, flat(places), sizeOf(flat(base), 0));
  Tensor result = build.op<aten::ScatterSrcOp>(flat(base), 0, flat(places), flat(value));
  result = build.op<aten::ViewOp>(result, sizesOf(Tensor(build, base)));
  // Gradients do not see what is written behind a detach.
  if (llvm::any_of(views, [](Operation *view) { return view->hasTrait<OfGradientsAlone>(); }))
    result = build.op<aten::WithElementsOp>(Tensor(build, base), result);
  return result.v;
}

} // namespace jit
