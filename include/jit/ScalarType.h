//===- ScalarType.h - element types by PyTorch's numbering ------*- C++ -*-===//
//
// Shared by the archive reader and the runtime, so it depends on nothing.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_SCALARTYPE_H
#define JIT_SCALARTYPE_H

#include <cstdint>
#include <optional>
#include <string_view>

namespace jit {

/// A tensor's element type. The values are those of c10::ScalarType, which TorchScript programs
/// pass around as plain integers (`torch.to(x, 6)` converts to Float).
enum class ScalarType : int8_t {
  Byte = 0,
  Char = 1,
  Short = 2,
  Int = 3,
  Long = 4,
  Half = 5,
  Float = 6,
  Double = 7,
  ComplexHalf = 8,
  ComplexFloat = 9,
  ComplexDouble = 10,
  Bool = 11,
  BFloat16 = 15,
};

/// Bytes of one element.
constexpr int64_t elementSize(ScalarType type) {
  switch (type) {
  case ScalarType::Byte:
  case ScalarType::Char:
  case ScalarType::Bool:
    return 1;
  case ScalarType::Short:
  case ScalarType::Half:
  case ScalarType::BFloat16:
    return 2;
  case ScalarType::Int:
  case ScalarType::Float:
  case ScalarType::ComplexHalf:
    return 4;
  case ScalarType::Long:
  case ScalarType::Double:
  case ScalarType::ComplexFloat:
    return 8;
  case ScalarType::ComplexDouble:
    return 16;
  }
  return 0;
}

/// The short name used in specs and messages: "f32", "i64", "u8", "bool", "c64".
constexpr std::string_view shortName(ScalarType type) {
  switch (type) {
  case ScalarType::Byte:
    return "u8";
  case ScalarType::Char:
    return "i8";
  case ScalarType::Short:
    return "i16";
  case ScalarType::Int:
    return "i32";
  case ScalarType::Long:
    return "i64";
  case ScalarType::Half:
    return "f16";
  case ScalarType::Float:
    return "f32";
  case ScalarType::Double:
    return "f64";
  case ScalarType::ComplexHalf:
    return "c32";
  case ScalarType::ComplexFloat:
    return "c64";
  case ScalarType::ComplexDouble:
    return "c128";
  case ScalarType::Bool:
    return "bool";
  case ScalarType::BFloat16:
    return "bf16";
  }
  return "?";
}

/// The inverse of shortName.
constexpr std::optional<ScalarType> scalarTypeFromShortName(std::string_view name) {
  for (int8_t i = 0; i <= 15; ++i) {
    auto type = static_cast<ScalarType>(i);
    if (shortName(type) == name)
      return type;
  }
  return std::nullopt;
}

} // namespace jit

#endif // JIT_SCALARTYPE_H
