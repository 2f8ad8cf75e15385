//===- WarpgroupCopies.cpp - groups of four warps, of what threads copy ---===//
//
// Convolutions whose channels lie side by side: no map describes the places of an image, so the
// threads that multiply copy pieces of 16 bytes themselves, to where the products read them. A
// slice is multiplied while the copies of the next ones are begun.
//
//===----------------------------------------------------------------------===//
#include "Kernels/FactorTile.h"
#include "Kernels/ProductKernels.h"
#include "Kernels/WarpgroupTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace jit::codegen;

/// Two stages are filled while one is multiplied, and one is read by products that go on.
static constexpr int64_t stages = 4, threads = tileGroups * groupThreads;

/// The summands of a slice: those of a row of shared memory.
static int64_t sliceOf(ProductGroup &group) {
  return boxRowBytes / elementBytes(*group.product.getDpsInputOperand(0));
}

namespace {
/// One operand: how it is brought, and how it lies there.
struct CopiedFactor {
  CopiedFactor(OpBuilder &b, ProductGroup &group, unsigned operand, int64_t tile)
      : tile(b, group.product, operand, group.shape, tile, sliceOf(group)),
        layout(*group.product.getDpsInputOperand(operand), FactorMatrix{.isAlongDepth = true}, tile,
               sliceOf(group)) {}

  FactorTile tile;
  SharedFactor layout;
  Value address;
};

class CopiedProduct {
public:
  CopiedProduct(ProductGroup &group, OpBuilder &b, int64_t columns, int64_t multiprocessors)
      : shape(group.shape), b(b), loc(group.product.getLoc()), columns(columns),
        slice(sliceOf(group)), left(b, group, 0, tileRows), right(b, group, 1, columns),
        pieces(group, workOfGroups(shape, columns, slice), multiprocessors) {}

  bool isPossible() const { return left.tile.isOfRowsOfPieces() && right.tile.isOfRowsOfPieces(); }
  void emit();

private:
  int64_t tiles(const Side &side, int64_t tile) { return llvm::divideCeilSigned(side.count, tile); }
  void locate(Launch &launch);
  void locateFactors(Launch &launch);
  Value multiply(Value stage, ValueRange before);
  Value sumUp();

  Value index(int64_t value) { return constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }

  const ProductShape &shape;
  OpBuilder &b;
  Location loc;
  int64_t columns, slice;
  CopiedFactor left, right;
  SumPieces pieces;
  Value thread;
  TilePlace place;
};
} // namespace

void CopiedProduct::locate(Launch &launch) {
  SmallVector<Value> at = delinearize(b, loc, launch.blockId(),
                                      {pieces.count(), shape.batch.count,
                                       tiles(shape.rows, tileRows), tiles(shape.columns, columns)});
  thread = launch.threadId();
  place = {at[0], {at[1], mul(at[2], tileRows), mul(at[3], columns)}};
}

/// Patterns that rows are exchanged in begin at multiples of their size.
void CopiedProduct::locateFactors(Launch &launch) {
  int64_t bytes = stages * (left.layout.bytes() + right.layout.bytes());
  Value shared = launch.dynamicShared(patternBytes + bytes);
  Value begin = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, shared);
  Value address = mul(div(add(begin, index(patternBytes - 1)), patternBytes), patternBytes);
  for (CopiedFactor *factor : {&left, &right}) {
    Value offset = arith::SubIOp::create(b, loc, address, begin);
    factor->address = address;
    factor->tile.locate(launch, shared, offset, stages, threads, place.origin.batch);
    address = add(address, index(stages * factor->layout.bytes()));
  }
}

Value CopiedProduct::multiply(Value stage, ValueRange before) {
  auto slotOf = [&](const CopiedFactor &factor) {
    return add(factor.address, mul(stage, factor.layout.bytes()));
  };
  Value groupRow = mul(div(thread, groupThreads), groupRows);
  Value leftAt = add(slotOf(left), left.layout.rowOffset(b, loc, groupRow));
  Value sums = before.empty() ? LLVM::UndefOp::create(b, loc, sumsOfGroup(b, columns)).getResult()
                              : before.front();
  Value result =
      multiplySlices(b, loc, {left.layout, leftAt}, {right.layout, slotOf(right)}, slice, sums,
                     before.empty() ? NVVM::WGMMAScaleOut::zero : NVVM::WGMMAScaleOut::one);
  // These products go on; those of the slice before are done.
  NVVM::WgmmaWaitGroupSyncOp::create(b, loc, uint64_t(1));
  return result;
}

Value CopiedProduct::sumUp() {
  auto [first, count] = pieces.slicesOf(b, place.piece);
  auto bring = [&, first = first](Value stage, Value number) {
    Value depthAt = mul(add(first, number), slice);
    left.tile.fill(stage, depthAt, place.origin.row);
    right.tile.fill(stage, depthAt, place.origin.column);
  };
  Pipeline pipeline = {
      .slices = pieces.mostSlices(), .stages = stages, .hasAsyncProducts = true, .end = count};
  return runPipeline(b, loc, pipeline, ValueRange(), bring,
                     [&](Value stage, Value, ValueRange sums) {
                       return SmallVector<Value>{multiply(stage, sums)};
                     })
      .front();
}

void CopiedProduct::emit() {
  pieces.allocate(b);
  {
    int64_t blocks = pieces.count() * shape.batch.count * tiles(shape.rows, tileRows) *
                     tiles(shape.columns, columns);
    Launch launch(b, loc, "wgmma", blocks, threads);
    locate(launch);
    locateFactors(launch);
    Value sums = sumUp();
    NVVM::WgmmaWaitGroupSyncOp::create(b, loc, uint64_t(0));
    finishSums(pieces, b, sums, div(thread, warpSize), rem(thread, warpSize), place, columns);
  }
  pieces.join(b);
}

bool jit::codegen::emitCopiedProduct(ProductGroup &group, OpBuilder &b, const GpuMachine &machine) {
  if (!machine.hasWarpgroupProducts || !isForWarpgroups(group))
    return false;
  int64_t multiprocessors = machine.multiprocessors;
  CopiedProduct product(group, b, chooseTileColumns(group.shape, multiprocessors), multiprocessors);
  if (!product.isPossible())
    return false;
  product.emit();
  return true;
}
