//===- Rearrange.cpp - builders for the rules of Rearrange.td -------------===//

#include "Rules/Rearrange.h"
#include "Rules/GraphBuilders.h"
#include "Rules/Index.h"
#include "Rules/Layout.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Rearrange.h"

using namespace mlir;

namespace jit {

static Tensor view(Tensor t, ArrayRef<int64_t> sizes) {
  return t.info().sizes() == sizes ? t : t.b->op<aten::ViewOp>(t, t.b->ints(sizes));
}

/// All tensors of a list, if their sizes are known.
static std::optional<SmallVector<Tensor>> tensorsOf(TensorList list) {
  auto elements = list.elements();
  if (!elements || elements->empty())
    return std::nullopt;
  SmallVector<Tensor> tensors;
  for (Value element : *elements) {
    if (!isa<TensorType>(element.getType()) || !isStatic(Tensor(*list.b, element)))
      return std::nullopt;
    tensors.push_back(Tensor(*list.b, element));
  }
  return tensors;
}

//===----------------------------------------------------------------------===//
// Joining
//===----------------------------------------------------------------------===//

Type broadcastList(TypeRules &infer, ListInfo tensors) {
  bool ok = true;
  if (tensors.elements)
    (void)infer.broadcastSizes(*tensors.elements, ok);
  return ok ? infer.list(infer.tensor()) : Type();
}

Decomposition eachCopied(GraphBuilder &build, Decomposition views) {
  if (failed(views.values))
    return views;
  SmallVector<Tensor> copies;
  for (Value view : views.values->front().getDefiningOp<ListOp>().getElements())
    copies.push_back(Tensor(build.op<aten::CloneOp>(Tensor(build, view), 0)));
  return build.list(copies);
}

/// `sizes`, those that are open from the tensors that have them: they are compared in the call.
static SmallVector<Int> commonSizes(ArrayRef<Tensor> tensors, ArrayRef<int64_t> sizes) {
  SmallVector<Int> common;
  for (int64_t dim = -int64_t(sizes.size()); dim < 0; ++dim) {
    std::optional<Tensor> first;
    for (const Tensor &tensor : tensors) {
      if (tensor.info().rank() < -dim || tensor.info().size(dim) == 1)
        continue;
      if (!first)
        first = tensor;
      haveEqualSize(*first, dim, tensor, dim);
    }
    int64_t known = sizes[sizes.size() + dim];
    common.push_back(known == TensorType::kDynamic ? sizeOf(*first, dim)
                                                   : tensors.front().b->i(known));
  }
  return common;
}

Decomposition broadcastTogether(TensorList list) {
  GraphBuilder &build = *list.b;
  SmallVector<Tensor> tensors;
  for (Value element : list.elements().value_or(SmallVector<Value>())) {
    tensors.push_back(Tensor(build, element));
    if (!isa<TensorType>(element.getType()) || !tensors.back().info().hasRank())
      return build.notYet("the rank of each tensor");
  }
  TypeRules rules{build.builder.getContext(), build.loc};
  bool ok = !tensors.empty();
  auto sizes = ok ? rules.broadcastSizes(*list.elements(), ok) : std::nullopt;
  if (!ok || !sizes)
    return build.notYet("tensors of sizes that broadcast");
  IntList common = build.list(commonSizes(tensors, *sizes));
  SmallVector<Tensor> parts;
  for (Tensor tensor : tensors)
    parts.push_back(tensor.info().sizes() == ArrayRef(*sizes)
                        ? tensor
                        : build.op<aten::ExpandOp>(tensor, common, false));
  return build.list(parts);
}

static Tensor raised(Tensor t, int64_t rank) {
  SmallVector<int64_t> sizes(t.info().sizes());
  // A vector is a row, of an image too; a matrix gets its channels at the end.
  if (sizes.size() < 2 && rank >= 2)
    sizes.insert(sizes.begin(), 2 - sizes.size(), 1);
  while (int64_t(sizes.size()) < rank)
    sizes.push_back(1);
  return view(t, sizes);
}

Decomposition atLeast(Tensor self, int64_t rank) {
  return isStatic(self) ? Decomposition(raised(self, rank)) : self.b->notYet("the sizes of self");
}

Decomposition allAtLeast(TensorList list, int64_t rank) {
  auto tensors = tensorsOf(list);
  if (!tensors)
    return list.b->notYet("the sizes of each tensor");
  for (Tensor &tensor : *tensors)
    tensor = raised(tensor, rank);
  return list.b->list(*tensors);
}

static Decomposition joined(GraphBuilder &build, ArrayRef<Tensor> tensors, int64_t dim) {
  return build.op<aten::CatOp>(build.list(tensors), dim);
}

Decomposition columnStack(TensorList list) {
  auto tensors = tensorsOf(list);
  if (!tensors)
    return list.b->notYet("the sizes of each tensor");
  for (Tensor &tensor : *tensors)
    if (tensor.info().rank() <= 1)
      tensor = view(tensor, {tensor.info().rank() == 0 ? 1 : tensor.info().size(0), 1});
  return joined(*list.b, *tensors, 1);
}

Decomposition depthStack(TensorList list) {
  auto tensors = tensorsOf(list);
  if (!tensors)
    return list.b->notYet("the sizes of each tensor");
  for (Tensor &tensor : *tensors)
    tensor = raised(tensor, 3);
  return joined(*list.b, *tensors, 2);
}

Decomposition blockDiagonal(TensorList list) {
  GraphBuilder &build = *list.b;
  auto tensors = tensorsOf(list);
  if (!tensors)
    return build.notYet("the sizes of each tensor");
  // One without dimensions does not decide the type, though it becomes a matrix.
  Type type = promotedType(*list.elements(), false);
  if (!type)
    return build.notYet("the element type of each tensor");
  int64_t all = 0, before = 0;
  for (Tensor &tensor : *tensors) {
    if (tensor.info().rank() > 2)
      return build.notYet("tensors of at most two dimensions");
    tensor = raised(converted(tensor, type), 2);
    all += tensor.info().size(1);
  }
  for (Tensor &tensor : *tensors) {
    int64_t columns = tensor.info().size(1), after = all - before - columns;
    before += columns;
    tensor = build.op<aten::ConstantPadNdOp>(tensor, build.ints({before - columns, after}), 0);
  }
  return joined(build, *tensors, 0);
}

Decomposition cartesianProduct(TensorList list) {
  GraphBuilder &build = *list.b;
  auto elements = list.elements();
  if (!elements || llvm::any_of(*elements, [](Value element) {
        TensorInfo info(element);
        return !info.hasRank() || info.rank() != 1;
      }))
    return build.notYet("the tensors, of one dimension");
  if (elements->size() == 1)
    return Tensor(build, elements->front());
  SmallVector<Int> sizes;
  for (Value element : *elements)
    sizes.push_back(sizeOf(Tensor(build, element), 0));
  Int count = sizes.front();
  for (Int size : llvm::drop_begin(sizes))
    count = count * size;
  SmallVector<Tensor> columns;
  for (auto [i, element] : llvm::enumerate(*elements)) {
    SmallVector<Int> own(sizes.size(), build.i(1));
    own[i] = sizes[i];
    Tensor column = build.op<aten::ViewOp>(element, build.list(own));
    Tensor grid = build.op<aten::ExpandOp>(column, build.list(sizes), false);
    columns.push_back(build.op<aten::ReshapeOp>(grid, build.list({count, build.i(1)})));
  }
  return joined(build, columns, 1);
}

Int columnDim(Tensor self) {
  return self.b->i(self.info().hasRank() && self.info().rank() == 1 ? 0 : 1);
}

Decomposition chunksJoined(TensorList tensors, Int dim, Int chunks) {
  GraphBuilder &build = *tensors.b;
  auto elements = tensors.elements();
  if (!elements || elements->empty() || chunks.known().value_or(0) < 1)
    return build.notYet("the tensors and a number of chunks of 1 or more");
  SmallVector<Tensor> rows;
  int64_t place = 0;
  for (Value element : *elements) {
    Tensor t(build, element);
    auto at = isStatic(t) ? wrapped(dim, t.info().rank()) : std::nullopt;
    if (!at || t.info().size(*at) == 0)
      return build.notYet("the sizes of each tensor, and a dim that has elements");
    place = *at;
    SmallVector<int64_t> pad(2 * (t.info().rank() - *at), 0);
    int64_t missing = (*chunks.known() - t.info().size(*at) % *chunks.known()) % *chunks.known();
    pad.back() = missing;
    t = build.op<aten::ConstantPadNdOp>(t, build.ints(pad), 0);
    SmallVector<int64_t> sizes(t.info().sizes().take_front(*at));
    sizes.append({*chunks.known(), -1});
    rows.push_back(build.op<aten::ViewOp>(t, build.ints(sizes)));
  }
  return build.op<aten::CatOp>(build.list(rows), place + 1);
}

//===----------------------------------------------------------------------===//
// Turning
//===----------------------------------------------------------------------===//

Decomposition turned(Tensor self, Int quarters, IntList dims) {
  GraphBuilder &build = *self.b;
  auto plane = dims.known();
  if (!plane || plane->size() != 2 || !quarters.known())
    return build.notYet("two constant dims and the value of k");
  if ((*plane)[0] == (*plane)[1])
    return build.error("expected two different dimensions, got " + Twine((*plane)[0]) + " twice");
  auto flipped = [&](ArrayRef<int64_t> along) -> Tensor {
    return build.op<aten::FlipOp>(self, build.ints(along));
  };
  switch (((*quarters.known() % 4) + 4) % 4) {
  case 1:
    return transpose(flipped({(*plane)[1]}), (*plane)[0], (*plane)[1]);
  case 2:
    return flipped(*plane);
  case 3:
    return transpose(flipped({(*plane)[0]}), (*plane)[0], (*plane)[1]);
  default:
    return self;
  }
}

Decomposition halfShifted(Tensor self, OptIntList dims, bool isForward) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !dims.isSettled() || (dims && !(*dims).known()))
    return build.notYet("the sizes of self, whether dims is None, and the value of dims");
  SmallVector<int64_t> along =
      dims ? *(*dims).known() : llvm::to_vector(llvm::seq<int64_t>(self.info().rank()));
  SmallVector<int64_t> shifts;
  for (int64_t &dim : along) {
    auto place = wrapped(build.i(dim), self.info().rank());
    if (!place)
      return build.notYet("dims of self");
    dim = *place;
    shifts.push_back((self.info().size(dim) + !isForward) / 2);
  }
  if (along.empty())
    return self;
  return build.op<aten::RollOp>(self, build.ints(shifts), build.ints(along));
}

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

namespace {
/// The elements of a vector at their places in a matrix, and where these are.
struct PlacedDiagonal {
  Tensor isDiagonal, values;
};
} // namespace

/// The last dimension of `source` as the diagonal of a [rows, columns] matrix.
static PlacedDiagonal placed(Tensor source, int64_t rows, int64_t columns, int64_t offset) {
  GraphBuilder &build = *source.b;
  Tensor row = unsqueeze(counting(build, rows), 1);
  Tensor isDiagonal =
      Tensor(build.op<aten::AddScalarOp>(row, offset, 1)) == counting(build, columns);
  // Counted by rows where the diagonal starts in the first of them, otherwise by columns.
  int64_t length = (offset >= 0 ? rows : columns) - source.info().size(-1);
  Tensor values = build.op<aten::ConstantPadNdOp>(source, build.ints({0, length}), 0);
  return {isDiagonal, unsqueeze(values, offset >= 0 ? -1 : -2)};
}

/// The order of dimensions that has two of them last; nullopt where they are not two.
static std::optional<SmallVector<int64_t>> lastTwo(Int dim1, Int dim2, int64_t rank) {
  auto first = wrapped(dim1, rank), second = wrapped(dim2, rank);
  if (!first || !second || *first == *second)
    return std::nullopt;
  SmallVector<int64_t> order;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (dim != *first && dim != *second)
      order.push_back(dim);
  order.append({*first, *second});
  return order;
}

Decomposition traceOf(Tensor diagonal) {
  GraphBuilder &build = *diagonal.b;
  Type dtype = diagonal.info().dtype();
  if (!dtype)
    return build.notYet("the element type of self");
  if (!dtype.isF32())
    return build.op<aten::SumOp>(diagonal, build.none());
  return typeAs(build.op<aten::SumOp>(diagonal, int64_t(ScalarType::Double)), diagonal);
}

Decomposition diagonalEmbedded(Tensor self, Int offset, Int dim1, Int dim2) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || self.info().rank() == 0 || !offset.known())
    return build.notYet("the sizes of self, of one dimension or more, and the value of offset");
  auto order = lastTwo(dim1, dim2, self.info().rank() + 1);
  if (!order)
    return build.notYet("two different dims of the result");
  int64_t size = self.info().size(-1) + std::abs(*offset.known());
  auto [isDiagonal, values] = placed(self, size, size, *offset.known());
  Tensor matrix = where(isDiagonal, values, zerosLike(values));
  return unpermuted(matrix, build.ints(*order));
}

Decomposition diagonalWritten(Tensor self, Tensor source, Int offset, Int dim1, Int dim2) {
  GraphBuilder &build = *self.b;
  if (!isStatic(self) || !isStatic(source) || source.info().rank() == 0 || !offset.known())
    return build.notYet(
        "the sizes of self and src, of one dimension or more, and the value of offset");
  auto order = lastTwo(dim1, dim2, self.info().rank());
  if (!order)
    return build.notYet("two different dims of self");
  Tensor base = permute(self, *order);
  auto [isDiagonal, values] =
      placed(source, base.info().size(-2), base.info().size(-1), *offset.known());
  return unpermuted(where(isDiagonal, values, base), build.ints(*order));
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// `dims` in another order, after the `leading` ones that stay.
static Tensor reordered(Tensor t, int64_t leading, ArrayRef<int64_t> dims) {
  SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(leading));
  for (int64_t dim : dims)
    order.push_back(leading + dim);
  return permute(t, order);
}

/// `t` in other sizes: those of the first `leading` dimensions of `like`, then `rest`.
static Tensor viewBehind(Tensor t, Tensor like, int64_t leading, ArrayRef<int64_t> rest) {
  SmallVector<Int> sizes;
  for (int64_t dim = 0; dim < leading; ++dim)
    sizes.push_back(sizeOf(like, dim));
  for (int64_t size : rest)
    sizes.push_back(t.b->i(size));
  return t.b->op<aten::ViewOp>(t, t.b->list(sizes));
}

Decomposition pixelsFromChannels(Tensor self, Int factor) {
  int64_t r = factor.known().value_or(0);
  if (!areLastKnown(self, 3) || r < 1 || self.info().size(-3) % (r * r) != 0)
    return self.b->notYet("the last three sizes of self, and a factor whose square divides the "
                          "channels");
  int64_t leading = self.info().rank() - 3, channels = self.info().size(-3) / (r * r);
  int64_t height = self.info().size(-2), width = self.info().size(-1);
  Tensor split = viewBehind(self, self, leading, {channels, r, r, height, width});
  Tensor mixed = reordered(split, leading, {0, 3, 1, 4, 2});
  return viewBehind(mixed, self, leading, {channels, height * r, width * r});
}

Decomposition channelsFromPixels(Tensor self, Int factor) {
  int64_t r = factor.known().value_or(0);
  if (!areLastKnown(self, 3) || r < 1 || self.info().size(-2) % r != 0 ||
      self.info().size(-1) % r != 0)
    return self.b->notYet("the last three sizes of self, and a factor that divides height and "
                          "width");
  int64_t leading = self.info().rank() - 3, channels = self.info().size(-3);
  int64_t height = self.info().size(-2) / r, width = self.info().size(-1) / r;
  Tensor split = viewBehind(self, self, leading, {channels, height, r, width, r});
  Tensor mixed = reordered(split, leading, {0, 2, 4, 1, 3});
  return viewBehind(mixed, self, leading, {channels * r * r, height, width});
}

Decomposition channelsShuffled(Tensor self, Int groups) {
  int64_t count = groups.known().value_or(0);
  if (!self.info().hasRank() || self.info().rank() < 3 || count < 1 ||
      self.info().size(1) == TensorType::kDynamic || self.info().size(1) % count != 0)
    return self.b->notYet("the channels of self, of three dimensions or more, and groups that "
                          "divide them");
  SmallVector<Int> sizes;
  for (int64_t dim = 0; dim < self.info().rank(); ++dim)
    sizes.push_back(sizeOf(self, dim));
  SmallVector<Int> groupsOf = {sizes[0], self.b->i(count), self.b->i(self.info().size(1) / count)};
  llvm::append_range(groupsOf, ArrayRef(sizes).drop_front(2));
  Tensor mixed = transpose(self.b->op<aten::ViewOp>(self, self.b->list(groupsOf)), 1, 2);
  return self.b->op<aten::ViewOp>(mixed, self.b->list(sizes));
}

} // namespace jit
