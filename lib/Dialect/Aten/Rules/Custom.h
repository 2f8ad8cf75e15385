//===- Custom.h - calls of a user's own operators ---------------*- C++ -*-===//
#ifndef JIT_LIB_DIALECT_ATEN_RULES_CUSTOM_H
#define JIT_LIB_DIALECT_ATEN_RULES_CUSTOM_H

#include "jit/Dialect/Aten/CustomOperators.h"
#include "mlir/IR/ValueRange.h"

namespace jit {

/// What the sizes function of an operator is asked with, made of what is known of operands.
class SizesCall {
public:
  enum class Known {
    All,
    Some, ///< not yet: "known sizes of 'x'"
    Wrong ///< no such call can be made: "a tensor as 'x', got i64"
  };

  /// Reads the operands; `what` says the rest.
  Known read(const Schema &schema, mlir::ValueRange operands);
  llvm::ArrayRef<jit_value> values() const { return arguments; }
  std::string what;

private:
  Known value(const SchemaType &type, mlir::Value value, jit_value &into);
  Known tensor(mlir::Value value, jit_value &into);
  Known number(mlir::Value value, jit_value &into);
  Known list(const SchemaType &type, mlir::Value value, jit_value &into);

  llvm::SmallVector<jit_value> arguments;
  std::deque<llvm::SmallVector<jit_value>> lists; // others point into them
  std::deque<std::string> strings;
};

} // namespace jit

#endif // JIT_LIB_DIALECT_ATEN_RULES_CUSTOM_H
