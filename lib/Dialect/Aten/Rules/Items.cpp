//===- Items.cpp - numbers of tensors that are made of numbers ------------===//
//
// Programs compute sizes by small tensors: traces all of theirs, scripts the scale of an image. The
// number that such a tensor holds is looked for through what the tensor is made of, so that it is
// one of numbers again, and a constant where these are.
//
//===----------------------------------------------------------------------===//

#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/ComplexNumbers.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Recurrent.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {
namespace aten {

/// The operand that an operator fills a tensor with, if that is all that it does; null otherwise.
static Value filledWith(Operation *op) {
  if (isa<NumToTensorScalarOp, NumToTensorBoolOp, TensorIntOp, TensorFloatOp, TensorBoolOp,
          ScalarTensorOp, AsTensorIntOp, AsTensorFloatOp, AsTensorBoolOp>(op))
    return op->getOperand(0);
  return isa<FullOp>(op) ? op->getOperand(1) : Value();
}

static bool isNumber(Type type) { return type && type.isIntOrFloat(); }

static Type dtypeOf(Value tensor) { return TensorInfo(tensor).dtype(); }

static bool isOne(Value tensor) {
  TensorInfo info(tensor);
  return info.hasRank() && llvm::all_of(info.sizes(), [](int64_t size) { return size == 1; });
}

/// The number of elements of a row; nullopt for other tensors.
static std::optional<int64_t> rowLength(Value tensor) {
  TensorInfo info(tensor);
  return info.hasRank() && info.rank() == 1 && info.tensor.isStatic() ? std::optional(info.size(0))
                                                                      : std::nullopt;
}

namespace {
/// An element of a row, or the one element of a tensor, as it is when an operation is run.
struct Place {
  Value tensor;
  Operation *reader;
  int64_t at = 0;
};
} // namespace

/// How many operators a number is looked for through, and how many elements are compared.
static constexpr unsigned maxItemDepth = 24;
static constexpr int64_t maxCompared = 8;

/// Where an element is in an operand, read by `reader`, that broadcasts to its tensor.
static std::optional<Place> placeIn(Value operand, Operation *reader, int64_t at) {
  if (isOne(operand))
    return Place{operand, reader};
  auto length = rowLength(operand);
  return length && at < *length ? std::optional(Place{operand, reader, at}) : std::nullopt;
}

/// The last write of all of `tensor` before `reader`, null for none; nullopt where something else
/// shares its memory, or a write is not beside `reader`.
static std::optional<OverwriteOp> lastWrite(Value tensor, Operation *reader) {
  OverwriteOp last;
  SmallVector<Value> names = {tensor};
  for (size_t next = 0; next < names.size(); ++next)
    for (OpOperand &use : names[next].getUses()) {
      auto write = dyn_cast<OverwriteOp>(use.getOwner());
      if (write && use.getOperandNumber() == 0) {
        if (write->getBlock() != reader->getBlock())
          return std::nullopt;
        names.push_back(write.getResult());
        if (write->isBeforeInBlock(reader) && (!last || last->isBeforeInBlock(write)))
          last = write;
        continue;
      }
      bool isShared = writtenInPlace(use.getOwner()) == use.get();
      forEachSharer(use, [&](Value) { isShared = true; });
      if (isShared)
        return std::nullopt;
    }
  return last;
}

/// Where the element that a place has when it is read was before it was written there; nullopt
/// where that is not known. Traces write the products of sizes in place.
static std::optional<Place> writtenFrom(Place place) {
  if (!isWrittenInPlace(place.tensor))
    return place;
  while (auto write = place.tensor.getDefiningOp<OverwriteOp>())
    place.tensor = write.getSelf();
  if (sharedSource(place.tensor) || place.tensor.getParentBlock() != place.reader->getBlock())
    return std::nullopt;
  auto write = lastWrite(place.tensor, place.reader);
  if (!write || !*write)
    return write ? std::optional(place) : std::nullopt;
  bool isSameType = dtypeOf(write->getValue()) == dtypeOf(place.tensor);
  auto from = placeIn(write->getValue(), *write, place.at);
  return isSameType && from ? writtenFrom(*from) : std::nullopt;
}

static std::optional<int64_t> fromFront(Value index, int64_t size) {
  IntInfo info(index);
  int64_t at = info.known.value_or(size);
  at = at < 0 ? at + size : at;
  return at >= 0 && at < size ? std::optional(at) : std::nullopt;
}

/// The element of which an operator that moves elements gives the one at `place`. What a view shows
/// is what there is when the view is read.
static std::optional<Place> movedFrom(Operation *op, Place place) {
  int64_t at = place.at;
  Operation *reader = isa<ViewOpInterface, DerefineOp>(op) ? place.reader : op;
  Value self = op->getNumOperands() > 0 ? op->getOperand(0) : Value();
  if (!self || !isa<TensorType>(self.getType()))
    return std::nullopt;
  if (isOne(self) && isOne(op->getResult(0)) &&
      isa<ViewOpInterface, DerefineOp, CloneOp, ToCopyOp, TypeAsOp>(op))
    return Place{self, reader};
  auto length = rowLength(self);
  if (!length)
    return std::nullopt;
  if (isa<DetachOp, DerefineOp, CloneOp, ToCopyOp, TypeAsOp>(op))
    return placeIn(self, reader, at);
  if (auto select = dyn_cast<SelectIntOp>(op)) {
    auto index = fromFront(select.getIndex(), *length);
    return index ? std::optional(Place{self, reader, *index}) : std::nullopt;
  }
  auto slice = dyn_cast<SliceTensorOp>(op);
  if (!slice || IntInfo(slice.getStep()).known != 1)
    return std::nullopt;
  bool isFromStart = isa<NoneType>(slice.getStart().getType());
  auto start = isFromStart ? 0 : fromFront(slice.getStart(), *length);
  return start && *start + at < *length ? std::optional(Place{self, reader, *start + at})
                                        : std::nullopt;
}

/// The part of a stack that is its element at `at`.
static std::optional<Place> stackedFrom(Operation *op, int64_t at) {
  auto stack = dyn_cast<StackOp>(op);
  auto parts = stack ? ListInfo(stack.getTensors()).elements : std::nullopt;
  if (!parts || size_t(at) >= parts->size())
    return std::nullopt;
  Value part = withoutDerefine((*parts)[at]);
  TensorInfo info(part);
  return info.hasRank() && info.rank() == 0 ? std::optional(Place{part, op}) : std::nullopt;
}

/// The number in a list of numbers.
static Value listedAt(Operation *op, int64_t at) {
  bool isOfList = isa<TensorOp, AsTensorListOp>(op);
  auto numbers = isOfList ? ListInfo(op->getOperand(0)).elements : std::nullopt;
  return numbers && size_t(at) < numbers->size() && isNumber((*numbers)[at].getType())
             ? (*numbers)[at]
             : Value();
}

/// The number in a range of integers that begins and steps at known ones.
static std::optional<int64_t> rangedAt(Operation *op, int64_t at) {
  if (isa<ArangeOp>(op))
    return at;
  auto begin =
      isa<ArangeStartOp, ArangeStartStepOp>(op) ? IntInfo(op->getOperand(0)).known : std::nullopt;
  auto ranged = dyn_cast<ArangeStartStepOp>(op);
  auto step = ranged ? IntInfo(ranged.getStep()).known : 1;
  return begin && step ? std::optional(*begin + at * *step) : std::nullopt;
}

/// The elements that an operator compares to give the least or the largest; 0 where it does not.
static int64_t comparedIn(Operation *op) {
  if (!isa<MinOp, MaxOp>(op))
    return 0;
  Value self = op->getOperand(0);
  int64_t length = isOne(self) ? 1 : rowLength(self).value_or(0);
  return length <= maxCompared ? length : 0;
}

/// True if the element can be computed from numbers alone.
static bool isMadeOfNumbers(Place read, unsigned depth = 0) {
  // What a tensor is made of is not what it holds once it has been written.
  auto written = writtenFrom(read);
  if (!written)
    return false;
  Place place = *written;
  Operation *op = place.tensor.getDefiningOp();
  if (!op || depth == maxItemDepth || op->getNumResults() != 1 || !isNumber(dtypeOf(place.tensor)))
    return false;
  if (Value number = filledWith(op))
    return isNumber(number.getType());
  if (listedAt(op, place.at))
    return true;
  if (dtypeOf(place.tensor).isInteger(64) && rangedAt(op, place.at))
    return true;
  if (auto pointwise = dyn_cast<PointwiseOpInterface>(op))
    return isNumber(pointwise.computeType()) && llvm::all_of(op->getOperands(), [&](Value operand) {
             if (!isa<TensorType>(operand.getType()))
               return true;
             auto in = placeIn(operand, op, place.at);
             return in && isMadeOfNumbers(*in, depth + 1);
           });
  if (int64_t count = comparedIn(op))
    return llvm::all_of(llvm::seq(count), [&](int64_t i) {
      return isMadeOfNumbers({op->getOperand(0), op, i}, depth + 1);
    });
  auto from = movedFrom(op, place);
  if (!from)
    from = stackedFrom(op, place.at);
  return from && isMadeOfNumbers(*from, depth + 1);
}

static Value elementAt(Place place, PatternRewriter &rewriter, Location loc);

static Value computedAt(PointwiseOpInterface pointwise, int64_t at, PatternRewriter &rewriter,
                        Location loc) {
  SmallVector<Value> elements;
  for (Value operand : pointwise->getOperands())
    elements.push_back(isa<TensorType>(operand.getType())
                           ? elementAt(*placeIn(operand, pointwise, at), rewriter, loc)
                           : operand);
  Value value = pointwise.emitScalar(rewriter, loc, elements);
  // A predicate gives i1, anything else the type it computes in, which may be unsigned.
  Type computed = value.getType().isInteger(1) ? value.getType() : pointwise.computeType();
  return convertScalar(rewriter, loc, value, computed, dtypeOf(pointwise->getResult(0)));
}

static Value extremeOf(Operation *op, int64_t count, PatternRewriter &rewriter, Location loc) {
  Value self = op->getOperand(0);
  ScalarBuilder build{rewriter, loc, dtypeOf(self)};
  Element extreme = Element::raw(build, elementAt({self, op, 0}, rewriter, loc));
  for (int64_t i = 1; i < count; ++i) {
    Element next = Element::raw(build, elementAt({self, op, i}, rewriter, loc));
    extreme = isa<MinOp>(op) ? min(extreme, next) : max(extreme, next);
  }
  return extreme.v;
}

/// An element that is made of numbers, in the element type of its tensor.
static Value elementAt(Place read, PatternRewriter &rewriter, Location loc) {
  Place place = *writtenFrom(read);
  Operation *op = place.tensor.getDefiningOp();
  Type dtype = dtypeOf(place.tensor);
  Value number = filledWith(op);
  if (!number)
    number = listedAt(op, place.at);
  if (auto ranged = rangedAt(op, place.at); ranged && !number)
    number = arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(*ranged));
  if (number)
    return convertScalar(rewriter, loc, number, number.getType(), dtype);
  if (auto pointwise = dyn_cast<PointwiseOpInterface>(op))
    return computedAt(pointwise, place.at, rewriter, loc);
  if (int64_t count = comparedIn(op))
    return extremeOf(op, count, rewriter, loc);
  auto from = movedFrom(op, place);
  if (!from)
    from = stackedFrom(op, place.at);
  return convertScalar(rewriter, loc, elementAt(*from, rewriter, loc), dtypeOf(from->tensor),
                       dtype);
}

/// The number of sequences of the first step of packed ones, which is that of all of them: nn.LSTM
/// makes its state by it.
static std::optional<int64_t> firstBatchSize(Value number) {
  auto select = withoutDerefine(number).getDefiningOp<SelectIntOp>();
  auto rows = select ? withoutDerefine(select.getSelf()).getDefiningOp<PackedRowsOp>() : nullptr;
  if (!rows || rows.getBatchSizes() != withoutDerefine(select.getSelf()) ||
      IntInfo(select.getIndex()).known != 0)
    return std::nullopt;
  TensorInfo input(rows.getInput());
  bool isKnown = input.hasRank() && input.size(1) != TensorType::kDynamic;
  return isKnown ? std::optional(input.size(1)) : std::nullopt;
}

LogicalResult ItemOp::canonicalize(ItemOp op, PatternRewriter &rewriter) {
  if (auto count = firstBatchSize(op.getSelf())) {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, rewriter.getI64IntegerAttr(*count));
    return success();
  }
  if (isComplexTensor(op.getSelf().getType())) {
    GraphBuilder build{rewriter, op.getLoc()};
    Value number = elementOf(Tensor(build, op.getSelf())).v;
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), number, op.getType()));
    return success();
  }
  if (!op.getType().isIntOrFloat())
    return rewriter.notifyMatchFailure(op, "expected a known element type");
  if (!isMadeOfNumbers({op.getSelf(), op}))
    return rewriter.notifyMatchFailure(op, "expected a tensor that is made from numbers");
  Value element = elementAt({op.getSelf(), op}, rewriter, op.getLoc());
  rewriter.replaceOp(
      op, convertScalar(rewriter, op.getLoc(), element, dtypeOf(op.getSelf()), op.getType()));
  return success();
}

} // namespace aten
} // namespace jit
