//===- Parts.cpp - one part of a tensor that is split ---------------------===//

#include "View.h"
#include "jit/Dialect/Aten/View.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

/// Whether a place is certainly not negative.
static bool isFromFront(Int at) {
  if (at.known())
    return *at.known() >= 0;
  auto argument = dyn_cast<BlockArgument>(at.v);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  return loop && at.v == loop.getInductionVar() && matchPattern(loop.getLowerBound(), m_Zero());
}

static Tensor none(Tensor self) { return Tensor(*self.b, Value()); }

static Tensor between(Tensor self, Int dim, Value start, Value size) {
  OpBuilder &b = self.b->builder;
  Value end = arith::AddIOp::create(b, self.b->loc, start, size);
  return self.b->op<aten::SliceTensorOp>(self, dim, Int(*self.b, start), Int(*self.b, end), 1);
}

Tensor partOfEvery(Tensor self, Int size, Int dim, Int at) {
  if (!isFromFront(at))
    return none(self);
  Value start = arith::MulIOp::create(self.b->builder, self.b->loc, at.v, size.v);
  return between(self, dim, start, size.v);
}

Tensor partOfChunks(Tensor self, Int chunks, Int dim, Int at) {
  if (!isFromFront(at))
    return none(self);
  Value length = self.b->intOp<aten::SizeIntOp>(self, dim).v;
  Value size = arith::CeilDivSIOp::create(self.b->builder, self.b->loc, length, chunks.v);
  return partOfEvery(self, Int(*self.b, size), dim, at);
}

Tensor partOfSizes(Tensor self, IntList sizes, Int dim, Int at) {
  auto list = sizes.v.getDefiningOp<ListOp>();
  int64_t place = at.known().value_or(-1);
  if (!list || place < 0 || place >= int64_t(list.getElements().size()))
    return none(self);
  Value start = self.b->i(0).v;
  for (Value size : list.getElements().take_front(place))
    start = arith::AddIOp::create(self.b->builder, self.b->loc, start, size);
  return between(self, dim, start, list.getElements()[place]);
}

} // namespace jit
