//===- Signature.cpp - what entries expect, read off their types ----------===//
#include "Buffers/Signature.h"
#include "jit/Codegen/Buffers/Passes.h"

#include "jit/Dialect/Jit/EntryAttributes.h"
#include "jit/Dialect/Jit/Jit.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace jit::runtime;

/// `jit.dtype` on an argument or result wins over the type, which has no unsigned integers and has
/// the parts of complex numbers in a last dimension.
static FailureOr<ValueType> valueType(Location loc, Type type, DictionaryAttr attrs) {
  ValueType result;
  auto tensor = dyn_cast<RankedTensorType>(type);
  result.isTensor = static_cast<bool>(tensor);
  Type element = tensor ? tensor.getElementType() : type;
  if (tensor) {
    for (int64_t size : tensor.getShape())
      result.sizes.push_back(ShapedType::isDynamic(size) ? ValueType::openSize : size);
  } else if (!type.isInteger(64) && !type.isF64() && !type.isInteger(1)) {
    emitError(loc) << "expected a tensor, i64, f64 or i1, got " << type;
    return failure();
  }
  std::optional<jit::ScalarType> scalar = jit::typeToDtype(element);
  if (attrs)
    if (auto dtype = attrs.getAs<IntegerAttr>(jit::dtypeAttr))
      scalar = static_cast<jit::ScalarType>(dtype.getInt());
  if (!scalar) {
    emitError(loc) << "expected an element type that PyTorch has, got " << element;
    return failure();
  }
  result.scalar = *scalar;
  bool isComplex =
      *scalar >= jit::ScalarType::ComplexHalf && *scalar <= jit::ScalarType::ComplexDouble;
  if (isComplex)
    result.sizes.pop_back();
  return result;
}

static FailureOr<Entry> describe(func::FuncOp func) {
  Entry entry{.name = func.getName().str()};
  for (auto [i, argumentType] : llvm::enumerate(func.getArgumentTypes())) {
    Location loc = func.isDeclaration() ? func.getLoc() : func.getArgument(i).getLoc();
    FailureOr<ValueType> type = valueType(loc, argumentType, func.getArgAttrDict(i));
    if (failed(type))
      return failure();
    ArgumentInfo info{ArgumentKind::Input, *type};
    for (auto [name, kind] : {std::pair(jit::weightAttr, ArgumentKind::Weight),
                              std::pair(jit::slotAttr, ArgumentKind::Slot)})
      if (auto path = func.getArgAttrOfType<StringAttr>(i, name)) {
        info.kind = kind;
        info.name = path.str();
      }
    if (auto names = func.getArgAttrOfType<ArrayAttr>(i, jit::sizeNamesAttr))
      for (auto name : names.getAsRange<StringAttr>())
        info.sizeNames.push_back(name.str());
    entry.arguments.push_back(info);
  }
  for (auto [i, resultType] : llvm::enumerate(func.getResultTypes())) {
    FailureOr<ValueType> type = valueType(func.getLoc(), resultType, func.getResultAttrDict(i));
    if (failed(type))
      return failure();
    ResultInfo info{*type};
    if (auto path = func.getResultAttrOfType<StringAttr>(i, jit::slotAttr))
      info.slot = path.str();
    if (auto number = func.getResultAttrOfType<IntegerAttr>(i, jit::inPlaceAttr))
      info.inPlaceOf = size_t(number.getInt());
    entry.results.push_back(info);
  }
  return entry;
}

LogicalResult jit::codegen::markInPlaceResults(ModuleOp module) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false);
  pm.addNestedPass<func::FuncOp>(createInPlaceResults());
  return pm.run(module);
}

FailureOr<std::vector<Entry>> jit::codegen::describeEntries(ModuleOp module) {
  std::vector<Entry> entries;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic())
      continue;
    FailureOr<Entry> entry = describe(func);
    if (failed(entry))
      return failure();
    entries.push_back(std::move(*entry));
  }
  return entries;
}
