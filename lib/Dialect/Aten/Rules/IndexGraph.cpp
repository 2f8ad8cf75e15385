//===- IndexGraph.cpp - builders for the `decompose` rules of Index.td ----===//

#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/OpenNumbers.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

static Tensor join(GraphBuilder &b, ArrayRef<Tensor> parts, int64_t dim) {
  return parts.size() == 1 ? parts[0] : b.op<aten::CatOp>(b.list(parts), dim);
}

AnyList optionals(GraphBuilder &b, ArrayRef<Any> elements) {
  auto values = llvm::map_to_vector(elements, [](const Any &element) { return element.v; });
  Type element = OptionalType::get(TensorType::get(b.builder.getContext()));
  return {b, ListOp::create(b.builder, b.loc, ListType::get(element), values)};
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

/// Ends the call where a loop has filled `tensor` with no slices.
static void guardFilled(Tensor tensor, StringRef exception, StringRef message) {
  if (tensor.info().size(0) != TensorType::kDynamic)
    return;
  GraphBuilder &build = *tensor.b;
  Value isFilled = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sgt,
                                         sizeOf(tensor, 0).v, build.i(0).v);
  GuardOp::create(build.builder, build.loc, isFilled, exception, message, ValueRange());
}

Decomposition stacked(TensorList list, Int dim) {
  auto pieces = listPieces(list.v);
  if (!pieces || pieces->empty())
    return list.b->notYet("the tensors");
  SmallVector<Tensor> parts;
  int64_t place = 0;
  for (const ListPiece &piece : *pieces) {
    Tensor tensor(*list.b, piece.tensor);
    if (!isa<TensorType>(piece.tensor.getType()) || !tensor.info().hasRank())
      return list.b->notYet("the rank of each tensor");
    int64_t rank = tensor.info().rank() + (piece.isSlab ? 0 : 1);
    std::optional<int64_t> at = wrapped(dim, rank);
    if (!at || rank == 0)
      return list.b->notYet("a constant dim of the result");
    place = *at;
    if (!piece.isSlab) {
      parts.push_back(list.b->op<aten::UnsqueezeOp>(tensor, *at));
      continue;
    }
    if (pieces->size() == 1)
      guardFilled(tensor, "builtins.RuntimeError", "stack expects a non-empty TensorList");
    auto order = movingPermutation(rank, {0}, {*at});
    parts.push_back(permute(tensor, *order));
  }
  return join(*list.b, parts, place);
}

Decomposition joinedAtLeast(TensorList list, int64_t rank) {
  auto pieces = listPieces(list.v);
  if (!pieces || pieces->empty())
    return list.b->notYet("the tensors");
  SmallVector<Tensor> parts;
  for (const ListPiece &piece : *pieces) {
    Tensor tensor(*list.b, piece.tensor);
    if (piece.isSlab || !isa<TensorType>(piece.tensor.getType()) || !tensor.info().hasRank())
      return list.b->notYet("the rank of each tensor");
    while (tensor.info().rank() < rank)
      tensor = unsqueeze(tensor, 0);
    parts.push_back(tensor);
  }
  // hstack joins vectors along their only dimension, vstack always along the first.
  int64_t dim = rank == 1 && parts[0].info().rank() > 1 ? 1 : 0;
  return join(*list.b, parts, dim);
}

/// A tensor of which dimension `dim` and the one behind it are one.
static Tensor mergedInto(Tensor tensor, int64_t dim) {
  SmallVector<int64_t> known(tensor.info().sizes());
  SmallVector<Int> sizes;
  for (int64_t i = 0; i < tensor.info().rank(); ++i)
    sizes.push_back(sizeOf(tensor, i));
  known[dim] *= known[dim + 1];
  sizes[dim] = sizes[dim] * sizes[dim + 1];
  known.erase(known.begin() + dim + 1);
  sizes.erase(sizes.begin() + dim + 1);
  return isStatic(tensor) ? viewAs(tensor, known)
                          : tensor.b->op<aten::ReshapeOp>(tensor, tensor.b->list(sizes));
}

namespace aten {

LogicalResult CatOp::canonicalize(CatOp op, PatternRewriter &rewriter) {
  auto pieces = listPieces(op.getTensors());
  auto type = cast<TensorType>(op.getType());
  IntInfo dim(op.getDim());
  if (!pieces || pieces->empty() || !type.hasRank() || type.getRank() == 0 || !dim.known)
    return rewriter.notifyMatchFailure(op, "expected a list of known parts and a known rank");
  int64_t at = *dim.known < 0 ? *dim.known + type.getRank() : *dim.known;
  if (pieces->size() == 1 && !pieces->front().isSlab && pieces->front().tensor.getType() == type) {
    // New memory, even so: the part may be written later.
    GraphBuilder build{rewriter, op.getLoc()};
    Tensor part(build, pieces->front().tensor);
    rewriter.replaceOp(op, build.op<CloneOp>(part, build.none()).v);
    return success();
  }
  if (llvm::none_of(*pieces, [](const ListPiece &piece) { return piece.isSlab; }) &&
      op.getTensors().getDefiningOp<ListOp>())
    return rewriter.notifyMatchFailure(op, "expected parts that a loop has filled");
  GraphBuilder build{rewriter, op.getLoc()};
  SmallVector<Tensor> parts;
  for (const ListPiece &piece : *pieces) {
    Tensor tensor(build, piece.tensor);
    if (!piece.isSlab) {
      parts.push_back(tensor);
      continue;
    }
    if (!tensor.info().hasRank() || tensor.info().rank() != type.getRank() + 1)
      return rewriter.notifyMatchFailure(op, "expected a loop's tensor of one more dimension");
    if (pieces->size() == 1)
      guardFilled(tensor, "builtins.ValueError",
                  "torch.cat(): expected a non-empty list of Tensors");
    // [T, a, b, c] joined along b is [a, T*b, c].
    Tensor moved = permute(tensor, *movingPermutation(type.getRank() + 1, {0}, {at}));
    parts.push_back(mergedInto(moved, at));
  }
  rewriter.replaceOp(op, join(build, parts, at).v);
  return success();
}

} // namespace aten

//===----------------------------------------------------------------------===//
// Picking
//===----------------------------------------------------------------------===//

Tensor fromFront(Tensor made) {
  if (Operation *op = made.v.getDefiningOp();
      isa_and_present<aten::IndexTensorOp, aten::IndexPutOp>(op))
    op->setAttr(fromFrontAttr, made.b->builder.getUnitAttr());
  return made;
}

Tensor pickedFromFront(Tensor self, int64_t dim, Tensor index) {
  GraphBuilder &b = *self.b;
  SmallVector<Any> indices(dim, b.none());
  indices.push_back(index);
  return fromFront(b.op<aten::IndexTensorOp>(self, optionals(b, indices)));
}

Decomposition indexSelected(Tensor self, Int dim, Tensor index) {
  GraphBuilder &b = *self.b;
  if (!self.info().hasRank() || !index.info().hasRank() || index.info().rank() > 1)
    return b.notYet("the rank of self and an index of rank 0 or 1");
  if (self.info().rank() == 0)
    return b.op<aten::GatherOp>(self, 0, b.op<aten::ViewOp>(index, b.ints({})), false);
  auto at = wrapped(dim, self.info().rank());
  if (!at)
    return b.notYet("a constant dim of self");
  if (index.info().rank() == 0)
    index = viewAs(index, {1});
  return pickedFromFront(self, *at, index);
}

Decomposition takenAlong(Tensor self, Tensor indices, OptInt dim, Value result) {
  GraphBuilder &b = *self.b;
  auto type = cast<TensorType>(result.getType());
  if (!dim.isSettled() || !type.hasStaticSizes() || !isStatic(self) || !isStatic(indices))
    return b.notYet("the sizes of self, indices and the result, and whether dim is None");
  if (!dim) {
    self = viewAs(self, {elementCount(self)});
    indices = viewAs(indices, {elementCount(indices)});
  }
  auto at = dim ? wrapped(*dim, self.info().rank()) : 0;
  if (!at)
    return b.notYet("a constant dim of self");
  SmallVector<int64_t> sizes(type.getSizes());
  int64_t size = self.info().size(*at);
  // Unlike gather it counts negative indices from the end.
  Tensor fromEnd = b.op<aten::AddScalarOp>(indices, size, 1);
  Tensor isNegative = b.op<aten::LtScalarOp>(indices, 0);
  Tensor index = expandTo(b.op<aten::WhereSelfOp>(isNegative, fromEnd, indices), sizes);
  sizes[*at] = size;
  return b.op<aten::GatherOp>(expandTo(self, sizes), *at, index, false);
}

/// As many classes as the numbers of a tensor with elements say.
static Int countedClasses(Tensor self) {
  GraphBuilder &b = *self.b;
  if (!isStatic(self)) {
    Value isThere = compared(arith::CmpIPredicate::sgt, b.intOp<aten::NumelOp>(self), b.i(0));
    GuardOp::create(b.builder, b.loc, isThere, "builtins.RuntimeError",
                    "expected num_classes to be given, or elements to count the classes of",
                    ValueRange());
  }
  return boundOf(self);
}

Decomposition oneHot(Tensor self, Int classes) {
  GraphBuilder &b = *self.b;
  if (!self.info().hasRank() || !self.info().dtype())
    return b.notYet("the rank and element type of self");
  if (classes.known().value_or(0) < 0)
    classes = countedClasses(self);
  else
    guardWithin(self, 0, classes - b.i(1));
  Any none = b.none();
  Tensor range = b.op<aten::ArangeOp>(classes, none, none, none, none);
  Tensor same = b.op<aten::EqTensorOp>(b.op<aten::UnsqueezeOp>(self, -1), range);
  return b.op<aten::ToDTypeOp>(same, int64_t(ScalarType::Long), false, false, none);
}

Decomposition bothResults(GraphBuilder &b, Operation *op) {
  return {Any(b, op->getResult(0)), Any(b, op->getResult(1))};
}

//===----------------------------------------------------------------------===//
// Rearranging
//===----------------------------------------------------------------------===//

/// Rolled by `shift` to the back along one dimension.
static Tensor rollBy(Tensor self, int64_t shift, int64_t dim) {
  int64_t size = self.info().size(dim);
  shift = size ? ((shift % size) + size) % size : 0;
  if (shift == 0)
    return self;
  return join(*self.b, {slice(self, dim, size - shift, size), slice(self, dim, 0, size - shift)},
              dim);
}

Decomposition rolled(Tensor self, IntList shiftList, IntList dimList) {
  auto shifts = shiftList.known(), dims = dimList.known();
  if (!shifts || !dims || !self.info().hasRank())
    return self.b->notYet("the rank of self and the values of shifts and dims");
  if (dims->empty() && shifts->size() == 1) {
    if (!isStatic(self))
      return self.b->notYet("the sizes of self, or dims");
    SmallVector<int64_t> sizes(self.info().sizes());
    return viewAs(rollBy(viewAs(self, {elementCount(self)}), shifts->front(), 0), sizes);
  }
  if (dims->size() != shifts->size())
    return self.b->notYet("as many dims as shifts");
  for (auto [shift, dim] : llvm::zip(*shifts, *dims)) {
    auto at = wrapped(self.b->i(dim), self.info().rank());
    if (!at || self.info().size(*at) == TensorType::kDynamic)
      return self.b->notYet("dims of self, and their sizes");
    self = rollBy(self, shift, *at);
  }
  return self;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// `count` elements to put before (or after) the tensor along a dimension.
static Tensor border(Tensor self, int64_t dim, int64_t count, bool before, StringRef mode) {
  int64_t size = self.info().size(dim);
  if (mode == "circular")
    return before ? slice(self, dim, size - count, size) : slice(self, dim, 0, count);
  if (mode == "replicate") {
    Tensor edge = before ? slice(self, dim, 0, 1) : slice(self, dim, size - 1, size);
    SmallVector<int64_t> sizes(self.info().rank(), -1);
    sizes[dim] = count;
    return edge.b->op<aten::ExpandOp>(edge, edge.b->ints(sizes), false);
  }
  Tensor part =
      before ? slice(self, dim, 1, count + 1) : slice(self, dim, size - 1 - count, size - 1);
  return self.b->op<aten::FlipOp>(part, self.b->ints({dim}));
}

Decomposition borderPadded(Tensor self, IntList list, StringRef mode) {
  auto pad = list.known();
  if (!pad || !areLastKnown(self, pad->size() / 2))
    return self.b->notYet("a constant padding of at most the dimensions of self, and their sizes");
  for (size_t i = 0; i < pad->size() / 2; ++i) {
    int64_t dim = self.info().rank() - 1 - i, before = (*pad)[2 * i], after = (*pad)[2 * i + 1];
    int64_t size = self.info().size(dim);
    // A negative padding takes elements away.
    Tensor middle =
        slice(self, dim, std::max<int64_t>(0, -before), size - std::max<int64_t>(0, -after));
    Tensor whole = before < 0 || after < 0 ? middle : self;
    // What is left wraps around; a mirror or an edge shows what there was.
    Tensor source = mode == "circular" ? whole : self;
    int64_t most = source.info().size(dim) - (mode == "reflect" ? 1 : 0);
    if (mode != "replicate" && std::max(before, after) > most) {
      emitError(self.b->loc, "expected padding of at most ")
          << most << ", got " << std::max(before, after);
      return self.b->notYet("padding of at most the size");
    }
    SmallVector<Tensor> parts;
    if (before > 0)
      parts.push_back(border(source, dim, before, /*before=*/true, mode));
    parts.push_back(whole);
    if (after > 0)
      parts.push_back(border(source, dim, after, /*before=*/false, mode));
    self = join(*self.b, parts, dim);
  }
  return self;
}

Decomposition padded(Tensor self, IntList pad, Str mode, OptFloat value) {
  if (!mode.known() || !value.isSettled())
    return self.b->notYet("the value of mode and whether value is None");
  if (*mode.known() != "constant")
    return borderPadded(self, pad, *mode.known());
  Any fill = value ? Any(*value) : Any(self.b->i(0));
  return self.b->op<aten::ConstantPadNdOp>(self, pad, fill);
}

} // namespace jit
