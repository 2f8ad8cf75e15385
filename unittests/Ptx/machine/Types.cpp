//===- Types.cpp - the types of PTX's instructions ------------------------===//
#include "Types.h"

#include <iterator>

using namespace ptx;

namespace {
struct Entry {
  std::string_view name;
  Type type;
  size_t bytes;
};
} // namespace

static constexpr Entry table[] = {
    {"b8", Type::B8, 1},         {"b16", Type::B16, 2},     {"b32", Type::B32, 4},
    {"b64", Type::B64, 8},       {"u8", Type::U8, 1},       {"u16", Type::U16, 2},
    {"u32", Type::U32, 4},       {"u64", Type::U64, 8},     {"s8", Type::S8, 1},
    {"s16", Type::S16, 2},       {"s32", Type::S32, 4},     {"s64", Type::S64, 8},
    {"f16", Type::F16, 2},       {"f16x2", Type::F16x2, 4}, {"bf16", Type::BF16, 2},
    {"bf16x2", Type::BF16x2, 4}, {"tf32", Type::TF32, 4},   {"f32", Type::F32, 4},
    {"f64", Type::F64, 8},       {"pred", Type::Pred, 1}};

std::optional<Type> ptx::parseType(std::string_view word) {
  for (const Entry &entry : table)
    if (entry.name == word)
      return entry.type;
  return std::nullopt;
}

size_t ptx::bytesOf(Type type) { return table[static_cast<size_t>(type)].bytes; }

bool ptx::isSigned(Type type) { return type >= Type::S8 && type <= Type::S64; }
