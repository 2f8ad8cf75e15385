//===- GraphRules.cpp - the builders of `decompose` and `scatter` rules ---===//

#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/TensorSizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace jit {

std::optional<SmallVector<int64_t>> IntList::known() const {
  auto ints = ListInfo(v).ints();
  if (!ints || llvm::is_contained(*ints, TensorType::kDynamic))
    return std::nullopt;
  return ints;
}

Decomposition::Decomposition(Any handle) : Decomposed{SmallVector<Value>{handle.v}, {}} {
  if (handle.b->failed)
    values = failure();
}

Decomposition::Decomposition(std::initializer_list<Any> handles)
    : Decomposed{SmallVector<Value>(), {}} {
  bool failed = false;
  for (Any handle : handles) {
    values->push_back(handle.v);
    failed |= handle.b->failed;
  }
  if (failed)
    values = failure();
}

//===----------------------------------------------------------------------===//
// Constants and lists
//===----------------------------------------------------------------------===//

Int GraphBuilder::i(int64_t value) {
  return {*this, arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value))};
}
Float GraphBuilder::f(double value) {
  return {*this, arith::ConstantOp::create(builder, loc, builder.getF64FloatAttr(value))};
}
Bool GraphBuilder::flag(bool value) {
  return {*this, arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value))};
}
Any GraphBuilder::none() { return {*this, ConstantOp::create(builder, loc)}; }
Str GraphBuilder::str(StringRef text) { return {*this, ConstantOp::create(builder, loc, text)}; }

IntList GraphBuilder::ints(ArrayRef<int64_t> values) {
  SmallVector<Int> elements;
  for (int64_t value : values)
    elements.push_back(i(value));
  return list(elements);
}

template <typename T> static Value makeList(GraphBuilder &b, Type element, ArrayRef<T> values) {
  auto elements = llvm::map_to_vector(values, [](const T &value) { return value.v; });
  return ListOp::create(b.builder, b.loc, ListType::get(element), elements);
}

IntList GraphBuilder::list(ArrayRef<Int> values) {
  return {*this, makeList(*this, builder.getI64Type(), values)};
}
TensorList GraphBuilder::list(ArrayRef<Tensor> values) {
  return {*this, makeList(*this, TensorType::get(builder.getContext()), values)};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Operation *createInferred(OpBuilder &builder, Location loc, OperationName name,
                          ArrayRef<Value> operands) {
  OperationState state(loc, name);
  state.addOperands(operands);
  auto infer = name.getInterface<InferTypeOpInterface>();
  if (!infer ||
      failed(infer->inferReturnTypes(builder.getContext(), loc, operands, {}, nullptr, {},
                                     state.types)) ||
      failed(checkSizes(loc, state.types)))
    return nullptr;
  return builder.create(state);
}

Operation *GraphBuilder::create(StringRef name, ArrayRef<Value> operands) {
  OperationName opName(name, builder.getContext());
  SmallVector<Value> taken(operands);
  auto regions = autocastInBody(builder, loc, opName, taken);
  if (Operation *op = succeeded(regions) ? createInferred(builder, loc, opName, taken) : nullptr) {
    if (*regions)
      op->setAttr(autocastAttr, *regions);
    return op;
  }
  // The error is out; go on with a value of unknown type so that the body need not test each step.
  failed = true;
  return PoisonOp::create(builder, loc, TensorType::get(builder.getContext()));
}

//===----------------------------------------------------------------------===//
// Sizes and arithmetic
//===----------------------------------------------------------------------===//

Int sizeOf(Tensor t, int64_t dim) {
  TensorInfo info = t.info();
  if (info.hasRank() && info.size(dim) != TensorType::kDynamic)
    return t.b->i(info.size(dim));
  return t.b->intOp<aten::SizeIntOp>(t, dim);
}

IntList sizesOf(Tensor t) {
  SmallVector<Int> sizes;
  for (int64_t dim = 0; dim < t.info().rank(); ++dim)
    sizes.push_back(sizeOf(t, dim));
  return t.b->list(sizes);
}

Tensor operator+(Tensor a, Tensor c) { return a.b->op<aten::AddTensorOp>(a, c, 1); }
Tensor operator-(Tensor a, Tensor c) { return a.b->op<aten::SubTensorOp>(a, c, 1); }
Tensor operator*(Tensor a, Tensor c) { return a.b->op<aten::MulTensorOp>(a, c); }
Tensor operator/(Tensor a, Tensor c) { return a.b->op<aten::DivTensorOp>(a, c); }
Tensor operator+(Tensor a, double c) { return a.b->op<aten::AddScalarOp>(a, c, 1); }
Tensor operator*(Tensor a, double c) { return a.b->op<aten::MulScalarOp>(a, c); }

/// Folds as the code computes: modulo 2^64.
static Int foldedInt(Int a, Int c, int64_t (*fold)(int64_t, int64_t),
                     Value (*build)(OpBuilder &, Location, Value, Value)) {
  if (a.known() && c.known())
    return a.b->i(fold(*a.known(), *c.known()));
  return {*a.b, build(a.b->builder, a.b->loc, a.v, c.v)};
}

#define JIT_INT_OPERATOR(op, OpTy)                                                                 \
  Int operator op(Int a, Int c) {                                                                  \
    return foldedInt(                                                                              \
        a, c, [](int64_t x, int64_t y) { return int64_t(uint64_t(x) op uint64_t(y)); },            \
        [](OpBuilder &b, Location loc, Value x, Value y) -> Value {                                \
          return OpTy::create(b, loc, x, y);                                                       \
        });                                                                                        \
  }
JIT_INT_OPERATOR(+, arith::AddIOp)
JIT_INT_OPERATOR(-, arith::SubIOp)
JIT_INT_OPERATOR(*, arith::MulIOp)
#undef JIT_INT_OPERATOR

} // namespace jit
