//===- Families.h - what each family adds to the dialect --------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_FAMILIES_H
#define JIT_LIB_DIALECT_ATEN_FAMILIES_H

#include "jit/Dialect/Aten/Aten.h"

namespace jit::aten {

/// Each family specializes `add` for a tag that has its name: none knows of the others, so that a
/// new one rebuilds nothing else.
struct AtenDialect::Families {
  template <typename Family> static void add(AtenDialect &dialect);
};

} // namespace jit::aten

#endif // JIT_LIB_DIALECT_ATEN_FAMILIES_H
