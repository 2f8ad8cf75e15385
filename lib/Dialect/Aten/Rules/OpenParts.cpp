//===- OpenParts.cpp - parts of a size that only the call tells -----------===//
//
// How many elements the list has is not known while a program is compiled, so it is never made: an
// element that is taken out of it is a slice, and its length is a number.
//
//===----------------------------------------------------------------------===//

#include "Rules/OpenParts.h"
#include "Rules/DerivedView.h"
#include "Rules/GraphBuilders.h"
#include "Rules/OpenNumbers.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Lists.h"
#include "jit/Dialect/Aten/Scalar.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

namespace {
/// A dimension of open size in parts of `each` elements, the last of which may have fewer, or in
/// parts between `bounds`; without either its slices, which drop the dimension.
struct Parts {
  Tensor self;
  int64_t dim;
  Int count;
  std::optional<Int> each = std::nullopt;
  std::optional<Tensor> bounds = std::nullopt;
};
} // namespace

/// The dimension `dim` of `self`, if only the call tells its size.
static std::optional<int64_t> openDim(Value self, Value dim) {
  TensorInfo info(self);
  auto known = IntInfo(dim).known;
  if (!info.hasRank() || !known || *known < -info.rank() || *known >= info.rank())
    return std::nullopt;
  int64_t at = *known < 0 ? *known + info.rank() : *known;
  return info.size(at) == TensorType::kDynamic ? std::optional(at) : std::nullopt;
}

static std::optional<Parts> unbound(GraphBuilder &build, aten::UnbindIntOp op) {
  auto dim = openDim(op.getSelf(), op.getDim());
  if (!dim)
    return std::nullopt;
  Tensor self(build, op.getSelf());
  return Parts{self, *dim, sizeOf(self, *dim)};
}

/// A size of 0 is one part of no elements.
static std::optional<Parts> splitEvery(GraphBuilder &build, aten::SplitTensorOp op) {
  auto dim = openDim(op.getSelf(), op.getDim());
  Int each(build, op.getSplitSize());
  if (!dim || each.known().value_or(0) <= 0)
    return std::nullopt;
  Tensor self(build, op.getSelf());
  return Parts{self, *dim, atLeastOne(ceilDivided(sizeOf(self, *dim), each)), each};
}

/// A size of 0 is as many parts of no elements as are asked for.
static std::optional<Parts> chunked(GraphBuilder &build, aten::ChunkOp op) {
  auto dim = openDim(op.getSelf(), op.getDim());
  Int chunks(build, op.getChunks());
  if (!dim || chunks.known().value_or(0) <= 0)
    return std::nullopt;
  Tensor self(build, op.getSelf());
  Int size = sizeOf(self, *dim), each = ceilDivided(size, chunks);
  Value isEmpty = compared(arith::CmpIPredicate::eq, size, build.i(0));
  Int count = chosen(isEmpty, chunks, ceilDivided(size, atLeastOne(each)));
  return Parts{self, *dim, count, each};
}

static std::optional<Parts> packed(GraphBuilder &build, aten::PartsOp op) {
  Tensor self(build, op.getSelf()), bounds(build, op.getBounds());
  auto dim = IntInfo(op.getDim()).known;
  if (!dim)
    return std::nullopt;
  Int count = sizeOf(bounds, 0) - build.i(1);
  return Parts{.self = self, .dim = *dim, .count = count, .bounds = bounds};
}

static std::optional<Parts> partsOf(GraphBuilder &build, Value list) {
  Operation *op = withoutDerefine(list).getDefiningOp();
  if (auto unbind = dyn_cast_or_null<aten::UnbindIntOp>(op))
    return unbound(build, unbind);
  if (auto split = dyn_cast_or_null<aten::SplitTensorOp>(op))
    return splitEvery(build, split);
  if (auto parts = dyn_cast_or_null<aten::PartsOp>(op))
    return packed(build, parts);
  auto chunk = dyn_cast_or_null<aten::ChunkOp>(op);
  return chunk ? chunked(build, chunk) : std::nullopt;
}

/// The part at a place that is there.
static Tensor partAt(const Parts &parts, Int at) {
  GraphBuilder &build = *parts.self.b;
  auto boundAt = [&](Int place) {
    return build.intOp<aten::IntTensorOp>(build.op<aten::SelectIntOp>(*parts.bounds, 0, place));
  };
  if (parts.bounds)
    return build.op<aten::SliceTensorOp>(parts.self, parts.dim, boundAt(at),
                                         boundAt(at + build.i(1)), 1);
  if (!parts.each)
    return build.op<aten::SelectIntOp>(parts.self, parts.dim, at);
  Int start = at * *parts.each;
  return build.op<aten::SliceTensorOp>(parts.self, parts.dim, start, start + *parts.each, 1);
}

std::optional<Int> openPartCount(GraphBuilder &build, Value list) {
  auto parts = partsOf(build, list);
  return parts ? std::optional(parts->count) : std::nullopt;
}

std::optional<Tensor> openPart(GraphBuilder &build, Value list, Int index) {
  auto parts = partsOf(build, list);
  if (!parts)
    return std::nullopt;
  Int at = fromFront(index, parts->count);
  Value isThere = arith::AndIOp::create(build.builder, build.loc,
                                        compared(arith::CmpIPredicate::sge, at, build.i(0)),
                                        compared(arith::CmpIPredicate::slt, at, parts->count));
  GuardOp::create(build.builder, build.loc, isThere, "builtins.IndexError",
                  "expected an index of a list of {}, got {}", ValueRange{parts->count.v, index.v});
  return partAt(*parts, at);
}

/// The `count` parts of a tensor that is split into as many as data tell.
static std::optional<SmallVector<Tensor>> evenParts(GraphBuilder &build, Value list,
                                                    int64_t count) {
  auto split = withoutDerefine(list).getDefiningOp<aten::TensorSplitSectionsOp>();
  if (!split || IntInfo(split.getSections()).known || count == 0)
    return std::nullopt;
  Decomposition parts =
      splitEvenly(Tensor(build, split.getSelf()), build.i(count), Int(build, split.getDim()));
  auto made = succeeded(parts.values) ? parts.values->front().getDefiningOp<ListOp>() : ListOp();
  if (!made)
    return std::nullopt;
  Int sections(build, split.getSections());
  GuardOp::create(build.builder, build.loc,
                  compared(arith::CmpIPredicate::eq, sections, build.i(count)),
                  "builtins.RuntimeError",
                  "expected " + std::to_string(count) + " values to unpack, got {}", sections.v);
  return llvm::map_to_vector(made.getElements(), [&](Value part) { return Tensor(build, part); });
}

std::optional<SmallVector<Tensor>> openParts(GraphBuilder &build, Value list, int64_t count) {
  if (auto parts = evenParts(build, list, count))
    return parts;
  auto parts = partsOf(build, list);
  if (!parts)
    return std::nullopt;
  Value fits = compared(arith::CmpIPredicate::eq, parts->count, build.i(count));
  GuardOp::create(build.builder, build.loc, fits, "builtins.RuntimeError",
                  "expected " + std::to_string(count) + " values to unpack, got {}",
                  parts->count.v);
  SmallVector<Tensor> elements;
  for (int64_t at = 0; at < count; ++at)
    elements.push_back(partAt(*parts, build.i(at)));
  return elements;
}

} // namespace jit
