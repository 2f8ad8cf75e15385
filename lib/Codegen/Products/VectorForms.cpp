//===- VectorForms.cpp - linear forms of vectors, with few sums -----------===//

#include "Products/VectorForms.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace jit::codegen {
namespace {

using Values = SmallVector<Value>;
using Row = SmallVector<double>;

/// Forms of one list of vectors.
class FormEmitter {
public:
  FormEmitter(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {}

  Values emit(Matrix matrix, Values inputs);

private:
  Value add(Value a, Value b);
  Value subtract(Value a, Value b);
  Value scaled(double factor, Value value, Value onto);
  Value sum(ArrayRef<double> row, ArrayRef<Value> inputs);
  void joinColumns(Matrix &matrix, Values &inputs);

  OpBuilder &builder;
  Location loc;
};

/// How two lists of coefficients go together, element by element.
struct Relation {
  bool comparable = true;               ///< each pair is equal, or opposite
  bool agrees = false, opposes = false; ///< some are equal, some opposite and not zero
};

} // namespace

static Relation relate(ArrayRef<double> a, ArrayRef<double> b) {
  Relation relation;
  for (auto [x, y] : llvm::zip_equal(a, b)) {
    relation.comparable &= x == y || x == -y;
    relation.agrees |= x == y && x != 0;
    relation.opposes |= x == -y && x != 0;
  }
  return relation;
}

/// `row` where `other` has the same, or the opposite, coefficients; zero elsewhere.
static Row part(ArrayRef<double> row, ArrayRef<double> other, bool same) {
  Row kept;
  for (auto [x, y] : llvm::zip_equal(row, other))
    kept.push_back((x == y) == same ? x : 0);
  return kept;
}

Value FormEmitter::add(Value a, Value b) {
  return !a ? b : !b ? a : arith::AddFOp::create(builder, loc, a, b).getResult();
}

Value FormEmitter::subtract(Value a, Value b) {
  if (!b)
    return a;
  return a ? arith::SubFOp::create(builder, loc, a, b).getResult()
           : arith::NegFOp::create(builder, loc, b).getResult();
}

/// `factor * value + onto`.
Value FormEmitter::scaled(double factor, Value value, Value onto) {
  if (factor == 1)
    return add(onto, value);
  if (factor == -1)
    return subtract(onto, value);
  auto type = cast<VectorType>(value.getType());
  Value splat = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getFloatAttr(type.getElementType(), factor).getValue()));
  return onto ? vector::FMAOp::create(builder, loc, splat, value, onto).getResult()
              : arith::MulFOp::create(builder, loc, splat, value).getResult();
}

/// The form of `row`, from a term of coefficient 1 on, which costs nothing.
Value FormEmitter::sum(ArrayRef<double> row, ArrayRef<Value> inputs) {
  Value total;
  auto addTerms = [&](bool ofOne) {
    for (auto [factor, input] : llvm::zip_equal(row, inputs))
      if (factor != 0 && input && (factor == 1) == ofOne)
        total = scaled(factor, input, total);
  };
  addTerms(/*ofOne=*/true);
  addTerms(/*ofOne=*/false);
  return total;
}

/// Columns that are equal in some rows and opposite in others are read through their sum and their
/// difference.
void FormEmitter::joinColumns(Matrix &matrix, Values &inputs) {
  auto column = [&](size_t j) {
    return llvm::map_to_vector(matrix, [&](const auto &row) { return row[j]; });
  };
  SmallVector<bool> joined(inputs.size(), false);
  for (size_t a = 0; a < inputs.size(); ++a)
    for (size_t b = a + 1; b < inputs.size() && !joined[a]; ++b) {
      Row left = column(a), right = column(b);
      Relation relation = relate(left, right);
      if (joined[b] || !relation.comparable || !relation.agrees || !relation.opposes)
        continue;
      joined[a] = joined[b] = true;
      Row same = part(left, right, true), opposite = part(left, right, false);
      for (auto [i, row] : llvm::enumerate(matrix)) {
        row[a] = same[i];
        row[b] = opposite[i];
      }
      Value x = inputs[a], y = inputs[b];
      inputs[a] = add(x, y);
      inputs[b] = subtract(x, y);
    }
}

/// Rows that differ in signs alone are the sum and the difference of two shorter forms.
Values FormEmitter::emit(Matrix matrix, Values inputs) {
  joinColumns(matrix, inputs);
  Values outputs(matrix.size());
  SmallVector<bool> done(matrix.size(), false);
  for (size_t a = 0; a < matrix.size(); ++a) {
    for (size_t b = a + 1; b < matrix.size() && !done[a]; ++b) {
      Relation relation = relate(matrix[a], matrix[b]);
      if (done[b] || !relation.comparable || !relation.agrees || !relation.opposes)
        continue;
      Value even = sum(part(matrix[a], matrix[b], true), inputs);
      Value odd = sum(part(matrix[a], matrix[b], false), inputs);
      outputs[a] = add(even, odd);
      outputs[b] = subtract(even, odd);
      done[a] = done[b] = true;
    }
    if (!done[a])
      outputs[a] = sum(matrix[a], inputs);
  }
  return outputs;
}

static VectorGrid transposed(const VectorGrid &grid) {
  VectorGrid turned(grid.front().size());
  for (const Values &row : grid)
    for (auto [j, value] : llvm::enumerate(row))
      turned[j].push_back(value);
  return turned;
}

VectorGrid transformGrid(OpBuilder &builder, Location loc, const Matrix &matrix,
                         const VectorGrid &grid) {
  FormEmitter forms(builder, loc);
  VectorGrid columns = transposed(grid);
  for (Values &column : columns)
    column = forms.emit(matrix, column);
  VectorGrid rows = transposed(columns);
  for (Values &row : rows)
    row = forms.emit(matrix, row);
  return rows;
}

} // namespace jit::codegen
