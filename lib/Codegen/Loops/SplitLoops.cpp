//===- SplitLoops.cpp - reductions that leave threads without work --------===//
#include "Analysis/LoopOrder.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace jit::codegen {
#define GEN_PASS_DEF_SPLITLOOPS
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Scalar operations from which a second loop over partial results pays.
static constexpr int64_t leastWork = int64_t(1) << 18;
/// So many independent iterations are enough as they are.
static constexpr int64_t enoughIterations = 4;
/// Parts to make, and the elements that each has to walk at least.
static constexpr int64_t mostParts = 32, leastSteps = 4, leastRun = 1024;
/// All partial results together stay in a cache.
static constexpr int64_t mostPartialBytes = int64_t(1) << 19;

/// The most equal parts into which a loop can be cut that are not shorter than `least`.
static int64_t partsOf(int64_t size, int64_t least) {
  for (int64_t parts = mostParts; parts >= enoughIterations; --parts)
    if (size % parts == 0 && size / parts >= least)
      return parts;
  return 1;
}

/// The one op by which each output combines its old value with something else.
static std::optional<SmallVector<Operation *>> combinersOf(linalg::LinalgOp op) {
  SmallVector<Operation *> all;
  auto outputs = op.getRegionOutputArgs();
  for (unsigned i = 0; i < outputs.size(); ++i) {
    SmallVector<Operation *> combiners;
    if (!matchReduction(outputs, i, combiners) || combiners.size() != 1 ||
        !arith::getNeutralElement(combiners.front()))
      return std::nullopt;
    all.push_back(combiners.front());
  }
  return all;
}

/// `buffer` with dimension `dim` as `parts` times the rest of it.
static Value expanded(OpBuilder &b, Location loc, Value buffer, int64_t dim, int64_t parts) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < type.getRank(); ++i) {
    groups.push_back({next++});
    if (i == dim)
      groups.back().push_back(next++);
  }
  shape[dim] /= parts;
  shape.insert(shape.begin() + dim, parts);
  return memref::ExpandShapeOp::create(b, loc, shape, buffer, groups);
}

namespace {
/// One loop of an op as two: the first counts parts and is parallel.
class Splitter {
public:
  Splitter(linalg::GenericOp op, unsigned loop, int64_t parts, OpBuilder &b)
      : op(op), loop(loop), parts(parts), b(b), loc(op.getLoc()) {}

  void splitParallel();
  void splitReduction(ArrayRef<Operation *> combiners);

private:
  std::pair<Value, AffineMap> split(OpOperand &operand);
  void create(ArrayRef<Value> operands, ArrayRef<AffineMap> maps);
  void combine(Value partial, OpOperand &init, Operation *combiner);

  linalg::GenericOp op;
  unsigned loop;
  int64_t parts;
  OpBuilder &b;
  Location loc;
};
} // namespace

std::pair<Value, AffineMap> Splitter::split(OpOperand &operand) {
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Value buffer = operand.get();
  SmallVector<AffineExpr> exprs;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    auto read = dyn_cast<AffineDimExpr>(expr);
    if (!read || read.getPosition() < loop) {
      exprs.push_back(expr);
      continue;
    }
    if (read.getPosition() == loop) {
      exprs.push_back(b.getAffineDimExpr(loop));
      buffer = expanded(b, loc, buffer, dim, parts);
    }
    exprs.push_back(b.getAffineDimExpr(read.getPosition() + 1));
  }
  return {buffer, AffineMap::get(map.getNumDims() + 1, 0, exprs, b.getContext())};
}

void Splitter::create(ArrayRef<Value> operands, ArrayRef<AffineMap> maps) {
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  iterators.insert(iterators.begin() + loop, utils::IteratorType::parallel);
  unsigned inputs = op.getNumDpsInputs();
  auto next = linalg::GenericOp::create(b, loc, operands.take_front(inputs),
                                        operands.drop_front(inputs), maps, iterators);
  next.getRegion().takeBody(op.getRegion());
}

void Splitter::splitParallel() {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand &operand : op->getOpOperands()) {
    auto [buffer, map] = split(operand);
    operands.push_back(buffer);
    maps.push_back(map);
  }
  create(operands, maps);
  op.erase();
}

/// `init` combined with all parts of `partial`.
void Splitter::combine(Value partial, OpOperand &init, Operation *combiner) {
  int64_t rank = cast<MemRefType>(init.get().getType()).getRank();
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(rank + 1),
                                 b.getMultiDimIdentityMap(rank + 1).dropResult(0)};
  SmallVector<utils::IteratorType> iterators(rank + 1, utils::IteratorType::parallel);
  iterators[0] = utils::IteratorType::reduction;
  linalg::GenericOp::create(b, loc, partial, init.get(), maps, iterators,
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              Operation *both = b.clone(*combiner);
                              both->setOperands({args[1], args[0]});
                              linalg::YieldOp::create(b, loc, both->getResults());
                            });
}

void Splitter::splitReduction(ArrayRef<Operation *> combiners) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : op.getDpsInputOperands()) {
    auto [buffer, map] = split(*input);
    operands.push_back(buffer);
    maps.push_back(map);
  }
  for (auto [init, combiner] : llvm::zip_equal(op.getDpsInitsMutable(), combiners)) {
    auto type = cast<MemRefType>(init.get().getType());
    SmallVector<int64_t> shape(type.getShape());
    shape.insert(shape.begin(), parts);
    Value partial = memref::AllocOp::create(b, loc, MemRefType::get(shape, type.getElementType()));
    Value neutral = arith::ConstantOp::create(b, loc, *arith::getNeutralElement(combiner));
    linalg::FillOp::create(b, loc, neutral, partial);
    AffineMap map = split(init).second;
    operands.push_back(partial);
    maps.push_back(map.insertResult(b.getAffineDimExpr(loop), 0));
  }
  create(operands, maps);
  for (auto [i, combiner] : llvm::enumerate(combiners))
    combine(operands[op.getNumDpsInputs() + i], op.getDpsInitsMutable()[i], combiner);
  op.erase();
}

/// True for loops of known sizes over buffers that they walk dimension by dimension.
static bool isPlain(linalg::LinalgOp op) {
  if (!op.hasPureBufferSemantics() || op.getNumReductionLoops() == 0 || op.hasIndexSemantics())
    return false;
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    if (type && !type.hasStaticShape())
      return false;
    if (!op.getMatchingIndexingMap(&operand).isProjectedPermutation(/*allowZeroInResults=*/true))
      return false;
  }
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    return op.getMatchingIndexingMap(&init).isProjectedPermutation();
  });
}

static void splitOp(linalg::LinalgOp op, IRRewriter &b) {
  if (!isPlain(op) || !combinersOf(op))
    return;
  op = jit::codegen::collapseContiguous(op, b);
  jit::codegen::LoopOrder order = jit::codegen::chooseLoopOrder(op);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t work = 1, independent = 1;
  for (int64_t size : sizes)
    work *= size;
  for (unsigned dim : order.outer)
    independent *= sizes[dim];
  if (work < leastWork || independent >= enoughIterations || !order.innermost)
    return;
  b.setInsertionPoint(op);
  FailureOr<linalg::GenericOp> generic =
      isa<linalg::GenericOp>(op) ? cast<linalg::GenericOp>(*op) : linalg::generalizeNamedOp(b, op);
  if (failed(generic))
    return;
  b.setInsertionPoint(*generic);
  unsigned innermost = *order.innermost;
  if (!order.accumulates)
    if (int64_t parts = partsOf(sizes[innermost], 4 * leastRun); parts > 1)
      return Splitter(*generic, innermost, parts, b).splitParallel();
  unsigned loop = order.middle.empty() ? innermost : order.middle.front();
  int64_t parts = partsOf(sizes[loop], loop == innermost ? leastRun : leastSteps);
  int64_t bytes = 0;
  for (Value init : generic->getDpsInits())
    bytes += cast<MemRefType>(init.getType()).getNumElements() * parts * 8;
  if (parts > 1 && bytes <= mostPartialBytes)
    Splitter(*generic, loop, parts, b).splitReduction(*combinersOf(*generic));
}

namespace {
struct SplitLoops : jit::codegen::impl::SplitLoopsBase<SplitLoops> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops)
      splitOp(op, rewriter);
  }
};
} // namespace
