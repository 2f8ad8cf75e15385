//===- JitOps.cpp - verifiers and folds of the jit dialect ----------------===//

#include "jit/Dialect/Jit/Jit.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "jit/Dialect/Jit/JitOps.cpp.inc"

namespace jit {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult ConstantOp::verify() {
  if (isa<NoneType>(getType()) && isa<UnitAttr>(getValue()))
    return success();
  if (isa<StrType, DeviceType>(getType()) && isa<StringAttr>(getValue()))
    return success();
  if (auto tensor = dyn_cast<TensorType>(getType()))
    if (auto elements = dyn_cast<DenseElementsAttr>(getValue());
        elements && tensor.isStatic() && elements.getType().getShape() == tensor.getSizes() &&
        elements.getElementType() == tensor.getDtype())
      return success();
  return emitOpError() << "expected a string for !jit.str or !jit.device, unit for !jit.none, or "
                          "the elements of a !jit.tensor, got "
                       << getValue() << " for " << getType();
}

Value castTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (value.getType() == type)
    return value;
  if (isSubtype(value.getType(), type))
    return DerefineOp::create(builder, loc, type, value);
  return UncheckedCastOp::create(builder, loc, type, value);
}

/// The elements of a container op under the types that its type gave them.
static SmallVector<Value> underTypes(OpBuilder &builder, Location loc, ValueRange values,
                                     TypeRange types) {
  SmallVector<Value> cast;
  for (auto [value, type] : llvm::zip(values, types))
    cast.push_back(castTo(builder, loc, value, type));
  return cast;
}

LogicalResult ListUnpackOp::canonicalize(ListUnpackOp op, PatternRewriter &rewriter) {
  auto list = op.getList().getDefiningOp<ListOp>();
  if (!list)
    return rewriter.notifyMatchFailure(op, "expected a jit.list as operand");
  if (list.getNumOperands() != op.getNumResults())
    return rewriter.notifyMatchFailure(op, "expected as many elements as results");
  rewriter.replaceOp(op,
                     underTypes(rewriter, op.getLoc(), list.getElements(), op.getResultTypes()));
  return success();
}

LogicalResult TupleUnpackOp::canonicalize(TupleUnpackOp op, PatternRewriter &rewriter) {
  if (op.getTuple().getDefiningOp<PoisonOp>()) {
    rewriter.replaceOp(op, llvm::map_to_vector(op.getResultTypes(), [&](Type type) -> Value {
                         return PoisonOp::create(rewriter, op.getLoc(), type);
                       }));
    return success();
  }
  auto tuple = op.getTuple().getDefiningOp<TupleOp>();
  if (!tuple)
    return rewriter.notifyMatchFailure(op, "expected a jit.tuple as operand");
  if (tuple.getNumOperands() != op.getNumResults())
    return rewriter.notifyMatchFailure(op, "expected as many elements as results");
  rewriter.replaceOp(op,
                     underTypes(rewriter, op.getLoc(), tuple.getElements(), op.getResultTypes()));
  return success();
}

LogicalResult TupleIndexOp::canonicalize(TupleIndexOp op, PatternRewriter &rewriter) {
  auto tuple = op.getTuple().getDefiningOp<TupleOp>();
  if (!tuple || op.getIndex() >= tuple.getNumOperands())
    return rewriter.notifyMatchFailure(op, "expected a jit.tuple with this element as operand");
  rewriter.replaceOp(
      op, castTo(rewriter, op.getLoc(), tuple.getElements()[op.getIndex()], op.getType()));
  return success();
}

LogicalResult ComplexPartsOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult> &results) {
  auto number = getNumber().getDefiningOp<ComplexOp>();
  if (!number)
    return failure();
  results.assign({number.getRe(), number.getIm()});
  return success();
}

OpFoldResult DerefineOp::fold(FoldAdaptor) {
  return getValue().getType() == getType() ? getValue() : Value();
}

OpFoldResult UncheckedCastOp::fold(FoldAdaptor) {
  Value value = getValue();
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  return value.getType() == getType() ? value : Value();
}

LogicalResult UncheckedCastOp::canonicalize(UncheckedCastOp op, PatternRewriter &rewriter) {
  Value value = op.getValue();
  while (auto derefine = value.getDefiningOp<DerefineOp>())
    value = derefine.getValue();
  // What is wrapped may be known better than the cast says, never worse.
  if (!isSubtype(value.getType(), op.getType()))
    return rewriter.notifyMatchFailure(op, "expected a value that is known to be of the type");
  rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), value, op.getType()));
  return success();
}

LogicalResult ListAppendOp::canonicalize(ListAppendOp op, PatternRewriter &rewriter) {
  auto list = op.getList().getDefiningOp<ListOp>();
  if (!list)
    return rewriter.notifyMatchFailure(op, "expected a jit.list as operand");
  SmallVector<Value> elements(list.getElements());
  elements.push_back(op.getElement());
  rewriter.replaceOpWithNewOp<ListOp>(op, op.getType(), elements);
  return success();
}

//===----------------------------------------------------------------------===//
// Dicts
//===----------------------------------------------------------------------===//

/// Whether two keys are equal; nullopt where it is not known.
static std::optional<bool> sameKey(Value a, Value b) {
  if (a == b)
    return true;
  Attribute first, second;
  if (!matchPattern(a, m_Constant(&first)) || !matchPattern(b, m_Constant(&second)))
    return std::nullopt;
  return first == second;
}

/// Position of `key` among `keys`: their number where it is none of them, nullopt where that is
/// not known.
static std::optional<size_t> findKey(ValueRange keys, Value key) {
  for (auto [i, candidate] : llvm::enumerate(keys)) {
    std::optional<bool> same = sameKey(candidate, key);
    if (!same || *same)
      return same ? std::optional(i) : std::nullopt;
  }
  return keys.size();
}

LogicalResult DictMergeOp::canonicalize(DictMergeOp op, PatternRewriter &rewriter) {
  auto first = op.getFirst().getDefiningOp<DictOp>();
  auto second = op.getSecond().getDefiningOp<DictOp>();
  if (!first || !second)
    return rewriter.notifyMatchFailure(op, "expected two jit.dict as operands");
  SmallVector<Value> keys(first.getKeys()), values(first.getValues());
  for (auto [key, value] : llvm::zip(second.getKeys(), second.getValues())) {
    std::optional<size_t> at = findKey(keys, key);
    if (!at)
      return rewriter.notifyMatchFailure(op, "expected keys that are known");
    if (*at == keys.size()) {
      keys.push_back(key);
      values.push_back(value);
    }
    values[*at] = value;
  }
  rewriter.replaceOpWithNewOp<DictOp>(op, op.getType(), keys, values);
  return success();
}

LogicalResult DictEraseOp::canonicalize(DictEraseOp op, PatternRewriter &rewriter) {
  auto dict = op.getDict().getDefiningOp<DictOp>();
  std::optional<size_t> at = dict ? findKey(dict.getKeys(), op.getKey()) : std::nullopt;
  if (!at || *at == dict.getKeys().size())
    return rewriter.notifyMatchFailure(op, "expected a jit.dict that has the key as operand");
  SmallVector<Value> keys(dict.getKeys()), values(dict.getValues());
  keys.erase(keys.begin() + *at);
  values.erase(values.begin() + *at);
  rewriter.replaceOpWithNewOp<DictOp>(op, op.getType(), keys, values);
  return success();
}

//===----------------------------------------------------------------------===//
// Exceptions
//===----------------------------------------------------------------------===//

LogicalResult GuardOp::canonicalize(GuardOp op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return rewriter.notifyMatchFailure(op, "expected a condition that is known to hold");
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Fusion
//===----------------------------------------------------------------------===//

LogicalResult GroupOp::verify() {
  auto yield = dyn_cast<YieldOp>(getBody().front().getTerminator());
  if (!yield || yield.getOperandTypes() != getResultTypes())
    return emitOpError("expected a jit.yield of its results");
  ArrayRef<int64_t> sizes;
  for (Operation &op : getBody().front().without_terminator()) {
    auto type = op.getNumResults() == 1 ? dyn_cast<TensorType>(op.getResult(0).getType()) : nullptr;
    if (!type || !type.hasRank() || !type.hasDtype())
      return op.emitOpError("expected one tensor of known rank from each operator of a group");
    if (&op != &getBody().front().front() && type.getSizes() != sizes)
      return op.emitOpError("expected the sizes of the group, got ") << type;
    sizes = type.getSizes();
  }
  return success();
}

} // namespace jit
