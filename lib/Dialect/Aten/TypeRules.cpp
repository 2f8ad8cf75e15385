//===- TypeRules.cpp - the builders of `type` rules -----------------------===//

#include "jit/Dialect/Aten/TypeRules.h"
#include "ElementTypes.h"
#include "jit/Dialect/Aten/Sizes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace jit {

//===----------------------------------------------------------------------===//
// What is known of an operand
//===----------------------------------------------------------------------===//

TensorInfo::TensorInfo(Value value) : AnyInfo(value) {
  Type type = value.getType();
  if (auto optional = dyn_cast<OptionalType>(type))
    type = optional.getElementType();
  tensor = dyn_cast<TensorType>(type);
}

IntInfo::IntInfo(Value value) : AnyInfo(value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    known = constant.getSExtValue();
}

BoolInfo::BoolInfo(Value value) : AnyInfo(value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    known = !constant.isZero();
}

FloatInfo::FloatInfo(Value value) : AnyInfo(value) {
  APFloat constant(0.0);
  if (matchPattern(value, m_ConstantFloat(&constant)))
    known = constant.convertToDouble();
}

std::optional<double> knownNumber(Value scalar) {
  if (scalar.getType().isInteger(1))
    return BoolInfo(scalar).known;
  if (auto known = FloatInfo(scalar).known)
    return known;
  constexpr int64_t exact = int64_t(1) << 53;
  auto known = IntInfo(scalar).known;
  if (!known || *known > exact || *known < -exact)
    return std::nullopt;
  return double(*known);
}

StrInfo::StrInfo(Value value) : AnyInfo(value) {
  if (auto constant = value.getDefiningOp<ConstantOp>())
    if (auto text = dyn_cast<StringAttr>(constant.getValue()))
      known = text.getValue();
}

ListInfo::ListInfo(Value value) : AnyInfo(value) {
  if (auto list = value.getDefiningOp<ListOp>())
    elements = SmallVector<Value>(list.getElements());
}

std::optional<SmallVector<int64_t>> ListInfo::ints() const {
  if (!elements)
    return std::nullopt;
  SmallVector<int64_t> ints;
  for (Value element : *elements)
    ints.push_back(IntInfo(element).orDynamic());
  return ints;
}

//===----------------------------------------------------------------------===//
// Type promotion
//===----------------------------------------------------------------------===//

Type promotedType(ArrayRef<Value> operands, bool toFloat) {
  // Strongest first: tensors with dimensions, tensors of rank 0, Python scalars.
  Type ranked, zeroRank, scalars;
  bool anyTensor = false;
  for (Value operand : operands) {
    if (!operand)
      continue;
    Type type = operand.getType();
    if (TensorInfo info(operand); info) {
      anyTensor = true;
      if (!info.dtype())
        return {};
      Type &priority = info.hasRank() && info.rank() == 0 ? zeroRank : ranked;
      priority = promotePair(priority, info.dtype());
    } else if (type.isIntOrFloat() || isa<ComplexType>(type)) {
      scalars = promotePair(scalars, type);
    } else if (isa<NumberType>(type)) {
      return {};
    }
  }
  Type result = ranked;
  for (auto [weaker, isScalar] : {std::pair(zeroRank, false), {scalars, true}}) {
    if (!weaker || (result && categoryOf(weaker) <= categoryOf(result)))
      continue;
    // Complex parts are as wide as floats beside them, but there are none of bf16.
    if (categoryOf(weaker) == Category::Complex && isa_and_nonnull<FloatType>(result))
      result = ComplexType::get(result.isBF16() ? Float32Type::get(result.getContext()) : result);
    // A Python float or complex among integer tensors means the default type of its kind.
    else
      result = anyTensor && isScalar ? defaultOfCategory(weaker) : weaker;
  }
  if (!result)
    return {};
  MLIRContext *context = result.getContext();
  if (toFloat && categoryOf(result) < Category::Float)
    result = anyTensor ? Type(Float32Type::get(context)) : Type(Float64Type::get(context));
  return result;
}

Type opmathType(Type promoted) {
  bool isNarrow = isa_and_nonnull<FloatType>(promoted) && promoted.getIntOrFloatBitWidth() <= 16;
  return isNarrow ? Type(Float32Type::get(promoted.getContext())) : promoted;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

std::optional<int64_t> broadcastDim(int64_t a, int64_t b) {
  if (a == b || b == 1)
    return a;
  if (a == 1)
    return b;
  // One of them unknown: it is the other, or 1.
  if (a == TensorType::kDynamic)
    return b;
  if (b == TensorType::kDynamic)
    return a;
  return std::nullopt;
}

std::optional<SmallVector<int64_t>> TypeRules::broadcastSizes(ValueRange operands, bool &ok) {
  SmallVector<int64_t> sizes;
  bool known = true;
  ok = true;
  for (Value operand : operands) {
    TensorInfo info(operand);
    if (!info)
      continue;
    if (!info.hasRank()) {
      known = false;
      continue;
    }
    if (int64_t missing = info.rank() - int64_t(sizes.size()); missing > 0)
      sizes.insert(sizes.begin(), missing, 1);
    for (int64_t i = 1; i <= info.rank(); ++i) {
      int64_t &size = sizes[sizes.size() - i];
      std::optional<int64_t> common = broadcastDim(size, info.size(-i));
      if (!common) {
        error("expected operands that broadcast, got sizes " + Twine(size) + " and " +
              Twine(info.size(-i)) + " at dimension " + Twine(-i));
        ok = false;
        return std::nullopt;
      }
      size = *common;
    }
  }
  return known ? std::optional(sizes) : std::nullopt;
}

Type TypeRules::pointwise(ValueRange operands, ArrayRef<Value> promoting, bool toFloat) {
  bool ok;
  auto sizes = broadcastSizes(operands, ok);
  if (!ok)
    return {};
  Type dtype = promotedType(promoting, toFloat);
  return sizes ? tensor(*sizes, dtype) : unranked(dtype);
}

Type TypeRules::predicate(ValueRange operands) {
  Type type = pointwise(operands, {}, false);
  return type ? Type(cast<TensorType>(type).withDtype(i1())) : Type();
}

std::optional<int64_t> TypeRules::wrapDim(int64_t dim, int64_t rank) {
  // A tensor of rank 0 takes the dimensions of one of rank 1.
  int64_t range = std::max<int64_t>(rank, 1);
  if (dim >= -range && dim < range)
    return dim < 0 ? dim + range : dim;
  error("expected a dimension from " + Twine(-range) + " to " + Twine(range - 1) + ", got " +
        Twine(dim));
  return std::nullopt;
}

Type TypeRules::along(TensorInfo self, IntInfo dim, Type dtype) {
  if (self.hasRank() && dim.known && !wrapDim(*dim.known, self.rank()))
    return {};
  return self.tensor.withDtype(dtype);
}

Type TypeRules::along(TensorInfo self, ListInfo dims, Type dtype) {
  if (auto known = dims.ints(); known && self.hasRank())
    for (int64_t dim : *known)
      if (dim != TensorType::kDynamic && !wrapDim(dim, self.rank()))
        return {};
  return self.tensor.withDtype(dtype);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Type TypeRules::dtypeOr(IntInfo dtype, Type otherwise) {
  if (dtype.isNone())
    return otherwise;
  if (!dtype.known || !scalarTypeNumbered(*dtype.known))
    return {};
  return dtypeToType(ScalarType(*dtype.known), context);
}

Type TypeRules::error(const Twine &message) {
  (void)emitOptionalError(loc, message);
  return {};
}

/// True, or an error, unless no tensor has those sizes.
static bool areSizesValid(TypeRules &rules, TensorType type) {
  Size count = 1;
  for (int64_t size : type.getSizes()) {
    if (size == TensorType::kDynamic)
      continue;
    if (size < 0) {
      rules.error("expected sizes that are not negative, got " + Twine(size));
      return false;
    }
    count = count * std::max<int64_t>(size, 1);
  }
  if (count.isKnown() && count.value <= maxElements)
    return true;
  (void)emitOptionalError(rules.loc, "expected a tensor of at most ", maxElements,
                          " elements, got ", type);
  return false;
}

LogicalResult TypeRules::yield(SmallVectorImpl<Type> &types, ArrayRef<Type> inferred) {
  for (Type type : inferred) {
    if (!type)
      return failure();
    auto tensor = dyn_cast<TensorType>(type);
    if (tensor && tensor.hasRank() && !areSizesValid(*this, tensor))
      return failure();
  }
  types.append(inferred.begin(), inferred.end());
  return success();
}

bool areConsistent(TypeRange a, TypeRange b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           return bool(meetTypes(std::get<0>(pair), std::get<1>(pair)));
         });
}

} // namespace jit
