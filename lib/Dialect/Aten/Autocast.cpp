//===- Autocast.cpp - the casts that a region makes of operands -----------===//

#include "jit/Dialect/Aten/Autocast.h"
#include "Rules/Autocast.h"
#include "jit/Dialect/Aten/Aliasing.h"
#include "jit/Dialect/Aten/Aten.h"
#include "jit/Dialect/Aten/AutocastPolicy.h"
#include "jit/Dialect/Aten/Container.h"
#include "jit/Dialect/Aten/GraphRules.h"
#include "jit/Dialect/Aten/Schema.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

namespace {

/// Casts the operands of one operator.
class OperandCasts {
public:
  OperandCasts(OpBuilder &builder, Location loc, const AutocastRegion &region)
      : build{builder, loc}, device(build.str(region.device)), enabled(region.enabled),
        dtype(region.dtype), isDeviceKnown(region.isDeviceKnown) {}

  /// A list that may have any elements cannot be cast before it is known.
  static bool isKnownList(Value value) {
    auto list = value.getDefiningOp<ListOp>();
    return list && !isWrittenInPlace(list);
  }

  Value cast(Value value) {
    if (isa<TensorType>(value.getType()))
      return castTensor(value);
    if (auto optional = dyn_cast<OptionalType>(value.getType());
        optional && isa<TensorType>(optional.getElementType()))
      return castOptional(value, optional);
    auto list = dyn_cast<ListType>(value.getType());
    if (!list || !isa<TensorType>(list.getElementType()))
      return value;
    auto elements = llvm::map_to_vector(value.getDefiningOp<ListOp>().getElements(),
                                        [&](Value element) { return castTensor(element); });
    return ListOp::create(build.builder, build.loc, list, elements);
  }

  /// To the widest type among the tensors of `operands` that are not in lists: operators on lists
  /// promote by themselves.
  void castToWidest(MutableArrayRef<Value> operands) {
    SmallVector<Tensor> tensors;
    for (Value operand : operands)
      if (isa<TensorType>(operand.getType()))
        tensors.push_back(Tensor(build, operand));
    TensorList all = build.list(tensors);
    for (Value &operand : operands)
      if (isa<TensorType>(operand.getType()))
        operand =
            nowOr<aten::AutocastToWidestOp>(autocastedToWidest, Tensor(build, operand), all, device,
                                            Bool(build, enabled), OptInt(build, dtype));
  }

  void setDType(ScalarType type) { dtype = build.i(int64_t(type)).v; }

  /// From here on no cast is made unless `given` is None.
  void onlyWithout(Value given) {
    if (isa<NoneType>(given.getType()))
      return;
    Value isNone = build.flag(false).v;
    if (isa<OptionalType>(given.getType()))
      isNone = build.op<aten::IsOp>(given, build.none()).v;
    enabled = build.builder.createOrFold<arith::AndIOp>(build.loc, enabled, isNone);
  }

private:
  Value castTensor(Value value) {
    return nowOr<aten::AutocastToOp>(autocasted, Tensor(build, value), device, Bool(build, enabled),
                                     OptInt(build, dtype));
  }

  /// What the rule of a cast gives where the device is known, so that what is built of it sees its
  /// type; else the cast.
  template <typename OpTy, typename Rule, typename... Args> Value nowOr(Rule rule, Args... args) {
    if (isDeviceKnown)
      if (Decomposition body = rule(args...); succeeded(body.values))
        return body.values->front();
    return build.op<OpTy>(args...).v;
  }

  Value castOptional(Value value, OptionalType type) {
    Value isNone = build.op<aten::IsOp>(value, build.none()).v;
    auto branch = scf::IfOp::create(build.builder, build.loc, type, isNone, true, true);
    OpBuilder none = OpBuilder::atBlockEnd(branch.thenBlock());
    scf::YieldOp::create(none, build.loc, value);
    OpBuilder given = OpBuilder::atBlockEnd(branch.elseBlock());
    GraphBuilder inside{given, build.loc};
    Value tensor = UncheckedCastOp::create(given, build.loc, type.getElementType(), value);
    Value cast = inside.op<aten::AutocastToOp>(tensor, device, enabled, dtype).v;
    Value wide = DerefineOp::create(given, build.loc, type, cast);
    scf::YieldOp::create(given, build.loc, wide);
    return branch.getResult(0);
  }

  GraphBuilder build;
  Str device;
  Value enabled, dtype;
  bool isDeviceKnown;
};

} // namespace

std::string autocastRefusal(OperationName name) {
  StringRef schema = name.getInterface<AtenOpInterface>()->getSchema();
  return ("operator " + schema.split('(').first + " where autocast is enabled is not supported")
      .str();
}

/// The operand that says the element type of the result.
static Value dtypeOperand(OperationName name, ValueRange operands) {
  auto schema = Schema::parse(name.getInterface<AtenOpInterface>()->getSchema());
  for (auto [argument, operand] : llvm::zip(schema->arguments, operands))
    if (argument.name == "dtype")
      return operand;
  return {};
}

FailureOr<SmallVector<Value>> autocastOperands(OpBuilder &builder, Location loc, OperationName name,
                                               AutocastPolicy policy, ValueRange operands,
                                               const AutocastRegion &region) {
  SmallVector<Value> result(operands);
  OperandCasts casts(builder, loc, region);
  if (policy == AutocastPolicy::Widest) {
    casts.castToWidest(result);
    return result;
  }
  for (Value operand : operands)
    if (auto list = dyn_cast<ListType>(operand.getType());
        list && isa<TensorType>(list.getElementType()) && !OperandCasts::isKnownList(operand))
      return failure();
  if (policy != AutocastPolicy::Lower)
    casts.setDType(ScalarType::Float);
  if (policy == AutocastPolicy::Float32ByDType)
    if (Value given = dtypeOperand(name, operands))
      casts.onlyWithout(given);
  for (Value &operand : result)
    operand = casts.cast(operand);
  return result;
}

Value autocastResult(OpBuilder &builder, Location loc, Value result, const AutocastRegion &region) {
  return OperandCasts(builder, loc, region).cast(result);
}

DictionaryAttr autocastAround(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  if (!block)
    return {};
  auto at = builder.getInsertionPoint();
  Operation *op = at == block->end() ? block->getParentOp() : &*at;
  return op ? op->getAttrOfType<DictionaryAttr>(autocastAttr) : DictionaryAttr();
}

FailureOr<DictionaryAttr> autocastInBody(OpBuilder &builder, Location loc, OperationName name,
                                         SmallVectorImpl<Value> &operands) {
  DictionaryAttr regions = autocastAround(builder);
  NamedAttrList parts;
  if (!regions)
    return DictionaryAttr();
  GraphBuilder build{builder, loc};
  for (NamedAttribute entry : regions) {
    AutocastPolicy policy = autocastPolicyOf(name, entry.getName());
    if (policy == AutocastPolicy::Parts)
      parts.push_back(entry);
    if (policy == AutocastPolicy::None || policy == AutocastPolicy::Parts)
      continue;
    if (policy == AutocastPolicy::Refused || policy == AutocastPolicy::LowerResult)
      return emitError(loc) << autocastRefusal(name);
    AutocastRegion region{entry.getName(), build.flag(true).v,
                          build.i(cast<IntegerAttr>(entry.getValue()).getInt()).v,
                          /*isDeviceKnown=*/true};
    auto all = autocastOperands(builder, loc, name, policy, operands, region);
    if (failed(all))
      return emitError(loc) << "expected a list of known tensors where autocast is enabled";
    operands.assign(*all);
  }
  return parts.empty() ? DictionaryAttr() : parts.getDictionary(builder.getContext());
}

} // namespace jit
