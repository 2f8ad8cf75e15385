//===- PowerSeries.cpp - what the special functions are summed with -------===//

#include "Rules/PowerSeries.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace jit {

Element polynomial(Element x, ArrayRef<double> coefficients) {
  Element sum = constant(*x.b, coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = sum * x + coefficient;
  return sum;
}

static const double mostRounds = 1e6;

SmallVector<Element> iterated(Element count, ArrayRef<Element> first, Round round) {
  ScalarBuilder &b = *count.b;
  OpBuilder &builder = b.builder;
  Element rounds = select(count >= 1.0, min(count, mostRounds), constant(b, 0));
  Value whole = builder.createOrFold<arith::FPToSIOp>(b.loc, builder.getI64Type(), rounds.v);
  Value last = builder.createOrFold<arith::IndexCastOp>(b.loc, builder.getIndexType(), whole);
  Value zero = arith::ConstantIndexOp::create(builder, b.loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, b.loc, 1);
  auto values = llvm::map_to_vector(first, [](Element e) { return e.v; });
  auto loop = scf::ForOp::create(
      builder, b.loc, zero, last, one, values,
      // The builder of all elements stands inside of the loop meanwhile.
      [&](OpBuilder &, Location loc, Value counter, ValueRange carried) {
        Value k = arith::IndexCastOp::create(builder, loc, builder.getI64Type(), counter);
        auto now = llvm::map_to_vector(carried, [&](Value v) { return Element::raw(b, v); });
        SmallVector<Element> next = round(Element(b, k, builder.getI64Type()), now);
        scf::YieldOp::create(builder, loc,
                             llvm::map_to_vector(next, [](Element e) { return e.v; }));
      });
  // A sum that was not taken to its end is no number.
  Element unknown = constant(b, std::numeric_limits<double>::quiet_NaN());
  return llvm::map_to_vector(loop.getResults(), [&](Value v) {
    return select(count > mostRounds, unknown, Element::raw(b, v));
  });
}

} // namespace jit
