//===- TensorCoreKernel.cpp - products on tensor cores --------------------===//
//
// A block has a tile of the output, each of its warps a part of it, in f32. Slices of both operands
// come to shared memory by asynchronous copies, two of them ahead of the one that is multiplied;
// operands whose elements do not lie side by side, as those of convolutions, element by element.
// Pieces of 16 bytes are exchanged within their rows so that eight rows of a matrix that is loaded
// are in different banks.
//
//===----------------------------------------------------------------------===//
#include "ElementEmitter.h"
#include "GPU/Launch.h"
#include "GPU/ProductKernels.h"
#include "GPU/VectorAccess.h"
#include "LoopOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// How much of the sums a slice is, how many slices are on their way, elements of one access.
static constexpr int64_t slice = 32, stages = 3, piece = 8;
/// The sizes of what a warp multiplies at once.
static constexpr int64_t mmaRows = 16, mmaColumns = 8, mmaDepth = 16;
static constexpr int64_t warpsDown = 2;

namespace {
/// One of the two operands: where it comes from and where it goes.
struct Factor {
  OpOperand *operand = nullptr;
  const jit::Side *side = nullptr;
  int64_t tile = 0;
  /// Whether the summands lie side by side in shared memory, and whether pieces are copied whole.
  bool alongDepth = false, isAsync = false;
  Value memory;
  /// Where the block's tile and the warp's part of it begin.
  Value origin, part;

  int64_t memoryRows() const { return alongDepth ? tile : slice; }
  int64_t memoryColumns() const { return alongDepth ? slice : tile; }
};

class TensorProduct {
public:
  TensorProduct(jit::ProductGroup &group, OpBuilder &b, const jit::GpuProfile &profile);

  void emit();

private:
  void chooseLayout(Factor &factor);
  void locate(jit::Launch &launch);
  /// Brings the slice that begins with summand `depthAt` to a stage of shared memory.
  void fill(Factor &factor, Value stage, Value depthAt);
  void copyPiece(Factor &factor, ValueRange to, Value depthAt, Value otherAt);
  void gatherPiece(Factor &factor, ValueRange to, Value depthAt, Value otherAt);
  Value insideOf(Factor &factor, Value depthAt, Value otherAt);
  SmallVector<Value> pointOf(Factor &factor, Value depthAt, Value otherAt);
  /// Two neighbouring matrices of 8 by 16 of a factor, or one of 16 by 16.
  Value loadMatrices(Factor &factor, Value stage, int64_t number, int64_t step, bool isFirst);
  SmallVector<Value> multiply(Value stage, ValueRange sums);
  SmallVector<Value> runPipeline();
  void finish(ValueRange sums);
  Value swizzled(Factor &factor, Value row, Value place);

  Value index(int64_t value) { return jit::constantIndex(b, loc, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value mul(Value x, int64_t y) { return arith::MulIOp::create(b, loc, x, index(y)); }
  Value div(Value x, int64_t y) { return arith::DivUIOp::create(b, loc, x, index(y)); }
  Value rem(Value x, int64_t y) { return arith::RemUIOp::create(b, loc, x, index(y)); }

  jit::ProductGroup &group;
  linalg::LinalgOp op;
  const jit::ProductShape &shape;
  OpBuilder &b;
  Location loc;
  jit::ElementEmitter element;
  Type type;
  int64_t warpsAcross = 4;
  Factor left, right;
  Value thread, lane, batchAt;
};
} // namespace

TensorProduct::TensorProduct(jit::ProductGroup &group, OpBuilder &b, const jit::GpuProfile &profile)
    : group(group), op(group.product), shape(group.shape), b(b), loc(op.getLoc()),
      element(group.product, b), type(getElementTypeOrSelf(op.getDpsInputs()[0])) {
  // Large tiles read less; small ones give work to more of the device.
  constexpr int64_t large = 128, small = 64;
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, large) *
                   llvm::divideCeilSigned(shape.columns.count, large);
  int64_t tile = blocks * 2 >= profile.multiprocessors ? large : small;
  warpsAcross = tile == large ? 4 : 2;
  left = {op.getDpsInputOperand(0), &shape.rows, tile};
  right = {op.getDpsInputOperand(1), &shape.columns, tile};
  chooseLayout(left);
  chooseLayout(right);
}

void TensorProduct::chooseLayout(Factor &factor) {
  auto isWhole = [&](const jit::Side &side) {
    return !side.dims.empty() && side.sizes.back() % piece == 0 &&
           jit::accessAlong(op, *factor.operand, side.dims.back(), piece) == jit::Access::Vector;
  };
  factor.alongDepth = isWhole(shape.depth);
  factor.isAsync = factor.alongDepth || isWhole(*factor.side);
  if (!factor.isAsync)
    factor.alongDepth = jit::strideAlong(op, *factor.operand, shape.depth.dims.back()) == 1;
}

void TensorProduct::locate(jit::Launch &launch) {
  int64_t rowTiles = llvm::divideCeilSigned(shape.rows.count, left.tile);
  int64_t columnTiles = llvm::divideCeilSigned(shape.columns.count, right.tile);
  SmallVector<Value> at =
      jit::delinearize(b, loc, launch.blockId(), {shape.batch.count, rowTiles, columnTiles});
  batchAt = at[0];
  thread = launch.threadId();
  lane = rem(thread, jit::warpSize);
  Value warp = div(thread, jit::warpSize);
  left.origin = mul(at[1], left.tile);
  right.origin = mul(at[2], right.tile);
  left.part = mul(div(warp, warpsAcross), left.tile / warpsDown);
  right.part = mul(rem(warp, warpsAcross), right.tile / warpsAcross);
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  for (Factor *factor : {&left, &right})
    factor->memory =
        launch.shared(MemRefType::get({stages, factor->memoryRows(), factor->memoryColumns()}, type,
                                      MemRefLayoutAttrInterface(), space));
}

/// Where piece number `place` of a row of shared memory is.
Value TensorProduct::swizzled(Factor &factor, Value row, Value place) {
  // Rows of 64 bytes: two of them have the banks once.
  bool isNarrow = factor.memoryColumns() / piece == 4;
  Value key = isNarrow ? rem(div(row, 2), 4) : rem(row, piece);
  return mul(arith::XOrIOp::create(b, loc, place, key), piece);
}

Value TensorProduct::insideOf(Factor &factor, Value depthAt, Value otherAt) {
  Value first = shape.depth.inside(b, loc, depthAt, slice);
  Value second = factor.side->inside(b, loc, otherAt, factor.tile);
  if (!first || !second)
    return first ? first : second;
  return arith::AndIOp::create(b, loc, first, second);
}

SmallVector<Value> TensorProduct::pointOf(Factor &factor, Value depthAt, Value otherAt) {
  SmallVector<Value> point(op.getNumLoops(), index(0));
  shape.batch.place(b, loc, point, batchAt);
  shape.depth.place(b, loc, point, depthAt);
  factor.side->place(b, loc, point, otherAt);
  return point;
}

void TensorProduct::copyPiece(Factor &factor, ValueRange to, Value depthAt, Value otherAt) {
  Value inside = insideOf(factor, depthAt, otherAt), count;
  if (inside) {
    // What is outside is zero, and copied from nowhere.
    count = arith::SelectOp::create(b, loc, inside, index(piece), index(0));
    depthAt = arith::SelectOp::create(b, loc, inside, depthAt, index(0));
    otherAt = arith::SelectOp::create(b, loc, inside, otherAt, index(0));
  }
  SmallVector<Value> from = element.indices(*factor.operand, pointOf(factor, depthAt, otherAt));
  nvgpu::DeviceAsyncCopyOp::create(b, loc, nvgpu::DeviceAsyncTokenType::get(b.getContext()),
                                   factor.memory, to, factor.operand->get(), from,
                                   b.getIndexAttr(piece), count, b.getUnitAttr());
}

void TensorProduct::gatherPiece(Factor &factor, ValueRange to, Value depthAt, Value otherAt) {
  SmallVector<Value> elements;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (int64_t i = 0; i < piece; ++i) {
    Value depth = factor.alongDepth ? add(depthAt, index(i)) : depthAt;
    Value other = factor.alongDepth ? otherAt : add(otherAt, index(i));
    Value inside = insideOf(factor, depth, other);
    if (inside) {
      depth = arith::SelectOp::create(b, loc, inside, depth, index(0));
      other = arith::SelectOp::create(b, loc, inside, other, index(0));
    }
    Value value = element.load(*factor.operand, pointOf(factor, depth, other));
    elements.push_back(inside ? arith::SelectOp::create(b, loc, inside, value, zero) : value);
  }
  Value all = vector::FromElementsOp::create(b, loc, VectorType::get({piece}, type), elements);
  vector::StoreOp::create(b, loc, all, factor.memory, to, /*nontemporal=*/false,
                          llvm::MaybeAlign(jit::accessBytes));
}

void TensorProduct::fill(Factor &factor, Value stage, Value depthAt) {
  int64_t threads = warpsDown * warpsAcross * jit::warpSize;
  int64_t piecesOfRow = factor.memoryColumns() / piece;
  int64_t pieces = factor.memoryRows() * piecesOfRow;
  for (int64_t i = 0; i < pieces / threads; ++i) {
    Value number = add(thread, index(i * threads));
    Value row = div(number, piecesOfRow), place = rem(number, piecesOfRow);
    SmallVector<Value> to = {stage, row, swizzled(factor, row, place)};
    Value along = mul(place, piece);
    Value depth = add(depthAt, factor.alongDepth ? along : row);
    Value other = add(factor.origin, factor.alongDepth ? row : along);
    if (factor.isAsync)
      copyPiece(factor, to, depth, other);
    else
      gatherPiece(factor, to, depth, other);
  }
}

Value TensorProduct::loadMatrices(Factor &factor, Value stage, int64_t number, int64_t step,
                                  bool isFirst) {
  // Each eight lanes say where the rows of one matrix are: the instruction wants those of the first
  // factor by rows first, those of the second by summands first.
  Value matrix = div(lane, piece), row = rem(lane, piece);
  Value low = rem(matrix, 2), high = div(matrix, 2);
  Value otherBit = isFirst ? low : high, depthBit = isFirst ? high : low;
  Value other = add(factor.part, index(number * mmaRows));
  SmallVector<Value> at = {stage};
  if (factor.alongDepth) {
    at.push_back(add(add(other, mul(otherBit, piece)), row));
    at.push_back(swizzled(factor, at[1], add(depthBit, index(step * mmaDepth / piece))));
  } else {
    at.push_back(add(add(mul(depthBit, piece), index(step * mmaDepth)), row));
    at.push_back(swizzled(factor, at[1], add(div(other, piece), otherBit)));
  }
  return nvgpu::LdMatrixOp::create(b, loc, VectorType::get({4, 2}, type), factor.memory, at,
                                   /*transpose=*/!factor.alongDepth, /*numTiles=*/4);
}

/// A vector of 2 by 2 numbers of four, and back.
static Value packed(OpBuilder &b, Location loc, ValueRange numbers) {
  auto row = VectorType::get({2}, numbers[0].getType());
  auto square = VectorType::get({2, 2}, numbers[0].getType());
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(square));
  for (int64_t i = 0; i < 2; ++i) {
    Value pair = vector::FromElementsOp::create(b, loc, row, numbers.slice(i * 2, 2));
    result = vector::InsertOp::create(b, loc, pair, result, i);
  }
  return result;
}

/// Rows 2 * `number` and the next of a vector of four.
static Value half(OpBuilder &b, Location loc, Value four, int64_t number) {
  auto type = VectorType::get({2, 2}, getElementTypeOrSelf(four));
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (int64_t i = 0; i < 2; ++i) {
    Value row = vector::ExtractOp::create(b, loc, four, number * 2 + i);
    result = vector::InsertOp::create(b, loc, row, result, i);
  }
  return result;
}

SmallVector<Value> TensorProduct::multiply(Value stage, ValueRange sums) {
  int64_t down = left.tile / warpsDown / mmaRows;
  int64_t across = right.tile / warpsAcross / mmaColumns;
  SmallVector<Value> result(sums);
  for (int64_t step = 0; step < slice / mmaDepth; ++step) {
    SmallVector<Value> lefts, rights;
    for (int64_t i = 0; i < down; ++i)
      lefts.push_back(loadMatrices(left, stage, i, step, /*isFirst=*/true));
    for (int64_t j = 0; j < across; j += 2) {
      Value two = loadMatrices(right, stage, j / 2, step, /*isFirst=*/false);
      rights.push_back(half(b, loc, two, 0));
      rights.push_back(half(b, loc, two, 1));
    }
    for (int64_t i = 0; i < down; ++i)
      for (int64_t j = 0; j < across; ++j) {
        MutableArrayRef<Value> own = MutableArrayRef(result).slice((i * across + j) * 4, 4);
        Value square = nvgpu::MmaSyncOp::create(b, loc, lefts[i], rights[j], packed(b, loc, own),
                                                ArrayRef<int64_t>{mmaRows, mmaColumns, mmaDepth});
        for (int64_t k = 0; k < 4; ++k)
          own[k] = vector::ExtractOp::create(b, loc, square, ArrayRef<int64_t>{k / 2, k % 2});
      }
  }
  return result;
}

SmallVector<Value> TensorProduct::runPipeline() {
  int64_t slices = llvm::divideCeilSigned(shape.depth.count, slice);
  int64_t count = left.tile / warpsDown * (right.tile / warpsAcross) / jit::warpSize;
  Type token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
  Value group;
  auto closeGroup = [&] {
    group = nvgpu::DeviceAsyncCreateGroupOp::create(b, loc, token, ValueRange());
  };
  auto bring = [&](Value stage, Value number) {
    Value depthAt = mul(number, slice);
    fill(left, stage, depthAt);
    fill(right, stage, depthAt);
  };
  for (int64_t stage = 0; stage < stages - 1; ++stage) {
    if (stage < slices)
      bring(index(stage), index(stage));
    closeGroup();
  }
  Value zero = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0));
  auto loop = scf::ForOp::create(b, loc, index(0), index(slices), index(1),
                                 SmallVector<Value>(count, zero));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value number = loop.getInductionVar();
  nvgpu::DeviceAsyncWaitOp::create(b, loc, group, b.getI32IntegerAttr(stages - 2));
  // All threads' copies are there, and nobody reads the stage any more that comes next.
  gpu::BarrierOp::create(b, loc);
  if (slices > stages - 1) {
    Value next = add(number, index(stages - 1));
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, next, index(slices));
    auto branch = scf::IfOp::create(b, loc, isThere);
    OpBuilder::InsertionGuard inner(b);
    b.setInsertionPointToStart(branch.thenBlock());
    bring(rem(next, stages), next);
  }
  closeGroup();
  scf::YieldOp::create(b, loc, multiply(rem(number, stages), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

void TensorProduct::finish(ValueRange sums) {
  int64_t down = left.tile / warpsDown / mmaRows;
  int64_t across = right.tile / warpsAcross / mmaColumns;
  Value row = add(add(left.origin, left.part), div(lane, 4));
  Value column = add(add(right.origin, right.part), mul(rem(lane, 4), 2));
  for (int64_t i = 0; i < down; ++i)
    for (int64_t j = 0; j < across; ++j)
      for (int64_t k = 0; k < 4; k += 2) {
        jit::SumPlace place = {batchAt, add(row, index(i * mmaRows + k / 2 * piece)),
                               add(column, index(j * mmaColumns))};
        jit::finishSumsInside(group, b, sums.slice((i * across + j) * 4 + k, 2), place, left.tile,
                              right.tile);
      }
}

void TensorProduct::emit() {
  int64_t blocks = shape.batch.count * llvm::divideCeilSigned(shape.rows.count, left.tile) *
                   llvm::divideCeilSigned(shape.columns.count, right.tile);
  jit::Launch launch(b, loc, "mma", blocks, warpsDown * warpsAcross * jit::warpSize);
  locate(launch);
  finish(runPipeline());
}

bool jit::emitTensorProduct(ProductGroup &group, OpBuilder &b, const GpuProfile &profile) {
  if (!isProductOfHalves(group.product))
    return false;
  TensorProduct(group, b, profile).emit();
  return true;
}
