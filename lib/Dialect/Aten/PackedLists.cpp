//===- PackedLists.cpp - lists of tensors in one tensor -------------------===//

#include "jit/Dialect/Aten/PackedLists.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Reduction.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace jit {

/// On a jit.list_from_tensor that is packed: its elements are not written in place.
static constexpr StringLiteral packedAttr = "jit.packed";

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

bool isTensorList(Type type) {
  auto list = dyn_cast<ListType>(type);
  return list && isa<TensorType>(list.getElementType());
}

static bool isOpen(int64_t size) { return size == TensorType::kDynamic; }

std::optional<int64_t> PackedForm::dim() const {
  const int64_t *open = llvm::find_if(sizes, isOpen);
  return open == sizes.end() ? std::nullopt : std::optional<int64_t>(open - sizes.begin());
}

SmallVector<Type> PackedForm::types(MLIRContext *context) const {
  if (!dtype)
    return {};
  if (dim())
    return {TensorType::get(context, ArrayRef(sizes), dtype),
            TensorType::get(context, ArrayRef<int64_t>{TensorType::kDynamic},
                            IntegerType::get(context, 64))};
  SmallVector<int64_t> all{TensorType::kDynamic};
  llvm::append_range(all, sizes);
  return {TensorType::get(context, ArrayRef(all), dtype)};
}

/// The form of a list of tensors of one type; nullopt where two sizes of it are open.
static std::optional<PackedForm> formOf(TensorType type, ArrayRef<int64_t> sizes) {
  if (!type.hasDtype() || llvm::count_if(sizes, isOpen) > 1)
    return std::nullopt;
  return PackedForm{type.getDtype(), SmallVector<int64_t>(sizes)};
}

std::optional<PackedForm> joinForms(const PackedForm &a, const PackedForm &b) {
  if (!a.dtype || !b.dtype)
    return a.dtype ? a : b;
  if (a.dtype != b.dtype || a.sizes.size() != b.sizes.size())
    return std::nullopt;
  PackedForm joined = a;
  for (auto [size, other] : llvm::zip_equal(joined.sizes, b.sizes))
    size = size == other ? size : TensorType::kDynamic;
  return llvm::count_if(joined.sizes, isOpen) > 1 ? std::nullopt : std::optional(joined);
}

static std::optional<PackedForm> joinForms(const std::optional<PackedForm> &a,
                                           const std::optional<PackedForm> &b) {
  return a && b ? joinForms(*a, *b) : std::nullopt;
}

static std::optional<PackedForm> formOfElement(Value element) {
  auto type = dyn_cast<TensorType>(element.getType());
  return type && type.hasRank() ? formOf(type, type.getSizes()) : std::nullopt;
}

static std::optional<PackedForm> formOfParts(aten::PartsOp parts) {
  auto type = cast<TensorType>(parts.getSelf().getType());
  auto dim = IntInfo(parts.getDim()).known;
  if (!type.hasRank() || !dim)
    return std::nullopt;
  SmallVector<int64_t> sizes(type.getSizes());
  sizes[*dim] = TensorType::kDynamic;
  return formOf(type, sizes);
}

std::optional<PackedForm> packedForm(Value list) {
  Operation *op = withoutDerefine(list).getDefiningOp();
  if (auto elements = dyn_cast_or_null<ListOp>(op)) {
    std::optional<PackedForm> form = PackedForm();
    for (Value element : elements.getElements())
      form = joinForms(form, formOfElement(element));
    return form;
  }
  if (auto slab = dyn_cast_or_null<ListFromTensorOp>(op)) {
    auto type = cast<TensorType>(slab.getTensor().getType());
    return type.hasRank() && type.getRank() > 0 ? formOf(type, type.getSizes().drop_front())
                                                : std::nullopt;
  }
  if (auto parts = dyn_cast_or_null<aten::PartsOp>(op))
    return formOfParts(parts);
  if (auto append = dyn_cast_or_null<ListAppendOp>(op))
    return joinForms(packedForm(append.getList()), formOfElement(append.getElement()));
  if (auto concat = dyn_cast_or_null<ListConcatOp>(op))
    return joinForms(packedForm(concat.getFirst()), packedForm(concat.getSecond()));
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

namespace {
/// The elements of a list: slices of `all` along its first dimension, or with `bounds` parts of it.
struct Packed {
  Tensor all;
  std::optional<Tensor> bounds;
};

/// Packs lists into one form.
class Packer {
public:
  Packer(GraphBuilder &build, const PackedForm &form) : build(build), form(form) {}

  Packed pack(Value list);
  Packed concat(Packed first, Packed second);

private:
  int64_t dim() const { return form.dim().value_or(0); }
  Tensor boundsOf(ArrayRef<Int> bounds);
  Packed packAll(ValueRange elements);
  Packed packSlices(Tensor slices);

  GraphBuilder &build;
  const PackedForm &form;
};
} // namespace

Tensor Packer::boundsOf(ArrayRef<Int> bounds) {
  int64_t dtype = int64_t(*typeToDtype(build.builder.getI64Type()));
  return build.op<aten::TensorOp>(build.list(bounds), dtype, build.none(), false);
}

Packed Packer::packAll(ValueRange elements) {
  auto tensors = llvm::map_to_vector(elements, [&](Value v) { return Tensor(build, v); });
  if (tensors.empty()) {
    SmallVector<int64_t> sizes(form.sizes);
    form.dim() ? void(sizes[dim()] = 0) : void(sizes.insert(sizes.begin(), 0));
    Any none = build.none();
    Tensor all = build.op<aten::EmptyOp>(build.ints(sizes), int64_t(*typeToDtype(form.dtype)), none,
                                         none, none, none);
    return {all, form.dim() ? std::optional(boundsOf(build.i(0))) : std::nullopt};
  }
  if (!form.dim())
    return {build.op<aten::StackOp>(build.list(tensors), 0), std::nullopt};
  SmallVector<Int> bounds{build.i(0)};
  for (Tensor tensor : tensors)
    bounds.push_back(bounds.back() + sizeOf(tensor, dim()));
  return {build.op<aten::CatOp>(build.list(tensors), dim()), boundsOf(bounds)};
}

/// Elements of one size: [n, a, b] is [n * a, b] along the first dimension.
Packed Packer::packSlices(Tensor slices) {
  if (!form.dim())
    return {slices, std::nullopt};
  int64_t rank = slices.info().rank();
  Int count = sizeOf(slices, 0), each = sizeOf(slices, dim() + 1);
  SmallVector<Int> sizes;
  for (int64_t i = 1; i < rank; ++i)
    sizes.push_back(i == dim() + 1 ? count * each : sizeOf(slices, i));
  Tensor moved = permute(slices, *movingPermutation(rank, {0}, {dim()}));
  Any none = build.none();
  Tensor numbers = build.op<aten::ArangeOp>(count + build.i(1), none, none, none, none);
  return {build.op<aten::ReshapeOp>(moved, build.list(sizes)),
          build.op<aten::MulScalarOp>(numbers, each)};
}

Packed Packer::pack(Value list) {
  Operation *op = withoutDerefine(list).getDefiningOp();
  if (auto slab = dyn_cast<ListFromTensorOp>(op))
    return packSlices(Tensor(build, slab.getTensor()));
  if (auto parts = dyn_cast<aten::PartsOp>(op))
    return {Tensor(build, parts.getSelf()), Tensor(build, parts.getBounds())};
  if (auto append = dyn_cast<ListAppendOp>(op))
    return concat(pack(append.getList()), packAll(append.getElement()));
  if (auto concatenated = dyn_cast<ListConcatOp>(op))
    return concat(pack(concatenated.getFirst()), pack(concatenated.getSecond()));
  return packAll(cast<ListOp>(op).getElements());
}

Packed Packer::concat(Packed first, Packed second) {
  Tensor all = build.op<aten::CatOp>(build.list({first.all, second.all}), dim());
  if (!form.dim())
    return {all, std::nullopt};
  Tensor ends = build.op<aten::SliceTensorOp>(*second.bounds, 0, 1, build.none(), 1);
  Tensor shifted = build.op<aten::AddScalarOp>(ends, sizeOf(first.all, dim()), 1);
  return {all, build.op<aten::CatOp>(build.list({*first.bounds, shifted}), 0)};
}

static SmallVector<Value> tensorsOf(const Packed &packed) {
  SmallVector<Value> tensors{packed.all.v};
  if (packed.bounds)
    tensors.push_back(packed.bounds->v);
  return tensors;
}

SmallVector<Value> packList(GraphBuilder &build, Value list, const PackedForm &form) {
  return form.dtype ? tensorsOf(Packer(build, form).pack(list)) : SmallVector<Value>();
}

Value unpackList(GraphBuilder &build, const PackedForm &form, ValueRange tensors, Type type) {
  OpBuilder &b = build.builder;
  if (!form.dtype)
    return ListOp::create(b, build.loc, type, ValueRange());
  if (auto dim = form.dim())
    return aten::PartsOp::create(b, build.loc, type,
                                 ValueRange{tensors[0], tensors[1], build.i(*dim).v})
        ->getResult(0);
  auto list = ListFromTensorOp::create(b, build.loc, type, tensors[0]);
  list->setAttr(packedAttr, b.getUnitAttr());
  return list;
}

SmallVector<Value> packWidened(OpBuilder &b, Location loc, Value list, const PackedForm &form) {
  GraphBuilder build{b, loc};
  SmallVector<Value> tensors = packList(build, list, form);
  for (auto [tensor, type] : llvm::zip_equal(tensors, form.types(b.getContext())))
    tensor = castTo(b, loc, tensor, type);
  return tensors;
}

Value unpackNext(OpBuilder &b, Location loc, ValueRange values, unsigned &next,
                 const PackedForm &form, Type type) {
  GraphBuilder build{b, loc};
  unsigned count = form.types(b.getContext()).size();
  Value list = unpackList(build, form, values.slice(next, count), type);
  next += count;
  return list;
}

bool isPacked(Value list) {
  Operation *op = withoutDerefine(list).getDefiningOp();
  return isa_and_present<aten::PartsOp>(op) ||
         (isa_and_present<ListFromTensorOp>(op) && op->hasAttr(packedAttr));
}

//===----------------------------------------------------------------------===//
// Operations on packed lists
//===----------------------------------------------------------------------===//

std::optional<Value> packedConcat(GraphBuilder &build, Value first, Value second) {
  if (!isPacked(first) && !isPacked(second))
    return std::nullopt;
  auto form = joinForms(packedForm(first), packedForm(second));
  if (!form)
    return std::nullopt;
  Packer packer(build, *form);
  Packed all = packer.concat(packer.pack(first), packer.pack(second));
  return unpackList(build, *form, tensorsOf(all), first.getType());
}

/// A bound of a slice, counted from the front and kept within the list.
static Int boundWithin(Int bound, Int count) {
  GraphBuilder &build = *bound.b;
  OpBuilder &b = build.builder;
  Value zero = build.i(0).v;
  Value isBehind = arith::CmpIOp::create(b, build.loc, arith::CmpIPredicate::slt, bound.v, zero);
  Value at = arith::SelectOp::create(b, build.loc, isBehind, (bound + count).v, bound.v);
  at = arith::MaxSIOp::create(b, build.loc, at, zero);
  return Int(build, arith::MinSIOp::create(b, build.loc, at, count.v));
}

static Int numberAt(Tensor numbers, Int at) {
  Tensor picked = numbers.b->op<aten::SelectIntOp>(numbers, 0, at);
  return numbers.b->intOp<aten::IntTensorOp>(picked);
}

/// Parts from one number up to another.
static Packed partsBetween(const Packed &packed, int64_t dim, Int first, Int last) {
  GraphBuilder &build = *packed.all.b;
  Int begin = numberAt(*packed.bounds, first), end = numberAt(*packed.bounds, last);
  Tensor bounds = build.op<aten::SliceTensorOp>(*packed.bounds, 0, first, last + build.i(1), 1);
  return {build.op<aten::SliceTensorOp>(packed.all, dim, begin, end, 1),
          build.op<aten::SubScalarOp>(bounds, begin, 1)};
}

std::optional<Value> packedSlice(GraphBuilder &build, Value list, OptInt start, OptInt end) {
  auto form = isPacked(list) ? packedForm(list) : std::nullopt;
  if (!form || !start.isSettled() || !end.isSettled())
    return std::nullopt;
  Packed packed = Packer(build, *form).pack(list);
  if (!packed.bounds)
    return unpackList(build, *form, build.op<aten::SliceTensorOp>(packed.all, 0, start, end, 1).v,
                      list.getType());
  Int count = sizeOf(*packed.bounds, 0) - build.i(1);
  Int first = start ? boundWithin(*start, count) : build.i(0);
  Int last = end ? boundWithin(*end, count) : count;
  last = Int(build, arith::MaxSIOp::create(build.builder, build.loc, first.v, last.v));
  return unpackList(build, *form, tensorsOf(partsBetween(packed, *form->dim(), first, last)),
                    list.getType());
}

/// Ends the call where a list has no elements.
static void guardFilled(Int count, StringRef exception, StringRef message) {
  GraphBuilder &build = *count.b;
  Value isFilled = arith::CmpIOp::create(build.builder, build.loc, arith::CmpIPredicate::sgt,
                                         count.v, build.i(0).v);
  GuardOp::create(build.builder, build.loc, isFilled, exception, message, ValueRange());
}

static Int countOf(const Packed &packed) {
  GraphBuilder &build = *packed.all.b;
  return packed.bounds ? sizeOf(*packed.bounds, 0) - build.i(1) : sizeOf(packed.all, 0);
}

/// All elements of a packed list joined along dimension `at`; nullopt where they differ in another.
static std::optional<Tensor> catPacked(GraphBuilder &build, Value list, const PackedForm &form,
                                       int64_t at) {
  if (form.dim().value_or(at) != at)
    return std::nullopt;
  PackedForm along = form;
  along.sizes[at] = TensorType::kDynamic;
  Packed packed = Packer(build, along).pack(list);
  guardFilled(countOf(packed), "builtins.ValueError",
              "torch.cat(): expected a non-empty list of Tensors");
  return build.op<aten::CloneOp>(packed.all, build.none());
}

/// Parts of one size as slices along a new first dimension; a guard ends the call where they have
/// several.
static Tensor slicesOf(const Packed &packed, int64_t dim, Int count) {
  GraphBuilder &build = *packed.all.b;
  Int each = numberAt(*packed.bounds, build.i(1));
  Any none = build.none();
  Tensor numbers = build.op<aten::ArangeOp>(count + build.i(1), none, none, none, none);
  Tensor even = build.op<aten::MulScalarOp>(numbers, each);
  Tensor isOne = build.op<aten::AllOp>(build.op<aten::EqTensorOp>(*packed.bounds, even));
  GuardOp::create(build.builder, build.loc, build.intOp<aten::BoolTensorOp>(isOne).v,
                  "builtins.RuntimeError", "stack expects each tensor to be equal size",
                  ValueRange());
  SmallVector<Int> sizes;
  int64_t rank = packed.all.info().rank();
  for (int64_t i = 0; i < rank; ++i)
    sizes.push_back(i == dim ? count : sizeOf(packed.all, i));
  sizes.insert(sizes.begin() + dim + 1, each);
  Tensor apart = build.op<aten::ReshapeOp>(packed.all, build.list(sizes));
  return permute(apart, *movingPermutation(rank + 1, {dim}, {0}));
}

/// All elements of a packed list along a new dimension `at`.
static std::optional<Tensor> stackPacked(GraphBuilder &build, Value list, const PackedForm &form,
                                         int64_t at) {
  Packed packed = Packer(build, form).pack(list);
  Int count = countOf(packed);
  guardFilled(count, "builtins.RuntimeError", "stack expects a non-empty TensorList");
  Tensor slices = packed.bounds ? slicesOf(packed, *form.dim(), count) : packed.all;
  Tensor moved = permute(slices, *movingPermutation(form.sizes.size() + 1, {0}, {at}));
  return build.op<aten::CloneOp>(moved, build.i(0));
}

namespace {
struct AppendToPacked : OpRewritePattern<ListAppendOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ListAppendOp op, PatternRewriter &rewriter) const override {
    GraphBuilder build{rewriter, op.getLoc()};
    if (!isPacked(op.getList()) || !packedForm(op))
      return rewriter.notifyMatchFailure(op, "expected a packed list and an element of its kind");
    Value element = ListOp::create(rewriter, op.getLoc(), op.getType(), op.getElement());
    rewriter.replaceOp(op, *packedConcat(build, op.getList(), element));
    return success();
  }
};

/// What joins the elements of a packed list.
template <typename JoinOp> struct JoinPacked : OpRewritePattern<JoinOp> {
  using OpRewritePattern<JoinOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(JoinOp op, PatternRewriter &rewriter) const override {
    bool stacks = std::is_same_v<JoinOp, aten::StackOp>;
    Value list = op.getTensors();
    auto form = isPacked(list) ? packedForm(list) : std::nullopt;
    GraphBuilder build{rewriter, op.getLoc()};
    auto at = form ? wrapped(Int(build, op.getDim()), form->sizes.size() + stacks) : std::nullopt;
    if (!at)
      return rewriter.notifyMatchFailure(op, "expected a packed list and a constant dim");
    auto joined =
        stacks ? stackPacked(build, list, *form, *at) : catPacked(build, list, *form, *at);
    if (!joined)
      return rewriter.notifyMatchFailure(op, "expected the dimension in which the elements differ");
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), joined->v, op.getType()));
    return success();
  }
};
} // namespace

void populatePackedListPatterns(RewritePatternSet &patterns) {
  patterns.add<AppendToPacked, JoinPacked<aten::CatOp>, JoinPacked<aten::StackOp>>(
      patterns.getContext());
}

} // namespace jit
