//===- StridedElements.cpp - as_strided of memory with gaps ---------------===//

#include "StridedElements.h"
#include "StartsHere.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Jit/Jit.h"

using namespace mlir;

namespace jit {

void forEachPlace(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides, int64_t offset,
                  function_ref<void(int64_t)> visit) {
  if (sizes.empty())
    return visit(offset);
  for (int64_t i = 0; i < sizes.front(); ++i)
    forEachPlace(sizes.drop_front(), strides.drop_front(), offset + i * strides.front(), visit);
}

/// Where a tensor begins, behind the first element of `root`. Where state begins in PyTorch's
/// memory is not always known, where a view of it lies in it is.
static std::optional<int64_t> placeBehind(Value value, Value root, func::FuncOp func) {
  StartsHere start(func);
  std::optional<int64_t> place = layoutOf(value).offset(), begin = layoutOf(root).offset();
  return place && begin ? std::optional(*place - *begin) : std::nullopt;
}

/// The place of the first element that `op` names behind the first one of `root`.
static std::optional<int64_t> startOf(aten::AsStridedOp op, Value root) {
  if (isa<NoneType>(op.getStorageOffset().getType()))
    return placeBehind(op.getSelf(), root, op->getParentOfType<func::FuncOp>());
  std::optional<int64_t> place = IntInfo(op.getStorageOffset()).known;
  std::optional<int64_t> begin = op->hasAttr(fromStartAttr) ? 0 : layoutOf(root).offset();
  return place && begin ? std::optional(*place - *begin) : std::nullopt;
}

/// For each place of `root`, counted from its first element on, the number of the element there.
static llvm::DenseMap<int64_t, int64_t> numbersByPlace(Value root) {
  llvm::DenseMap<int64_t, int64_t> numbers;
  auto type = dyn_cast<TensorType>(root.getType());
  if (!type || !type.isStatic() || isa<ComplexType>(type.getDtype()) ||
      ShapedType::getNumElements(type.getSizes()) > maxListed)
    return numbers;
  int64_t number = 0;
  if (auto strides = layoutOf(root).strides(type.getSizes()))
    forEachPlace(type.getSizes(), *strides, 0,
                 [&](int64_t place) { numbers.insert({place, number++}); });
  return numbers;
}

/// Strides by which the numbers, one for each element of a tensor of these sizes, go up; nullopt
/// where there are none.
static std::optional<SmallVector<int64_t>> stridesOf(ArrayRef<int64_t> numbers,
                                                     ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size(), 1);
  int64_t next = 1;
  for (size_t dim = sizes.size(); dim-- > 0; next *= sizes[dim])
    if (sizes[dim] > 1)
      strides[dim] = numbers[next] - numbers[0];
  size_t at = 0;
  bool isEven = llvm::all_of(strides, [](int64_t stride) { return stride >= 0; });
  forEachPlace(sizes, strides, numbers[0], [&](int64_t n) { isEven &= n == numbers[at++]; });
  return isEven ? std::optional(std::move(strides)) : std::nullopt;
}

/// Which of the places, of elements of the memory of `root`, `part` has, if not all; nullopt where
/// that is not known.
static std::optional<DenseBoolArrayAttr> shownBy(Value part, Value root, ArrayRef<int64_t> places,
                                                 func::FuncOp func) {
  auto type = cast<TensorType>(part.getType());
  std::optional<int64_t> start = placeBehind(part, root, func);
  if (!start || !type.isStatic() || ShapedType::getNumElements(type.getSizes()) > maxListed)
    return std::nullopt;
  auto strides = layoutOf(part).strides(type.getSizes());
  if (!strides)
    return std::nullopt;
  llvm::DenseSet<int64_t> own;
  forEachPlace(type.getSizes(), *strides, *start, [&](int64_t place) { own.insert(place); });
  SmallVector<bool> shown;
  for (int64_t place : places)
    shown.push_back(own.contains(place));
  bool isAll = llvm::all_of(shown, [](bool isShown) { return isShown; });
  return isAll ? DenseBoolArrayAttr() : DenseBoolArrayAttr::get(func.getContext(), shown);
}

FailureOr<DenseBoolArrayAttr> countElements(aten::AsStridedOp op, Value root, bool hasGradients) {
  auto sizes = ListInfo(op.getSize()).ints(), steps = ListInfo(op.getStride()).ints();
  auto isOpen = [](int64_t number) { return number == TensorType::kDynamic; };
  if (!sizes || !steps || sizes->size() != steps->size() || llvm::any_of(*sizes, isOpen) ||
      llvm::any_of(*steps, isOpen))
    return failure();
  int64_t count = ShapedType::getNumElements(*sizes);
  std::optional<int64_t> start = startOf(op, root);
  llvm::DenseMap<int64_t, int64_t> byPlace = numbersByPlace(root);
  if (!start || byPlace.empty() || count == 0 || count > maxListed)
    return failure();
  SmallVector<int64_t> numbers, at;
  forEachPlace(*sizes, *steps, *start, [&](int64_t place) {
    at.push_back(place);
    if (auto found = byPlace.find(place); found != byPlace.end())
      numbers.push_back(found->second);
  });
  auto strides = int64_t(numbers.size()) == count ? stridesOf(numbers, *sizes) : std::nullopt;
  auto func = op->getParentOfType<func::FuncOp>();
  auto shown = hasGradients ? shownBy(op.getSelf(), root, at, func) : DenseBoolArrayAttr();
  if (!strides || !shown)
    return failure();
  OpBuilder b(op);
  GraphBuilder build{b, op.getLoc()};
  SmallVector<int64_t> places(*steps);
  places.push_back(*start);
  op->setAttr(placesAttr, b.getDenseI64ArrayAttr(places));
  op.getStrideMutable().assign(build.ints(*strides).v);
  op.getStorageOffsetMutable().assign(build.i(numbers[0]).v);
  return *shown;
}

} // namespace jit
