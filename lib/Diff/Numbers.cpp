//===- Numbers.cpp - values element by element ----------------------------===//

#include "Numbers.h"
#include "jit/NarrowFloats.h"

#include <cmath>

namespace jit {
using namespace runtime;

static bool isComplex(ScalarType type) {
  return type == ScalarType::ComplexHalf || type == ScalarType::ComplexFloat ||
         type == ScalarType::ComplexDouble;
}

/// The type of one of an element's numbers.
static ScalarType partType(ScalarType type) {
  switch (type) {
  case ScalarType::ComplexHalf:
    return ScalarType::Half;
  case ScalarType::ComplexFloat:
    return ScalarType::Float;
  case ScalarType::ComplexDouble:
    return ScalarType::Double;
  default:
    return type;
  }
}

Numbers::Numbers(const Value &value) {
  if (auto *tensor = value.getIf<Tensor>()) {
    scalarType = tensor->type();
    extents = tensor->sizes();
    count = tensor->numElements() * (isComplex(scalarType) ? 2 : 1);
    data = tensor->data();
  } else if (auto *integer = value.getIf<int64_t>()) {
    whole = *integer;
    number = double(whole);
  } else if (auto *flag = value.getIf<bool>()) {
    scalarType = ScalarType::Bool;
    whole = *flag;
    number = double(whole);
  } else if (auto *real = value.getIf<double>()) {
    scalarType = ScalarType::Double;
    number = *real;
  } else {
    count = 0;
  }
}

bool Numbers::isFloat() const {
  ScalarType part = partType(scalarType);
  return part == ScalarType::Float || part == ScalarType::Double || narrowFormatOf(part);
}

std::string Numbers::typeString() const {
  return data ? runtime::typeString(scalarType, extents) : std::string(shortName(scalarType));
}

int64_t Numbers::integer(int64_t i) const {
  if (!data)
    return whole;
  switch (scalarType) {
  case ScalarType::Byte:
  case ScalarType::Bool:
    return static_cast<const uint8_t *>(data)[i];
  case ScalarType::Char:
    return static_cast<const int8_t *>(data)[i];
  case ScalarType::Short:
    return static_cast<const int16_t *>(data)[i];
  case ScalarType::Int:
    return static_cast<const int32_t *>(data)[i];
  case ScalarType::UInt16:
    return static_cast<const uint16_t *>(data)[i];
  case ScalarType::UInt32:
    return static_cast<const uint32_t *>(data)[i];
  default:
    return static_cast<const int64_t *>(data)[i];
  }
}

double Numbers::read(int64_t i) const {
  if (!data)
    return number;
  ScalarType part = partType(scalarType);
  if (const llvm::fltSemantics *format = narrowFormatOf(part))
    return readNarrow(*format, static_cast<const char *>(data) + i * elementSize(part));
  switch (part) {
  case ScalarType::Float:
    return static_cast<const float *>(data)[i];
  case ScalarType::Double:
    return static_cast<const double *>(data)[i];
  case ScalarType::UInt64:
    return double(static_cast<const uint64_t *>(data)[i]);
  default:
    return double(integer(i));
  }
}

static const llvm::fltSemantics &formatOf(ScalarType type) {
  ScalarType part = partType(type);
  if (const llvm::fltSemantics *narrow = narrowFormatOf(part))
    return *narrow;
  return part == ScalarType::Float ? llvm::APFloat::IEEEsingle() : llvm::APFloat::IEEEdouble();
}

double unitRoundoff(ScalarType type) {
  return std::ldexp(1.0, -int(llvm::APFloat::semanticsPrecision(formatOf(type))));
}
double largest(ScalarType type) {
  return llvm::APFloat::getLargest(formatOf(type)).convertToDouble();
}
double smallestNormal(ScalarType type) {
  return llvm::APFloat::getSmallestNormalized(formatOf(type)).convertToDouble();
}

Result<Value> widened(const Value &value, const std::function<double(double, int64_t)> &change) {
  auto *tensor = value.getIf<Tensor>();
  Numbers numbers(value);
  if (!tensor || !numbers.isFloat() || isComplex(tensor->type()))
    return value;
  auto wide = Tensor::allocate(ScalarType::Double, tensor->sizes());
  if (!wide)
    return wide.takeError();
  double *elements = wide->mutableAs<double>();
  for (int64_t i = 0; i < numbers.size(); ++i)
    elements[i] = change ? change(numbers[i], i) : numbers[i];
  return Value(std::move(*wide));
}

} // namespace jit
