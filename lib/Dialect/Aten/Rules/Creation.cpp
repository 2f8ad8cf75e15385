//===- Creation.cpp - builders for the rules of Creation.td ---------------===//

#include "Rules/Creation.h"
#include "Rules/GraphBuilders.h"
#include "Rules/View.h"
#include "jit/Dialect/Aten/Creation.h"
#include "jit/Dialect/Aten/Pointwise.h"
#include "jit/Dialect/Aten/Sizes.h"
#include "jit/Dialect/Aten/View.h"

#include <cmath>

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type sized(TypeRules &b, ListInfo list, Type dtype) {
  auto sizes = list.ints();
  return sizes ? b.tensor(*sizes, dtype) : b.unranked(dtype);
}

Type wideDtypeOfNumber(TypeRules &, Type number) {
  return number.isIntOrFloat() || isa<ComplexType>(number) ? number : Type();
}

Type dtypeOfNumber(TypeRules &b, Type number) {
  if (isa<ComplexType>(number))
    return ComplexType::get(b.f32());
  return number.isF64() ? b.f32() : wideDtypeOfNumber(b, number);
}

Type overwritten(TypeRules &b, TensorInfo self, TensorInfo source) {
  bool isKnown = self.hasRank() && source.hasRank();
  if (isKnown && !expandedTo(b, source, SmallVector<int64_t>(self.sizes())))
    return {};
  return Type(self);
}

Type nested(TypeRules &b, ListInfo data, IntInfo dtype) {
  SmallVector<int64_t> sizes;
  std::optional<ListInfo> list = data;
  Type element = data.type();
  while (auto type = dyn_cast<ListType>(element)) {
    element = type.getElementType();
    // Below a list that is not known, or has no elements, only the rank is.
    bool known = list && list->elements;
    sizes.push_back(known ? int64_t(list->elements->size()) : TensorType::kDynamic);
    list = known && !list->elements->empty() ? std::optional(ListInfo(list->elements->front()))
                                             : std::nullopt;
  }
  // Nothing says how long the lists in an empty one would be: PyTorch stops there.
  if (auto *empty = llvm::find(sizes, 0); empty != sizes.end())
    sizes.erase(empty + 1, sizes.end());
  return b.tensor(sizes, b.dtypeOr(dtype, dtypeOfNumber(b, element)));
}

/// A number as a double, where it is a constant.
static std::optional<double> knownNumber(std::optional<ScalarInfo> number, double otherwise) {
  if (!number)
    return otherwise;
  if (auto known = FloatInfo(number->value).known)
    return known;
  auto known = IntInfo(number->value).known;
  return known ? std::optional<double>(double(*known)) : std::nullopt;
}

Type sequence(TypeRules &b, std::optional<ScalarInfo> start, ScalarInfo end,
              std::optional<ScalarInfo> step, IntInfo dtype) {
  bool floats = false, settled = true;
  for (const std::optional<ScalarInfo> &number : {start, std::optional(end), step}) {
    floats |= number && number->type().isF64();
    settled &= !number || number->type().isIntOrFloat();
  }
  Type element = b.dtypeOr(dtype, !settled ? Type() : floats ? b.f32() : b.i64());
  auto first = knownNumber(start, 0), last = knownNumber(end, 0), by = knownNumber(step, 1);
  if (!first || !last || !by)
    return b.tensor({TensorType::kDynamic}, element);
  double from = *first, to = *last, stride = *by;
  if (element && element.isInteger(64)) // counted in its own type, unlike the others
    for (double *number : {&from, &to, &stride})
      *number = std::trunc(*number);
  if (stride == 0 || (to - from) / stride < 0)
    return b.error("expected a step that leads from the start to the end");
  double count = std::ceil((to - from) / stride);
  if (!(count <= double(maxElements)))
    return b.error("expected a sequence of at most " + Twine(maxElements) + " numbers");
  return b.tensor({int64_t(count)}, element);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The sizes of what an operator fills: those that its types leave open are its operand's, a list
/// or a tensor of that size.
static std::optional<IntList> sizesToFill(GraphBuilder &b, TensorType type, Operation *op) {
  if (type.hasStaticSizes())
    return b.ints(type.getSizes());
  for (Value operand : op->getOperands())
    if (operand.getDefiningOp<ListOp>())
      return IntList(b, operand);
  Tensor like(b, op->getOperand(0));
  return like.info().hasRank() ? std::optional(sizesOf(like)) : std::nullopt;
}

Decomposition filled(GraphBuilder &b, Any value, Value result) {
  auto type = cast<TensorType>(result.getType());
  if (!type.hasRank() || !type.hasDtype())
    return b.notYet("the rank and the element type of the result");
  auto sizes = sizesToFill(b, type, result.getDefiningOp());
  if (!sizes)
    return b.notYet("the sizes of the result");
  Any none = b.none();
  return b.op<aten::FullOp>(*sizes, value, int64_t(*typeToDtype(type.getDtype())), none, none,
                            none);
}

Decomposition withType(Tensor self, Value result) {
  auto type = cast<TensorType>(result.getType());
  if (!type.isStatic() || !self.info().dtype() || !self.info().hasRank())
    return self.b->notYet("the sizes of the result and the element type of self");
  if (self.info().dtype() != type.getDtype())
    self = self.b->op<aten::ToDTypeOp>(self, int64_t(*typeToDtype(type.getDtype())), false, false,
                                       self.b->none());
  if (self.info().sizes() != type.getSizes())
    self = self.b->op<aten::ExpandOp>(self, self.b->ints(type.getSizes()), false);
  return self;
}

Decomposition copied(Tensor self, Tensor source, Value result) {
  TensorInfo to = self.info(), from = source.info();
  bool isOpen = to.hasRank() && from.hasRank() && to.dtype() && from.dtype() &&
                to.rank() >= from.rank() && !to.tensor.hasStaticSizes();
  if (!isOpen)
    return withType(source, result);
  guardOpenSizes(self, source);
  if (to.sizes() != from.sizes())
    source = source.b->op<aten::ExpandOp>(source, sizesOf(self), false);
  if (from.dtype() == to.dtype())
    return source;
  return source.b->op<aten::ToDTypeOp>(source, int64_t(*typeToDtype(to.dtype())), false, false,
                                       source.b->none());
}

Decomposition meshgrid(TensorList list, Str indexing) {
  auto elements = list.elements();
  if (!elements || !indexing.known())
    return list.b->notYet("the tensors and the value of indexing");
  bool swapFirst = *indexing.known() == "xy" && elements->size() > 1;
  SmallVector<Int> sizes;
  for (Value element : *elements) {
    Tensor tensor(*list.b, element);
    if (!tensor.info().hasRank() || tensor.info().rank() > 1)
      return list.b->notYet("the tensors, of at most one dimension");
    sizes.push_back(tensor.info().rank() == 0 ? list.b->i(1) : sizeOf(tensor, 0));
  }
  if (swapFirst)
    std::swap(sizes[0], sizes[1]);
  SmallVector<Tensor> grids;
  for (auto [i, element] : llvm::enumerate(*elements)) {
    size_t place = swapFirst && i < 2 ? 1 - i : i;
    SmallVector<Int> own(sizes.size(), list.b->i(1));
    own[place] = sizes[place];
    Tensor column = list.b->op<aten::ViewOp>(element, list.b->list(own));
    grids.push_back(list.b->op<aten::ExpandOp>(column, list.b->list(sizes), false));
  }
  return list.b->list(grids);
}

Decomposition identity(Int rows, Int columns, Value result) {
  GraphBuilder &b = *rows.b;
  auto type = cast<TensorType>(result.getType());
  if (!type.getDtype())
    return b.notYet("the element type of the result");
  Any none = b.none();
  Tensor row = b.op<aten::UnsqueezeOp>(counting(rows), 1);
  Tensor same = b.op<aten::EqTensorOp>(row, counting(columns));
  return b.op<aten::ToDTypeOp>(same, int64_t(*typeToDtype(type.getDtype())), false, false, none);
}

} // namespace jit
