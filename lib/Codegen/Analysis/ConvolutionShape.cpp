//===- ConvolutionShape.cpp - products that are convolutions --------------===//
#include "Analysis/ConvolutionShape.h"
#include "Analysis/LoopOrder.h"

using namespace mlir;
using jit::codegen::ConvolutionShape, jit::runtime::PlanConvolution, jit::runtime::PlanWindow;

/// Loops, and the factors with which an index is their sum.
using Terms = SmallVector<std::pair<unsigned, int64_t>, 2>;

/// False for other indices.
static bool addTerms(AffineExpr index, Terms &terms) {
  if (auto loop = dyn_cast<AffineDimExpr>(index)) {
    terms.emplace_back(loop.getPosition(), 1);
    return true;
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return constant.getValue() == 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  size_t first = terms.size();
  if (!binary || !addTerms(binary.getLHS(), terms))
    return false;
  if (index.getKind() == AffineExprKind::Add)
    return addTerms(binary.getRHS(), terms);
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (index.getKind() != AffineExprKind::Mul || !factor)
    return false;
  for (auto &term : MutableArrayRef(terms).drop_front(first))
    term.second *= factor.getValue();
  return true;
}

namespace {
class Reader {
public:
  Reader(linalg::LinalgOp op, OpOperand &images, OpOperand &filters)
      : op(op), images(images), filters(filters), result(*op.getDpsInitOperand(0)),
        sizes(op.getStaticLoopRanges()) {}

  std::optional<ConvolutionShape> read();

private:
  /// By the operands that a loop goes along.
  enum class Kind { Place, Channel, Filter, Group, Other };
  Kind kindOf(unsigned loop);
  bool readDimension(unsigned dim, AffineExpr index);
  bool addWindow(unsigned dim, const Terms &terms);
  bool readFilters();
  /// Groups and what each of them has are one dimension of memory.
  bool mergeGroups();
  int64_t sizeOf(std::optional<unsigned> loop) { return loop ? sizes[*loop] : 1; }
  int64_t resultStride(std::optional<unsigned> loop) {
    return loop ? jit::codegen::strideAlong(op, result, *loop) : 1;
  }

  linalg::LinalgOp op;
  OpOperand &images, &filters, &result;
  SmallVector<int64_t> sizes, strides;
  ConvolutionShape made;
  llvm::SmallDenseSet<unsigned> seen;
  std::optional<unsigned> batch, channel, filter, group;
  int64_t groupStride = 0;
  SmallVector<unsigned> taps;
};
} // namespace

Reader::Kind Reader::kindOf(unsigned loop) {
  bool inImages = op.getMatchingIndexingMap(&images).isFunctionOfDim(loop);
  bool inFilters = op.getMatchingIndexingMap(&filters).isFunctionOfDim(loop);
  bool inResult = op.getMatchingIndexingMap(&result).isFunctionOfDim(loop);
  if (inImages && inFilters)
    return inResult ? Kind::Group : Kind::Channel;
  if (!inResult)
    return Kind::Other;
  return inImages ? Kind::Place : Kind::Filter;
}

/// The sum of a place and a tap, or a place alone.
bool Reader::addWindow(unsigned dim, const Terms &terms) {
  if (terms.size() > 2 || (terms.size() == 2 && kindOf(terms[1].first) != Kind::Channel))
    return false;
  PlanWindow window{.places = sizes[terms[0].first], .step = terms[0].second};
  if (terms.size() == 2) {
    window.taps = sizes[terms[1].first];
    window.dilation = terms[1].second;
    taps.push_back(terms[1].first);
  }
  window.image = (window.places - 1) * window.step + (window.taps - 1) * window.dilation + 1;
  window.imageStride = strides[dim];
  window.resultStride = resultStride(terms[0].first);
  made.convolution.windows.push_back(window);
  made.windowDims.push_back(dim);
  return true;
}

bool Reader::readDimension(unsigned dim, AffineExpr index) {
  Terms terms;
  if (!addTerms(index, terms))
    return false;
  llvm::stable_sort(terms, [&](auto &a, auto &b) { return kindOf(a.first) < kindOf(b.first); });
  for (auto [loop, factor] : terms)
    if (factor < 1 || !seen.insert(loop).second)
      return false;
  if (terms.empty())
    return true;
  auto [loop, factor] = terms.front();
  bool isPlain = terms.size() == 1 && factor == 1, isFirst = seen.size() == 1;
  std::optional<unsigned> *role = nullptr;
  if (kindOf(loop) == Kind::Place) {
    if (!isPlain || !isFirst)
      return addWindow(dim, terms);
    role = &batch;
    made.convolution.images.batchStride = strides[dim];
  } else if (kindOf(loop) == Kind::Group) {
    role = &group;
    groupStride = strides[dim];
  } else if (kindOf(loop) == Kind::Channel) {
    role = &channel;
    made.convolution.images.channelStride = strides[dim];
  }
  if (!isPlain || !role || *role)
    return false;
  *role = loop;
  return true;
}

/// Filters after one another, channels in them, taps in these.
bool Reader::readFilters() {
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    if (seen.contains(loop))
      continue;
    if (kindOf(loop) != Kind::Filter || filter)
      return false;
    filter = loop;
  }
  SmallVector<unsigned> order;
  for (std::optional<unsigned> loop : {group, filter, channel})
    if (loop)
      order.push_back(*loop);
  llvm::append_range(order, taps);
  int64_t expected = 1;
  for (unsigned loop : llvm::reverse(order)) {
    if (sizes[loop] != 1 && jit::codegen::strideAlong(op, filters, loop) != expected)
      return false;
    expected *= sizes[loop];
  }
  return true;
}

bool Reader::mergeGroups() {
  PlanConvolution &convolution = made.convolution;
  int64_t perGroup = sizeOf(channel), filtersOfGroup = sizeOf(filter), groups = sizeOf(group);
  if (!batch)
    convolution.images.batchStride = 1;
  convolution.result = {resultStride(batch), resultStride(filter)};
  if (!channel || perGroup == 1)
    convolution.images.channelStride = group ? groupStride : 1;
  if (!filter || filtersOfGroup == 1)
    convolution.result.channelStride = resultStride(group);
  convolution.batches = sizeOf(batch);
  convolution.channels = groups * perGroup;
  convolution.filters = groups * filtersOfGroup;
  convolution.groups = groups;
  return groups == 1 || (groupStride == perGroup * convolution.images.channelStride &&
                         resultStride(group) == filtersOfGroup * convolution.result.channelStride);
}

std::optional<ConvolutionShape> Reader::read() {
  int64_t offset;
  auto type = cast<MemRefType>(images.get().getType());
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      !op.getMatchingIndexingMap(&filters).isProjectedPermutation())
    return std::nullopt;
  for (auto [dim, index] : llvm::enumerate(op.getMatchingIndexingMap(&images).getResults()))
    if (!readDimension(dim, index))
      return std::nullopt;
  if (!readFilters() || !mergeGroups() || made.windowDims.empty() || made.windowDims.size() > 3)
    return std::nullopt;
  made.images = &images;
  made.filters = &filters;
  return made;
}

std::optional<ConvolutionShape> ConvolutionShape::of(linalg::LinalgOp op,
                                                     const ProductShape &shape) {
  for (unsigned i : {0, 1}) {
    OpOperand &images = *op.getDpsInputOperand(i), &filters = *op.getDpsInputOperand(1 - i);
    std::optional<ConvolutionShape> found = Reader(op, images, filters).read();
    if (!found)
      continue;
    bool isPlain = llvm::all_of(found->convolution.windows, [](const PlanWindow &window) {
      return window.taps == 1 && window.step == 1;
    });
    // Places of all images that lie as one are the rows of a matrix.
    if (!isPlain || !strideOf(op, images, i == 0 ? shape.rows : shape.columns))
      return found;
  }
  return std::nullopt;
}
