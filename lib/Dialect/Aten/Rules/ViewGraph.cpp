//===- ViewGraph.cpp - builders for the `decompose` and `scatter` rules of View.td -===//

#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/SavedMemory.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace jit {

bool isSizeKnown(Tensor t, int64_t dim) {
  TensorInfo info = t.info();
  return info.hasRank() && dim >= -info.rank() && dim < info.rank() &&
         info.size(dim) != TensorType::kDynamic;
}

int64_t elementCount(Tensor t) {
  int64_t count = 1;
  for (int64_t size : t.info().sizes())
    count *= size;
  return count;
}

std::optional<SmallVector<int64_t>> stridesOf(Tensor t) {
  return t.info().hasRank() ? layoutOf(t.v).strides(t.info().sizes()) : std::nullopt;
}

Decomposition strideOf(Tensor self, Int dim) {
  auto strides = stridesOf(self);
  auto at = strides ? wrapped(dim, int64_t(strides->size())) : std::nullopt;
  if (!at)
    return self.b->notYet("the strides of self and the value of dim");
  return self.b->i((*strides)[*at]);
}

/// Whether `value`, the end of the way along viewedValue, is memory that no other such value is.
static bool isNewMemory(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<AtenOpInterface>(op) && !op->hasTrait<MayGiveOperand>() &&
         (!isa<ViewOpInterface>(op) || viewOf(op).kind == ViewOf::Kind::Copies);
}

static bool isArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && isa<func::FuncOp>(argument.getOwner()->getParentOp());
}

static bool haveOtherSizes(TensorType a, TensorType b) {
  if (!a.hasRank() || !b.hasRank())
    return false;
  auto differ = [](auto pair) {
    auto [one, other] = pair;
    return one != other && !ShapedType::isDynamic(one) && !ShapedType::isDynamic(other);
  };
  return a.getRank() != b.getRank() ||
         llvm::any_of(llvm::zip_equal(a.getSizes(), b.getSizes()), differ);
}

/// State that no method sets, and that was saved in memory of its own.
static bool isOwnState(Value value) {
  auto get = value.getDefiningOp<SlotGetOp>();
  auto slot = get ? SymbolTable::lookupNearestSymbolFrom<SlotOp>(get, get.getSlotAttr()) : SlotOp();
  return slot && !slot->hasAttr(assignedAttr) && !slotInMemoryOf(slot);
}

/// Whether both read the same state, that no method sets.
static bool readTheSame(Value a, Value b) {
  return isOwnState(a) && isOwnState(b) &&
         a.getDefiningOp<SlotGetOp>().getSlotAttr() == b.getDefiningOp<SlotGetOp>().getSlotAttr();
}

std::optional<bool> showsTheSame(Tensor a, Tensor b) {
  if (a.v == b.v)
    return true;
  if (haveOtherSizes(a.info().tensor, b.info().tensor))
    return false;
  Value first = viewRoot(a.v), second = viewRoot(b.v);
  auto strides = stridesOf(a), others = stridesOf(b);
  auto isOfItsOwn = [](Value value) {
    return isNewMemory(value) || isArgument(value) || isOwnState(value);
  };
  // Arguments that share memory are parts of one argument.
  if (first != second && !readTheSame(first, second))
    return isOfItsOwn(first) && isOfItsOwn(second) ? std::optional(false) : std::nullopt;
  auto offset = layoutOf(a.v).offset(), other = layoutOf(b.v).offset();
  bool areKnown = a.info().tensor.hasStaticSizes() && b.info().tensor.hasStaticSizes();
  if (!areKnown || !strides || !others || !offset || !other)
    return std::nullopt;
  return a.info().sizes() == b.info().sizes() && strides == others && offset == other;
}

static StringRef deviceOf(GraphBuilder &b) {
  Operation *op = b.builder.getInsertionBlock()->getParentOp();
  auto func = isa<func::FuncOp>(op) ? cast<func::FuncOp>(op) : op->getParentOfType<func::FuncOp>();
  auto device = func ? func->getAttrOfType<StringAttr>(deviceAttr) : StringAttr();
  return device ? device.getValue() : "cpu";
}

Any device(GraphBuilder &b) {
  MLIRContext *context = b.builder.getContext();
  return {b, ConstantOp::create(b.builder, b.loc, DeviceType::get(context),
                                StringAttr::get(context, deviceOf(b)))};
}

Bool isOnDevice(GraphBuilder &b, StringRef kind) {
  return b.flag(deviceOf(b).split(':').first == kind);
}

//===----------------------------------------------------------------------===//
// Reshaping and reordering
//===----------------------------------------------------------------------===//

/// The sizes of `self` with those from `start` on as one, so that `rank` are left. It is no -1:
/// what others leave is any number where one of them is 0.
static std::optional<IntList> flattenedSizes(Tensor self, IntInfo start, int64_t rank) {
  if (!start.known)
    return std::nullopt;
  int64_t from = self.info().rank(), at = *start.known < 0 ? *start.known + from : *start.known;
  Int merged = sizeOf(self, at);
  for (int64_t dim = at + 1; dim <= at + from - rank; ++dim)
    merged = merged * sizeOf(self, dim);
  SmallVector<Int> sizes;
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(dim == at  ? merged
                    : dim < at ? sizeOf(self, dim)
                               : sizeOf(self, dim + from - rank));
  return self.b->list(sizes);
}

/// Those of `self` with `parts` in the place of `dim`.
static std::optional<IntList> unflattenedSizes(Tensor self, IntInfo dim, Value parts) {
  GraphBuilder &build = *self.b;
  auto list = IntList(build, parts).elements();
  auto at = dim.known ? wrapped(build.i(*dim.known), self.info().rank()) : std::nullopt;
  if (!list || !at)
    return std::nullopt;
  SmallVector<Int> sizes;
  for (int64_t i = 0; i < self.info().rank(); ++i) {
    if (i != *at)
      sizes.push_back(sizeOf(self, i));
    else
      for (Value part : *list)
        sizes.push_back(Int(build, part));
  }
  return build.list(sizes);
}

/// The sizes of a result of which `type` leaves some open: those that the operator names itself, or
/// that are another tensor's. Those of `self` in order, where the operator adds or drops dimensions
/// of size 1 alone; else a single one is what the others leave.
static std::optional<IntList> openSizes(Tensor self, TensorType type, Operation *op) {
  GraphBuilder &build = *self.b;
  if (isa<aten::ReshapeOp, aten::UnsafeViewOp>(op))
    return IntList(build, op->getOperand(1));
  if (isa<aten::ViewAsOp, aten::ReshapeAsOp>(op))
    return sizesOf(Tensor(build, op->getOperand(1)));
  if (auto flatten = dyn_cast<aten::FlattenUsingIntsOp>(op))
    return flattenedSizes(self, IntInfo(flatten.getStartDim()), type.getRank());
  if (auto unflatten = dyn_cast<aten::UnflattenIntOp>(op))
    return unflattenedSizes(self, IntInfo(unflatten.getDim()), unflatten.getSizes());
  SmallVector<Int> open;
  for (auto [dim, size] : llvm::enumerate(self.info().sizes()))
    if (size == TensorType::kDynamic)
      open.push_back(sizeOf(self, dim));
  auto isNotOne = [](int64_t size) { return size != 1; };
  bool isKept = llvm::to_vector(llvm::make_filter_range(self.info().sizes(), isNotOne)) ==
                llvm::to_vector(llvm::make_filter_range(type.getSizes(), isNotOne));
  size_t wanted = llvm::count(type.getSizes(), TensorType::kDynamic), next = 0;
  if (!isKept && (wanted != 1 || llvm::is_contained(type.getSizes(), 0)))
    return std::nullopt;
  SmallVector<Int> sizes;
  for (int64_t size : type.getSizes())
    sizes.push_back(size != TensorType::kDynamic ? build.i(size)
                    : isKept                     ? open[next++]
                                                 : build.i(-1));
  return build.list(sizes);
}

Decomposition reshaped(Tensor self, Value result) {
  auto type = cast<TensorType>(result.getType());
  if (!type.hasRank() || !self.info().hasRank())
    return self.b->notYet("the ranks of self and the result");
  if (type.hasStaticSizes())
    return self.info().sizes() == type.getSizes()
               ? Any(self)
               : Any(self.b->op<aten::ViewOp>(self, self.b->ints(type.getSizes())));
  auto sizes = openSizes(self, type, result.getDefiningOp());
  return sizes ? Decomposition(self.b->op<aten::ViewOp>(self, *sizes))
               : self.b->notYet("the sizes of the result");
}

Decomposition converted(Tensor self, Value result) {
  Type from = self.info().dtype(), to = cast<TensorType>(result.getType()).getDtype();
  if (!from || !to)
    return self.b->notYet("the element types of self and the result");
  if (from == to)
    return self;
  return self.b->op<aten::ToDTypeOp>(self, int64_t(*typeToDtype(to)), false, false, self.b->none());
}

Tensor permute(Tensor self, ArrayRef<int64_t> dims) {
  if (llvm::equal(dims, llvm::seq<int64_t>(dims.size())))
    return self;
  return self.b->op<aten::PermuteOp>(self, self.b->ints(dims));
}

Tensor unpermuted(Tensor written, IntList list) {
  auto dims = list.known();
  if (!dims)
    return notWritable(written);
  SmallVector<int64_t> inverse(dims->size());
  for (auto [i, dim] : llvm::enumerate(*dims)) {
    int64_t at = dim < 0 ? dim + int64_t(dims->size()) : dim;
    if (at < 0 || at >= int64_t(dims->size()))
      return notWritable(written);
    inverse[at] = i;
  }
  return permute(written, inverse);
}

Decomposition swapped(Tensor self, Int dim0, Int dim1) {
  if (!self.info().hasRank() || !dim0.known() || !dim1.known())
    return self.b->notYet("the rank of self, and the values of dim0 and dim1");
  int64_t rank = self.info().rank();
  if (rank == 0)
    return self;
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(rank));
  auto wrap = [&](int64_t dim) { return dim < 0 ? dim + rank : dim; };
  std::swap(dims[wrap(*dim0.known())], dims[wrap(*dim1.known())]);
  return permute(self, dims);
}

Decomposition reversed(Tensor self) {
  if (!self.info().hasRank())
    return self.b->notYet("the rank of self");
  SmallVector<int64_t> dims =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(self.info().rank())));
  return permute(self, dims);
}

Decomposition matrixTransposed(Tensor self) {
  if (!self.info().hasRank())
    return self.b->notYet("the rank of self");
  return self.info().rank() == 0 ? self : self.b->op<aten::TransposeIntOp>(self, -2, -1);
}

static Decomposition movedBy(Tensor self, ArrayRef<int64_t> from, ArrayRef<int64_t> to) {
  if (!self.info().hasRank())
    return self.b->notYet("the rank of self");
  auto dims = movingPermutation(self.info().rank(), from, to);
  if (!dims)
    return self.b->notYet("different dims of self");
  return permute(self, *dims);
}

Decomposition moved(Tensor self, Int from, Int to) {
  if (!from.known() || !to.known())
    return self.b->notYet("the values of from and to");
  return movedBy(self, {*from.known()}, {*to.known()});
}

Decomposition moved(Tensor self, IntList from, IntList to) {
  auto first = from.known(), last = to.known();
  if (!first || !last)
    return self.b->notYet("the values of source and destination");
  return movedBy(self, *first, *last);
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

Tensor slice(Tensor self, int64_t dim, int64_t start, int64_t end, int64_t step) {
  return self.b->op<aten::SliceTensorOp>(self, dim, start, end, step);
}

//===----------------------------------------------------------------------===//
// Writes
//===----------------------------------------------------------------------===//

Tensor notWritable(Tensor self) { return Tensor(*self.b, Value()); }

//===----------------------------------------------------------------------===//
// Folds
//===----------------------------------------------------------------------===//

namespace aten {

/// Whether the slice takes all of its dimension, whatever the size of that.
static bool takesAll(SliceTensorOp op) {
  IntInfo start(op.getStart()), end(op.getEnd());
  return (start.isNone() || start.known == 0) &&
         (end.isNone() || end.known == std::numeric_limits<int64_t>::max());
}

OpFoldResult SliceTensorOp::fold(FoldAdaptor) {
  auto from = cast<TensorType>(getSelf().getType());
  bool whole = from == getType() && IntInfo(getStep()).known == 1 &&
               (from.hasStaticSizes() || (from.hasRank() && takesAll(*this)));
  return whole ? getSelf() : Value();
}

OpFoldResult ToDTypeOp::fold(FoldAdaptor) {
  bool same = getSelf().getType() == getType() && cast<TensorType>(getType()).hasDtype();
  return same && !BoolInfo(getCopy()).known.value_or(true) ? getSelf() : Value();
}

} // namespace aten
} // namespace jit
