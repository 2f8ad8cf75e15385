//===- EmitByteProducts.cpp - products of bytes by an instruction for them ===//
//
// The instruction adds four products of an unsigned and a signed byte to each int32 of a vector, so
// that both factors are read along the sum. A register tile is a few rows of each; its sums are
// vectors until the end of the rows.
//
//===----------------------------------------------------------------------===//

#include "Products/FlatView.h"
#include "jit/Codegen/Products/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace jit::codegen {
#define GEN_PASS_DEF_EMITBYTEPRODUCTS
#include "jit/Codegen/Products/Passes.h.inc"

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// out[m, n] += the sum over k of lhs[m, k] * rhs[n, k], in elements from one row to the next.
struct ByteProduct {
  linalg::GenericOp op;
  int64_t columns, depth;
  int64_t lhsStep, rhsStep, outStep;
};
} // namespace

/// Whether the body is out + u8 * s8, each widened to int32.
static bool addsProductOfBytes(linalg::GenericOp op) {
  Block &body = *op.getBlock();
  if (body.getNumArguments() != 3)
    return false;
  Value yielded = body.getTerminator()->getOperand(0), out = body.getArgument(2);
  auto add = yielded.getDefiningOp<arith::AddIOp>();
  if (!add || !add.getType().isInteger(32) || (add.getLhs() != out && add.getRhs() != out))
    return false;
  auto mul = (add.getLhs() == out ? add.getRhs() : add.getLhs()).getDefiningOp<arith::MulIOp>();
  auto lhs = mul ? mul.getLhs().getDefiningOp<arith::ExtUIOp>() : arith::ExtUIOp();
  auto rhs = mul ? mul.getRhs().getDefiningOp<arith::ExtSIOp>() : arith::ExtSIOp();
  return lhs && rhs && lhs.getIn() == body.getArgument(0) && rhs.getIn() == body.getArgument(1) &&
         lhs.getIn().getType().isInteger(8) && rhs.getIn().getType().isInteger(8);
}

/// Elements from one row to the next where all dimensions before the last are rows; nullopt where
/// they have no common step, or elements of a row gaps.
static std::optional<int64_t> rowStep(Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  if (ShapedType::isDynamic(type.getShape().back()))
    return std::nullopt;
  if (type.getLayout().isIdentity())
    return type.getShape().back();
  SmallVector<int64_t> strides;
  int64_t offset;
  if (type.getRank() != 2 || failed(type.getStridesAndOffset(strides, offset)) || strides[1] != 1 ||
      ShapedType::isDynamic(strides[0]))
    return std::nullopt;
  return strides[0];
}

static std::optional<ByteProduct> match(linalg::GenericOp op) {
  unsigned loops = op.getNumLoops();
  if (!op.hasPureBufferSemantics() || op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      loops < 3 || op.getNumReductionLoops() != 1 || !addsProductOfBytes(op))
    return std::nullopt;
  auto mapOf = [&](ArrayRef<unsigned> dims) {
    return AffineMap::getMultiDimMapWithTargets(loops, dims, op.getContext());
  };
  auto rows = llvm::to_vector(llvm::seq(loops - 2));
  SmallVector<unsigned> lhs(rows), out(rows);
  lhs.push_back(loops - 1);
  out.push_back(loops - 2);
  if (op.getIndexingMapsArray() !=
      SmallVector{mapOf(lhs), mapOf({loops - 2, loops - 1}), mapOf(out)})
    return std::nullopt;
  auto rhsType = cast<MemRefType>(op.getInputs()[1].getType());
  auto lhsStep = rowStep(op.getInputs()[0]), rhsStep = rowStep(op.getInputs()[1]);
  auto outStep = rowStep(op.getOutputs()[0]);
  if (!rhsType.hasStaticShape() || !lhsStep || !rhsStep || !outStep)
    return std::nullopt;
  return ByteProduct{op,      rhsType.getDimSize(0), rhsType.getDimSize(1), *lhsStep, *rhsStep,
                     *outStep};
}

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

/// Rows of each factor in a register tile: 16 sums and 8 vectors of bytes.
static constexpr int64_t tileSide = 4;

namespace {

class ByteProductEmitter {
public:
  ByteProductEmitter(linalg::GenericOp op, const ByteProduct &product, int64_t lanes,
                     int64_t cacheBytes)
      : product(product), lanes(lanes), builder(op), loc(op.getLoc()), target(op.getOutputs()[0]) {
    lhs = flatten(builder, loc, op.getInputs()[0]);
    rhs = flatten(builder, loc, op.getInputs()[1]);
    out = flatten(builder, loc, target);
    int64_t fitting = cacheBytes / std::max<int64_t>(1, product.depth);
    blockRows = std::max(tileSide, fitting / tileSide * tileSide);
  }

  void emit();

private:
  using Body = llvm::function_ref<void(Value)>;

  Value index(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }
  Value add(Value a, Value c) { return arith::AddIOp::create(builder, loc, a, c); }
  /// step * (row + number) + column
  Value place(Value row, int64_t number, int64_t step, Value column) {
    Value at = arith::MulIOp::create(builder, loc, add(row, index(number)), index(step));
    return add(at, column);
  }
  Value countRows();
  void forEach(Value from, Value to, int64_t step, Body body);
  /// All rows of blocks by `width` columns, from `first` to `last`.
  void emitColumns(int64_t first, int64_t last, int64_t width);
  void emitTile(Value row, int64_t height, Value column, int64_t width);
  /// The sums after bytes [k, k + valid) of each row.
  SmallVector<Value> step(ValueRange sums, Value row, int64_t height, Value column, Value k,
                          int64_t valid);

  const ByteProduct &product;
  int64_t lanes, blockRows;
  OpBuilder builder;
  Location loc;
  Value target, lhs, rhs, out, rows;
};

} // namespace

Value ByteProductEmitter::countRows() {
  Value count = index(1);
  for (int64_t dim : llvm::seq(cast<MemRefType>(target.getType()).getRank() - 1))
    count = builder.createOrFold<arith::MulIOp>(
        loc, count, builder.createOrFold<memref::DimOp>(loc, target, dim));
  return count;
}

void ByteProductEmitter::forEach(Value from, Value to, int64_t step, Body body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, index(step));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}

SmallVector<Value> ByteProductEmitter::step(ValueRange sums, Value row, int64_t height,
                                            Value column, Value k, int64_t valid) {
  auto load = [&](Value flat, Value first, int64_t count, int64_t distance) {
    SmallVector<Value> vectors;
    for (int64_t i : llvm::seq(count))
      vectors.push_back(
          loadLanes(builder, loc, flat, place(first, i, distance, k), 4 * lanes, valid));
    return vectors;
  };
  int64_t width = sums.size() / height;
  SmallVector<Value> unsignedBytes = load(lhs, row, height, product.lhsStep);
  SmallVector<Value> signedBytes = load(rhs, column, width, product.rhsStep);
  auto name = builder.getStringAttr("llvm.x86.avx512.vpdpbusd." + Twine(32 * lanes));
  SmallVector<Value> next;
  for (auto [i, sum] : llvm::enumerate(sums))
    next.push_back(LLVM::CallIntrinsicOp::create(
                       builder, loc, sum.getType(), name,
                       ValueRange{sum, unsignedBytes[i / width], signedBytes[i % width]})
                       .getResult(0));
  return next;
}

void ByteProductEmitter::emitTile(Value row, int64_t height, Value column, int64_t width) {
  auto type = VectorType::get({lanes}, builder.getI32Type());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  SmallVector<Value> sums(height * width, zero);
  int64_t bytes = 4 * lanes, whole = product.depth / bytes * bytes;
  if (whole != 0) {
    auto body = [&](OpBuilder &b, Location, Value k, ValueRange args) {
      OpBuilder::InsertionGuard guard(builder);
      builder.restoreInsertionPoint(b.saveInsertionPoint());
      scf::YieldOp::create(builder, loc, step(args, row, height, column, k, bytes));
    };
    auto loop = scf::ForOp::create(builder, loc, index(0), index(whole), index(bytes), sums, body);
    sums.assign(loop.getResults().begin(), loop.getResults().end());
  }
  if (whole != product.depth)
    sums = step(sums, row, height, column, index(whole), product.depth - whole);
  for (auto [i, sum] : llvm::enumerate(sums)) {
    Value at = place(row, i / width, product.outStep, add(column, index(i % width)));
    Value total = vector::ReductionOp::create(builder, loc, vector::CombiningKind::ADD, sum);
    Value before = memref::LoadOp::create(builder, loc, out, at);
    memref::StoreOp::create(builder, loc, add(before, total), out, at);
  }
}

void ByteProductEmitter::emitColumns(int64_t first, int64_t last, int64_t width) {
  if (first == last)
    return;
  Value blocks = builder.createOrFold<arith::CeilDivUIOp>(loc, rows, index(blockRows));
  auto loop = scf::ParallelOp::create(builder, loc, {index(0), index(first)}, {blocks, index(last)},
                                      {index(1), index(width)});
  auto knownRows = getConstantIntValue(rows).value_or(128);
  loop->setAttr("jit.flops",
                builder.getI64IntegerAttr(2 * knownRows * (last - first) * product.depth));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value column = loop.getInductionVars()[1];
  Value begin = arith::MulIOp::create(builder, loc, loop.getInductionVars()[0], index(blockRows));
  Value end = arith::MinUIOp::create(builder, loc, add(begin, index(blockRows)), rows);
  Value left = arith::RemUIOp::create(builder, loc, arith::SubIOp::create(builder, loc, end, begin),
                                      index(tileSide));
  Value wholeEnd = arith::SubIOp::create(builder, loc, end, left);
  auto known = getConstantIntValue(rows);
  if (!known || *known >= tileSide)
    forEach(begin, wholeEnd, tileSide, [&](Value row) { emitTile(row, tileSide, column, width); });
  if (!known || *known % tileSide != 0)
    forEach(wholeEnd, end, 1, [&](Value row) { emitTile(row, 1, column, width); });
}

void ByteProductEmitter::emit() {
  rows = countRows();
  int64_t whole = product.columns / tileSide * tileSide;
  emitColumns(0, whole, tileSide);
  emitColumns(whole, product.columns, 1);
}

namespace {

struct EmitByteProducts : impl::EmitByteProductsBase<EmitByteProducts> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<ByteProduct> products;
    getOperation().walk([&](linalg::GenericOp op) {
      if (std::optional<ByteProduct> product = match(op))
        products.push_back(*product);
    });
    for (ByteProduct &product : products) {
      ByteProductEmitter(product.op, product, lanes, l2Bytes / 2).emit();
      product.op.erase();
    }
  }
};

} // namespace

std::unique_ptr<Pass> createEmitByteProducts(const Machine &machine) {
  return createEmitByteProducts(EmitByteProductsOptions{machine.lanes, machine.l2Bytes});
}

} // namespace jit::codegen
