//===- FactorTile.cpp - a factor's tiles in shared memory -----------------===//
#include "Kernels/FactorTile.h"
#include "Analysis/LoopOrder.h"
#include "Kernels/Tf32.h"
#include "Kernels/VectorAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using jit::codegen::FactorTile;

/// How many rows of a matrix are loaded together, each 16 bytes.
static constexpr int64_t rowsTogether = 8;

static int64_t bytesOf(Type type) {
  return llvm::divideCeilSigned(type.getIntOrFloatBitWidth(), 8);
}

int64_t jit::codegen::mmaDepth(Type factor) { return 2 * accessBytes / bytesOf(factor); }

FactorTile::FactorTile(OpBuilder &b, linalg::LinalgOp product, unsigned operand,
                       const ProductShape &shape, int64_t tile, int64_t slice, bool isRounded)
    : Factor(b, product, operand, shape, tile, slice), piece(accessBytes / bytesOf(type)),
      isFirst(operand == 0), isRounded(isRounded) {
  chooseLayout();
}

void FactorTile::chooseLayout() {
  alongDepth = isVectorAlong(shape.depth, piece);
  isAsync = alongDepth || isVectorAlong(side, piece);
  if (!isAsync)
    alongDepth = strideAlong(product, *operand, shape.depth.dims.back()) == 1;
}

int64_t FactorTile::bytes() const { return tile * slice * bytesOf(type); }

MemRefType FactorTile::memoryType(int64_t stages) {
  auto space = gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  return MemRefType::get({stages, memoryRows(), memoryColumns()}, type, MemRefLayoutAttrInterface(),
                         space);
}

void FactorTile::locate(Launch &launch, int64_t threads, Value batchAt) {
  this->threads = threads;
  this->batchAt = batchAt;
  thread = launch.threadId();
  lane = rem(thread, warpSize);
}

void FactorTile::locate(Launch &launch, int64_t stages, int64_t threads, Value batchAt) {
  locate(launch, threads, batchAt);
  memory = launch.shared(memoryType(stages));
}

void FactorTile::locate(Launch &launch, Value shared, Value offset, int64_t stages, int64_t threads,
                        Value batchAt) {
  locate(launch, threads, batchAt);
  memory = memref::ViewOp::create(b, loc, memoryType(stages), shared, offset, ValueRange());
}

/// Where piece number `place` of a row of shared memory is.
Value FactorTile::swizzled(Value row, Value place) {
  // Rows of fewer than 128 bytes share the banks once: their pieces are exchanged by groups of
  // rows, within as many pieces as a power of two divides the row into.
  int64_t pieces = memoryColumns() / piece;
  int64_t exchanged = std::min<int64_t>(pieces & -pieces, rowsTogether);
  if (exchanged == 1)
    return mul(place, piece);
  Value group = exchanged == rowsTogether ? row : div(row, rowsTogether / exchanged);
  return mul(arith::XOrIOp::create(b, loc, place, rem(group, exchanged)), piece);
}

void FactorTile::copyPiece(ValueRange to, Value depthAt, Value otherAt) {
  Value inside = insideOf(depthAt, otherAt), count;
  if (inside) {
    // What is outside is zero, and copied from nowhere.
    count = arith::SelectOp::create(b, loc, inside, index(piece), index(0));
    depthAt = arith::SelectOp::create(b, loc, inside, depthAt, index(0));
    otherAt = arith::SelectOp::create(b, loc, inside, otherAt, index(0));
  }
  SmallVector<Value> from = element.indices(*operand, pointOf(depthAt, otherAt));
  nvgpu::DeviceAsyncCopyOp::create(b, loc, nvgpu::DeviceAsyncTokenType::get(b.getContext()), memory,
                                   to, operand->get(), from, b.getIndexAttr(piece), count,
                                   b.getUnitAttr());
}

void FactorTile::gatherPiece(ValueRange to, Value depthAt, Value otherAt) {
  SmallVector<Value> elements;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (int64_t i = 0; i < piece; ++i) {
    Value depth = alongDepth ? add(depthAt, index(i)) : depthAt;
    Value other = alongDepth ? otherAt : add(otherAt, index(i));
    Value inside = insideOf(depth, other);
    if (inside) {
      depth = arith::SelectOp::create(b, loc, inside, depth, index(0));
      other = arith::SelectOp::create(b, loc, inside, other, index(0));
    }
    Value value = element.load(*operand, pointOf(depth, other));
    if (inside)
      value = arith::SelectOp::create(b, loc, inside, value, zero);
    elements.push_back(type.isF32() ? roundToTf32(b, loc, value) : value);
  }
  Value all = vector::FromElementsOp::create(b, loc, VectorType::get({piece}, type), elements);
  vector::StoreOp::create(b, loc, all, memory, to, /*nontemporal=*/false,
                          llvm::MaybeAlign(accessBytes));
}

void FactorTile::fillPiece(Value stage, Value number, Value depthAt, Value otherAt) {
  int64_t piecesOfRow = memoryColumns() / piece;
  Value row = div(number, piecesOfRow), place = rem(number, piecesOfRow);
  SmallVector<Value> to = {stage, row, swizzled(row, place)};
  Value along = mul(place, piece);
  Value depth = add(depthAt, alongDepth ? along : row);
  Value other = add(otherAt, alongDepth ? row : along);
  if (isAsync)
    copyPiece(to, depth, other);
  else
    gatherPiece(to, depth, other);
}

void FactorTile::fill(Value stage, Value depthAt, Value otherAt) {
  int64_t pieces = tile * slice / piece;
  for (int64_t first = 0; first < pieces; first += threads) {
    OpBuilder::InsertionGuard guard(b);
    Value number = add(thread, index(first));
    if (first + threads > pieces) {
      Value isThere =
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number, index(pieces));
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, isThere).thenBlock());
    }
    fillPiece(stage, number, depthAt, otherAt);
  }
}

/// Rows from 2 * `number` on of a vector of four pairs.
static Value half(OpBuilder &b, Location loc, Value four, int64_t number) {
  auto type = VectorType::get({2, 2}, getElementTypeOrSelf(four));
  Value result = arith::ConstantOp::create(b, loc, b.getZeroAttr(type));
  for (int64_t i = 0; i < 2; ++i) {
    Value row = vector::ExtractOp::create(b, loc, four, number * 2 + i);
    result = vector::InsertOp::create(b, loc, row, result, i);
  }
  return result;
}

/// What the lane has of four matrices of eight rows of 16 bytes.
Value FactorTile::loadTogether(Value stage, Value otherAt, int64_t step) {
  // Each eight lanes say where the rows of one matrix are: the instruction wants those of the first
  // factor by rows first, those of the second by summands first.
  Value matrix = div(lane, rowsTogether), row = rem(lane, rowsTogether);
  Value low = rem(matrix, 2), high = div(matrix, 2);
  Value otherBit = isFirst ? low : high, depthBit = isFirst ? high : low;
  SmallVector<Value> at = {stage};
  if (alongDepth) {
    at.push_back(add(add(otherAt, mul(otherBit, rowsTogether)), row));
    at.push_back(swizzled(at[1], add(depthBit, index(step * mmaDepth(type) / piece))));
  } else {
    at.push_back(add(add(mul(depthBit, rowsTogether), index(step * mmaDepth(type))), row));
    at.push_back(swizzled(at[1], add(div(otherAt, piece), otherBit)));
  }
  constexpr int64_t registerBytes = 4;
  auto registers = VectorType::get({4, registerBytes / bytesOf(type)}, type);
  return nvgpu::LdMatrixOp::create(b, loc, registers, memory, at, /*transpose=*/!alongDepth,
                                   /*numTiles=*/4);
}

/// The lane's float of the row or column `otherAt` and of group number `place` of the summands,
/// which do not lie side by side.
Value FactorTile::loadFloat(Value stage, Value otherAt, int64_t place) {
  Value summand = add(rem(lane, piece), index(place * piece));
  Value along = add(swizzled(summand, div(otherAt, piece)), rem(otherAt, piece));
  return memref::LoadOp::create(b, loc, memory, ValueRange{stage, summand, along});
}

/// The same floats as of matrices that are loaded together, in the same order.
SmallVector<Value> FactorTile::loadOneByOne(Value stage, Value otherAt, int64_t step) {
  Value row = add(otherAt, div(lane, piece));
  SmallVector<Value> floats;
  for (int64_t i = 0; i < 4; ++i) {
    // By rows first, or by summands first.
    int64_t lower = isFirst ? i % 2 : i / 2, later = isFirst ? i / 2 : i % 2;
    floats.push_back(loadFloat(stage, add(row, index(lower * rowsTogether)), step * 2 + later));
  }
  return floats;
}

/// One matrix of rows, or two of columns, of the lane's four floats.
SmallVector<Value> FactorTile::matricesOf(MutableArrayRef<Value> floats) {
  // What came through registers was rounded there.
  if (isAsync && !isRounded)
    for (Value &one : floats)
      one = roundToTf32(b, loc, one);
  size_t count = isFirst ? 4 : 2;
  auto matrix = VectorType::get({static_cast<int64_t>(count), 1}, type);
  SmallVector<Value> result;
  for (ArrayRef<Value> left = floats; !left.empty(); left = left.drop_front(count))
    result.push_back(vector::FromElementsOp::create(b, loc, matrix, left.take_front(count)));
  return result;
}

SmallVector<Value> FactorTile::loadMatrices(Value stage, Value otherAt, int64_t step) {
  // The instruction that loads matrices transposes halves only.
  if (type.isF32() && !alongDepth) {
    SmallVector<Value> floats = loadOneByOne(stage, otherAt, step);
    return matricesOf(floats);
  }
  Value four = loadTogether(stage, otherAt, step);
  if (type.isF32()) {
    SmallVector<Value> floats;
    for (int64_t i = 0; i < 4; ++i)
      floats.push_back(vector::ExtractOp::create(b, loc, four, ArrayRef<int64_t>{i, 0}));
    return matricesOf(floats);
  }
  if (isFirst)
    return {four};
  return {half(b, loc, four, 0), half(b, loc, four, 1)};
}

/// A vector of 2 by 2 numbers of four.
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

void jit::codegen::multiplyMatrices(OpBuilder &b, Location loc, Value left, Value right,
                                    MutableArrayRef<Value> sums) {
  Type type = getElementTypeOrSelf(left);
  Value square = nvgpu::MmaSyncOp::create(b, loc, left, right, packed(b, loc, ValueRange(sums)),
                                          ArrayRef<int64_t>{mmaRows, mmaColumns, mmaDepth(type)},
                                          /*tf32Enabled=*/type.isF32());
  for (int64_t k = 0; k < 4; ++k)
    sums[k] = vector::ExtractOp::create(b, loc, square, ArrayRef<int64_t>{k / 2, k % 2});
}

namespace {
/// Writes the loop over a pipeline's slices.
class PipelineEmitter {
public:
  using Bring = llvm::function_ref<void(Value, Value)>;
  using Multiply = llvm::function_ref<SmallVector<Value>(Value, Value, ValueRange)>;

  PipelineEmitter(OpBuilder &b, Location loc, const jit::codegen::Pipeline &pipeline, Bring bring,
                  Multiply multiply)
      : b(b), loc(loc), pipeline(pipeline), bring(bring), multiply(multiply),
        end(pipeline.end ? pipeline.end : index(pipeline.slices)) {}

  SmallVector<Value> emit(ValueRange init);

private:
  Value index(int64_t value) { return jit::codegen::constantIndex(b, loc, value); }
  Value stageOf(Value slice) {
    return arith::RemUIOp::create(b, loc, slice, index(pipeline.stages));
  }
  void closeGroup() {
    Type token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
    group = nvgpu::DeviceAsyncCreateGroupOp::create(b, loc, token, ValueRange());
  }
  void await();
  void bringNext(Value number);
  SmallVector<Value> goOn(Value number, ValueRange carried);

  OpBuilder &b;
  Location loc;
  const jit::codegen::Pipeline &pipeline;
  Bring bring;
  Multiply multiply;
  Value end, group;
};
} // namespace

/// Until all threads' copies are there, and nobody reads the stage any more that comes next.
void PipelineEmitter::await() {
  auto underWay = static_cast<int32_t>(pipeline.ahead() - 1);
  nvgpu::DeviceAsyncWaitOp::create(b, loc, group, b.getI32IntegerAttr(underWay));
  if (pipeline.hasAsyncProducts)
    NVVM::FenceProxyOp::create(
        b, loc, NVVM::ProxyKindAttr::get(b.getContext(), NVVM::ProxyKind::async_shared),
        NVVM::SharedSpaceAttr::get(b.getContext(), NVVM::SharedSpace::shared_cta));
  gpu::BarrierOp::create(b, loc);
}

void PipelineEmitter::bringNext(Value number) {
  if (pipeline.slices > pipeline.ahead()) {
    OpBuilder::InsertionGuard guard(b);
    Value next = arith::AddIOp::create(b, loc, number, index(pipeline.ahead()));
    Value isThere = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, next, end);
    b.setInsertionPointToStart(scf::IfOp::create(b, loc, isThere).thenBlock());
    bring(stageOf(next), next);
  }
  closeGroup();
}

SmallVector<Value> PipelineEmitter::goOn(Value number, ValueRange carried) {
  await();
  bringNext(number);
  return multiply(stageOf(number), number, carried);
}

SmallVector<Value> PipelineEmitter::emit(ValueRange init) {
  for (int64_t stage = 0; stage < pipeline.ahead(); ++stage) {
    if (stage < pipeline.slices)
      bring(index(stage), index(stage));
    closeGroup();
  }
  Value first = index(0);
  SmallVector<Value> carried(init);
  if (pipeline.hasAsyncProducts) {
    carried = goOn(first, carried);
    first = index(1);
  }
  auto loop = scf::ForOp::create(b, loc, first, end, index(1), carried);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  scf::YieldOp::create(b, loc, goOn(loop.getInductionVar(), loop.getRegionIterArgs()));
  return SmallVector<Value>(loop.getResults());
}

SmallVector<Value> jit::codegen::runPipeline(
    OpBuilder &b, Location loc, const Pipeline &pipeline, ValueRange init,
    llvm::function_ref<void(Value, Value)> bring,
    llvm::function_ref<SmallVector<Value>(Value, Value, ValueRange)> multiply) {
  return PipelineEmitter(b, loc, pipeline, bring, multiply).emit(init);
}
