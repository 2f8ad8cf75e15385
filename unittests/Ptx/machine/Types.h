//===- Types.h - the types of PTX's instructions ----------------*- C++ -*-===//
#ifndef JIT_UNITTESTS_PTX_TYPES_H
#define JIT_UNITTESTS_PTX_TYPES_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace ptx {

enum class Type {
  B8,
  B16,
  B32,
  B64,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F64,
  Pred
};

/// Without its dot; nothing for what is no type.
std::optional<Type> parseType(std::string_view word);
/// In memory.
size_t bytesOf(Type type);
bool isSigned(Type type);

enum class Space { Generic, Param, Shared, Global, Const, Local };

} // namespace ptx

#endif // JIT_UNITTESTS_PTX_TYPES_H
