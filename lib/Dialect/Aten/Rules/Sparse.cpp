//===- Sparse.cpp - builders for the rules of Sparse.td -------------------===//

#include "Rules/Sparse.h"
#include "Rules/GraphBuilders.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/DerivedView.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/Matmul.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Rearrange.h"
#include "jit/Dialect/Aten/Search.h"
#include "jit/Dialect/Aten/Sparse.h"
#include "jit/Dialect/Aten/View.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

bool isTranspose(Operation *op) {
  if (!isa_and_present<aten::TransposeIntOp>(op))
    return isa_and_present<aten::TOp, aten::NumpyTOp, aten::NumpyTAOp, aten::MTOp>(op);
  auto first = IntInfo(op->getOperand(1)).known, second = IntInfo(op->getOperand(2)).known;
  // Both dimensions of a matrix.
  return first && second && (*first - *second) % 2 != 0;
}

/// What a value is the transpose of; null where it is none.
static Value transposedOperand(Value value) {
  Operation *op = value.getDefiningOp();
  return isTranspose(op) ? op->getOperand(0) : Value();
}

bool isSparse(Value value) {
  while (Value before = transposedOperand(value))
    value = before;
  return isa_and_present<aten::SparseCooTensorOp>(value.getDefiningOp());
}

SparseMatrix transposed(const SparseMatrix &matrix) {
  return {matrix.columns, matrix.rows, matrix.values, matrix.columnCount, matrix.rowCount};
}

/// Sums of halves are rounded by PyTorch as its kernels go.
static bool isSummed(Type dtype) {
  return dtype &&
         (dtype.isF32() || dtype.isF64() || (isa<IntegerType>(dtype) && !dtype.isInteger(1)));
}

static int64_t dtypeNumber(Type dtype) { return int64_t(*typeToDtype(dtype)); }

std::optional<SparseMatrix> sparseMatrix(GraphBuilder &build, Value value) {
  if (Value before = transposedOperand(value)) {
    auto matrix = sparseMatrix(build, before);
    return matrix ? std::optional(transposed(*matrix)) : std::nullopt;
  }
  auto op = value.getDefiningOp<aten::SparseCooTensorOp>();
  if (!op)
    return std::nullopt;
  Tensor indices(build, op->getOperand(0)), values(build, op->getOperand(1));
  auto sizes = ListInfo(op->getOperand(2)).elements;
  Type dtype = cast<TensorType>(value.getType()).getDtype();
  if (!sizes || sizes->size() != 2 || !indices.info().hasRank() || indices.info().rank() != 2 ||
      (indices.info().size(0) != 2 && indices.info().size(0) != TensorType::kDynamic) ||
      indices.info().dtype() != build.builder.getI64Type() || !values.info().hasRank() ||
      values.info().rank() != 1 || !isSummed(dtype) || !haveEqualSize(indices, 1, values, 0))
    return std::nullopt;
  auto line = [&](int64_t i) { return Tensor(build.op<aten::SelectIntOp>(indices, 0, i)); };
  return SparseMatrix{line(0), line(1), converted(values, dtype), Int(build, (*sizes)[0]),
                      Int(build, (*sizes)[1])};
}

static Tensor zeros(IntList sizes, Tensor like) {
  GraphBuilder &build = *like.b;
  Any none = build.none();
  bool isFloat = isa<FloatType>(like.info().dtype());
  Any zero = isFloat ? Any(build.f(0)) : Any(build.i(0));
  return build.op<aten::FullOp>(sizes, zero, dtypeNumber(like.info().dtype()), none, none, none);
}

static void guardPlaces(const SparseMatrix &matrix) {
  Int one = matrix.values.b->i(1);
  guardWithin(matrix.rows, 0, matrix.rowCount - one);
  guardWithin(matrix.columns, 0, matrix.columnCount - one);
}

static Tensor added(IntList sizes, ArrayRef<Tensor> places, Tensor values) {
  GraphBuilder &build = *values.b;
  return build.op<aten::IndexPutOp>(zeros(sizes, values), build.list(places), values, true);
}

Tensor product(const SparseMatrix &matrix, Tensor dense) {
  GraphBuilder &build = *dense.b;
  guardPlaces(matrix);
  bool isVector = dense.info().rank() == 1;
  SmallVector<Int> sizes{matrix.rowCount};
  if (!isVector)
    sizes.push_back(sizeOf(dense, 1));
  Tensor taken = build.op<aten::IndexSelectOp>(dense, 0, matrix.columns);
  Tensor terms = taken * (isVector ? matrix.values : unsqueeze(matrix.values, 1));
  return added(build.list(sizes), {matrix.rows}, terms);
}

Tensor dense(const SparseMatrix &matrix) {
  GraphBuilder &build = *matrix.values.b;
  guardPlaces(matrix);
  return added(build.list(ArrayRef<Int>{matrix.rowCount, matrix.columnCount}),
               {matrix.rows, matrix.columns}, matrix.values);
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

Decomposition sparseByRows(const RowsOfSparse &rows, OptInt dtype) {
  GraphBuilder &build = *rows.values.b;
  TensorInfo values = rows.values.info();
  if (!rows.before.info().hasRank() || rows.before.info().rank() != 1 || !values.hasRank() ||
      values.rank() != 1 || !dtype.isSettled() || !rows.columns.info().hasRank() ||
      rows.columns.info().rank() != 1)
    return build.notYet("vectors of known rank as indices and values");
  // Without a dtype PyTorch's operator means float32, whatever the values are.
  Type wanted = build.builder.getF32Type();
  if (dtype && (*dtype).known())
    wanted = dtypeToType(ScalarType(*(*dtype).known()), build.builder.getContext());
  if (!isa_and_present<FloatType>(wanted) || values.dtype() != wanted)
    return build.notYet("floats of the given dtype as values");
  Any none = build.none();
  Type index = build.builder.getI64Type();
  Tensor before = converted(rows.before, index);
  Tensor ends = build.op<aten::SliceTensorOp>(before, 0, 1, none, 1);
  Tensor numbers = counting(sizeOf(rows.values, 0));
  Tensor row = build.op<aten::SearchsortedTensorOp>(ends, numbers, false, true, none, none);
  Tensor places[] = {unsqueeze(row, 0), unsqueeze(converted(rows.columns, index), 0)};
  Tensor indices = build.op<aten::CatOp>(build.list(places), 0);
  return build.op<aten::SparseCooTensorOp>(indices, rows.values, rows.size, dtype, none, none, none,
                                           none);
}

Decomposition ifSparse(Tensor self) {
  if (isSparse(self.v))
    return self;
  return self.b->notYet("a sparse matrix that the program makes as self");
}

Decomposition sparseProduct(Tensor sparse, Tensor dense) {
  if (!isSparse(sparse.v))
    return sparse.b->notYet("a sparse matrix that the program makes as sparse");
  return sparse.b->op<aten::MmOp>(sparse, dense);
}

} // namespace jit
