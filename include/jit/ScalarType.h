//===- ScalarType.h - element types by PyTorch's numbering ------*- C++ -*-===//
//
// Shared by the archive reader and the runtime, so it depends on nothing.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_SCALARTYPE_H
#define JIT_SCALARTYPE_H

#include <array>
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
  Float8E5M2 = 23,
  Float8E4M3FN = 24,
  Float8E5M2FNUZ = 25,
  Float8E4M3FNUZ = 26,
  UInt16 = 27,
  UInt32 = 28,
  UInt64 = 29,
};

/// What there is to know of an element type.
struct ScalarTypeRecord {
  ScalarType type;
  int8_t bytes; ///< of one element
  /// In call specs and messages: "f32", "u8", "c64", "f8e4m3fn".
  std::string_view shortName;
  /// PyTorch's, in printed graphs: "Float"; a storage's class is that and "Storage".
  std::string_view name;
  int8_t exported; ///< its number in torch.export's files
};

inline constexpr ScalarTypeRecord scalarTypes[] = {
    {ScalarType::Byte, 1, "u8", "Byte", 1},
    {ScalarType::Char, 1, "i8", "Char", 2},
    {ScalarType::Short, 2, "i16", "Short", 3},
    {ScalarType::Int, 4, "i32", "Int", 4},
    {ScalarType::Long, 8, "i64", "Long", 5},
    {ScalarType::Half, 2, "f16", "Half", 6},
    {ScalarType::Float, 4, "f32", "Float", 7},
    {ScalarType::Double, 8, "f64", "Double", 8},
    {ScalarType::ComplexHalf, 4, "c32", "ComplexHalf", 9},
    {ScalarType::ComplexFloat, 8, "c64", "ComplexFloat", 10},
    {ScalarType::ComplexDouble, 16, "c128", "ComplexDouble", 11},
    {ScalarType::Bool, 1, "bool", "Bool", 12},
    {ScalarType::BFloat16, 2, "bf16", "BFloat16", 13},
    {ScalarType::Float8E5M2, 1, "f8e5m2", "Float8_e5m2", 30},
    {ScalarType::Float8E4M3FN, 1, "f8e4m3fn", "Float8_e4m3fn", 29},
    {ScalarType::Float8E5M2FNUZ, 1, "f8e5m2fnuz", "Float8_e5m2fnuz", 32},
    {ScalarType::Float8E4M3FNUZ, 1, "f8e4m3fnuz", "Float8_e4m3fnuz", 31},
    {ScalarType::UInt16, 2, "u16", "UInt16", 28},
    {ScalarType::UInt32, 4, "u32", "UInt32", 34},
    {ScalarType::UInt64, 8, "u64", "UInt64", 35},
};

/// One more than the greatest number of an element type.
inline constexpr int64_t scalarTypeNumbers = int64_t(ScalarType::UInt64) + 1;

/// The record of what PyTorch numbers so; null where that is no element type that is handled.
constexpr const ScalarTypeRecord *scalarTypeNumbered(int64_t number) {
  constexpr auto records = [] {
    std::array<const ScalarTypeRecord *, scalarTypeNumbers> byNumber{};
    for (const ScalarTypeRecord &record : scalarTypes)
      byNumber[size_t(record.type)] = &record;
    return byNumber;
  }();
  return number >= 0 && number < scalarTypeNumbers ? records[size_t(number)] : nullptr;
}

/// Bytes of one element.
constexpr int64_t elementSize(ScalarType type) {
  const ScalarTypeRecord *record = scalarTypeNumbered(int64_t(type));
  return record ? record->bytes : 0;
}

/// The short name used in specs and messages; "?" of no element type.
constexpr std::string_view shortName(ScalarType type) {
  const ScalarTypeRecord *record = scalarTypeNumbered(int64_t(type));
  return record ? record->shortName : "?";
}

/// The inverse of shortName.
constexpr std::optional<ScalarType> scalarTypeFromShortName(std::string_view name) {
  for (const ScalarTypeRecord &record : scalarTypes)
    if (record.shortName == name)
      return record.type;
  return std::nullopt;
}

/// By PyTorch's name of it.
constexpr std::optional<ScalarType> scalarTypeNamed(std::string_view name) {
  for (const ScalarTypeRecord &record : scalarTypes)
    if (record.name == name)
      return record.type;
  return std::nullopt;
}

} // namespace jit

#endif // JIT_SCALARTYPE_H
