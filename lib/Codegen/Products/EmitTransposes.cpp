//===- EmitTransposes.cpp - permutations of dimensions by vectors ---------===//

#include "Products/EmitTransposes.h"
#include "Products/FlatView.h"
#include "Products/RegisterTranspose.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace jit::codegen {

/// Iterations of the shared loops that keep any number of threads busy.
static constexpr int64_t enoughTasks = 64;

namespace {

/// A loop over one dimension and what its steps move.
struct CopyLoop {
  int64_t extent, in, out;
};

class TransposeEmitter {
public:
  TransposeEmitter(linalg::TransposeOp op, SmallVector<CopyLoop> loops, int64_t lanes)
      : builder(op), loc(op.getLoc()), op(op), loops(std::move(loops)), lanes(lanes) {}

  /// Fails, having emitted nothing, where no loop is contiguous on one of the sides.
  LogicalResult emit();

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value advance(Value base, Value iteration, int64_t step);
  Value emitGrid(ArrayRef<CopyLoop> grid, int64_t elements, Value &in, Value &out);
  void emitRows(Value in, Value out, int64_t rows);
  void emitBlock(Value in, Value out, int64_t rows, int64_t columns);

  OpBuilder builder;
  Location loc;
  linalg::TransposeOp op;
  SmallVector<CopyLoop> loops;
  int64_t lanes;
  CopyLoop along = {}, across = {}; ///< contiguous in the input, and in the output
  bool sameLoop = false;
  Value input, output;
};

} // namespace

Value TransposeEmitter::advance(Value base, Value iteration, int64_t step) {
  Value distance = arith::MulIOp::create(builder, loc, iteration, index(step));
  return arith::AddIOp::create(builder, loc, base, distance);
}

void TransposeEmitter::emitBlock(Value in, Value out, int64_t rows, int64_t columns) {
  SmallVector<Value> block;
  for (int64_t row = 0; row < rows; ++row)
    block.push_back(
        loadLanes(builder, loc, input, advance(in, index(row), across.in), lanes, columns));
  if (sameLoop)
    return storeLanes(builder, loc, block.front(), output, out, columns);
  SmallVector<Value> turned = transposeRows(builder, loc, block);
  for (int64_t column = 0; column < columns; ++column)
    storeLanes(builder, loc, turned[column], output, advance(out, index(column), along.out), rows);
}

/// All of the input's contiguous loop, for `rows` of the output's.
void TransposeEmitter::emitRows(Value in, Value out, int64_t rows) {
  int64_t blocks = along.extent / lanes, rest = along.extent % lanes;
  if (blocks > 0) {
    auto loop = scf::ForOp::create(builder, loc, index(0), index(blocks), index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    Value block = loop.getInductionVar();
    emitBlock(advance(in, block, lanes * along.in), advance(out, block, lanes * along.out), rows,
              lanes);
  }
  if (rest > 0)
    emitBlock(advance(in, index(blocks * lanes), along.in),
              advance(out, index(blocks * lanes), along.out), rows, rest);
}

/// Opens the loops of `grid`, the outer ones as one scf.parallel. Returns the innermost iteration.
Value TransposeEmitter::emitGrid(ArrayRef<CopyLoop> grid, int64_t elements, Value &in, Value &out) {
  unsigned shared = 0;
  SmallVector<Value> upper;
  for (int64_t tasks = 1; shared < grid.size() && tasks < enoughTasks; ++shared) {
    tasks *= grid[shared].extent;
    upper.push_back(index(grid[shared].extent));
  }
  SmallVector<Value> lower(shared, index(0)), step(shared, index(1));
  auto parallel = scf::ParallelOp::create(builder, loc, lower, upper, step);
  parallel->setAttr("jit.flops", builder.getI64IntegerAttr(elements));
  builder.setInsertionPointToStart(parallel.getBody());
  SmallVector<Value> iterations(parallel.getInductionVars());
  for (const CopyLoop &loop : grid.drop_front(shared)) {
    auto serial = scf::ForOp::create(builder, loc, index(0), index(loop.extent), index(1));
    builder.setInsertionPointToStart(serial.getBody());
    iterations.push_back(serial.getInductionVar());
  }
  for (auto [loop, iteration] : llvm::zip_equal(grid, iterations)) {
    in = advance(in, iteration, loop.in);
    out = advance(out, iteration, loop.out);
  }
  return iterations.back();
}

LogicalResult TransposeEmitter::emit() {
  auto inner = llvm::find_if(loops, [](const CopyLoop &loop) { return loop.in == 1; });
  auto outer = llvm::find_if(loops, [](const CopyLoop &loop) { return loop.out == 1; });
  if (inner == loops.end() || outer == loops.end() || !llvm::isPowerOf2_64(lanes))
    return failure();
  along = *inner;
  sameLoop = inner == outer;
  across = sameLoop ? CopyLoop{1, 0, 0} : *outer;

  int64_t elements = 1, blocks = llvm::divideCeilSigned(across.extent, lanes);
  int64_t rest = across.extent % lanes;
  SmallVector<CopyLoop> grid;
  for (auto it = loops.begin(); it != loops.end(); ++it) {
    elements *= it->extent;
    if (it != inner && it != outer)
      grid.push_back(*it);
  }
  llvm::sort(grid, [](const CopyLoop &a, const CopyLoop &b) { return a.out > b.out; });
  grid.push_back({blocks, lanes * across.in, lanes * across.out});

  input = flatten(builder, loc, op.getInput());
  output = flatten(builder, loc, op.getInit());
  Value in = index(0), out = in, last = emitGrid(grid, elements, in, out);
  if (rest == 0 || blocks == 1)
    return emitRows(in, out, std::min(across.extent, lanes)), success();
  Value isLast =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, last, index(blocks - 1));
  auto branch = scf::IfOp::create(builder, loc, isLast, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitRows(in, out, rest);
  builder.setInsertionPointToStart(branch.elseBlock());
  emitRows(in, out, lanes);
  return success();
}

/// Joins loops that both sides walk as one.
static void join(SmallVectorImpl<CopyLoop> &loops) {
  llvm::erase_if(loops, [](const CopyLoop &loop) { return loop.extent == 1; });
  for (unsigned i = 0; i + 1 < loops.size();) {
    const CopyLoop outer = loops[i], inner = loops[i + 1];
    if (outer.in != inner.in * inner.extent || outer.out != inner.out * inner.extent) {
      ++i;
      continue;
    }
    loops[i + 1].extent *= outer.extent;
    loops.erase(loops.begin() + i);
    i = i == 0 ? 0 : i - 1;
  }
}

void emitTranspose(linalg::TransposeOp op, const Machine &machine) {
  auto in = dyn_cast<MemRefType>(op.getInput().getType());
  auto out = dyn_cast<MemRefType>(op.getInit().getType());
  if (!in || !out || !in.hasStaticShape() || !in.getElementType().isIntOrFloat())
    return;
  int64_t bits = in.getElementTypeBitWidth();
  if (bits != 32 && bits != 64)
    return;
  SmallVector<int64_t> inStrides, outStrides;
  int64_t offset;
  if (failed(in.getStridesAndOffset(inStrides, offset)) ||
      failed(out.getStridesAndOffset(outStrides, offset)) ||
      llvm::any_of(inStrides, ShapedType::isDynamic) ||
      llvm::any_of(outStrides, ShapedType::isDynamic) || llvm::is_contained(in.getShape(), 0))
    return;
  SmallVector<CopyLoop> loops;
  for (auto [dim, source] : llvm::enumerate(op.getPermutation()))
    loops.push_back({out.getDimSize(dim), inStrides[source], outStrides[dim]});
  join(loops);
  int64_t lanes = machine.lanes * 32 / bits;
  if (succeeded(TransposeEmitter(op, std::move(loops), std::max<int64_t>(lanes, 1)).emit()))
    op.erase();
}

} // namespace jit::codegen
