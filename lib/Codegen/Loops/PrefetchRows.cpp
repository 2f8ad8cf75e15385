//===- PrefetchRows.cpp - the next row is read while this one is computed -===//
//
// A row is about a page, where a machine's own prefetching stops: without help each row waits for
// memory first and is computed then.
//
//===----------------------------------------------------------------------===//
#include "Analysis/Memory.h"
#include "jit/Codegen/Loops/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace jit::codegen {
#define GEN_PASS_DEF_PREFETCHROWS
#include "jit/Codegen/Loops/Passes.h.inc"
} // namespace jit::codegen

using namespace mlir;

/// Bytes of a row below which the machine's own prefetching sees several of them, and bytes of all
/// rows of an iteration above which the next ones would push these out of the first-level cache.
static constexpr int64_t leastRow = 1024, mostRows = 16 * 1024;
/// Elements between two bursts of prefetches.
static constexpr int64_t leastChunk = 64, mostChunk = 128;
/// What one fetch brings.
static constexpr int64_t lineBytes = 64;

static int64_t bytesOf(MemRefType type) {
  return type.getNumElements() * type.getElementTypeBitWidth() / 8;
}

/// About how many instructions an element of `op` takes.
static int64_t costOf(linalg::GenericOp op) {
  int64_t cost = 0;
  for (Operation &inner : *op.getBody())
    cost += isa<math::MathDialect>(inner.getDialect()) ? 16 : 1;
  return cost;
}

/// An equal part of `size` elements, or 0 where none is of a good size.
static int64_t chunkOf(int64_t size) {
  for (int64_t chunk = mostChunk; chunk >= leastChunk; chunk -= 16)
    if (size > chunk && size % chunk == 0)
      return chunk;
  return 0;
}

namespace {
/// A row of a buffer in memory that an iteration reads, or writes after the carrier has run.
struct Row {
  memref::SubViewOp view;
  bool isWritten;
};

/// One loop over rows.
class Prefetcher {
public:
  explicit Prefetcher(scf::ParallelOp loop) : loop(loop), iv(loop.getInductionVars().back()) {}

  /// Finds what to fetch and which op's computing is to hide it. False where that does not pay.
  bool analyze(int64_t cacheBytes);
  void emit(IRRewriter &b);

private:
  linalg::GenericOp findCarrier();
  bool isRow(memref::SubViewOp view, int64_t elements);
  void fetch(IRRewriter &b, Location loc, Value row, bool isWritten, Value first, int64_t count);

  scf::ParallelOp loop;
  Value iv;
  linalg::GenericOp carrier;
  int64_t elements = 0;
  SmallVector<Row> rows;
};
} // namespace

/// The costliest op that has one loop, over the row, and adds nothing up.
linalg::GenericOp Prefetcher::findCarrier() {
  linalg::GenericOp best;
  for (auto op : loop.getBody()->getOps<linalg::GenericOp>())
    if (op.getNumLoops() == 1 && op.getNumParallelLoops() == 1 &&
        !ShapedType::isDynamic(op.getStaticLoopRanges()[0]) &&
        (!best || costOf(op) >= costOf(best)))
      best = op;
  return best;
}

/// Whether `view` is one run of `elements` in a buffer of the caller, another for each iteration.
bool Prefetcher::isRow(memref::SubViewOp view, int64_t elements) {
  MemRefType type = view.getType();
  auto [strides, offset] = type.getStridesAndOffset();
  return view->getBlock() == loop.getBody() && type.getShape() == ArrayRef(elements) &&
         strides == ArrayRef<int64_t>(1) && llvm::is_contained(view.getOffsets(), iv) &&
         type.getElementType().isIntOrFloat() && !type.getElementType().isInteger(1) &&
         llvm::all_of(view->getOperands(), [&](Value operand) {
           return llvm::is_contained(loop.getInductionVars(), operand) ||
                  !loop.getRegion().isAncestor(operand.getParentRegion());
         });
}

bool Prefetcher::analyze(int64_t cacheBytes) {
  carrier = findCarrier();
  if (!carrier || !getConstantIntValue(loop.getUpperBound().back()))
    return false;
  elements = carrier.getStaticLoopRanges()[0];
  bool isBehind = false;
  int64_t bytes = 0, all = 0;
  llvm::SmallDenseSet<Value> seen;
  for (auto op : loop.getBody()->getOps<linalg::GenericOp>()) {
    for (OpOperand &operand : op->getOpOperands()) {
      auto view = operand.get().getDefiningOp<memref::SubViewOp>();
      bool isWritten = op.isDpsInit(&operand);
      if (!view || !isRow(view, elements) || (isWritten && !isBehind) ||
          !seen.insert(jit::codegen::rootOf(view.getSource())).second)
        continue;
      rows.push_back({view, isWritten});
      bytes += bytesOf(view.getType());
      all += bytesOf(view.getSourceType());
    }
    isBehind |= op == carrier;
  }
  llvm::erase_if(rows, [](Row row) { return bytesOf(row.view.getType()) < leastRow; });
  return !rows.empty() && bytes <= mostRows && all >= cacheBytes && chunkOf(elements) != 0;
}

void Prefetcher::fetch(IRRewriter &b, Location loc, Value row, bool isWritten, Value first,
                       int64_t count) {
  int64_t width = cast<MemRefType>(row.getType()).getElementTypeBitWidth();
  for (int64_t place = 0; place < count; place += lineBytes * 8 / width) {
    Value offset = arith::ConstantIndexOp::create(b, loc, place);
    Value index = arith::AddIOp::create(b, loc, first, offset);
    memref::PrefetchOp::create(b, loc, row, index, isWritten, /*localityHint=*/3,
                               /*isDataCache=*/true);
  }
}

void Prefetcher::emit(IRRewriter &b) {
  Location loc = loop.getLoc();
  b.setInsertionPoint(carrier);
  // The last row is fetched twice rather than one that is not there.
  Value step = loop.getStep().back(), upper = loop.getUpperBound().back();
  Value last = arith::SubIOp::create(b, loc, upper, step);
  Value next = arith::MinSIOp::create(b, loc, arith::AddIOp::create(b, loc, iv, step), last);
  SmallVector<Value> targets;
  for (Row row : rows) {
    IRMapping mapping;
    if (!row.isWritten)
      mapping.map(iv, next);
    targets.push_back(b.clone(*row.view, mapping)->getResult(0));
  }
  int64_t chunk = chunkOf(elements);
  auto tiled = linalg::tileLinalgOp(b, cast<linalg::LinalgOp>(carrier.getOperation()),
                                    linalg::LinalgTilingOptions().setTileSizes({chunk}));
  auto chunks = cast<scf::ForOp>(tiled->loops.front());
  b.setInsertionPointToStart(chunks.getBody());
  for (auto [row, target] : llvm::zip_equal(rows, targets))
    fetch(b, loc, target, row.isWritten, chunks.getInductionVar(), chunk);
  b.eraseOp(carrier);
}

namespace {
struct PrefetchRows : jit::codegen::impl::PrefetchRowsBase<PrefetchRows> {
  using PrefetchRowsBase::PrefetchRowsBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation().walk([&](scf::ParallelOp loop) {
      Prefetcher prefetcher(loop);
      if (prefetcher.analyze(cacheBytes))
        prefetcher.emit(rewriter);
    });
  }
};
} // namespace
