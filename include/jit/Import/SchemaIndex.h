//===- SchemaIndex.h - operators by their PyTorch schemas -------*- C++ -*-===//
//
// Every registered operator says the schema that it implements; this index parses them once, so
// that an importer finds the overload that a call means. No operator is named here.
//
//===----------------------------------------------------------------------===//
#ifndef JIT_IMPORT_SCHEMAINDEX_H
#define JIT_IMPORT_SCHEMAINDEX_H

#include "jit/Dialect/Aten/Schema.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringMap.h"

#include <vector>

namespace jit {

/// Whether a name is of a namespace of users' own: such operators are known from their files alone.
inline bool isCustomName(llvm::StringRef name) {
  auto [space, base] = name.split("::");
  return !base.empty() && space != "aten" && space != "prim" && space != "quantized" &&
         space != "jit";
}

struct Overload {
  mlir::OperationName operation;
  /// As its record gives it.
  llvm::StringRef text;
  Schema schema;
};

class SchemaIndex {
public:
  /// Indexes the operators of the aten dialect, which it loads, and those that the context was
  /// given (jit/Dialect/Aten/CustomOperators.h).
  explicit SchemaIndex(mlir::MLIRContext &context);

  /// All overloads of a name like "aten::add"; empty if there is none.
  llvm::ArrayRef<Overload> find(llvm::StringRef name) const;

  /// All overloads, sorted by their schemas.
  std::vector<Overload> overloadsInOrder() const;

private:
  llvm::StringMap<std::vector<Overload>> overloads;
};

} // namespace jit

#endif // JIT_IMPORT_SCHEMAINDEX_H
