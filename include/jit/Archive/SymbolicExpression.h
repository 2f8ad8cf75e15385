//===- SymbolicExpression.h - sizes as expressions over symbols -*- C++ -*-===//
//
// torch.export writes a size that depends on symbols as sympy's constructor calls, e.g.
// "Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), Integer(1))".
//
//===----------------------------------------------------------------------===//
#ifndef JIT_ARCHIVE_SYMBOLICEXPRESSION_H
#define JIT_ARCHIVE_SYMBOLICEXPRESSION_H

#include "jit/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jit {

struct SymbolicExpression {
  enum class Kind { Integer, Symbol, Call };
  Kind kind = Kind::Integer;
  int64_t integer = 0;
  /// The symbol's name, or what is called: "Add", "FloorDiv", ...
  std::string name;
  std::vector<SymbolicExpression> arguments;

  /// A bare name is a symbol, a bare number an integer. Nesting is bounded. Errors are at \p where.
  static Result<SymbolicExpression> parse(std::string_view text, const std::string &where);
};

} // namespace jit

#endif // JIT_ARCHIVE_SYMBOLICEXPRESSION_H
