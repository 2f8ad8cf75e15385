//===- SplitComplex.cpp - complex tensors as pairs of real ones -----------===//

#include "ComplexParts.h"
#include "jit/Dialect/Aten/Complex.h"
#include "jit/Dialect/Aten/ComplexOperands.h"
#include "jit/Dialect/Aten/Index.h"
#include "jit/Dialect/Aten/View.h"
#include "jit/Dialect/Jit/Raise.h"
#include "jit/Infer/Passes.h"

using namespace mlir;

namespace jit {

#define GEN_PASS_DEF_JITSPLITCOMPLEX
#include "jit/Infer/Passes.h.inc"

namespace {

class Splitter {
public:
  LogicalResult block(Block &block);

private:
  LogicalResult split(Operation *op);
  LogicalResult replaceByBody(DecomposableOpInterface op);
  /// What an operand is made of; of what is no tensor itself.
  Parts partsOf(GraphBuilder &build, Value value);
  std::optional<Parts> byParts(const ComplexCall &call, ArrayRef<unsigned> places);
  Value onePart(const ComplexCall &call, ArrayRef<unsigned> places, bool isImaginary);
  Value partOfList(GraphBuilder &build, ListOp list, bool isImaginary);
  /// `parts` as the value that the result of an operator was.
  Value whole(GraphBuilder &build, Parts parts, TensorType type);

  llvm::DenseMap<Value, Parts> known;
};

} // namespace

static Type partDtype(TensorType type) {
  return cast<ComplexType>(type.getDtype()).getElementType();
}

static Tensor inDtype(Tensor part, Type dtype) {
  GraphBuilder &build = *part.b;
  if (part.info().dtype() == dtype)
    return part;
  return build.op<aten::ToDTypeOp>(part, int64_t(*typeToDtype(dtype)), false, false, build.none());
}

/// With the element type and the sizes of a result.
static Tensor fitted(Tensor part, TensorType type) {
  GraphBuilder &build = *part.b;
  part = inDtype(part, type.getDtype());
  if (part.info().hasRank() && part.info().sizes() != type.getSizes() && type.hasStaticSizes())
    part = build.op<aten::ExpandOp>(part, build.ints(type.getSizes()), false);
  return part;
}

/// Floats in the element type of the result's parts, in which PyTorch computes: not in that of an
/// operand, and not in what tensors promote to (of which those of rank 0 have no say).
static Tensor computed(Tensor part, Type result) {
  Type dtype = isa<TensorType>(part.v.getType()) ? part.info().dtype() : Type();
  if (!isa_and_nonnull<FloatType>(dtype) || !isComplexTensor(result))
    return part;
  return inDtype(part, partDtype(cast<TensorType>(result)));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

static Parts partsOfConstant(GraphBuilder &build, ConstantOp constant) {
  auto type = cast<TensorType>(constant.getType());
  auto elements = cast<DenseElementsAttr>(constant.getValue());
  auto dtype = cast<FloatType>(partDtype(type));
  auto part = [&](auto of) {
    SmallVector<APFloat> values;
    for (const std::complex<APFloat> &element : elements.getValues<std::complex<APFloat>>())
      values.push_back(of(element));
    auto attr = DenseElementsAttr::get(RankedTensorType::get(type.getSizes(), dtype), values);
    return Tensor(build, ConstantOp::create(build.builder, build.loc, type.withDtype(dtype), attr));
  };
  return {part([](const auto &z) { return z.real(); }),
          part([](const auto &z) { return z.imag(); })};
}

Parts Splitter::partsOf(GraphBuilder &build, Value value) {
  if (!isComplexTensor(value.getType()))
    return {Tensor(build, value)};
  if (auto found = known.find(value); found != known.end())
    return {Tensor(build, found->second.re.v), Tensor(build, found->second.im->v)};
  if (auto constant = value.getDefiningOp<ConstantOp>())
    return partsOfConstant(build, constant);
  // From outside of what is split: an argument, module state, a result of control flow.
  OpBuilder::InsertionGuard guard(build.builder);
  build.builder.setInsertionPointAfterValue(value);
  Tensor memory = build.op<aten::ViewAsRealOp>(Tensor(build, value));
  auto at = [&](int64_t i) -> Tensor { return build.op<aten::SelectIntOp>(memory, -1, i); };
  Parts parts{at(0), at(1)};
  known.try_emplace(value, parts);
  return parts;
}

Value Splitter::partOfList(GraphBuilder &build, ListOp list, bool isImaginary) {
  SmallVector<Value> elements;
  for (Value element : list.getElements()) {
    Parts parts = partsOf(build, element);
    elements.push_back(isImaginary ? imaginary(parts).v : parts.re.v);
  }
  return ListOp::create(build.builder, build.loc, list.getType(), elements);
}

Value Splitter::onePart(const ComplexCall &call, ArrayRef<unsigned> places, bool isImaginary) {
  SmallVector<Value> operands(call.op->getOperands());
  for (unsigned place : places) {
    if (auto list = operands[place].getDefiningOp<ListOp>())
      operands[place] = partOfList(call.build, list, isImaginary);
    else
      operands[place] = isImaginary ? imaginary(call[place]).v : call[place].re.v;
  }
  Operation *op = createInferred(call.build.builder, call.build.loc, call.op->getName(), operands);
  if (!op)
    return {};
  op->setDiscardableAttrs(call.op->getDiscardableAttrDictionary());
  return op->getResult(0);
}

std::optional<Parts> Splitter::byParts(const ComplexCall &call, ArrayRef<unsigned> places) {
  Value re = onePart(call, places, false), im = onePart(call, places, true);
  if (!re || !im)
    return std::nullopt;
  return Parts{Tensor(call.build, re), Tensor(call.build, im)};
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Users hold to the types that they saw.
static Value underType(GraphBuilder &build, Value value, Type type) {
  auto tensor = cast<TensorType>(type);
  if (!isComplexTensor(type) && cast<TensorType>(value.getType()).getDtype() != tensor.getDtype())
    value = fitted(Tensor(build, value), tensor).v;
  if (Type met = meetTypes(value.getType(), type); met && value.getDefiningOp<AtenOpInterface>())
    value.setType(met);
  return castTo(build.builder, build.loc, value, type);
}

Value Splitter::whole(GraphBuilder &build, Parts parts, TensorType type) {
  TensorType partType = type.withDtype(partDtype(type));
  Parts both{fitted(parts.re, partType), std::nullopt};
  both.im = parts.im ? fitted(*parts.im, partType) : zerosLike(both.re);
  Tensor lists[] = {unsqueeze(both.re, -1), unsqueeze(*both.im, -1)};
  Tensor memory = build.op<aten::CatOp>(build.list(lists), -1);
  Tensor value = build.op<aten::ViewAsComplexOp>(memory);
  known.try_emplace(value.v, both);
  return underType(build, value.v, type);
}

LogicalResult Splitter::replaceByBody(DecomposableOpInterface op) {
  Operation *before = op->getPrevNode();
  Block *block = op->getBlock();
  OpBuilder builder(op);
  auto [values, needs] = op.decompose(builder);
  if (failed(values))
    return op.emitError("expected more to be known of the operands of ")
           << op->getName() << needsClause(needs);
  GraphBuilder build{builder, op->getLoc()};
  for (auto [result, value] : llvm::zip(op->getResults(), *values))
    result.replaceAllUsesWith(underType(build, value, result.getType()));
  auto first = before ? std::next(before->getIterator()) : block->begin();
  for (Operation &inner : llvm::make_early_inc_range(llvm::make_range(first, op->getIterator())))
    if (failed(split(&inner)))
      return failure();
  op->erase();
  return success();
}

/// True where complex tensors go in or come out.
static bool isComplex(Operation *op) {
  return takesComplex(op) || llvm::any_of(op->getResultTypes(), isComplexTensor);
}

static LogicalResult refuse(Operation *op) {
  std::string why =
      ("expected an operator that takes complex tensors, got " + op->getName().getStringRef())
          .str();
  return succeeded(refuseBehindBranch(op, why)) ? success() : LogicalResult(op->emitError(why));
}

LogicalResult Splitter::split(Operation *op) {
  if (!isa<AtenOpInterface>(op) || isa<aten::ViewAsComplexOp>(op) || !isComplex(op))
    return success();
  ComplexRule rule = ruleOf(op);
  auto places = operandsByParts(op);
  if (auto body = dyn_cast<DecomposableOpInterface>(op);
      body && !rule && !places && decomposesForComplex(op))
    return replaceByBody(body);
  if (!rule && !places)
    return refuse(op);
  // A tensor that is an argument or module state is viewed as it is.
  if (isa<aten::ViewAsRealOp>(op) && !known.contains(op->getOperand(0)))
    return success();
  OpBuilder builder(op);
  GraphBuilder build{builder, op->getLoc()};
  ComplexCall call{build, op, {}};
  if (failed(checkNumbers(op)))
    return failure();
  for (Value operand : op->getOperands()) {
    auto parts = isComplexNumber(operand) ? partsOfNumber(build, op, operand)
                                          : std::optional(partsOf(build, operand));
    if (!parts)
      return op->emitError("expected more to be known of the operands of ") << op->getName();
    call.operands.push_back(
        each(*parts, [&](Tensor part) { return computed(part, op->getResult(0).getType()); }));
  }
  std::optional<Parts> parts = rule ? rule(call) : byParts(call, *places);
  if (!parts || build.failed)
    return op->emitError("expected more to be known of the operands of ") << op->getName();
  Value result = op->getResult(0);
  Value value = parts->re.v;
  if (isComplexTensor(result.getType()))
    value = whole(build, *parts, cast<TensorType>(result.getType()));
  else if (isa<TensorType>(result.getType()))
    value = underType(build, value, result.getType());
  if (build.failed)
    return op->emitError("expected operands that go together in ") << op->getName();
  result.replaceAllUsesWith(value);
  op->erase();
  return success();
}

LogicalResult Splitter::block(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        if (failed(this->block(inner)))
          return failure();
    if (failed(split(&op)))
      return failure();
  }
  return success();
}

namespace {
struct SplitComplexPass : impl::JitSplitComplexBase<SplitComplexPass> {
  void runOnOperation() override {
    if (!getOperation().isExternal() && failed(Splitter().block(getOperation().front())))
      signalPassFailure();
  }
};
} // namespace

} // namespace jit
